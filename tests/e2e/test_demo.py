"""`novel demo`: the main job on the bundled sample, and what it does to folders that are not its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builders import BIN
from builders import fast_disk as fast_disk

from novel_hooks.cli import recorded
from novel_hooks.cli.call import call

WANTED = len(recorded.chapters())


def demo(place: Path) -> tuple[int, str]:
    found = call("demo", [str(place), "--json"], {"NOVEL_DEBUG": "1"})
    return found.exit, "".join(d.code for d in found.diagnostics)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo of the whole sample, which nobody changes."""
    place = tmp_path_factory.mktemp("written") / "演 示"
    assert demo(place) == (0, "")
    return place


def test_three_chapters_land_and_a_second_run_changes_nothing(written: Path) -> None:
    landed = sorted(os.listdir(written / "chapters"))
    assert landed == [f"chapter-{n:03d}.md" for n in range(1, WANTED + 1)]
    before = {p: p.read_bytes() for p in written.rglob("*") if p.is_file()}
    assert demo(written) == (0, "")
    assert {p: p.read_bytes() for p in written.rglob("*") if p.is_file()} == before
    assert os.listdir(written.parent) == ["演 示"]


def test_the_recorded_chapters_show_a_revision_a_polish_and_two_judges(written: Path) -> None:
    gates, judges = [], []
    for number in range(1, WANTED + 1):
        document = json.loads(
            (written / "evaluations" / f"chapter-{number:03d}-eval.json").read_text("utf-8")
        )
        gates.append(document["metadata"]["gate"])
        judges.append(document["metadata"]["judges"])
    assert any(gate["revisions"] == 1 for gate in gates)
    assert any(gate["polished"] for gate in gates)
    assert any("secondary" in one for one in judges)


def test_its_logs_name_no_model_that_was_not_there(written: Path) -> None:
    where = ["--project", str(written)]
    told = call("log", where, {})
    assert [one["model"] for one in told.data["models"]] == [recorded.MODEL]
    pages = told.text + "".join(call("log", [str(n), *where], {}).text for n in range(1, WANTED + 1))
    assert "录制　" in pages and not re.search("opus|sonnet|模型未记", pages)


@pytest.mark.parametrize("kind", ["file", "link", "dangling", "full"])
def test_what_is_not_its_own_stays(tmp_path: Path, kind: str) -> None:
    place, other = tmp_path / "mine", tmp_path / "other"
    other.mkdir()
    if kind == "file":
        place.write_text("稿子", "utf-8")
    elif kind == "full":
        place.mkdir()
        (place / "稿子.md").write_text("稿子", "utf-8")
    else:
        os.symlink("other" if kind == "link" else "nowhere", place)
    neighbour = tmp_path / "mine.partial"
    neighbour.mkdir()
    (neighbour / "稿子.md").write_text("稿子", "utf-8")
    before = sorted(str(p) for p in tmp_path.rglob("*"))
    code, said = demo(place)
    assert code in (2, 3) and said in ("CLI_USAGE", "PROJECT_EXISTS")
    assert sorted(str(p) for p in tmp_path.rglob("*")) == before


def test_the_folder_that_one_stands_in_is_not_renamed_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sample takes an empty folder's place as a whole; a shell in it would be nowhere then."""
    place = tmp_path / "空"
    place.mkdir()
    monkeypatch.chdir(place)
    for told in (".", str(place)):
        found = call("demo", [told, "--json"], {"NOVEL_DEBUG": "1"})
        assert (found.exit, [one.code for one in found.diagnostics]) == (2, ["CLI_USAGE"])
        assert "novel demo demo-novel" in str(found.diagnostics[0].fix)
    assert os.listdir(place) == [] and os.listdir(tmp_path) == ["空"]


def test_a_name_the_disk_does_not_take(tmp_path: Path) -> None:
    assert demo(tmp_path / ("长" * 300)) == (3, "WRITE_FAILED")
    assert os.listdir(tmp_path) == []


def test_two_at_once_lose_nothing(tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [BIN, "demo", "d"], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(2)
    ]
    assert {process.wait(120) for process in started} <= {0, 3, 4}
    assert demo(tmp_path / "d") == (0, "")
    assert len(os.listdir(tmp_path / "d" / "chapters")) == WANTED


OTHER = {"NOVEL_DEBUG": "1", "NOVEL_OWNER": "second-terminal"}


def second(place: Path, *argv: str) -> int:
    """The same command from another terminal."""
    name, *rest = argv
    return call(name, [*rest, "--project", str(place)], OTHER).exit


def lock(place: Path) -> str:
    found: str = call("lock", ["status", "--project", str(place)], OTHER).data["kind"]
    return found


