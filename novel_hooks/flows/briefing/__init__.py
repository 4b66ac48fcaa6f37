"""The next step, for a command to report: next, status, packets and their replay."""
