"""The whole book in one dated file, and a book made of such a file on another computer."""
