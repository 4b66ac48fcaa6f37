"""The instruction packet and its DATA blocks; its size limit, and the order and pieces of its cuts."""
