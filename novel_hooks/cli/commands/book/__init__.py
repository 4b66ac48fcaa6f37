"""Commands about the whole book: begin, check, mend, go back."""
