"""What is true of any text or JSON value: lengths, numerals, typed words, measures of style."""
