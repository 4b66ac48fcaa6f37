"""Verdicts of judges, from the raw reply to the gate's decision."""
