"""The step that is due (`due_step`), and the answers about it: next, status, packets, edits before a draft."""
