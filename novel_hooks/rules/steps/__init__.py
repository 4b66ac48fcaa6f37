"""The checkpoint, the names of steps, the table of the next step, menus."""
