"""What will stop the step that is due is told by `next`, by `status` and when a session begins."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.cli.blocks import AHEAD
from novel_hooks.errors import FileMissing, Problem
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.packet import chapter_inputs, preflight
from novel_hooks.hook.notice import session_start
from novel_hooks.store.files import assets
from novel_hooks.store.files.project import Project
from novel_hooks.store.schema.validity import Validity

if TYPE_CHECKING:
    from collections.abc import Callable

STAGES = ("draft", "summarize", "refine", "judge")
NOT_UTF8 = b"\xff\xfe\x00"
OURS = (".", "chapters/", "evaluations/", "logs/", "staging/", layout.CHANGELOG)
"""Not files of the plan or the setting, or told by other tests."""


def at(tmp_path: Path, phase: str) -> Book:
    """The second chapter, with this phase due."""
    made = book(tmp_path)
    if phase == "draft":
        return made
    made.ok("lock", "acquire")
    made.draft()
    made.advance("draft")
    if phase != "summarize":
        made.records()
        made.advance("summarize")
    if phase == "judge":
        made.advance("refine")
    assert made.next()["phase"] == phase
    return made


def read_by_the_packet(made: Book, phase: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that the packet of this phase is made of."""
    seen: set[str] = set()
    read = Project.read

    def recorded(project: Project, path: str) -> bytes | None:
        seen.add(path)
        return read(project, path)

    with monkeypatch.context() as patch:
        patch.setattr(Project, "read", recorded)
        made.ok("instructions", made.step(phase))
    return sorted(path for path in seen if not path.startswith(OURS) and made.at(path).is_file())


def shapeless(content: bytes) -> bytes:
    """The same keys with a number each: JSON that no schema takes."""
    return json.dumps(dict.fromkeys(json.loads(content), 7)).encode()


SPOILT: dict[str, Callable[[bytes], bytes | None]] = {
    "gone": lambda _: None,
    "empty": lambda _: b"",
    "bytes": lambda _: NOT_UTF8,
    "half": lambda _: b"{",
    "list": lambda _: b"[]",
    "object": lambda _: b"{}",
    "numbers": shapeless,
}


