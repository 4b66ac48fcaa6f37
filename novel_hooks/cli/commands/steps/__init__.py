"""Commands that a chapter or a plan passes through, step by step."""
