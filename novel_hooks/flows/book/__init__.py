"""One reading of a project: its files and lost ones, settings, logs, names, foreshadowing, hand edits of what landed."""
