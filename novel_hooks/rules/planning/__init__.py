"""The planners' tasks, imported notes, retirement; the planned chapters that a change of setting touches."""
