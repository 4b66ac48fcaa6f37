"""The step that is due (`due_step`), and answers about it: next, status, packets, edits before drafts."""
