"""Commands that show something; only `outline --fix` also changes it."""
