"""The guard (ADR 0009): `decision` orders the rules, `projects` finds the novel, `target` checks the place.

`turn` asks for the session lock, `audit` refuses a call that cannot be logged.
"""
