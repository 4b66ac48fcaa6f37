"""From a judge to a decision: `json_from_text` reads, `verdict` checks, `score` adds up, `gate`."""
