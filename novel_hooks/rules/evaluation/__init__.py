"""A judge's words to a decision: `json_from_text` reads, `verdict` finds faults, `gate` decides."""
