"""What an author changes by hand in a file of his that holds lines of ours."""

from __future__ import annotations

import json

from novel_hooks.rules.hosting import own_lines, project_files

CONFIG, HOOKS = project_files.CONFIG, project_files.HOOKS
OLD, NEW = 'a = 1\n[ours]\nb = "old"\nc = 1\n', 'a = 1\n[ours]\nb = "new"\nc = 1\n'


def entry(command: str) -> dict[str, list[dict[str, str]]]:
    return {"hooks": [{"command": command}]}


def hooks(**events: list[str]) -> str:
    return json.dumps({"hooks": {name: [entry(one) for one in found] for name, found in events.items()}})


def test_of_settings_the_line_that_differs() -> None:
    swap = '把下面这些：\nb = "old"\n换成：\nb = "new"'
    assert own_lines.changes(CONFIG, f"m = 1 # mine\n{OLD}[mine]\nd = 1\n", OLD, NEW) == swap
    assert own_lines.changes(CONFIG, f"# b\n\n{NEW}[mine]\n", OLD, NEW) == ""
    both = OLD.replace("c = 1", 'b = "new"\nc = 1')
    assert own_lines.changes(CONFIG, both, OLD, NEW) == '去掉：\nb = "old"'


def test_of_settings_what_is_missing_and_what_is_no_more() -> None:
    assert own_lines.changes(CONFIG, '[ours]\nb = "new"\nc = 1\n', NEW, NEW) == "在最前面加上：\na = 1"
    assert (
        own_lines.changes(CONFIG, "a = 1\n[ours]\nc = 1\n", NEW, NEW) == '在「[ours]」下面加上：\nb = "new"'
    )
    more = f"{NEW}[more]\ne = 1\n"
    assert own_lines.changes(CONFIG, NEW, NEW, more) == "在「c = 1」下面加上：\n[more]\ne = 1"
    assert own_lines.changes(CONFIG, more, more, NEW) == "去掉：\n[more]\ne = 1"


def test_of_settings_all_of_ours_and_nothing_of_his() -> None:
    mine = f"m = 1\n{OLD}d = 1\n[mine]\n"
    assert own_lines.changes(CONFIG, mine, OLD, "") == '去掉：\na = 1\n去掉：\nb = "old"\nc = 1'
    assert own_lines.changes(CONFIG, f"m = 1\n{OLD}", OLD, "") == '去掉：\na = 1\n[ours]\nb = "old"\nc = 1'
    assert own_lines.changes(CONFIG, "m = 1\n", OLD, "") == ""


def test_of_hooks_the_entry_that_differs_however_the_file_is_written() -> None:
    old, new = hooks(Stop=["old"], Start=["old", "x"]), hooks(Stop=["new"], Start=["new", "x"])
    found = hooks(Stop=["bell", "old"], Start=["old", "x"], Other=["y"])
    lines = '            "command": "{}"'
    told = own_lines.changes(HOOKS, found, old, new)
    assert told == f"把下面这些（2 处）：\n{lines.format('old')}\n换成：\n{lines.format('new')}"
    assert own_lines.changes(HOOKS, hooks(Stop=["new", "bell"], Start=["x", "new"]), old, new) == ""


def test_of_hooks_all_of_ours_and_what_is_missing() -> None:
    ours = hooks(Stop=["a"], Start=["b"])
    told = own_lines.changes(HOOKS, hooks(Stop=["bell", "a"]), ours, "")
    assert '"a"' in told and "bell" not in told and "换成" not in told.replace("},", "}")
    assert '"b"' in own_lines.changes(HOOKS, hooks(Stop=["a", "bell"]), ours, ours)
    assert own_lines.changes(HOOKS, hooks(Stop=["bell"]), ours, "") == ""


def test_what_cannot_be_read_and_other_files_have_no_lines() -> None:
    for odd in ("{", "[]", '{"hooks": []}', '{"hooks": {"Stop": 5}}'):
        assert own_lines.changes(HOOKS, odd, hooks(Stop=["a"]), hooks(Stop=["b"])) == ""
    assert own_lines.changes(CONFIG, "a = '''\n'''", OLD, NEW) == ""
    assert own_lines.changes(".codex/agents/a.toml", OLD, OLD, NEW) == ""
