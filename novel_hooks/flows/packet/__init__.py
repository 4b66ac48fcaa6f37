"""Packets: `phase_inputs` is the table of inputs, `chapter_inputs` makes them, `gathering` collects them."""
