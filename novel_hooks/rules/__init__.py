"""Rules: decisions without clock, disk or chance."""
