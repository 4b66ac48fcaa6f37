"""What an agent is given: the inputs of each phase, and what would stop it."""
