"""The instruction packet, its DATA blocks, its size limit and the cuts to it."""
