"""Mutation testing: changes one place of the code at a time and tells which changes no test notices.

`make mutants` runs it; `CONTRIBUTING.md` tells how and how to read what it prints. The work is mutmut's, in a
copy of the checkout below `mutants/`. This module says which code meets which tests, which mutants are left
out, and prints the score of each package.
"""

from __future__ import annotations

import gc
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = "novel_hooks"
COPY = "mutants"
REPORTS = os.path.join("build", "mutants")
MEMORY = "/dev/shm"


class Layer(NamedTuple):
    """Code by glob below the package, and the fast tests that must notice its mutants, by glob below `tests`.

    Of `tests`, files that go through commands are left out, for they reach everything; `even` names those
    that are taken all the same.
    """

    code: tuple[str, ...]
    tests: tuple[str, ...]
    even: tuple[str, ...] = ()


# The one place that says where code and its tests lie. `name/**` is a room with everything in it. A pattern
# that matches nothing matches nothing.
LAYERS = {
    "rules": Layer(
        code=("rules/**",),
        tests=("unit/rules/**", "property/test_*", "contract/test_case_*"),
        even=("unit/rules/**", "unit/flows/packet/test_seed_rules", "unit/flows/packet/test_seed_cast_rules"),
    ),
    "store": Layer(
        code=("store/**",),
        tests=("unit/store/**", "property/test_*", "golden/test_strictness"),
        even=("property/test_novel_yaml", "property/test_sealed_lines"),
    ),
    "hook": Layer(
        code=("hook/**",),
        tests=("unit/hook/**", "property/test_*"),
        even=("unit/hook/**",),
    ),
    # Of the use cases only those that decide; the others gather and write.
    "flows": Layer(
        code=(
            *(f"flows/{room}/**" for room in ("briefing", "checks", "pipeline")),
            *(f"flows/{module}" for module in ("session/fence", "book/log_join", "packet/preflight")),
        ),
        tests=(),
        even=("unit/flows/**", "property/test_statespace"),
    ),
}
THROUGH_COMMANDS = ("builders", "planbook", "rewriting")
SELECTION = "not slow and not client and not exhaustive"
MOST_SECONDS = 4.0
"""A mutant meets the tests of its own module and the fastest others that reach it, no longer than this."""
SLACK = 8.0
"""Mutmut allows five times the seconds of a mutant's tests and of this."""
UNRUN = 4
"""The exit code of a mutant's process whose tests could not be run: neither killed nor survived."""


