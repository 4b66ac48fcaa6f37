"""The story's state: deltas, change log, consistency, undoing."""
