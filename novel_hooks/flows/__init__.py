"""Use cases, one module each: read the files, ask the rules, write."""
