"""The chapter in work: its desk, hand-out, work log and kept attempts."""
