"""The second fence: which files are marked, and what differs from their marks."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from novel_hooks import errors, layout
from novel_hooks.store.fence import fence, seal
from novel_hooks.store.fence.fence import Difference
from novel_hooks.store.fence.marks import signature
from novel_hooks.store.files.project import Project

FENCED = (
    "brief.md",
    "chapters/chapter-001.md",
    "chapters/chapter-030.md",
    "state/changelog.jsonl",
    "state/current-state.json",
    "world/rules.json",
    "world/deep/er/geography.md",
)
FREE = (
    "chapters/.hidden.md",
    "world/deep/.hidden.md",
    "chapters/cover.png",
    "chapters/noextension",
    "staging/chapters/chapter-002.md",
    "logs/audit.jsonl",
    ".checkpoint.json",
    ".novel/x.json",
    "my-notes.md",
)


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for rel in (*FENCED, *FREE):
        place = tmp_path / "book" / rel
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(rel.encode())
    return Project(str(tmp_path / "book"))


def _at(project: Project, rel: str) -> Path:
    return Path(project.absolute(rel))


@pytest.fixture
def titled(project: Project) -> Project:
    """The book with the setting that puts titles into the names of chapters' files."""
    _at(project, layout.TITLED_CHAPTERS).parent.mkdir(exist_ok=True)
    _at(project, layout.TITLED_CHAPTERS).write_bytes(b"")
    return Project(project.root)


