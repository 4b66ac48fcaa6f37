"""What is checked of an agent's outputs: text, records, verdict, gate, break points."""
