"""Packets: the inputs of each phase, by one table."""
