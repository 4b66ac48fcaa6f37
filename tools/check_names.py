"""`make lint`: names and docstrings of the package keep to the glossary's nouns and plain verbs.

Exit 0 when nothing is wrong; else a line a fault, as `file:line: what`, and exit 1.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

BANNED_WORDS = "told tell gone standing lately heard past look looked found one listed shelf coming nowhere"
BANNED = frozenset(BANNED_WORDS.split())
"""Names of modules, functions, methods and fields that say nothing without the body."""

PRIVATE_LANGUAGE = frozenset(["told", "standing", "lately", "heard", "gone", "shelf", "nowhere"])
"""Nor a part of such a name."""

SHARED = {
    "run": "do a command's work",
    "arguments": "add a command's arguments to its parser",
    "parse": "text or bytes to a value",
    "dump": "a value to bytes",
    "read": "a project's file to a value",
    "problems": "what is wrong with the module's one thing",
    "changes": "what is to be written, as a list of `Change`",
    "document": "the JSON object of the module's one thing",
    "describe": "the author's text about the module's one thing",
    "digest": "a hash of content",
    "respond": "answer an event of the client",
    "preview": "what a command would do",
    "check": "raise when something is wrong",
    "entry": "where a process begins",
}
"""Public functions that more than `MODULES` modules may define, each with its one meaning."""

MODULES = 2

_SUBJECT = re.compile(
    r"(?:^|(?<=[.;] )|(?<=\n\n))(?:Who|What|Where|Whose|Whom|Whoever|Whatever)\b[^.?\n]*(?:\n[^.?\n]+)*\."
)
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def names(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Yield (line, kind, name) of every function, method, class and field that `tree` defines."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.lineno, "class" if isinstance(node, ast.ClassDef) else "function", node.name
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    yield part.lineno, "field", part.target.id
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, "field", node.attr


def fault_of(name: str) -> str | None:
    """Describe what is wrong with one name; None when nothing is."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if "".join(words) in BANNED:
        return f"`{name}` is no noun of the glossary and no plain verb"
    private = sorted(PRIVATE_LANGUAGE.intersection(words))
    return f"`{name}` speaks of `{private[0]}`" if private else None


def docstring_faults(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield (line, fault) of every public docstring in which a question word is a sentence's subject."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
            continue
        name = getattr(node, "name", "")
        text = ast.get_docstring(node)
        if text and not name.startswith("_") and (hit := _SUBJECT.search(text)):
            begins = " ".join(hit.group(0).split())[:50]
            yield getattr(node, "lineno", 1), f"docstring: “{begins}…”: a verb or a noun comes first"


def faults(folder: Path) -> list[str]:
    """List every fault of the Python files below `folder`."""
    found: list[str] = []
    defined: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("*.py")):
        if "sample" in path.parts:
            continue
        place = path.relative_to(ROOT)
        tree = ast.parse(path.read_text("utf-8"))
        if (fault := fault_of(path.stem)) is not None:
            found.append(f"{place}:1: module {fault}")
        for line, kind, name in names(tree):
            if (fault := fault_of(name)) is not None:
                found.append(f"{place}:{line}: {kind} {fault}")
        found += [f"{place}:{line}: {fault}" for line, fault in docstring_faults(tree)]
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                defined[node.name].append(f"{place}:{node.lineno}")
    for name, places in sorted(defined.items()):
        if len(places) > MODULES and name not in SHARED and name not in ("__getattr__",):
            found.append(
                f"{places[0]}: `{name}` is defined in {len(places)} modules: {', '.join(places[1:])}"
            )
    return found


def main() -> int:
    """Print the faults of `novel_hooks` and return the exit code."""
    found = faults(ROOT / "novel_hooks")
    print("\n".join(found) if found else "Names and docstrings: nothing found.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
