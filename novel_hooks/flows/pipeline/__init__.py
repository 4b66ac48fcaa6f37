"""Commands of a step: check, record, answer, advance, land."""