def test_a_demo_that_waits_for_the_author_gives_the_lock_back(tmp_path: Path) -> None:
    """Then he may decide from wherever he is."""
    place = tmp_path / "demo"
    recorded.unpack(str(place))
    limits = "gate:\n  pass: 5.0\n  polish: 4.99\n  revise: 4.98\n  pause: 1.0\n"
    (place / "novel.yaml").write_text(limits, "utf-8")
    assert demo(place) == (0, "")
    point = json.loads((place / ".checkpoint.json").read_text("utf-8"))
    assert (point["pipeline_stage"], point["inflight_chapter"]) == ("judged", 1)
    assert lock(place) == "free"
    assert second(place, "decide", "1", "accept") == 0


def test_a_demo_that_fails_gives_the_lock_back(tmp_path: Path) -> None:
    place = tmp_path / "demo"
    recorded.unpack(str(place))
    (place / "volumes" / "vol-01" / "chapter-contracts" / "chapter-001.json").unlink()
    assert demo(place) == (3, "FILE_MISSING")
    assert lock(place) == "free"
    assert second(place, "rollback", "0", "--yes") == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a process is known by its start")
def test_the_lock_of_a_demo_that_was_killed_is_nobodys(tmp_path: Path) -> None:
    place = tmp_path / "demo"
    running = subprocess.Popen([BIN, "demo", str(place)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    while not (place / "chapters" / "chapter-001.md").exists() or not (place / ".novel.lock").exists():
        assert running.poll() is None
        time.sleep(0.005)
    running.kill()
    running.wait()
    assert lock(place) in ("stale", "free")
    assert second(place, "config", "gate.pass", "4.1") == 0
    assert second(place, "rollback", "0", "--yes") == 0


def test_an_interrupted_demo_says_how_to_go_on(tmp_path: Path) -> None:
    place = tmp_path / "演 示"
    running = subprocess.Popen(
        [BIN, "demo", str(place)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )
    while not (place / "chapters" / "chapter-001.md").exists():
        assert running.poll() is None
        time.sleep(0.005)
    running.send_signal(signal.SIGINT)
    said = running.communicate()[0].decode("utf-8")
    assert running.returncode == 130
    assert said.splitlines()[-1].endswith(f" demo '{place}'`。") and "novel next" not in said


def test_the_last_lines_name_what_is_there(tmp_path: Path) -> None:
    place = tmp_path / "demo"
    recorded.unpack(str(place))
    (place / "novel.yaml").write_text("max_revisions: 0\n", "utf-8")
    paused = call("demo", [str(place)], {}).text
    assert f"{place}/chapters/chapter-001.md" in paused and f"{place}/chapters/chapter-002.md" not in paused
    assert second(place, "decide", "2", "accept") == 0
    assert "chapter-003.md" in call("demo", [str(place)], {}).text
    (place / "chapters" / "chapter-002.md").unlink()
    after = call("demo", [str(place)], {}).text
    assert "换一个文件夹，再运行一次" in after and f"在 Claude Code 里打开 {place}，" in after
    assert "没有改动" not in after and f"{place}/chapters/chapter-002.md" not in after
    assert "写好过、现在不见了：chapters/chapter-002.md" in after


@pytest.mark.parametrize("named", [False, True])
def test_it_ends_with_a_command_that_works_here(written: Path, tmp_path: Path, named: bool) -> None:
    """Whether `novel` is a command on this computer or not; here of a demo that was there before."""
    shutil.copytree(written, tmp_path / "演 示")
    tools = tmp_path / "tools"
    tools.mkdir()
    if named:
        (tools / "novel").symlink_to(BIN)
    env = {**os.environ, "PATH": f"{tools}:/usr/bin:/bin"}
    told = subprocess.run(
        [BIN, "demo", "演 示"], cwd=tmp_path, env=env, capture_output=True, encoding="utf-8"
    )
    (line,) = re.findall(r"^接着看这本书：`(.*)`。$", told.stdout, re.M)
    assert line == f"{'novel' if named else BIN} status --project '演 示'"
    seen = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=env, capture_output=True, encoding="utf-8")
    assert seen.returncode == 0 and "已完成到第 3 章" in seen.stdout


def test_without_a_folder_it_is_not_put_into_a_book(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "demo"
    shutil.copytree(written, place)
    monkeypatch.chdir(place / "chapters")
    assert call("demo", [], {}).diagnostics[0].code == "PROJECT_EXISTS"
    assert not list(place.rglob("demo-novel"))
    monkeypatch.chdir(tmp_path)
    assert call("demo", ["--project", "demo", "--json"], {}).exit == 0
    assert os.listdir(tmp_path) == ["demo"]


def test_its_setting_is_noted_from_the_first(tmp_path: Path) -> None:
    place = tmp_path / "demo"
    recorded.unpack(str(place))
    where = ["--project", str(place)]
    assert call("changed", where, {}).data == {"known": True, "changes": [], "pending": []}
    card = place / "characters" / "active" / "xu-er.json"
    card.write_text(card.read_text("utf-8").replace("絮儿", "絮娘"), "utf-8")
    (found,) = call("changed", where, {}).data["changes"]
    assert {5, 6} <= set(found["chapters"])
