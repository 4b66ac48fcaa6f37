"""The settings that make Codex a host of one book: profile, rules, hooks. Pure. Source: the real client.

Only `staging/` is writable, also for the author's own Codex in this folder; verdicts and packets in it are
not. A bare `novel` means this copy, and the commands of the rules run outside the sandbox.
"""

from __future__ import annotations

import json
from shlex import quote

from novel_hooks import layout, roles
from novel_hooks.annotations import Any, Iterable, Mapping, Sequence

PROFILE = roles.CODEX_PROFILE
CONFIG = ".codex/config.toml"
RULES = ".codex/rules/novel.rules"
HOOKS = ".codex/hooks.json"
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/homebrew/bin"
"""Behind the plugin's own folder on the shell's PATH; the author's is not written into the book."""
_NOT_IN_A_BOOK = (("init",), ("demo",))
_SECONDS = 25
REFUSED = "写作助手的写入检查没有回答，这次没有放行，请停下，告诉作者运行 novel doctor。"
_NOTICES = {
    "SubagentStop": ("agent-done", 60),
    "SessionStart": ("session-start", 20),
    "Stop": ("turn-end", 20),
    "Interrupt": ("turn-end", 3),
    "SessionEnd": ("turn-end", 3),
}
"""The events that are noted: the notice's name, and its seconds (at the end the client allows three)."""


def config(plugin: str) -> str:
    """Return `.codex/config.toml`; `plugin` is the absolute path of the plugin's folder."""
    path = json.dumps(f"{plugin}/bin:{SYSTEM_PATH}", ensure_ascii=False)
    kept = "\n".join(f'{json.dumps(folder)} = "read"' for folder in roles.OWN_STAGING)
    return f"""# 写作助手（novel host codex）写的：在这本书里，Codex 只能写 staging/，你自己用它也一样。
default_permissions = "{PROFILE}"
allow_login_shell = false

[permissions.{PROFILE}]
extends = ":read-only"

[permissions.{PROFILE}.filesystem.":workspace_roots"]
"." = "read"
"{layout.STAGING}" = "write"
{kept}

[features.multi_agent_v2]
enabled = true

[shell_environment_policy]
set = {{ PATH = {path} }}
"""


_OURS = (PROFILE, "default_permissions", "allow_login_shell", "multi_agent_v2", "shell_environment_policy")
"""Words of a line of `config.toml` that sets something that ours sets."""


def holds_config(found: str, ours: str) -> bool:
    """Tell whether an author's own `config.toml` holds our settings, and no others for the same keys.

    Keys without a table stand above his first table. Each table of ours has all its lines, and a table of the
    profile has no others. False for a text over several lines and for a table that stands twice.
    """
    theirs, wanted = tables(found), tables(ours)
    if theirs is None or wanted is None:
        return False
    others = {
        table: [line for line in lines if line not in wanted.get(table, ())]
        for table, lines in theirs.items()
    }
    said = [
        *(table for table in theirs if table not in wanted),
        *(line for lines in others.values() for line in lines),
    ]
    if any(word in line for line in said for word in _OURS):
        return False
    keys = {table: {_key(line) for line in lines} for table, lines in wanted.items()}
    if any(_key(line) in keys.get(table, ()) for table, lines in others.items() for line in lines):
        return False
    return all(
        theirs.get(table) == lines if PROFILE in table else set(lines) <= set(theirs.get(table, ()))
        for table, lines in wanted.items()
    )


def _key(line: str) -> str:
    return line.partition("=")[0].strip(" \t\"'")


def tables(text: str) -> dict[str, list[str]] | None:
    """Return each table's lines by its heading ("" has those above the first);

    None when they cannot be told apart. A text over several lines and a table that stands twice are such
    cases.
    """
    if "'''" in text or '"""' in text:
        return None
    found: dict[str, list[str]] = {"": []}
    table = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.partition("#")[0].rstrip().endswith("]"):
            table = line
            if table in found:
                return None
            found[table] = []
        elif line and not line.startswith("#"):
            found[table].append(line)
    return found


def rules(plugin: str, commands: Iterable[Sequence[str]]) -> str:
    """Return `.codex/rules/novel.rules`: the commands that run outside the sandbox, without a question.

    Only a `novel` that is this copy may: an agent can put another of that name into staging.
    """
    place = json.dumps(f"{plugin}/bin/novel", ensure_ascii=False)
    listed = sorted({tuple(words) for words in commands} - set(_NOT_IN_A_BOOK))
    lines = [
        f'prefix_rule(pattern = {json.dumps(["novel", *words])}, decision = "allow")' for words in listed
    ]
    head = "# 写作助手（novel host codex）写的：这些命令由 novel 自己检查，不用每次问你。"
    return "\n".join([head, f'host_executable(name = "novel", paths = [{place}])', *lines, ""])


def hooks(plugin: str) -> dict[str, Any]:
    """Return `.codex/hooks.json` as a document.

    A failing hook lets a call run, so a shell around the guard blocks when the guard is silent for 25
    seconds. It uses `read -t` of bash, because `timeout` is not on every system. Any shell that runs the hook
    can start it. A guard that hangs must hold none of the hook's own streams, because the client waits for
    their end.
    """
    guard = f"exec 2>/dev/null; {quote(f'{plugin}/hooks/guard')} codex && printf '\\0'"
    asked = f"IFS= read -rd '' -t {_SECONDS} said < <({guard}) && printf %s \"$said\""
    closed = f"bash -c {quote(asked)} || {{ echo '{REFUSED}' >&2; exit 2; }}"
    found: dict[str, Any] = {
        event: [{"matcher": "*", "hooks": [_command(closed, _SECONDS + 5)]}]
        for event in ("PreToolUse", "PermissionRequest")
    }
    notice = quote(f"{plugin}/hooks/notice")
    for event, (name, seconds) in _NOTICES.items():
        found[event] = [{"hooks": [_command(f"{notice} {name} codex", seconds)]}]
    return {"hooks": found}


def _command(command: str, seconds: int) -> Mapping[str, object]:
    return {"type": "command", "command": command, "timeout": seconds}
