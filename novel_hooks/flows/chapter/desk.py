"""The desk: the agents' staged files, each checked against its step.

A file counts as *found* when it has no error here (protocol §2). A warning never changes that.
"""

from __future__ import annotations

from novel_hooks import errors, layout, roles, sha2
from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Iterable
from novel_hooks.errors import FINDINGS, Problem, Problems
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt, collect_problems
from novel_hooks.flows.chapter import handout
from novel_hooks.record import Record
from novel_hooks.rules.evaluation.gate_entry import Bands, gate_of
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.steps import break_points
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.text import length
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode, refuse_control, without_comments

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.mending import Mended

WHAT = {
    "chapter": "本章正文",
    "hints": "写手的提示",
    "summary": "本章摘要",
    "delta": "状态增量",
    "crossref": "串线检测",
    "memory": "故事线记忆",
    "evaluation": "评审意见",
    "project_brief": "立意",
    "world_rules": "世界规则",
    "world_docs": "世界设定",
    "character_cards": "角色档案",
    "character_profiles": "角色小传",
    "style_profile": "文风档案",
    "ai_blacklist": "黑名单",
    "storyline_spec": "故事线规范",
    "outline": "本卷大纲",
    "schedule": "故事线日程",
    "contracts": "章节契约",
    "foreshadowing_plan": "伏笔计划",
    "storylines": "故事线",
    "questions": "要作者定的事",
}


class StagedFile(Record):
    """One staged file. `value` is the text (LF, no BOM) or the JSON document.

    `mended`: its bytes differ from those in staging; the step that advances writes them. `raw` is a JSON
    document of a wrong shape.
    """

    key: str
    path: str
    data: bytes | None
    value: Any
    problems: tuple[Problem, ...]
    mended: bool = False
    raw: Any = None

    @property
    def ok(self) -> bool:
        """Return whether the file is there, without an error."""
        return self.data is not None and all(p.severity != "error" for p in self.problems)


