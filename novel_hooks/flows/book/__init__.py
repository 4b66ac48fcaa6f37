"""One reading of a project: files and lost ones, settings, logs, names, threads, hand edits of what landed."""
