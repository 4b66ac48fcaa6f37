"""Commands that look up a name or a word, one module each."""
