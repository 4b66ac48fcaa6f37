"""Commands of a step: check, record, answer, advance, land; a name replaced in the whole book."""
