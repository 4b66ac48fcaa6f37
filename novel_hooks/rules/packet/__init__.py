"""The instruction packet, its DATA blocks and its size limit."""
