"""The guard (ADR 0009): `decision` orders the rules, `target` checks the place, `turn` the session lock.

`audit` refuses a call that cannot be logged.
"""
