"""Payoffs and secrets in outlines and contracts, which the writer would read too early.

Source: protocol §7.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterator
from novel_hooks.errors import Problem
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.foreshadowing.item import CLOSED, PAYOFF, SIGNAL, merge_plan
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text import secrets
from novel_hooks.rules.text.json_values import strings, text
from novel_hooks.rules.volume import places
from novel_hooks.rules.volume.foreshadowing_updates import contract_updates, upcoming_outline_updates

if TYPE_CHECKING:
    from novel_hooks.rules.volume.plan import Plan


def early_payoff_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the unwritten chapters whose outline or contract tells a payoff before the chapter of it.

    A word of the thread's own signal is no payoff.
    """
    hidden = [one for one in _threads(plan) if one.get("status") not in CLOSED]
    for chapter, over in _threads_over(plan) if hidden else ():
        texts = _chapter_texts(plan, chapter) if chapter > plan.last else []
        for one in hidden if texts else ():
            shown = text(one.get(SIGNAL)) or ""
            for path, words in texts if one["id"] not in over else ():
                if secrets.telling_sentence(words, one[PAYOFF], shown) is not None:
                    yield errors.VolumeForeshadowing(path, "payoff early", name=one["id"], chapter=chapter)


def early_secret_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the unwritten chapters whose outline or contract tells a secret that has not come out.

    A secret comes out in the chapter whose `state_changes` say so. Not reported are a payoff that was told
    before, and a secret in a chapter whose `character_states` give it to the writer.
    """
    disclosed: list[str] = []
    threads = _threads(plan)
    kept = casts.kept_secrets(plan.people or (), ())
    for chapter, over in _threads_over(plan) if kept else ():
        contract = plan.sound(chapter)
        told = contracts.disclosures(contract) if contract is not None else ()
        if told:
            disclosed += told
            kept = casts.kept_secrets(plan.people or (), disclosed)
        if chapter <= plan.last:
            continue
        shown = "\n".join(o[PAYOFF] for o in threads if o["id"] in over or o.get("status") in CLOSED)
        own = casts.given_secrets(plan.people or (), contracts.secrets_kept(contract)) if contract else {}
        for path, texts in _chapter_texts(plan, chapter) if kept else ():
            for person, secret in kept:
                if person.slug in own:
                    continue
                words = secrets.telling_sentence(texts, secret, shown)
                if words is not None:
                    yield errors.VolumeSecret(path, name=person.name, chapter=chapter, words=words)


def own_secret_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a warning for each teller of unwritten chapters whose secret their writer does not get."""
    people, hiding = plan.people or (), dict[str, list[int]]()
    kept = {person.slug: person for person, _ in casts.kept_secrets(people, ())}
    for chapter in plan.chapters if kept else ():
        contract = plan.sound(chapter)
        if contract is None:
            continue
        for slug in casts.given_secrets(people, contracts.disclosures(contract)):
            kept.pop(slug, None)
        own = casts.given_secrets(people, contracts.secrets_kept(contract))
        for slug in plan.names.ids_in_list(plan.keys(chapter).get("POV", "")):
            if slug in kept and slug not in own and chapter > plan.last:
                hiding.setdefault(slug, []).append(chapter)
    for slug, numbers in hiding.items():
        told = {"name": plan.names.title(slug), "chapters": places.chapters_text(numbers)}
        yield errors.VolumeCast(plan.contract_path(numbers[0]), case="secret", **told)


def _threads_over(plan: Plan) -> Iterator[tuple[int, set[str]]]:
    """Yield (chapter, ids of the threads that outlines and contracts resolve in it or before)."""
    lines, over = dict(upcoming_outline_updates(plan)), set[str]()
    for chapter in plan.chapters:
        contract = plan.sound(chapter)
        told = [*lines.get(chapter, ()), *(contract_updates(contract) if contract else ())]
        over |= {one.name for one in told if one.action == "resolved"}
        yield chapter, over


def _threads(plan: Plan) -> list[dict[str, Any]]:
    """Return the threads of the plan and of the book that have a payoff."""
    planned = {str(item["id"]): item for item in plan.threads or () if text(item.get("id"))}
    known = {str(fact["id"]): fact for fact in plan.facts or () if text(fact.get("id"))}
    threads = [merge_plan(known.get(name), planned.get(name)) for name in sorted({*planned, *known})]
    return [one for one in threads if text(one.get(PAYOFF))]


def _chapter_texts(plan: Plan, chapter: int) -> list[tuple[str, secrets.PlanTexts]]:
    """Return (path, texts) of the chapter's outline and of its contract."""
    found: list[tuple[str, secrets.PlanTexts]] = []
    heading = next((one for one in plan.outline.headings if one.chapter == chapter), None)
    if heading is not None:
        found.append((plan.outline.path, secrets.plan_texts([outlines.block_under(plan.outline, heading)])))
    contract = plan.sound(chapter)
    if contract is not None:
        found.append((contract.path, secrets.plan_texts(strings(contract.document))))
    return found
