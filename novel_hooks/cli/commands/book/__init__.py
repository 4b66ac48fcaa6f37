"""Commands about the whole book: begin it, check it, repair it, go back."""