TELLING = ("gone", "half")
"""Of these `status` is asked too; in the first way files are spoilt in every phase."""


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("phase", STAGES)
def test_a_file_that_stops_the_packet_is_told_before(
    tmp_path: Path, phase: str, every: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file by itself: what a packet is refused for, `next` and `status` tell in the same words.

    A file is spoilt in every way in the first phase that reads it, or (`every`) in each.
    """
    known: set[str] = set()
    for earlier in () if every else STAGES[: STAGES.index(phase)]:
        known |= {*read_by_the_packet(at(tmp_path / earlier, earlier), earlier, monkeypatch)}
    made = at(tmp_path / phase, phase)
    told = set()
    for path in read_by_the_packet(made, phase, monkeypatch):
        kept = made.at(path).read_bytes()
        for how in TELLING[:1] if path in known else SPOILT:
            if how == "numbers" and not path.endswith(".json"):
                continue
            content = SPOILT[how](kept)
            made.drop(path) if content is None else made.write(path, content)
            if _told(made, phase, f"{path}, {how}", every or how in TELLING):
                told.add(how)
            made.write(path, kept)
    assert told == {*SPOILT} if every or phase == STAGES[0] else "gone" in told
    assert AHEAD not in made.novel("next").text
    assert made.ok("status")["next"]["stopped"] is False


def _told(made: Book, phase: str, what: str, paged: bool) -> bool:
    """Was anything told? All that stops the packet must be, by `next`, and when `paged` by `status`."""
    asked = made.novel("next")
    due = asked.exit == 0 and asked.data["phase"] == phase  # else the plan is asked for
    refused = made.novel("instructions", asked.data["step"]) if due else asked
    stops = {d.message for d in refused.diagnostics if refused.exit}
    assert stops <= {d.message for d in asked.diagnostics}, what
    assert not (due and stops) or AHEAD in asked.text, what
    if paged:
        page = made.novel("status")
        assert stops <= {d.message for d in page.diagnostics}, what
        assert not (due and stops) or (AHEAD in page.text and page.data["next"]["stopped"] is True), what
    return bool(due and stops) or any(
        (d.code, d.severity) == ("LOST_FILE", "error") for d in asked.diagnostics
    )


def test_a_contract_that_names_nobody_takes_the_last_summaries_and_their_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path, chapters=4)
    contract = made.json(layout.contract(1, 5))
    contract["preconditions"].pop("character_states")
    made.write(layout.contract(1, 5), contract)
    assert layout.summary(1) in read_by_the_packet(made, "draft", monkeypatch)
    made.write(layout.summary(1), NOT_UTF8)
    found = made.novel("next")
    assert [(d.code, d.path) for d in found.diagnostics] == [("FILE_NOT_UTF8", layout.summary(1))]
    assert AHEAD in made.novel("status").text


def test_two_people_of_one_name_are_told(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    one, two = sorted(name for name in made.names(layout.CHARACTERS) if name.endswith(".json"))[:2]
    card = made.json(f"{layout.CHARACTERS}/{two}")
    card["display_name"] = made.json(f"{layout.CHARACTERS}/{one}")["display_name"]
    made.write(f"{layout.CHARACTERS}/{two}", card)
    assert "CHARACTER_DUPLICATE_NAME" in [d.code for d in made.novel("next").diagnostics]
    made.refused(3, "CHARACTER_DUPLICATE_NAME", "instructions", made.step("draft"))


def test_a_state_that_is_broken_before_the_first_chapter_is_told(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=0)
    for content in (b"{", b"[]", b'{"schema_version": 1}', NOT_UTF8):
        made.write(layout.STATE, content)
        stops = {d.message for d in made.novel("instructions", made.step("draft")).diagnostics}
        for command in ("next", "status"):
            found = made.novel(command)
            assert stops <= {d.message for d in found.diagnostics}, (command, content)
            assert AHEAD in found.text


def loaded(made: Book, command: str) -> bool:
    """Has this command loaded jsonschema, in a process of its own?"""
    code = (
        f"import sys; sys.path.insert(0, {CHECKOUT!r})\n"
        "from novel_hooks.cli.call import call\n"
        f"call({command!r}, ['--project', {str(made.root)!r}], {{}})\n"
        "print('jsonschema' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout == "True\n"


def test_what_was_judged_before_is_not_judged_again(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    assert not loaded(made, "next") and not loaded(made, "status")
    rules = made.json(layout.WORLD_RULES)
    made.write(layout.WORLD_RULES, {**rules, "note": "新的"})
    assert loaded(made, "next") and loaded(made, "status")


def test_a_near_miss_in_the_outline_is_told(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    text = made.at(layout.outline(1)).read_text("utf-8").replace("### 第 4 章", "## 第 4 章")
    made.write(layout.outline(1), text)
    found = made.novel("next")
    assert [d.code for d in found.diagnostics if d.path == layout.outline(1)] == ["OUTLINE_HEADING_NEAR"]
    assert AHEAD in found.text


def test_a_brief_that_is_the_template_is_told_and_stops_nothing(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    shutil.copy(f"{CHECKOUT}/novel_hooks/templates/brief.md", made.at(layout.BRIEF))
    found = made.novel("next")
    assert [(d.severity, d.code) for d in found.diagnostics] == [("warning", "BRIEF_BLANK")]
    assert made.novel("instructions", made.step("draft")).exit == 0
    assert "BRIEF_BLANK" in [d.code for d in made.novel("doctor").diagnostics]


def test_settings_that_cannot_be_read_are_ahead_on_the_page(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    made.write(layout.CONFIG, "titel: x\n")
    found = made.novel("status")
    assert found.data["next"] is None
    assert "先处理下面的问题" in found.text
    assert [d.code for d in found.diagnostics] == ["CONFIG_KEY_UNKNOWN"]


def test_a_new_session_hears_it_first(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    made.drop(layout.BRIEF)
    said = session_start.respond({}, str(made.root), {"CLAUDE_PID": "1"}, building=False).decode("utf-8")
    assert "先处理：缺少立意" in said


def test_nothing_is_ahead_where_the_author_is_asked(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    made.stage(
        "drafting", orchestrator_state="ERROR_RETRY", error={"step": made.step("draft"), "reason": "x"}
    )
    made.drop(layout.BRIEF)
    assert made.novel("next").diagnostics == ()


# what is asked, and of which step ------------------------------------------------------------------------


def obstacles(made: Book) -> list[tuple[str, str, str | None]]:
    found = preflight.problems(due_step.view(Reading(Project(str(made.root)))))
    return [(p.severity, p.code, p.path) for p in found]


def test_a_blank_brief_is_advice_and_a_lost_one_an_obstacle(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    made.write(layout.BRIEF, assets.load(assets.package_path("templates/brief.md")))
    (blank,) = preflight.brief_problems(Reading(Project(str(made.root))))
    assert (blank.code, blank.severity, blank.path) == ("BRIEF_BLANK", "warning", layout.BRIEF)
    made.drop(layout.BRIEF)
    with pytest.raises(FileMissing):
        preflight.brief_problems(Reading(Project(str(made.root))))


def test_nobody_is_warned_of_a_step_that_is_made_already(tmp_path: Path) -> None:
    """The verdict is recorded: no agent is due, and what a packet would need stops nothing."""
    made = at(tmp_path, "judge")
    made.write(layout.STYLE_PROFILE, "{")
    assert ("warning", "JSON_BROKEN", layout.STYLE_PROFILE) in obstacles(made)
    made.judge(4.5)
    assert made.next()["recorded"] is True and obstacles(made) == []


def test_a_step_that_waits_for_the_author_is_not_looked_into(tmp_path: Path) -> None:
    made = at(tmp_path, "judge")
    made.judge(2.2)
    made.advance("judge")
    made.write(layout.STYLE_PROFILE, "{")
    assert made.next()["stop"] is True and obstacles(made) == []


def test_what_has_passed_before_is_not_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = at(tmp_path, "draft")
    made.ok("instructions", made.step("draft"))
    judged: list[str] = []
    real = Validity.judge

    def judge(self: Validity, schema: str, data: bytes, value: object, path: str) -> list[Problem]:
        judged.append(path)
        return real(self, schema, data, value, path)

    read: list[str] = []
    document = Reading.document

    def documented(self: Reading, path: str, schema: str, own: bool = False) -> object:
        read.append(path)
        return document(self, path, schema, own)

    monkeypatch.setattr(Validity, "judge", judge)
    monkeypatch.setattr(Reading, "document", documented)
    assert obstacles(made) == [] and set(judged) <= {layout.STATE}, "our own is always judged"
    assert layout.WORLD_RULES not in read and layout.STORYLINES not in read, "known by hash, not even parsed"


def test_a_memory_that_is_lost_is_told_before(tmp_path: Path) -> None:
    made = book(tmp_path, 3)
    lost = layout.memory(made.json(layout.contract(1, 4))["storyline_id"])
    made.drop(lost)
    assert [path for _, code, path in obstacles(made) if code == "MEMORY_GONE"] == [lost]


# the packet ----------------------------------------------------------------------------------------------


def test_nothing_is_begun_that_could_not_land(tmp_path: Path) -> None:
    """The state does not join the log: whoever is due is not handed his step."""
    for phase in STAGES:
        made = at(tmp_path / phase, phase)
        made.write(layout.STATE, {**made.json(layout.STATE), "state_version": 9})
        made.refused(5, "LOG_BEHIND_STATE", "instructions", made.step(phase))
        if phase in ("draft", "summarize"):  # later the delta itself cannot be judged
            assert ("warning", "LOG_BEHIND_STATE", layout.CHANGELOG) in obstacles(made)


def test_who_only_looks_is_not_stopped_by_what_is_still_to_come(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    made.drop(layout.BRIEF)
    made.write(layout.STYLE_PROFILE, "{")
    desk = Desk(Reading(Project(str(made.root))), 1, 2)
    with pytest.raises(Problem) as caught:
        chapter_inputs.for_phase(desk, "draft", 0, ahead=True)
    assert [p.path for p in caught.value.problems] == [layout.STYLE_PROFILE], "what is broken stops him too"
    with pytest.raises(Problem) as both:
        chapter_inputs.for_phase(desk, "draft", 0)
    assert {p.path for p in both.value.problems} == {layout.STYLE_PROFILE, layout.BRIEF}


@pytest.mark.parametrize("data", [None, b"", "# 第 3 章\n".encode()])
def test_a_lost_text_before_the_chapter_stops_it_at_next(tmp_path: Path, data: bytes | None) -> None:
    made = book(tmp_path, chapters=3)
    made.drop(layout.chapter(3)) if data is None else made.write(layout.chapter(3), data)
    found = made.novel("next")
    assert [(d.code, d.path) for d in found.diagnostics] == [
        ("LANDED_TEXT_GONE" if data is None else "LANDED_TEXT_BLANK", layout.chapter(3))
    ]
    assert AHEAD in found.text and "从备份取回" in found.diagnostics[0].fix
