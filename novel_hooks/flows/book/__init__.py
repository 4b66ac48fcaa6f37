"""One reading of a project: its files, settings, logs, foreshadowing, hand edits."""
