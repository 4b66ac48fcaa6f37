"""Planners' staged questions to the author, compared with his stored answers.

Questions are staged beside the plan and removed when it lands; answers stay in `.novel/decisions.json`. An
author who stops meets the same question again. Source: seed 004 (questions stay with the host).
"""

from __future__ import annotations

from novel_hooks import layout, roles
from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Mapping, Sequence
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.rules.steps import agents, questions
from novel_hooks.rules.steps.questions import Question
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.desk import StagedFile

OUTPUT = "questions"
"""The key of the output that holds them; it never lands."""


def answers(book: Book) -> list[dict[str, Any]]:
    """Return every stored answer. Raises OwnFileDamaged."""
    return book.decisions()


def decision_texts(book: Book) -> list[str]:
    """Return the author's decisions in words, a text for each answer: question, choice and note."""
    told, keys = questions.packet_answers(answers(book), ""), ("question", "chosen", "effect", "note")
    return [" ".join(str(one[key]) for key in keys if one[key]) for one in told]


def asked(found: StagedFile | None, step: Step) -> tuple[Question, ...]:
    """Return all questions of the step's staged file. Raises the file's faults."""
    if found is None:
        return ()
    refuse([p for p in found.problems if p.severity == "error"])
    return questions.parse_questions(found.value, str(step))


def open_question(book: Book, staged: StagedFile | None, step: Step) -> tuple[Question | None, bool]:
    """Return (the staged file's first open question, whether an answer is still to be carried out)."""
    if agents.planner_for(step) is None:
        return None, False
    known = answers(book)
    found = next((one for one in asked(staged, step) if questions.is_open(one, known)), None)
    if found is not None and found.kind == questions.CONFLICT and staged is not None:
        found = found._replace(question=_with_files_in_force(book, staged.value, found))
    return found, bool(questions.pending_answers(known, str(step)))


def writing_step(
    is_staged: Callable[[Step], bool], step: Step, staged: StagedFile | None, asked: Question
) -> Step | None:
    """Return the other setup step that staged the files of a contradiction; None when there is none.

    None when the step itself writes one, when only the author writes them, or when they have landed.
    """
    if asked.kind != questions.CONFLICT or step.kind != "setup" or staged is None:
        return None
    files = next(entry["files"] for entry in staged.value["conflicts"] if entry["id"] == asked.id)
    makers = {
        phase: [path for path in files if any(_is_of(output, path) for output in roles.SETUP_OUTPUTS[phase])]
        for phase in roles.SETUP_AGENTS
    }
    others = [Step("setup", None, phase) for phase, own in makers.items() if own and phase != step.phase]
    return next(filter(is_staged, others), None) if not makers.get(step.phase) else None


def _is_of(output: roles.Output, path: str) -> bool:
    before, _, behind = output.pattern.partition("{ID}")
    place = path if path.startswith(f"{layout.STAGING}/") else layout.staged(path)
    whole = before == output.pattern
    return place == before if whole else place.startswith(before) and place.endswith(behind)


def _with_files_in_force(book: Book, document: Mapping[str, Any], found: Question) -> str:
    """Return the question about a contradiction, its files named where they lie now: staged before landed."""
    files = next(entry["files"] for entry in document["conflicts"] if entry["id"] == found.id)
    now = {path: layout.staged(path) for path in files if book.project.has(layout.staged(path))}
    before, after = "、".join(files), "、".join(now.get(path, path) for path in files)
    return found.question.replace(f"（{before}）", f"（{after}）")


def overturned_changes(book: Book, reason_of: Callable[[str], str | None]) -> list[Change]:
    """Return the change that marks the answers whose ground was changed in the setting."""
    return _answer_changes(book, questions.with_overturned(answers(book), reason_of))


def wants_wishes(book: Book, step: Step) -> bool:
    """Tell whether the author may still be asked for his wishes for the step's volume."""
    return questions.wants_wishes(answers(book), str(step))


def asked_changes(book: Book, step: Step) -> list[Change]:
    """Return the change that records a hand-out of the step with the author's answers."""
    return _answer_changes(book, questions.mark_handed_out(answers(book), str(step)))


def carried_out_changes(book: Book, step: Step) -> list[Change]:
    """Return the change that records that the step's answers are carried out."""
    return _answer_changes(book, questions.mark_carried_out(answers(book), str(step)))


def _answer_changes(book: Book, now: Sequence[Mapping[str, Any]]) -> list[Change]:
    if list(now) == answers(book):
        return []
    return [journal.put(layout.DECISIONS, jsonio.dump(questions.document(now)))]


def reused_ids(book: Book, step: Step, document: Mapping[str, Any]) -> list[str]:
    """Return the ids of answered questions that are now the ids of other questions."""
    return questions.reused_ids(document, str(step), answers(book))


def problems(book: Book) -> list[Problem]:
    """Return the faults of the stored answers, for doctor."""
    return attempt(lambda: answers(book))[1]
