"""Codex, asked by its own commands; here a stand-in that answers as it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from novel_hooks.store.host import codex_client

SERVER = """#!/bin/sh
case $1 in
    --version) echo "$VERSION" ;;
    sandbox) shift 4; CDPATH= exec "$@" ;;
    app-server) read -r a; read -r b; read -r c
        printf '%s\\n' '{"id":1,"result":{}}' "$HOOKS"; sleep 30 ;;
esac
"""
HOOK = '{{"source":"{source}","trustStatus":"{trust}"}}'


@pytest.fixture
def codex(tmp_path: Path) -> str:
    place = tmp_path / "codex"
    place.write_text(SERVER)
    place.chmod(0o755)
    return str(place)


@pytest.mark.parametrize(
    ("said", "version"),
    [("codex-cli 0.171.0", (0, 171, 0)), ("codex-cli 1.2.3-beta.1", (1, 2, 3)), ("codex", None), ("", None)],
)
def test_the_version(
    codex: str, said: str, version: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERSION", said)
    assert codex_client.version(codex) == version
    assert codex_client.version("/nowhere/codex") is None


def test_the_trust_of_the_books_hooks(codex: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = [HOOK.format(source="project", trust="trusted"), HOOK.format(source="user", trust="modified")]
    answer = '{{"id":2,"result":{{"data":[{{"hooks":[{}]}}]}}}}'.format(",".join(hooks))
    monkeypatch.setenv("HOOKS", answer)
    assert codex_client.trust(codex, str(tmp_path)) == codex_client.Report(["trusted"], [])
    for broken in ("{", "{}", '{"id":2}', '{"id":2,"result":{"data":[{}]}}'):
        monkeypatch.setenv("HOOKS", f"{broken}\n{'{'}")
        assert codex_client.trust(codex, str(tmp_path)) is None
    assert codex_client.trust("/nowhere/codex", str(tmp_path)) is None


def test_settings_that_codex_cannot_read(codex: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answers to a broken `.rules`, `hooks.json` and `config.toml`; a warning of no file is none."""
    lines = [
        '{"method":"configWarning","params":{"summary":"no bubblewrap","details":null}}',
        r'{"method":"configWarning","params":{"details":"my.rules: bad\n | 1","path":"/b/my.rules"}}',
        r'{"id":2,"result":{"data":[{"hooks":[],"errors":[{"path":"/b","message":"config.toml: bad\n |"}],'
        '"warnings":["hooks.json: bad"]}]}}',
    ]
    monkeypatch.setenv("HOOKS", "\n".join(lines))
    told = codex_client.trust(codex, str(tmp_path))
    assert told == codex_client.Report([], ["my.rules: bad", "config.toml: bad", "hooks.json: bad"])


def test_a_boundary_is_tried(codex: str, tmp_path: Path) -> None:
    assert not codex_client.is_confined(codex, str(tmp_path), "p"), "no staging"
    (tmp_path / "staging").mkdir()
    before = sorted(tmp_path.rglob("*"))
    assert not codex_client.is_confined(codex, str(tmp_path), "p"), "this stand-in confines nothing"
    assert sorted(tmp_path.rglob("*")) == before
