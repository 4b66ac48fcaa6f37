"""One reading of a project: files, settings, logs, names, threads, landed records."""
