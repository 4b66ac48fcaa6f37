"""A command's hold on the book: who calls, locks, the second fence, a pending landing."""
