"""The base of all refusals: exit codes, one problem, several problems, their diagnostics."""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Mapping, Sequence
from novel_hooks.record import Record

DONE = 0
FINDINGS = 1
USAGE = 2
REFUSED = 3
BUSY = 4
DAMAGED = 5
BUG = 70


class Diagnostic(Record):
    """One line of protocol §8's `diagnostics`; `path` is project-relative or None."""

    severity: str
    code: str
    message: str
    fix: str
    path: str | None


class Problem(Exception):
    """The base of every refusal: a fault that is raised, or collected for a `Problems`."""

    code = "NOVEL_BUG"
    exit = BUG
    severity = "error"
    message = "{detail}"
    fix = "{how}"
    """A class of which a case says the whole sentence leaves these two out."""
    of_form = False
    """Whether it is about how a file is written (JSON, shape, heading, length), not about what it says."""
    told_once = False
    """Whether several of them are told as the first: it names the places of all."""
    agent_mends: bool | str = False
    """Whether it is for the step's agent; a text names the value that says so."""
    covers: tuple[str, ...] = ()
    """Codes of problems that say less of the same path, and are left out beside it."""
    cases: Mapping[str, str] = {}
    """By the name of a case, what stands there for `{detail}` or `{how}`: a line for each that is open."""

    def __init_subclass__(
        cls, code: str | None = None, exit: int | None = None, severity: str | None = None
    ) -> None:
        """Set what a class names in its head; what it leaves out is its parent's."""
        if code is not None:
            cls.code = code
        if exit is not None:
            cls.exit = exit
        if severity is not None:
            cls.severity = severity

    def __init__(self, path: str | None = None, case: str | None = None, **values: object) -> None:
        self.path = path
        self.values = {"path": path, **values}
        if case is not None:
            self.values.update(self._case_texts(case))
        super().__init__(self.message.format(**self.values))

    def _case_texts(self, case: str) -> dict[str, str]:
        filled = [line.format(**self.values) for line in self.cases[case].split("\n")]
        return {"detail": filled[0], "how": filled[-1]}

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (self,)

    def for_its_agent(self) -> bool:
        """Tell whether the step's agent can mend it now, and nobody once the chapter has landed."""
        return self.agent_mends is True or bool(self.values.get(str(self.agent_mends)))

    def diagnostic(self) -> Diagnostic:
        """Return the problem as protocol §8 prints it."""
        return Diagnostic(
            self.severity,
            self.code,
            self.message.format(**self.values),
            self.fix.format(**self.values),
            self.path,
        )


class Bug(Problem, code=Problem.code):
    """An error of ours that no refusal tells."""

    message = "写作助手自己出了错：{detail}"
    fix = "请把这条信息连同 `novel status` 的输出反馈给开发者；项目文件没有被改动。"


_SHOWN = 3
"""So many of several problems are told where another message quotes them."""


class Problems(Problem):
    """Several problems of one check. The gravest decides the exit code."""

    fix = ""
    _GRAVITY = (DAMAGED, BUSY, REFUSED, USAGE, FINDINGS)

    def __init__(self, problems: Iterable[Problem]) -> None:
        several = tuple(problems)
        if not several:
            raise ValueError("Problems needs at least one problem")
        told = [str(p) for p in several[:_SHOWN]]
        more = len(several) - len(told)
        super().__init__(detail="；".join([*told, *([f"另有 {more} 处问题"] if more else [])]))
        self._several = several
        exits = {p.exit for p in several if p.severity == "error"}
        self.exit = next((code for code in self._GRAVITY if code in exits), BUG)

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self._several


def refuse(problems: Sequence[Problem]) -> None:
    """Raise when any of them is an error; warnings alone pass."""
    if any(p.severity == "error" for p in problems):
        raise Problems(problems)
