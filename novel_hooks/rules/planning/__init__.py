"""The planners' packets, and the planned chapters that a change of setting or cast touches."""