class StagingDesk:
    """Staged files of one kind of step, each checked once. A subclass adds its checks."""

    own_faults_only = False
    """Whether a fault of another file stops the command, and is no finding about the one inspected."""

    def __init__(self, book: Book, volume: int) -> None:
        self.book = book
        self.volume = volume
        self._seen: dict[str, StagedFile] = {}

    def _inspect(self, key: str, path: str, schema: str | None) -> StagedFile:
        data: bytes | None = None
        mended: Mended | None = None
        try:
            data = self.book.read(path)
            if data is None:
                return StagedFile(key, path, None, None, (self._missing(key, path),))
            mended = self._mended(key, path, data, schema)
            data = mended.data if mended else data
            value = self._parse(path, data, schema)
            problems = list(self._check(key, path, value))
        except Problem as error:
            faults = error.problems
            if self.own_faults_only and any(p.path != path for p in faults):
                raise
            raw = None if schema is None else attempt(lambda: jsonio.parse(data or b"", path))[0]
            places = {fault.values.get("where") for fault in faults} - {None}  # what is told already
            besides = self._besides(key, path, data, schema)
            faults = (*faults, *(one for one in besides if one.values.get("where") not in places))
            return StagedFile(key, path, data or b"", None, self._findings(key, faults), bool(mended), raw)
        problems += mended.slips if mended else ()
        return StagedFile(key, path, data, value, self._findings(key, problems), bool(mended))

    def _mended(self, key: str, path: str, data: bytes, schema: str | None) -> Mended | None:
        """Return the file mended; a document that has passed its schema has nothing but labels to cut."""
        from novel_hooks.flows.chapter import mending

        if schema is None:
            return mending.mend_text(path, data)
        if key != "questions" and self.book.validity.knows(schema, data):
            return None
        return mending.mend(key, path, data)

    def _parse(self, path: str, data: bytes, schema: str | None) -> Any:
        if schema is None:
            text = decode(data, path)
            if path.startswith(f"{layout.STAGING}/"):
                refuse_control(text, path)
            return text
        if self.book.validity.knows(schema, data):
            return jsonio.parse_trusted(data)
        value = jsonio.parse(data, path)
        if path.startswith(f"{layout.STAGING}/"):
            refuse_control(data.decode("utf-8", "replace"), path, escaped=True)
        problems = self.book.validity.judge(schema, data, value, path)
        if problems:
            raise Problems(problems)
        return value

    def _missing(self, key: str, path: str) -> Problem:
        return errors.OutputMissing(path, what=WHAT[key], who=maker(key))

    def _check(self, key: str, path: str, value: Any) -> Iterable[Problem]:
        raise NotImplementedError

    def _besides(self, key: str, path: str, data: bytes | None, schema: str | None) -> Iterable[Problem]:
        """Return what else is wrong with a file that was not read to its end."""
        return ()

    def _findings(self, key: str, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Turn every error into a finding about the agent's file (exit 1); warnings stay."""
        found = []
        for problem in problems:
            told = problem if problem.severity == "warning" else self._finding(key, problem)
            told.of_form = problem.of_form
            found.append(told)
        return tuple(found)

    def _finding(self, key: str, problem: Problem) -> Problem:
        raise NotImplementedError


class Desk(StagingDesk):
    """The staged files of one chapter."""

    own_faults_only = True
    landed = False
    """Whether the chapter has landed, and is recorded anew or for the first time."""

    def __init__(self, book: Book, volume: int, chapter: int) -> None:
        super().__init__(book, volume)
        self.number = chapter

    def contract(self) -> Contract:
        """Return the chapter's contract. Raises FileMissing, and the contract's faults."""
        return self.book.need_contract(self.volume, self.number)

    def phase_files(self, phase: str) -> list[StagedFile]:
        """List the outputs of a phase, in the table's order, without optional ones that are absent."""
        found = [self.examine(output) for output in roles.CHAPTER_OUTPUTS[phase]]
        required = {o.key for o in roles.CHAPTER_OUTPUTS[phase] if o.required}
        return [f for f in found if f.key in required or f.data is not None]

    def examine(self, output: roles.Output) -> StagedFile:
        """Check one output, once."""
        if output.key not in self._seen:
            self._seen[output.key] = self._inspect(output.key, self.path(output), output.schema)
        return self._seen[output.key]

    def get(self, key: str) -> StagedFile:
        """Check the output of this key, such as `chapter`."""
        return self.examine(_OUTPUTS[key])

    def has_skipped_delta(self) -> bool:
        """Tell whether the delta in staging is the stub of a skip-delta."""
        from novel_hooks.rules.state import delta

        return delta.is_skipped(self.get("delta").value)

    def rewrite(self, key: str, text: str) -> None:
        """Replace a text on the desk; the step that advances writes it."""
        self._seen[key] = self.get(key)._replace(data=text.encode("utf-8"), value=text, mended=True)

    def present(self, key: str) -> tuple[Problem, ...]:
        """Return the problems of a file that is there; () for an absent one."""
        found = self.get(key)
        return () if found.data is None else found.problems

    def path(self, output: roles.Output) -> str:
        """Return the output's staged path, the chapter and its storyline filled in."""
        slot = {"C": layout.chapter_id(self.number)}
        if "{S}" in output.pattern:
            slot["S"] = self.contract().storyline_id
        return output.pattern.format(**slot)

    def text_bytes(self, key: str) -> bytes:
        """Return the staged text of this key as it lands, in UTF-8."""
        return str(self.get(key).value).encode("utf-8")

    def text_sha256(self) -> str | None:
        """Return the sha256 of the chapter's bytes without the author's comments; None without a chapter."""
        found = self.get("chapter")
        if found.data is None:
            return None
        commented = isinstance(found.value, str) and b"<!--" in found.data and "<!--" not in found.value
        return sha2.digest(found.value.encode("utf-8") if commented else found.data)

    def prose_sha256(self) -> str | None:
        """Return the sha256 of the chapter's text as UTF-8; None when there is none.

        The text is that of a reader: other line ends or a BOM, as an editor may save them, do not change the
        hash.
        """
        found = self.get("chapter")
        if not isinstance(found.value, str):
            return self.text_sha256()
        return sha2.digest(found.value.encode("utf-8"))

    def _parse(self, path: str, data: bytes, schema: str | None) -> Any:
        value = super()._parse(path, data, schema)
        if b"<!--" in data and path == layout.staged(layout.chapter(self.number)):
            return without_comments(value) if is_taken(self.book, self.number) else value
        return value

    def _besides(self, key: str, path: str, data: bytes | None, schema: str | None) -> Iterable[Problem]:
        """Return what the rules say of records whose shape is wrong: all faults at once."""
        if key not in ("delta", "crossref"):
            return ()
        raw = attempt(lambda: jsonio.parse(data or b"", path))[0]
        return collect_problems(lambda: self._check(key, path, raw)) if isinstance(raw, dict) else ()

    def _missing(self, key: str, path: str) -> Problem:
        if key == "evaluation":
            return errors.NoEvaluation(path, chapter=self.number)
        return super()._missing(key, path)

    def _check(self, key: str, path: str, value: Any) -> Iterable[Problem]:
        return _CHECKS[key](self, path, value)

    def _finding(self, key: str, problem: Problem) -> Problem:
        if isinstance(problem, errors.GitConflict):  # the author chooses; nobody writes it anew
            problem.exit = FINDINGS
            return problem
        if key == "evaluation":
            return errors.EvaluationUnusable(problem.path, chapter=self.number, detail=str(problem))
        return errors.OutputBroken(problem.path, cause=problem, who=maker(key))


def is_taken(book: Book, chapter: int) -> bool:
    """Tell whether the staged text was taken from its agent and no agent is writing over it.

    A comment in such a text is the author's. A comment that the agent wrote is residue and stops the step. At
    a break point the author's answer takes the text.
    """
    out, last = handout.read(book), str(book.checkpoint().document.get("last_step") or "")
    if out.step in [str(steps.chapter_step(chapter, phase)) for phase in roles.TEXT_PHASES]:
        return out.said == break_points.GO_ON
    return last.startswith(f"chapter:{chapter:03d}:")


def maker(key: str) -> str:
    """Return the title of the role that makes the output of this key: 写手 for `chapter`."""
    if key in ("project_brief", "ai_blacklist", "storyline_spec"):
        return "作者"
    if key == "storylines":
        return "这一步的代理"  # the architect, or who draws the people of a book that moved in
    for table, agents in (
        (roles.CHAPTER_OUTPUTS, roles.CHAPTER_AGENTS),
        (roles.SETUP_OUTPUTS, roles.SETUP_AGENTS),
        (roles.VOLUME_OUTPUTS, roles.VOLUME_AGENTS),
    ):
        for phase, outputs in table.items():
            if any(o.key == key for o in outputs):
                return roles.ROLES[agents[phase]].title
    raise KeyError(key)


def _delta_problems(desk: Desk, path: str, value: Any) -> list[Problem]:
    from novel_hooks.flows.book import log_join
    from novel_hooks.rules.state import delta

    version = log_join.checked_state(desk.book)["state_version"]
    return delta.problems(value, desk.number, version, desk.contract().storyline_id, path)


def _crossref_problems(desk: Desk, path: str, value: Any) -> list[Problem]:
    from novel_hooks.rules.state import leak_check

    plan = desk.book.schedule(desk.volume)
    return leak_check.problems(value, desk.contract().storyline_id, (*plan.active, *plan.dormant), path)


def _evaluation_problems(desk: Desk, path: str, value: Any) -> list[Problem]:
    from novel_hooks.rules.evaluation import verdict

    problems = verdict.problems(value, path)
    return problems or collect_problems(lambda: Bands.from_json(gate_of(value).get("bands"), path))


_CHECKS: dict[str, Callable[[Desk, str, Any], list[Problem]]] = {
    "chapter": lambda desk, path, text: length.problems(text, desk.number, path),
    "hints": lambda _desk, _path, _hints: [],
    "summary": lambda _desk, path, text: length.summary_problems(text, path),
    "delta": _delta_problems,
    "crossref": _crossref_problems,
    "memory": lambda _desk, path, text: length.memory_problems(text, path),
    "evaluation": _evaluation_problems,
}
_OUTPUTS = {o.key: o for outputs in roles.CHAPTER_OUTPUTS.values() for o in outputs}
RECORDED = ("summary", "delta", "crossref", "memory")
