"""The planning packets of the sample novel, byte for byte: to review, `make golden` rewrites them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders import fast_disk as fast_disk
from copying import copied
from planbook import STEPS, ready_for, sample_book
from test_chapter_packets import everywhere, packet

from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema

PACKETS = Path(__file__).parent / "packets"


@pytest.mark.parametrize("step", STEPS)
def test_the_packet_is_the_one_that_was_reviewed(tmp_path: Path, step: str) -> None:
    made = ready_for(sample_book(tmp_path / "book"), step)
    found = made.ok("instructions", step)
    assert schema.problems("packet", found, "packet") == []
    path = PACKETS / f"{step.replace(':', '-')}.json"
    if os.environ.get("NOVEL_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(jsonio.dump(found))
    assert jsonio.dump(found) == path.read_bytes()
    again = copied(made, tmp_path / "别处")
    assert jsonio.dump(again.ok("instructions", step)) == path.read_bytes()


@pytest.mark.parametrize("step", STEPS)
def test_the_same_bytes_whoever_asks_where_and_how(tmp_path: Path, step: str) -> None:
    made = ready_for(sample_book(tmp_path / "book"), step)
    first, _ = packet(made.root, step)
    assert first == (PACKETS / f"{step.replace(':', '-')}.json").read_bytes()
    assert everywhere(made.root, step, tmp_path) == [first] * 4
