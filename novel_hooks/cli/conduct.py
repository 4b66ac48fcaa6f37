"""A host in code: conducts a chapter through the commands. `next` decides, and nothing is assumed.

lock acquire → (next → instructions → agent → validate → advance)* → commit
"""

from __future__ import annotations

import time

from novel_hooks import roles
from novel_hooks.annotations import Any, Callable, Mapping
from novel_hooks.cli import recorded
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.blocks import bar
from novel_hooks.cli.call import call
from novel_hooks.cli.screen.width import padded
from novel_hooks.flows.chapter.handout import Run
from novel_hooks.flows.pipeline import agent_report
from novel_hooks.flows.session.caller import Caller
from novel_hooks.rules.evaluation.gate_entry import decision_word
from novel_hooks.rules.review import trend
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner


class Stopped(Exception):
    """The refusal of a command, with its answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.exit)
        self.answer = answer


class Conductor:
    """The host of one project and one crew. `say` shows a line to the author."""

    def __init__(self, root: str, environ: Mapping[str, str], say: Callable[[str], None]) -> None:
        self.root = root
        self.environ = environ
        self.say = say
        self.project = Project(root)

    def command(self, name: str, *rest: str) -> Any:
        """Run one command and return its data; raises Stopped on any other exit than 0."""
        found = call(name, [*rest, "--project", self.root], self.environ)
        if found.exit:
            raise Stopped(found)
        return found.data

    def run(self, chapters: int) -> None:
        """Go on until `chapters` chapters have landed, or the author is asked."""
        while True:
            progress = self.command("status")["progress"]
            if progress["last_completed_chapter"] >= chapters:
                return
            self.command("lock", "acquire")
            due = self.command("next")
            if due["stop"] or due["step"] is None:
                self.say(f"停下等作者决定：{due['reason']}")
                return
            self.step(due, progress, chapters)

    def release(self) -> None:
        """Release the lock if the run holds it, however the run ended."""
        call("lock", ["release", "--project", self.root], self.environ)

    def step(self, due: Mapping[str, Any], progress: Mapping[str, Any], chapters: int) -> None:
        begun = time.monotonic()
        if due["phase"] == "commit":
            landed = self.command("commit", "--chapter", str(due["chapter"]))
            self.line(due, "写作助手", begun)
            self._landed(landed, chapters)
            return
        if not due["recorded"]:
            who = self._crew(due, progress["revision_count"])
            if due["phase"] == "judge":
                self.line(due, who, begun)
                return
        self.command("validate", due["step"])
        moved = self.command("advance", due["step"])
        self.line(due, "写作助手" if due["recorded"] else who, begun)
        if moved["gate"]:
            self._gate(moved["gate"])

    def _crew(self, due: Mapping[str, Any], revisions: int) -> str:
        packet = self.command("instructions", due["step"], "--write-manifest")
        if due["phase"] == "judge":
            words = recorded.verdict_path(packet, revisions)
            asked = ("--chapter", str(due["chapter"]), "--role", packet["role"], "--file", words)
            self.command("judge", "record", "--model", recorded.MODEL, *asked)
        else:
            recorded.hand_in(self.project, packet, revisions)
            self._report_run(packet, revisions)
        second = packet["role"] == "secondary"
        return f"{roles.JUDGES['secondary'] if second else roles.ROLES[packet['agent']].title}·录制"

    def _report_run(self, packet: Mapping[str, Any], revisions: int) -> None:
        """As a host tells of its agents: no model was at work, a recording was played."""
        run = Run(recorded.recording_path(packet, revisions), recorded.MODEL, {})
        caller = Caller(owner(self.environ), time.time())
        agent_report.record_run(self.project, caller, agent_report.Ended(packet["agent"], None), run)

    def line(self, due: Mapping[str, Any], who: str, begun: float) -> None:
        title = "门控" if due["recorded"] else roles.PHASE_TITLES[due["phase"]]
        spent = time.monotonic() - begun
        self.say(f"  第 {due['chapter']} 章　{padded(title, 14)}{padded(who, 24)}{spent:5.2f} 秒")

    def _gate(self, gate: Mapping[str, Any]) -> None:
        decided = decision_word(gate["decision"], False, gate["force_passed"])
        self.say(f"  　　　　→ {decided}（{trend.score_text(gate['overall_final'])} 分）")
        for reason in gate["reasons"]:
            self.say(f"  　　　　　 · {reason}")
        for fix in gate["required_fixes"]:
            self.say(f"  　　　　　 · 要改：{fix['target']}——{fix['instruction']}")

    def _landed(self, landed: Mapping[str, Any], chapters: int) -> None:
        score = f"{trend.score_text(landed['overall_final'])} 分"
        rounds = f"，修订 {landed['revisions']} 次" if landed["revisions"] else ""
        self.say(f"  第 {landed['chapter']} 章入库：{landed['chars']} 字，{score}{rounds}")
        self.say(f"{bar(landed['chapter'], chapters)} {landed['chapter']}/{chapters} 章")
        self.say("")
