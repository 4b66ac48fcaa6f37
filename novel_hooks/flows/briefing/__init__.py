"""What a command tells of the next step: next, status, instructions, context."""
