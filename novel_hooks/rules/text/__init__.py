"""Texts and JSON values of any kind: lengths, numerals, typed words, measures of style."""
