"""The steps of setup and of a volume: packets, questions, changes of setting, landing."""
