"""Every refusal keeps the form that authors and tools rely on."""

from __future__ import annotations

import re
import string

import pytest

from novel_hooks import errors
from tools.gen_errors import page, problems

KINDS = problems()
EXITS = (errors.FINDINGS, errors.USAGE, errors.REFUSED, errors.BUSY, errors.DAMAGED, errors.BUG)
SEVERITIES = ("error", "warning", "info")
HAN = re.compile(r"[\u4e00-\u9fff]")


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in KINDS]
    assert len(KINDS) > 20
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_form(kind: type[errors.Problem]) -> None:
    assert re.fullmatch(r"[A-Z]+(?:_[A-Z0-9]+)+", kind.code)
    assert kind.severity in SEVERITIES
    assert kind.exit in EXITS or (kind.exit == errors.DONE and kind.severity != "error")
    assert (kind.__doc__ or "").strip().endswith(".")
    assert HAN.search(kind.message) or fields(kind.message)
    assert HAN.search(kind.fix) or fields(kind.fix)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_templates_take_simple_names_and_fill_in(kind: type[errors.Problem]) -> None:
    names = fields(kind.message) | fields(kind.fix)
    assert all(name.isidentifier() for name in names)
    values = dict.fromkeys(names - {"path"}, "某物")
    told = kind("某处.json", **values).diagnostic()
    assert not re.search(r"\{\w*\}", told.message + told.fix)


def test_page_tells_each_one() -> None:
    text = page()
    assert all(f"## `{kind.code}`" in text for kind in KINDS)
