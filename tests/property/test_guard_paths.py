"""No path string, however odd, is allowed whose write lands outside the real staging; plain ones are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import examples
from guarding import event, event_text, make_project
from hypothesis import event as note
from hypothesis import given, settings
from hypothesis import strategies as st

from novel_hooks.hook.client import event as events
from novel_hooks.hook.guard import decision

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

NFC, NFD = "caf\u00e9", "cafe\u0301"
NAMES = [
    *(
        "staging",
        "chapters",
        "evaluations",
        "manifests",
        "state",
        "logs",
        "x.md",
        "a..b.md",
        "old.md",
        "hard.md",
    ),
    *("link", "out.md", "loop", "abs", "in", "back", "fake", "dir-link", ".checkpoint.json", "pipe"),
    *(
        "..",
        ".",
        "...",
        "",
        " ",
        "staging ",
        "staging.",
        "Staging",
        "STAGING",
        "\u017ftaging",
        "stagin\u200bg",
    ),
    *(
        "Evaluations",
        "manifest\u017f",
        "book",
        "alias",
        "other",
        "~",
        "$HOME",
        "%2e%2e",
        "..\\..",
        "a\\b",
        "C:",
        "NUL",
    ),
    *(NFC, NFD, "\u6587\u4ef6", "x" * 255, "x" * 256, "a\nb", "a\0b", "\ud800", "\u202e"),
]
ROOTS = [
    "",
    "/",
    "//",
    "{P}",
    "{P}/staging",
    "{P}/staging",
    "{P}/staging/chapters",
    "{A}/staging/state",
    "/{P}/staging",
    "{A}",
    "{A}/staging",
    "{Q}/staging",
    "{P}/..",
    "~",
    "..",
    "\t",
]
CWDS = [
    *("{P}", "{P}/staging", "{P}/staging/chapters", "{P}/chapters", "{P}/..", "{A}", "{A}/staging", "/"),
    *("{P}/staging/link", "{P}/in", "{P}/back", "{Q}", "{P}/staging/fake", "{D}", None),
]


class World:
    """A project with every kind of trap in and around it, made anew after each write."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.build()

    def build(self) -> None:
        shutil.rmtree(self.base, ignore_errors=True)
        book, other = make_project(self.base / "book"), make_project(self.base / "other")
        (self.base / "alias").symlink_to("book")
        (self.base / "dir-link").symlink_to("book/staging/chapters")
        (book / "chapters" / "real.md").write_text("landed", encoding="ascii")
        (book / "in").symlink_to("staging")
        (book / "back").symlink_to(".")
        staging = book / "staging"
        for name, target in {
            "link": "../chapters",
            "loop": "loop",
            "abs": str(other),
            "back": "..",
            "in": ".",
        }.items():
            (staging / name).symlink_to(target)
        (staging / "chapters" / "out.md").symlink_to("../../chapters/real.md")
        (staging / "chapters" / "old.md").write_text("old", encoding="ascii")
        os.link(book / "chapters" / "real.md", staging / "hard.md")
        os.mkfifo(staging / "pipe")
        for folder in (staging / "fake", staging / "fake" / "staging"):
            folder.mkdir()
            (folder / ".checkpoint.json").write_text("{}", encoding="ascii")
        for name in ("Staging", NFC):
            (book / name).mkdir(exist_ok=True)

    def fill(self, pattern: str) -> str:
        for key, name in {"{P}": "book", "{A}": "alias", "{Q}": "other", "{D}": "dir-link"}.items():
            pattern = pattern.replace(key, str(self.base / name))
        return pattern

    def outside(self) -> dict[str, bytes | None]:
        """What lies outside the two stagings, and their reserved parts."""
        found: dict[str, bytes | None] = {}
        for folder, folders, files in os.walk(self.base):
            for name in [*folders, *files]:
                place = Path(folder, name)
                if not self.is_free(str(place)):
                    found[str(place)] = (
                        place.read_bytes() if place.is_file() and not place.is_symlink() else None
                    )
        return found

    def is_free(self, place: str) -> bool:
        """Is this (real) path one that an agent may write?"""
        base = os.path.realpath(self.base)
        for name in ("book", "other"):
            rest = os.path.relpath(place, os.path.join(base, name, "staging"))
            first = rest.split(os.sep)[0]
            if first not in ("..", ".", "evaluations", "manifests"):
                return True
        return False


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("guard") / "world")


