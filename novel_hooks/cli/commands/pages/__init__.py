"""Commands that show a page; `outline --fix` also changes the outline."""
