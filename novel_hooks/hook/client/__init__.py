"""The client's events and the answers to them."""
