"""One use case a module: read, decide, write."""
