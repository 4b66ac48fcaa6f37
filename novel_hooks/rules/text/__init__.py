"""Texts and JSON values of any kind: lengths, headings, numerals, typed words, measures of style."""
