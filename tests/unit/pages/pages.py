"""The pages of the project, and how tests read them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from conftest import CHECKOUT

from novel_hooks.store.schema import schema
from tools.gen_errors import problem_classes

ROOT = Path(CHECKOUT)
CONTRACT = "docs/agent-contract.md"
GLOSSARY = "docs/glossary.md"
ADRS = sorted(f"docs/adr/{path.name}" for path in (ROOT / "docs" / "adr").glob("*.md"))
THREATS = "docs/threat-model.md"
PROTOCOL = "docs/commit-protocol.md"
PAGES = [
    "README.md",
    "README.en.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    CONTRACT,
    GLOSSARY,
    THREATS,
    PROTOCOL,
]
PAGES += ["docs/adapters.md", "docs/architecture.md", "docs/volume-rules.md"]
USER = sorted(f"docs/user/{path.name}" for path in (ROOT / "docs" / "user").glob("*.md"))
WRITTEN = [*PAGES, *ADRS, *USER]
ENVIRON = {"NOVEL_OWNER": "docs"}
ERROR_CODES = {kind.code for kind in problem_classes()}
CHAPTER = 5
CONFLICT = {"id": "a", "files": ["brief.md"], "what": "灯塔有两座", "why": "立意里只有一座"}


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def section(path: str, heading: str) -> str:
    """What stands below `## heading`, up to the next heading of that level."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", read(path), re.M | re.S)
    assert found, f"{path} has no section {heading}"
    return found.group(1)


def tables(text: str) -> list[list[list[str]]]:
    """Every table: its rows without the head, cells stripped."""
    found: list[list[list[str]]] = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        cells = [re.split(r"(?<!\\)\|", line.strip()[1:-1]) for line in block.splitlines()]
        found.append([[cell.strip() for cell in row] for row in cells[2:]])
    return found


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def listed(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(",")]


def first_codes(rows: list[list[str]]) -> list[str]:
    """The first code mark of each row's first cell; no row twice."""
    found = [codes(row[0])[0] for row in rows]
    assert len(found) == len(set(found))
    return found


def contract_commands() -> dict[str, list[str]]:
    """`lock acquire` → the keys of its data as the page has them."""
    (rows,) = tables(section(CONTRACT, "Commands"))
    return {codes(row[0])[0]: codes(row[2]) for row in rows}


def schema_document(name: str) -> dict[str, Any]:
    assert name in schema.NAMES
    found: dict[str, Any] = json.loads(read(f"novel_hooks/schemas/{name}.schema.json"))
    return found
