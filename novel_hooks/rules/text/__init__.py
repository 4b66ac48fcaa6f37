"""Texts and JSON values of any kind: lengths, numerals, typed words, like characters, measures of style."""