class TestWalk:
    def test_a_titled_chapter_is_met_under_its_plain_path(self, titled: Project) -> None:
        name = layout.titled_chapter(12, "夜雨")
        _at(titled, f"chapters/{name}").write_bytes(b"x")
        _at(titled, f"world/{name}").write_bytes(b"y")
        found = fence.walk(titled)
        assert sorted(found) == sorted((*FENCED, "chapters/chapter-012.md", f"world/{name}"))
        assert found["chapters/chapter-012.md"] == signature(_at(titled, f"chapters/{name}").lstat())

    def test_two_files_of_one_chapter_are_refused_where_titles_are_set(self, titled: Project) -> None:
        _at(titled, f"chapters/{layout.titled_chapter(30, '夜雨')}").write_bytes(b"x")
        with pytest.raises(errors.ChapterTwice):
            fence.walk(titled)

    def test_without_titles_a_titled_file_is_a_file_like_others(self, project: Project) -> None:
        path = f"chapters/{layout.titled_chapter(12, '夜雨')}"
        _at(project, path).write_bytes(b"x")
        assert path in fence.walk(project)

    def test_it_meets_every_fenced_file_and_no_other(self, project: Project) -> None:
        found = fence.walk(project)
        assert sorted(found) == sorted(FENCED)
        assert all(look == signature(_at(project, rel).lstat()) for rel, look in found.items())

    def test_the_folders_walked_through_are_returned(self, project: Project) -> None:
        folders: dict[str, str] = {}
        fence.walk(project, folders)
        assert sorted(folders) == ["chapters", "state", "world", "world/deep", "world/deep/er"]
        assert folders["world/deep"] == signature(_at(project, "world/deep").stat())

    def test_what_a_host_is_told_is_fenced(self, project: Project) -> None:
        told = {".agents/skills/novel-start/SKILL.md", ".codex/rules/novel.rules", "AGENTS.override.md"}
        for rel in told:
            _at(project, rel).parent.mkdir(parents=True, exist_ok=True)
            _at(project, rel).write_text("x", encoding="utf-8")
        assert set(fence.walk(project)) == {*FENCED, *told}

    def test_of_a_whole_folder_every_file_counts(self, project: Project) -> None:
        folder = layout.FENCED_WHOLE[0]
        for name in (".hidden", "cover.png", "a.md"):
            place = _at(project, f"{folder}/deep/{name}")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(b"")
        assert {f"{folder}/deep/{name}" for name in (".hidden", "cover.png", "a.md")} <= set(
            fence.walk(project)
        )

    def test_a_link_is_met_and_not_followed(self, project: Project, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside/secret.md").write_bytes(b"")
        _at(project, "world/elsewhere").symlink_to(tmp_path / "outside")
        _at(project, "world/link.md").symlink_to(tmp_path / "outside/secret.md")
        _at(project, "style-profile.json").symlink_to("nowhere")
        _at(project, "research").symlink_to(tmp_path / "outside")
        found = fence.walk(project)
        links = {"world/link.md", "style-profile.json", "research"}
        assert set(found) - set(FENCED) == links
        assert all(found[rel] == signature(_at(project, rel).lstat()) for rel in links)

    def test_a_file_in_a_folders_place_is_no_folder(self, project: Project) -> None:
        _at(project, "volumes").write_bytes(b"")
        folders: dict[str, str] = {}
        assert "volumes" not in fence.walk(project, folders)


class TestMarks:
    def test_a_mark_is_signature_and_hash(self, project: Project) -> None:
        found = fence.marks(project, {})
        assert {rel: sha for rel, (_, sha) in found.items()} == {rel: _sha(rel.encode()) for rel in FENCED}
        assert {rel: look for rel, (look, _) in found.items()} == fence.walk(project)

    def test_a_hash_is_taken_anew_only_where_the_signature_differs(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = fence.marks(project, {})
        _at(project, "brief.md").write_bytes(b"another brief")
        asked: list[str] = []
        real = fence.digest

        def digest(project: Project, path: str) -> str:
            asked.append(path)
            return real(project, path)

        monkeypatch.setattr(fence, "digest", digest)
        folders: dict[str, str] = {}
        now = fence.marks(project, before, folders)
        assert asked == ["brief.md"]
        assert now["brief.md"][1] == _sha(b"another brief")
        assert all(now[rel] is before[rel] for rel in FENCED if rel != "brief.md")
        assert sorted(folders)[0] == "chapters"

    @pytest.mark.parametrize("name", ["a\tb.md", "a\nb.md"])
    def test_a_name_that_no_line_can_hold_is_left_out(self, project: Project, name: str) -> None:
        _at(project, f"world/{name}").write_bytes(b"")
        assert sorted(fence.marks(project, {})) == sorted(FENCED)
        assert fence.marks_of(project, [f"world/{name}"]) == {}

    def test_single_files_are_marked_as_all_are(self, project: Project) -> None:
        _at(project, "world/link.md").symlink_to("rules.json")
        everything = fence.marks(project, {})
        asked = ["world/none.md", *FREE, *FENCED, "world/link.md", "style-profile.json"]
        assert fence.marks_of(project, asked) == everything
        assert fence.marks_of(project, []) == {}

    def test_of_a_whole_folder_single_files_are_marked_too(self, project: Project) -> None:
        rel = f"{layout.FENCED_WHOLE[0]}/.hidden.png"
        _at(project, rel).parent.mkdir(parents=True, exist_ok=True)
        _at(project, rel).write_bytes(b"x")
        assert fence.marks_of(project, [rel]) == {rel: fence.marks(project, {})[rel]}

    def test_a_digest_of_what_is_no_readable_file(self, project: Project) -> None:
        _at(project, "world/link.md").symlink_to("it's here")
        os.mkfifo(_at(project, "world/pipe.md"))
        assert fence.digest(project, "world/link.md") == 'link:"it\'s here"'
        assert fence.digest(project, "world/pipe.md") == "unreadable"
        assert fence.digest(project, "world") == "unreadable"
        assert fence.digest(project, "world/none.md") == "gone"
        assert fence.digest(project, "brief.md") == _sha(b"brief.md")

    def test_they_survive_their_file(self, project: Project) -> None:
        found = fence.marks(project, {})
        assert fence.read(project) is None
        _at(project, layout.FENCE).write_bytes(fence.dump(found))
        assert fence.read(project) == found
        _at(project, layout.FENCE).write_bytes(fence.dump(found)[:-1])
        assert fence.read(project) is None
        _at(project, layout.FENCE).write_bytes(seal.sealed_lines("novel-fence 1", []))
        assert fence.read(project) is None
        _at(project, layout.FENCE).unlink()
        _at(project, layout.FENCE).mkdir()
        assert fence.read(project) is None


BEFORE = {"a": ("1", "x"), "b": ("2", "y"), "c": ("3", "z"), "d": ("4", "w")}


class TestDifferences:
    def test_they_are_by_hash_and_in_path_order(self) -> None:
        now = {"e": ("5", "v"), "d": ("4", "other"), "c": ("9", "z"), "a": ("1", "x")}
        assert fence.differences(BEFORE, now) == [
            Difference("b", "removed"),
            Difference("d", "changed"),
            Difference("e", "added"),
        ]

    def test_the_same_marks_have_none(self) -> None:
        assert fence.differences(BEFORE, dict(BEFORE)) == []

    def test_all_may_be_new_or_removed(self) -> None:
        assert [d.what for d in fence.differences({}, BEFORE)] == ["added"] * 4
        assert [d.what for d in fence.differences(BEFORE, {})] == ["removed"] * 4

    @pytest.mark.parametrize(
        ("rel", "what"),
        [("brief.md", "changed"), ("world/rules.json", "removed"), ("world/new.md", "added")],
    )
    def test_a_change_on_the_disk_is_named(self, project: Project, rel: str, what: str) -> None:
        before = fence.marks(project, {})
        if what == "removed":
            _at(project, rel).unlink()
        else:
            _at(project, rel).write_bytes(b"changed")
        assert fence.differences(before, fence.marks(project, before)) == [Difference(rel, what)]


class TestCheckpointSeal:
    SHA = "0123456789abcdef" * 4

    def test_it_is_read_back(self, project: Project) -> None:
        assert fence.sealed_checkpoint(project) is None
        _at(project, layout.CHECKPOINT_SEAL).write_bytes(fence.checkpoint_seal(self.SHA))
        assert fence.sealed_checkpoint(project) == self.SHA

    def test_the_bare_hash_of_an_earlier_version_is_taken(self, project: Project) -> None:
        _at(project, layout.CHECKPOINT_SEAL).write_bytes(f"{self.SHA}\n".encode())
        assert fence.sealed_checkpoint(project) == self.SHA

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            SHA.encode(),
            SHA.upper().encode() + b"\n",
            SHA.encode() + b"\n\n",
            b"\xff\xfe",
            seal.sealed_lines("novel-checkpoint 1", []),
            seal.sealed_lines("novel-checkpoint 2", [SHA]),
        ],
    )
    def test_any_other_is_lost(self, project: Project, data: bytes) -> None:
        _at(project, layout.CHECKPOINT_SEAL).write_bytes(data)
        with pytest.raises(errors.CheckpointSealLost) as caught:
            fence.sealed_checkpoint(project)
        assert caught.value.path == layout.CHECKPOINT_SEAL


