"""Rules of the story's state: deltas, the change log, consistency, going back."""
