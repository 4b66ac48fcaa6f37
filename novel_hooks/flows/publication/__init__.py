"""The book written out for readers: which chapters, what is to be told before, the file."""
