"""The checks of an agent's outputs: text, records, verdict, gate, break points."""
