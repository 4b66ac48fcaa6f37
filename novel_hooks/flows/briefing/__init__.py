"""The next step, prepared for the commands that show it: next, status, packets and their replay."""
