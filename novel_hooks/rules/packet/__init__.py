"""The instruction packet, its DATA blocks; `size_limit`: what is cut first, `cuts`: its pieces."""
