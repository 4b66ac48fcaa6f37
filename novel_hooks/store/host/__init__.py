"""The computer a command runs on: process, owner, clock, packages."""
