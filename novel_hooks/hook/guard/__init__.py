"""The guard (ADR 0009): `decision` orders the rules, `target` refuses a place, `turn` a moment."""
