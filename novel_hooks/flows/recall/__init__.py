"""What the book said earlier: the index of names, the packet's part, a word found, a person looked up."""
