"""An agent's transcript: the client's own file, read for what it is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from noticing import transcript

from novel_hooks.hook.notice import transcript as transcripts
from novel_hooks.hook.notice.transcript import Transcript, read
from novel_hooks.store.host import moment

NOTHING = Transcript(None, {})


def test_all_turns_are_summed_and_each_message_counts_once(tmp_path: Path) -> None:
    place = transcript(tmp_path / "a.jsonl", [(100, 20), (300, 40)], "2026-01-02T03:04:05.678Z")
    found = read(str(place))
    assert found.began == moment.epoch("2026-01-02T03:04:05Z")
    assert found.usage == {"input_tokens": 400, "output_tokens": 60, "cache_read_input_tokens": 14}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "no json\n",
        "[1]\n",
        '{"timestamp": 7}\n',
        '{"type": "assistant", "message": {"usage": 3}}\n',
        "\x00",
    ],
)
def test_what_is_not_there_is_not_known(tmp_path: Path, text: str) -> None:
    place = tmp_path / "a.jsonl"
    place.write_text(text)
    assert read(str(place)) == NOTHING


def test_a_line_that_is_cut_off_spoils_no_other(tmp_path: Path) -> None:
    place = transcript(tmp_path / "a.jsonl", [(5, 6)])
    with open(place, "a", encoding="utf-8") as handle:
        handle.write('{"type": "assistant", "message": {"usage": {"input_tok')
    assert read(str(place)).usage["input_tokens"] == 5


def test_of_a_message_on_several_lines_the_last_counts_and_of_every_key_a_sum(tmp_path: Path) -> None:
    def line(name: str, kind: str = "assistant", **usage: int) -> str:
        return json.dumps({"type": kind, "message": {"id": name, "usage": usage}}) + "\n"

    place = tmp_path / "a.jsonl"
    place.write_text(
        line("a", input_tokens=1, output_tokens=9)
        + line("b", input_tokens=0, cache_creation_input_tokens=3)
        + line("a", input_tokens=2)
        + line("c", "user", input_tokens=100)
        + json.dumps({"type": "assistant", "message": '"usage"'})
        + "\n"
        + line("d", cache_read_input_tokens=5, total=7)
    )
    assert read(str(place)) == Transcript(
        None, {"input_tokens": 2, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 5}
    )


def test_only_the_first_line_tells_when_it_began(tmp_path: Path) -> None:
    place = tmp_path / "a.jsonl"
    place.write_text('{"type":"summary"}\n{"timestamp":"2026-01-02T03:04:05Z"}\n')
    assert read(str(place)).began is None


def test_a_transcript_above_the_most_bytes_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = transcript(tmp_path / "a.jsonl", [(5, 6)])
    size = place.stat().st_size
    monkeypatch.setattr(transcripts, "_MOST_BYTES", size)
    assert read(str(place)).usage["input_tokens"] == 5
    monkeypatch.setattr(transcripts, "_MOST_BYTES", size - 1)
    assert read(str(place)) == NOTHING


@pytest.mark.parametrize("value", [True, -3, 1.5, "many", None, [1]])
def test_odd_numbers_are_left_out(tmp_path: Path, value: object) -> None:
    message = {"id": "m", "usage": {"input_tokens": value, "output_tokens": 0}}
    place = tmp_path / "a.jsonl"
    place.write_text(json.dumps({"type": "assistant", "message": message}))
    assert read(str(place)).usage == {"output_tokens": 0}


@pytest.mark.parametrize("place", [None, "/nowhere/a.jsonl", "/", "a\0b"])
def test_no_file(place: str | None) -> None:
    assert read(place) == NOTHING


# Codex ----------------------------------------------------------------------------------------------------


def counted(**total: object) -> str:
    return json.dumps(
        {"type": "event_msg", "payload": {"type": "token_count", "info": {"total_token_usage": total}}}
    )


def test_the_last_count_is_the_sum_and_cached_input_stands_apart(tmp_path: Path) -> None:
    place = tmp_path / "a.jsonl"
    lines = [
        '{"timestamp":"2026-01-02T03:04:05.678Z","type":"session_meta"}',
        counted(input_tokens=1, output_tokens=1),
        counted(input_tokens=100, cached_input_tokens=60, cache_write_input_tokens=10, output_tokens=7),
        '{"type":"event_msg","payload":{"type":"token_count","info":null}}',
        '{"payload":["token_count"]}',
        '{"broken "token_count"',
    ]
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = transcripts.read_codex(str(place))
    assert found.began == moment.epoch("2026-01-02T03:04:05Z")
    assert found.usage == {
        "input_tokens": 30,
        "output_tokens": 7,
        "cache_creation_input_tokens": 10,
        "cache_read_input_tokens": 60,
    }


@pytest.mark.parametrize(
    ("total", "usage"),
    [
        ({"input_tokens": 5, "output_tokens": 0}, {"input_tokens": 5, "output_tokens": 0}),
        (
            {"input_tokens": 4, "cached_input_tokens": 4},
            {"input_tokens": 0, "cache_read_input_tokens": 4},
        ),
        (
            {"input_tokens": 4, "cached_input_tokens": 9, "cache_write_input_tokens": -1},
            {"input_tokens": 0, "cache_read_input_tokens": 9},
        ),
    ],
)
def test_no_input_beside_the_cached_is_a_number_too(
    tmp_path: Path, total: dict[str, int], usage: dict[str, int]
) -> None:
    place = tmp_path / "a.jsonl"
    place.write_text(counted(**total), encoding="utf-8")
    assert transcripts.read_codex(str(place)).usage == usage


def test_a_transcript_of_codex_without_counts(tmp_path: Path) -> None:
    place = tmp_path / "a.jsonl"
    place.write_text(counted(input_tokens="many", output_tokens=True), encoding="utf-8")
    assert transcripts.read_codex(str(place)) == Transcript(None, {})
    assert transcripts.read_codex(None) == transcripts.read_codex("/nowhere") == Transcript(None, {})
