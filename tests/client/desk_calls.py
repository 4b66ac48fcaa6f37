"""What a desk said and got back: one call of the conversation, and the calls that it makes."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

from client.author import ASK
from client.scenario import Call, bash, do

if TYPE_CHECKING:
    from collections.abc import Mapping

    from client.request import Outcome
    from client.scenario import Reply


_ANSWERED = re.compile(r'"([^"]*)"="(.*?)"(?:\. (?:You|Read)|, |$)', re.DOTALL)


class Said:
    """One call of the conversation and what came back: `name` of a command, its arguments, its document."""

    def __init__(self, outcome: Outcome) -> None:
        self.tool = outcome.tool
        self.input = outcome.input
        self.text = outcome.text
        self.words = shlex.split(str(outcome.input.get("command", "")))[1:] if outcome.tool == "Bash" else []
        self.name = " ".join(self.words[:2]) if self.words[:1] == ["lock"] else (self.words or [""])[0]
        self.document = _document(outcome.text) if self.words else {}

    @property
    def data(self) -> Mapping[str, Any]:
        return self.document.get("data") or {}

    @property
    def unsure(self) -> bool:
        """Does the author have to say yes first?"""
        return any(one["code"] == "CONFIRMATION_NEEDED" for one in self.document.get("diagnostics", ()))

    @property
    def answers(self) -> list[str]:
        """The author's, in the order of the questions."""
        return [str(said) for _, said in _ANSWERED.findall(self.text)]

    @property
    def answer(self) -> str:
        """To the one question."""
        assert len(self.answers) == 1, self.text
        (said,) = self.answers
        return said


def _document(text: str) -> dict[str, Any]:
    at = text.find("{")
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text[at:])[0] if at >= 0 else {}
    return found


def novel(*words: str) -> Reply:
    """One command, plainly: that is what is allowed without a question."""
    return do(bash(" ".join(["novel", *words, "--json"])))


def ask(question: str, header: str, options: Mapping[str, str]) -> Reply:
    return do(Call(ASK, {"questions": [question_of(question, header, options)]}))


def question_of(question: str, header: str, options: Mapping[str, str]) -> dict[str, Any]:
    listed = [{"label": label, "description": why} for label, why in options.items()]
    return {"question": question, "header": header, "multiSelect": False, "options": listed}


def read_file(path: str) -> Reply:
    return do(Call("Read", {"file_path": path}))
