"""The planners' tasks, imported notes, retirement; the chapters that a change of setting touches."""
