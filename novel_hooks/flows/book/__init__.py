"""One reading of a project: files, lost ones, settings, logs, names, threads, hand edits of what landed."""
