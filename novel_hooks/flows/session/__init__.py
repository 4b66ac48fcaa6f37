"""A command's hold on the book: the caller, the locks, the second fence, a pending landing."""
