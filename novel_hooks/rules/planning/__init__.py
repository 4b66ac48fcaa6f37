"""What planners are asked for; what a change of setting or cast touches."""
