"""The commands of `novel`, a module each."""
