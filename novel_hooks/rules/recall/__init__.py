"""What the book itself said earlier: sentences, who is named in them, which of them a packet gets."""
