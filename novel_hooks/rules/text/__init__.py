"""Texts and JSON values of any kind: lengths, headings, numerals, typed words, like characters, measures of style."""
