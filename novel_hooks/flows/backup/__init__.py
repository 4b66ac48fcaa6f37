"""The book in one dated file (`included_files`: what of it), and a book made of it on another computer."""
