"""Runs the real client on a scripted model, with nothing of the developer's own session around it."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from client.author import FLAGS, Dialogue
from client.model_server import ModelServer
from client.result import Result
from client.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from client.author import Author
    from client.scenario import Scenario

SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
# An address that is nobody's; git is told where it lies.
REPOSITORY = "https://novel.invalid/novel.git"
# The client runs for seconds: code made better for hours, and collecting beside it, cost more than they give.
QUICK = {"BUN_JSC_useDFGJIT": "0", "BUN_JSC_useConcurrentGC": "0", "BUN_JSC_numberOfGCMarkers": "1"}
# What the client and the guard call; a PATH of these alone has no Python.
POSIX_TOOLS = (
    *("bash", "cat", "chmod", "cp", "cut", "dirname", "env", "expr", "find", "grep", "head", "id", "ls"),
    *("mkdir", "mktemp", "mv", "ps", "pwd", "readlink", "rm", "sed", "sh", "sleep", "sort", "tail", "test"),
    *("touch", "tr", "uname", "wc", "which", "xargs"),
)


class Host:
    """A user of the client: a HOME, a TMPDIR, and sessions that share them.

    `plugins`: folders given as `--plugin-dir`; what `install` adds, the client has by itself.
    """

    def __init__(self, claude: Path, place: Path, *plugins: Path) -> None:
        self.claude = claude
        self.place = place
        self.plugins = list(plugins)
        self.installed: list[Path] = []
        self._sessions = itertools.count(1)
        self.home = place / "家 home"
        for folder in (self.home, place / "tmp"):
            folder.mkdir(parents=True, exist_ok=True)
        self.env: dict[str, str] = {
            "HOME": str(self.home),
            "TMPDIR": str(place / "tmp"),
            "PATH": os.pathsep.join(SYSTEM_PATH),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/bash",
            "NOVEL_PYTHON": sys.executable,
            "ANTHROPIC_API_KEY": "dummy",
            # Nobody's; a session gets the model server's. Without one, `plugin` waits for the internet.
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            **QUICK,
        }

    def without_python(self) -> None:
        """From now on: no Python on PATH, none named, none built. The plugin's folder must hold none."""
        tools = self.place / "tools"
        tools.mkdir()
        for name in POSIX_TOOLS:
            found = shutil.which(name, path=os.pathsep.join(SYSTEM_PATH))
            if found:
                (tools / name).symlink_to(found)
        self.env["PATH"] = str(tools)
        del self.env["NOVEL_PYTHON"]

    def tell(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command of the client that needs no model, such as `plugin list`."""
        return subprocess.run(
            [str(self.claude), *arguments],
            env=self.env,
            cwd=self.place,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    def install(self, checkout: Path) -> Path:
        """From the folder, as a developer does; it then runs from where it lies, which is returned."""
        self._add(checkout, str(checkout))
        self.installed.append(checkout)
        return checkout

    def install_from_git(self, checkout: Path) -> Path:
        """From a repository, as a stranger does; returns the client's own copy, which is what runs."""
        self._commit(checkout)
        place = f'[url "{checkout.as_uri()}"]\n\tinsteadOf = {REPOSITORY}\n'
        (self.home / ".gitconfig").write_text(place, encoding="utf-8")
        name = self._add(checkout, REPOSITORY)
        listed = json.loads(self.tell("plugin", "list", "--json").stdout)
        (folder,) = [Path(one["installPath"]) for one in listed if one["id"] == f"novel@{name}"]
        self.installed.append(folder)
        return folder

    def _add(self, checkout: Path, source: str) -> str:
        """The name of the marketplace from which the plugin came."""
        manifest = json.loads((checkout / ".claude-plugin" / "marketplace.json").read_text(encoding="utf-8"))
        for command in (("marketplace", "add", source), ("install", f"novel@{manifest['name']}")):
            done = self.tell("plugin", *command)
            assert done.returncode == 0, (command, done.stdout, done.stderr)
        return str(manifest["name"])

    def _commit(self, checkout: Path) -> None:
        who = ("-c", "user.name=novel", "-c", "user.email=novel@localhost", "-c", "commit.gpgsign=false")
        for command in (("init", "--quiet"), ("add", "--all"), (*who, "commit", "--quiet", "-m", "all")):
            subprocess.run(("git", *command), cwd=checkout, env=self.env, check=True)

    def run(
        self,
        project: Path,
        prompt: str,
        scenario: Scenario,
        options: Sequence[str] = (),
        *,
        timeout: float = 60,
        tolerant: bool = False,
    ) -> Result:
        """One session, `claude -p PROMPT` in the project's folder, to its end.

        Fails when the client asked what the scenario does not foresee, unless `tolerant`.
        """
        command, debug = self._command(options, "-p", prompt, "--output-format", "json")
        return self._lead(Session(command, project), scenario, debug, timeout, tolerant=tolerant)

    def talk(self, project: Path, author: Author, scenario: Scenario, timeout: float = 110) -> Result:
        """One session with an author who answers. Fails as `run` does."""
        command, debug = self._command((), "-p", *FLAGS)
        return self._lead(Dialogue(command, project, author), scenario, debug, timeout)

    def _lead(
        self, session: Session, scenario: Scenario, debug: Path, timeout: float, *, tolerant: bool = False
    ) -> Result:
        with ModelServer(scenario, self._prompts(session.cwd), session.kill) as model:
            env = {**self.env, "ANTHROPIC_BASE_URL": model.url}
            code, document, stdout, stderr = session.finish(env, timeout)
        assert tolerant or not model.faults, (model.faults, stdout[-3000:], stderr)
        return Result(code, document, model.requests, stdout, stderr, debug)

    def _command(self, options: Sequence[str], *more: str) -> tuple[list[str], Path]:
        """The client's command line, and its log."""
        debug = self.place / f"debug-{next(self._sessions)}.log"
        where = [word for plugin in self.plugins for word in ("--plugin-dir", str(plugin))]
        return [str(self.claude), *where, *options, *more, "--debug-file", str(debug)], debug

    def _prompts(self, project: Path) -> dict[str, str]:
        """The text of every agent that a session here may start, by the name that hooks see."""
        places = [(home / ".claude", "") for home in (project, self.home)]
        for plugin in (*self.plugins, *self.installed):
            manifest = json.loads((plugin / ".claude-plugin" / "plugin.json").read_text(encoding="utf-8"))
            places.append((plugin, f"{manifest['name']}:"))
        return {
            scope + path.stem: _body(path.read_text(encoding="utf-8"))
            for folder, scope in places
            for path in sorted((folder / "agents").glob("*.md"))
        }


def _body(text: str) -> str:
    """An agent's prompt: what follows the front matter."""
    return text.split("\n---\n", 1)[-1].strip()
