"""From a judge's words to a decision: `json_from_text` reads, `verdict` checks, `gate` decides."""
