"""A landed chapter recorded anew after a hand edit."""
