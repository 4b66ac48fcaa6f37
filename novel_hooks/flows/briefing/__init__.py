"""The step that is due (`due_step`), and the answers about it: next, status, packets and their replay."""