def main() -> int:
    """Run the mutants of the rooms in `argv` (`rules`, `hook/target`), of all layers when it is empty.

    Return 0 when they ran.
    """
    os.chdir(CHECKOUT)
    rooms = [room.strip("/") for room in sys.argv[1:]] or list(LAYERS)
    if len(rooms) > 1:
        # Each in a process of its own: what the tests of one have imported is not what the next must import.
        return max(subprocess.call([sys.executable, "-m", "tools.mutants", room]) for room in rooms)
    shutil.rmtree(COPY, ignore_errors=True)
    scratch = tempfile.mkdtemp(prefix="novel-mutants-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
    # Examples are drawn the same every time: else a mutant would survive today and not tomorrow.
    os.environ.update(CI="1", NOVEL_TESTS_IN=scratch)
    began, parent = time.monotonic(), os.getpid()
    try:
        _configure(rooms[0])
        _run(scratch)
        _report(rooms[0], time.monotonic() - began)
    finally:
        if os.getpid() != parent:
            # A mutant's process that could not run its tests: the folder belongs to the others.
            os._exit(UNRUN)
        shutil.rmtree(scratch, ignore_errors=True)
    return 0


def _configure(room: str) -> None:
    name = room.split("/")[0]
    if name not in LAYERS:
        raise SystemExit(f"{room}: no such layer; there are {', '.join(LAYERS)}")
    # A room that is named is taken whole, also where of its layer only a part runs by itself.
    listed = _matching(PACKAGE, LAYERS[name].code if room == name else (room, f"{room}/**"))
    code = [path for path in listed if _has_functions(path)]
    tests = os.environ.get("TESTS", "").split() or _tests(name, LAYERS[name])
    if not code or not tests:
        raise SystemExit(f"{room}: {len(code)} modules to change, {len(tests)} files of tests")
    print(f"{room}: {len(code)} modules, {len(tests)} files of tests")
    from mutmut.configuration import config as configuration

    config = configuration()
    config.only_mutate = code
    config.pytest_add_cli_args_test_selection = ["-m", SELECTION, *tests]


def _has_functions(path: str) -> bool:
    """Is there a function in the module? A large table alone is deeper than mutmut can read."""
    with open(path, encoding="utf-8") as handle:
        return any(line.lstrip().startswith("def ") for line in handle)


def _tests(name: str, layer: Layer) -> list[str]:
    found = {path for path in _matching("tests", layer.tests) if _own(path, f"{PACKAGE}.{name}")}
    return sorted(found.union(_matching("tests", layer.even)))


def _own(path: str, package: str) -> bool:
    """Does a file of tests import from the package, and nothing that goes through commands?"""
    with open(path, encoding="utf-8") as handle:
        imports = [line.split()[1] for line in handle if line.startswith(("from ", "import "))]
    of_it = any(name == package or name.startswith(package + ".") for name in imports)
    return of_it and not any(name in THROUGH_COMMANDS for name in imports)


def _matching(folder: str, patterns: Iterable[str]) -> list[str]:
    places = (f"{folder}/{pattern.replace('**', '**/*')}.py" for pattern in patterns)
    return sorted({path for place in places for path in glob.glob(place, recursive=True)})


# what is left out -------------------------------------------------------------------------------


def _quiet_operators() -> None:
    """Replaces mutmut's operators by those that say nothing about wording.

    Left out: every change of a text that is not ASCII (what the author reads; goldens hold it), upper and
    lower case of the others (`XX…XX` is enough), arguments taken out (set to None is enough).
    """
    import libcst as cst
    from mutmut.mutation import mutators

    def wording(node: Any) -> bool:
        texts = (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)
        return isinstance(node, texts) and not cst.Module([]).code_for_node(node).isascii()

    def text(node: Any) -> Iterable[Any]:
        return [] if wording(node) else list(mutators.operator_string(node))[:1]

    def assignment(node: Any) -> Iterable[Any]:
        return [] if wording(node.value) else mutators.operator_assignment(node)

    def augmented(node: Any) -> Iterable[Any]:
        return [] if wording(node.value) else mutators.operator_augmented_assignment(node)

    def arguments(node: Any) -> Iterator[Any]:
        for index, argument in enumerate(node.args):
            nothing = isinstance(argument.value, cst.Name) and argument.value.value == "None"
            if not (argument.star or nothing or wording(argument.value)):
                emptied = argument.with_changes(value=cst.Name("None"))
                yield node.with_changes(args=[*node.args[:index], emptied, *node.args[index + 1 :]])

    def swap(node: Any) -> Iterable[Any]:
        sides = (getattr(node, "left", None), getattr(node, "right", None), getattr(node, "value", None))
        return [] if any(map(wording, sides)) else mutators.operator_swap_op(node)

    ours: dict[Callable[..., Any], Callable[..., Any]] = {
        mutators.operator_string: text,
        mutators.operator_assignment: assignment,
        mutators.operator_augmented_assignment: augmented,
        mutators.operator_arg_removal: arguments,
        mutators.operator_swap_op: swap,
    }
    # In place: mutmut has taken the list by name.
    mutators.mutation_operators[:] = [
        (kind, ours.get(made, made)) for kind, made in mutators.mutation_operators
    ]


# the run and what it says -----------------------------------------------------------------------


def _run(scratch: str) -> None:
    import _pytest.timing
    import mutmut.__main__ as tool
    from mutmut.runners.harness import PytestRunner
    from mutmut.state import state
    from mutmut.workers.isolation import ForkRunner

    _quiet_operators()
    # How long a test takes, by the processor's time: the same on a busy machine.
    _pytest.timing.perf_counter = time.process_time
    # The tests have just passed while it was noted which function each reaches.
    ForkRunner.run_clean_tests = lambda _self, tests: 0
    submit, startup = ForkRunner.submit, ForkRunner.startup
    collected: list[Collected] = []

    def begin(self: Any) -> None:
        collected.append(Collected(config_of_run(), scratch))
        collected[0].check()
        startup(self)

    def briefly(self: Any, mutant: str, tests: list[str], _cpu_limit: int, _estimated: float) -> None:
        chosen = list(_fastest(tests, state().duration_by_test, _own_tests(mutant)))
        seconds = sum(state().duration_by_test[test] for test in chosen)
        # The processor's time ends a mutant that runs for ever: on a busy machine the clock says nothing.
        submit(self, mutant, chosen, int(seconds * 3 + 3), seconds * 4 + SLACK)

    def config_of_run() -> list[str]:
        settings = tool.config()
        return [*settings.pytest_add_cli_args_test_selection, *settings.pytest_add_cli_args]

    ForkRunner.startup = begin
    ForkRunner.submit = briefly
    PytestRunner.run_tests = lambda _self, *, mutant_name, tests: collected[0].run(
        tests, _own_tests(mutant_name)
    )
    PytestRunner.run_forced_fail = lambda _self: 1
    tool.print_stats = _seldom(tool.print_stats)
    tool.collect_source_file_mutation_data = _share(tool.collect_source_file_mutation_data)
    tool._run((), int(os.environ.get("JOBS", "0")) or None)


class Collected:
    """The tests of a run, collected once. The process of a mutant runs those that it wants of them."""

    def __init__(self, arguments: list[str], scratch: str) -> None:
        from _pytest.config import _prepareconfig
        from _pytest.main import Session

        os.chdir(COPY)
        self.scratch = os.environ["NOVEL_TESTS_IN"] = scratch
        config = _prepareconfig(["--rootdir=.", "--tb=native", "-q", "-s", *arguments])
        config._do_configure()
        self.session = Session.from_config(config)
        config.hook.pytest_sessionstart(session=self.session)
        config.hook.pytest_collection(session=self.session)
        config.pluginmanager.unregister(name="terminalreporter")
        os.chdir(CHECKOUT)
        self.items = {item.nodeid: item for item in self.session.items}

    def check(self) -> None:
        """Runs all tests in a process like a mutant's, the code unchanged: none of them may fail there."""
        child = os.fork()
        if child == 0:
            os._exit(self.run(self.items))
        if os.waitpid(child, 0)[1]:
            raise SystemExit("a test that passed fails when it is run as for a mutant")

    def run(self, tests: Iterable[str], own: str = "") -> int:
        """Runs `tests`, those of the file `own` first, until one fails; returns 1 when one did, else 0."""
        from pathlib import Path

        gc.disable()
        os.chdir(COPY)
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        folder = tempfile.mkdtemp(prefix="mutant-", dir=self.scratch)
        items = [self.items[test] for test in sorted(tests, key=lambda test: not test.startswith(own))]
        items[0].config._tmp_path_factory._basetemp = Path(folder)  # type: ignore[attr-defined]
        try:
            for item, following in zip(items, [*items[1:], None]):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.session.testsfailed:
                    return 1
            return 0
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _own_tests(mutant: str) -> str:
    """The file of tests of a mutant's own module: they are the likeliest to notice it."""
    *folders, module, _function = mutant.split(".")[1:]
    return "/".join(("tests/unit", *folders, f"test_{module}.py"))


def _share(listing: Callable[..., Any]) -> Callable[..., Any]:
    """The `listing` of mutants: with `SHARE=2/3` in the environment every third, from the second on."""
    first, _, of = os.environ.get("SHARE", "1/1").partition("/")

    def listed(**how: Any) -> Any:
        mutants, data = listing(**how)
        return mutants[int(first) - 1 :: int(of)], data

    return listed


def _seldom(show: Callable[..., None]) -> Callable[..., None]:
    """`show` at most once a second: it counts all mutants each time."""
    last = [0.0]

    def shown(*arguments: Any, **how: Any) -> None:
        if how or time.monotonic() - last[0] > 1:
            last[0] = time.monotonic()
            show(*arguments, **how)

    return shown


def _fastest(tests: Iterable[str], seconds: Mapping[str, float], own: str) -> Iterator[str]:
    spent = 0.0
    for test in sorted(tests, key=lambda name: (not name.startswith(own), seconds[name])):
        # A test costs more than the time within it: its folders are made and removed.
        spent += seconds[test] + 0.005
        if spent > MOST_SECONDS:
            return
        yield test


def _report(room: str, took: float) -> None:
    """The score a package, and the mutants that no test noticed as differences in a file of their own."""
    from mutmut.mutation.data import SourceFileMutationData
    from mutmut.mutation.diff_apply import get_diff_for_mutant
    from mutmut.stats import status_by_exit_code
    from mutmut.utils.file_utils import walk_mutatable_files

    packages: dict[str, Counter[str]] = {}
    missed: list[str] = []
    for path in sorted(map(str, walk_mutatable_files())):
        data = SourceFileMutationData(path=path)
        data.load()
        counts = packages.setdefault(_package(path), Counter())
        for name, code in data.exit_code_by_key.items():
            if code is None:
                continue  # not of the share that was tried
            status = status_by_exit_code[code]
            counts[status] += 1
            if status != "killed":
                missed.append(f"# {status}: {name}\n{get_diff_for_mutant(name, path=path)}\n")
    os.makedirs(REPORTS, exist_ok=True)
    listed = os.path.join(REPORTS, room.replace("/", "-").replace("*", "") + ".txt")
    with open(listed, "w", encoding="utf-8") as handle:
        handle.write("\n".join(missed))
    _print(packages, took)
    print(f"not killed, as differences: {listed}")


def _package(path: str) -> str:
    """`rules/text` for a module in a room, `rules` for one that lies in the layer's own folder."""
    return os.path.dirname(path)[len(PACKAGE) + 1 :]


def _print(packages: dict[str, Counter[str]], took: float) -> None:
    print(
        f"\n{'package':28}{'mutants':>9}{'killed':>9}{'survived':>10}{'no test':>9}{'other':>7}{'score':>8}"
        f"{'timeouts':>10}"
    )
    total: Counter[str] = Counter()
    for name, counts in packages.items():
        total += counts
        print(_line(name, counts))
    if len(packages) > 1:
        print(_line("together", total))
    print(f"{sum(total.values())} mutants in {took:.0f} s, {sum(total.values()) * 60 / took:.0f} a minute")


def _line(name: str, counts: Counter[str]) -> str:
    every = sum(counts.values())
    # What runs for ever instead of passing was noticed too.
    killed = counts["killed"] + counts["timeout"]
    rest = every - killed - counts["survived"] - counts["no tests"]
    score = f"{100 * killed / every:.1f}%" if every else "-"
    return (
        f"{name:28}{every:9}{killed:9}{counts['survived']:10}{counts['no tests']:9}{rest:7}{score:>8}"
        f"{counts['timeout']:10}"
    )


if __name__ == "__main__":
    sys.exit(main())