def paths() -> SearchStrategy[str]:
    name = st.one_of(st.sampled_from(NAMES), st.sampled_from(NAMES[:10]), st.text(max_size=6))
    joined = st.lists(st.tuples(st.sampled_from(["/", "//", "/./", "/../", "/"]), name), max_size=6)
    tail = st.sampled_from(["", "", "", "", "/", "/.", " ", ".", "\u00a0", "\ufeff"])
    return st.builds(
        lambda root, parts, end: root + "".join(s + n for s, n in parts) + end,
        st.sampled_from(ROOTS),
        joined,
        tail,
    )


def decided(world: World, path: str, cwd: str | None, tool: str = "Write") -> str:
    given = event(
        None, cwd=None if cwd is None else world.fill(cwd), tool_name=tool, tool_input={"file_path": path}
    )
    parsed = events.parse(event_text(given).encode("utf-8", "surrogatepass"))
    assert parsed is not None
    verdict = decision.decide(parsed, {})
    assert verdict is not None
    return verdict.decision


@settings(max_examples=examples(1500), deadline=None)
@given(pattern=paths(), cwd=st.sampled_from(CWDS))
def test_what_is_allowed_lands_in_staging(world: World, pattern: str, cwd: str | None) -> None:
    path = world.fill(pattern)
    answer = decided(world, path, cwd)
    note(answer)
    if answer != "allow":
        return
    joined = os.path.join(world.fill(cwd or ""), path)
    # By its text, as the client resolves it, and by the disk, as the system would.
    for place in (os.path.normpath(joined), joined):
        assert world.is_free(os.path.realpath(place)), (path, cwd)
    before = world.outside()
    target = os.path.normpath(joined).replace("//", "/")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="ascii") as handle:
        handle.write("written")
    assert world.outside() == before, (path, cwd)
    world.build()


SAFE = st.text(
    st.characters(whitelist_categories=("Lu", "Ll", "Lo", "Nd"), whitelist_characters="-_ ().，《》"),
    min_size=1,
    max_size=20,
).filter(
    lambda name: name[-1] not in " ." and name.strip() == name and name[0] != "." and len(name.encode()) < 250
)


@settings(max_examples=examples(200), deadline=None)
@given(
    names=st.lists(SAFE, min_size=1, max_size=3),
    cwd=st.sampled_from(["{P}", "{P}/..", "{A}", "{P}/chapters", None]),
)
def test_a_plain_path_in_staging_is_allowed(world: World, names: list[str], cwd: str | None) -> None:
    for root in ("{P}/staging", "{A}/staging"):
        path = "/".join([world.fill(root), "chapters", *names])
        assert decided(world, path, cwd) == "allow"
        assert decided(world, path, cwd, "Edit") == "allow"


@settings(max_examples=examples(200), deadline=None)
@given(
    names=st.lists(SAFE, min_size=1, max_size=3),
    folder=st.sampled_from(["chapters", "staging/evaluations", "x", ""]),
)
def test_a_plain_path_elsewhere_is_not(world: World, names: list[str], folder: str) -> None:
    path = "/".join(part for part in [world.fill("{P}"), folder, *names] if part)
    assert decided(world, path, "{P}") == "deny"


@pytest.mark.parametrize("cwd", CWDS)
def test_the_world_is_full_of_traps(world: World, cwd: str | None) -> None:
    """The strategy's own parts, one by one: what leads out is refused from every folder."""
    for trap in (
        "link/x",
        "abs/staging/x",
        "back/chapters/x",
        "in/x",
        "loop/x",
        "hard.md",
        "pipe",
        "chapters/out.md",
    ):
        assert decided(world, world.fill(f"{{P}}/staging/{trap}"), cwd) == "deny", trap
