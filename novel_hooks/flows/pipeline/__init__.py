"""Commands that move the checkpoint; a name replaced in the whole book."""
