"""Where the book is and what comes next: checkpoint, step names, the table of steps, menus."""