class TestNear:
    def _note(self, project: Project, last: int) -> list[str]:
        folders: dict[str, str] = {}
        found = fence.marks(project, {}, folders)
        data = fence.near_marks(found, folders, last)
        _at(project, layout.FENCE_NEAR).write_bytes(data)
        lines = seal.parse_lines(data, "novel-fence-near 2")
        assert lines is not None
        return lines

    def test_old_chapters_are_left_out_and_absent_places_are_noted(self, project: Project) -> None:
        paths = [line.partition("\t")[2] for line in self._note(project, 30)]
        assert paths == sorted(paths)
        assert set(paths) == {
            *(set(FENCED) - {"chapters/chapter-001.md"}),
            *layout.FENCED_FILES,
            *layout.FENCED_FOLDERS,
            "world/deep",
            "world/deep/er",
        }
        looks = {path: look for look, _, path in (line.partition("\t") for line in self._note(project, 30))}
        assert looks["style-profile.json"] == "-"
        assert looks["brief.md"] == signature(_at(project, "brief.md").stat())
        assert looks["world/deep"] == signature(_at(project, "world/deep").stat())

    @pytest.mark.parametrize(
        ("name", "last", "near"),
        [
            ("chapter-010.md", 29, True),
            ("chapter-010.md", 30, False),
            ("chapter-010-contract.json", 30, False),
            ("chapter-010-eval.json", 29, True),
            ("chapter-1.md", 100, False),
            ("chapter-.md", 100, True),
            ("chapter-x10.md", 100, True),
            ("chapter-１０.md", 100, True),
            ("mychapter-010.md", 100, True),
            ("summary.md", 100, True),
        ],
    )
    def test_a_chapter_is_near_for_twenty_chapters(
        self, project: Project, name: str, last: int, near: bool
    ) -> None:
        for folder in ("chapters", "volumes/vol-01/chapter-contracts"):
            data = fence.near_marks({f"{folder}/{name}": ("1 2 3", "x")}, {}, last)
            assert (f"1 2 3\t{folder}/{name}\n".encode() in data) is near

    def test_folders_that_no_line_can_hold_are_left_out(self) -> None:
        data = fence.near_marks({}, {"world/a\tb": "1", "world/a\nb": "2", "world/c": "3"}, 1)
        lines = seal.parse_lines(data, "novel-fence-near 2")
        assert lines is not None and "3\tworld/c" in lines
        assert all(line.endswith("c") or line.startswith("-\t") for line in lines)

    def test_unchanged_is_unchanged(self, project: Project) -> None:
        assert not fence.near_unchanged(project), "nothing is noted"
        self._note(project, 30)
        assert fence.near_unchanged(project)

    @pytest.mark.parametrize("change", ["write", "add", "remove", "absent", "nested"])
    def test_a_change_shows(self, project: Project, change: str) -> None:
        for rel in ("brief.md", "world", "world/deep", "world/deep/er"):
            os.utime(_at(project, rel), ns=(1, 1))
        self._note(project, 30)
        if change == "remove":
            _at(project, "world/rules.json").unlink()
        else:
            rel = {"write": "brief.md", "add": "world/new.png", "absent": "style-profile.json"}
            _at(project, rel.get(change, "world/deep/er/new.md")).write_bytes(b"changed")
        assert not fence.near_unchanged(project)

    def test_an_old_chapter_written_over_in_its_place_does_not(self, project: Project) -> None:
        self._note(project, 30)
        _at(project, "chapters/chapter-001.md").write_bytes(b"changed")
        assert fence.near_unchanged(project)
        _at(project, "chapters/chapter-030.md").write_bytes(b"changed")
        assert not fence.near_unchanged(project)

    @pytest.mark.parametrize("damage", ["cut", "folder", "format"])
    def test_without_the_notes_it_has_changed(self, project: Project, damage: str) -> None:
        self._note(project, 30)
        place = _at(project, layout.FENCE_NEAR)
        if damage == "cut":
            place.write_bytes(place.read_bytes()[:-1])
        elif damage == "format":
            place.write_bytes(seal.sealed_lines("novel-fence-near 1", []))
        else:
            place.unlink()
            place.mkdir()
        assert not fence.near_unchanged(project)
