"""The quality gate: from verdicts and the number of revisions to the decision on the chapter.

Source: protocol §3 (half-open bands, exhaustion at R >= max_revisions); seed 000 Step 3.5.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.roles import JUDGES
from novel_hooks.rules.evaluation import document as evaluation_document
from novel_hooks.rules.evaluation import fixes as fix_lists
from novel_hooks.rules.evaluation import required_fixes
from novel_hooks.rules.evaluation.fixes import refiner_fixes
from novel_hooks.rules.evaluation.gate_entry import DECISIONS, Bands
from novel_hooks.rules.evaluation.verdict import high_violations
from novel_hooks.rules.text import excerpt

PASS, POLISH, REVISE, PAUSE, PAUSE_REWRITE = DECISIONS
_SHOWN, _LONG = 3, 24


class Decision(Record):
    """One of the five decisions; `force_passed`: let through because the revisions are used up.

    `reasons` are Chinese lines for the author.
    """

    decision: str
    force_passed: bool
    reasons: list[str]


class Outcome(Record):
    """A decision and its grounds; `used` is the role of the lower verdict.

    `violations` are the checks that force a revision, `fixes` the list for the next agent on the text (the
    refiner after polish, else the writer), `faults` the author's lines.
    """

    decision: str
    force_passed: bool
    overall_final: float
    used: str
    violations: list[dict[str, Any]]
    reasons: list[str]
    fixes: list[dict[str, Any]]
    faults: list[str]


def decide(overall: float, violation: bool, revisions: int, bands: Bands | None = None) -> Decision:
    """Return the decision by the table of protocol §3, with reasons for the author.

    `overall` is in 0..5, `revisions` counts those that are done; without `bands` the defaults hold.
    """
    limits = bands or Bands()
    exhausted = revisions >= limits.max_revisions
    spent = f"已修订 {revisions} 次，不再自动修订"
    if violation:
        broken = "评审确定本章违反了必须遵守的条目"
        return Decision(PAUSE, False, [broken, spent]) if exhausted else Decision(REVISE, False, [broken])
    if overall >= limits.pass_at:
        return Decision(PASS, False, [f"评分 {overall}，达到通过线 {limits.pass_at}"])
    if overall >= limits.polish_at:
        return Decision(POLISH, False, [f"评分 {overall}，差一点到通过线 {limits.pass_at}，再润色一遍即可"])
    if overall >= limits.revise_at:
        low = f"评分 {overall}，低于润色线 {limits.polish_at}，需要修订"
        if exhausted:
            return Decision(PASS, True, [low, f"{spent}，按约定放行"])
        return Decision(REVISE, False, [low])
    if overall >= limits.pause_at:
        return Decision(PAUSE, False, [f"评分 {overall}，低于修订线 {limits.revise_at}，请作者决定"])
    return Decision(PAUSE_REWRITE, False, [f"评分 {overall}，低于 {limits.pause_at}，建议重写，请作者决定"])


def with_fixes(
    decided: Decision,
    overall: float,
    fixes: Sequence[Mapping[str, Any]],
    revisions: int,
    bands: Bands | None = None,
) -> Decision:
    """Return the decision once the judges' own fixes are weighed (protocol §3, "Fixes and the gate").

    While revisions are left, a wrong fact that quotes the text makes `revise` of pass and polish, a fix of
    the story makes it of polish.
    """
    limits = bands or Bands()
    if revisions >= limits.max_revisions or decided.decision not in (PASS, POLISH):
        return decided
    facts = required_fixes.proven_facts(fixes)
    if facts:
        return Decision(
            REVISE, False, [f"评分 {overall}，但评审指出正文写错了事实：{_places(facts)}，先修订"]
        )
    stories = required_fixes.of_kind(fixes, required_fixes.STORY)
    if stories and decided.decision == POLISH:
        low = f"评分 {overall}，没到通过线 {limits.pass_at}"
        return Decision(REVISE, False, [f"{low}，评审指出的毛病要动情节才能改：{_places(stories)}，先修订"])
    return decided


def _places(fixes: Sequence[Mapping[str, Any]]) -> str:
    names = [required_fixes.place(fix).strip("“”「」") for fix in fixes]
    return excerpt.join_first([f"「{excerpt.shorten(name, _LONG)}」" for name in names], _SHOWN, "处")


def gate_outcome(
    document: Mapping[str, Any], key_chapter: bool, revisions: int, bands: Bands | None = None
) -> Outcome:
    """Return the gate's outcome for an evaluation document, from every legal verdict in it.

    Raises VerdictMissing when a verdict that the chapter needs is not there.
    """
    missing = evaluation_document.missing_roles(document, key_chapter)
    if missing:
        raise errors.VerdictMissing(roles="、".join(JUDGES[role] for role in missing))
    verdicts = evaluation_document.verdicts_of(document)
    return weigh_verdicts(verdicts, revisions, bands, evaluation_document.fixes_of(document))


def weigh_verdicts(
    verdicts: Mapping[str, dict[str, Any]],
    revisions: int,
    bands: Bands | None = None,
    listed: Sequence[Mapping[str, Any]] | None = None,
) -> Outcome:
    """Return the gate's outcome for legal verdicts by role.

    The lower `overall` and a violation of either verdict decide, then the judges' own fixes (`listed`, None
    in an older evaluation: there they do not count).
    """
    used = evaluation_document.lower_role(verdicts)
    ordered = evaluation_document.in_order(verdicts)
    violations = [check for verdict in ordered for check in high_violations(verdict)]
    overall = verdicts[used]["overall"]
    decision = decide(overall, bool(violations), revisions, bands)
    decision = with_fixes(decision, overall, listed or (), revisions, bands)
    fixes = refiner_fixes if decision.decision == POLISH else fix_lists.fixes
    return Outcome(
        decision.decision,
        decision.force_passed,
        overall,
        used,
        violations,
        decision.reasons,
        fixes(ordered, listed),
        fix_lists.main_faults(ordered, listed),
    )
