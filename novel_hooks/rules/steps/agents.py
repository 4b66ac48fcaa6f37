"""The agent of a step, and the model it works with. Source: seed 000 Step 3, protocol §2."""

from __future__ import annotations

from novel_hooks import roles
from novel_hooks.annotations import TYPE_CHECKING, Mapping

if TYPE_CHECKING:
    from novel_hooks.rules.steps.step_name import Step

SECOND_JUDGE = "second_judge"
"""The name below `models` for the judge that a key chapter has too."""


def default_model(key: str) -> str:
    """Return the model for a phase, or for the second judge, where the author chose none.

    It is opus for a revision and for the second judge, else the agent's own.
    """
    if key in ("revise", SECOND_JUDGE):
        return roles.STRONG_MODEL
    agents = {**roles.CHAPTER_AGENTS, **roles.SETUP_AGENTS, **roles.VOLUME_AGENTS}
    return roles.ROLES[agents[key]].model


def codex_choice(
    phase: str, role: str | None, model: str | None, chosen: Mapping[str, str]
) -> Mapping[str, str | None]:
    """Return {model, effort} for a step in Codex; None stands for the session's own.

    It is the author's choice (`chosen`, by phase or `second_judge`: a model's name or an effort); else a high
    effort where Claude Code gets the strong `model`.
    """
    told = chosen.get(SECOND_JUDGE if role == "secondary" else phase)
    if told is None:
        return {"model": None, "effort": roles.CODEX_STRONG if model == roles.STRONG_MODEL else None}
    is_effort = told in roles.CODEX_EFFORTS
    return {"model": None if is_effort else told, "effort": told if is_effort else None}


def agent_of(step: Step) -> str | None:
    """Return the agent of a step; None where no agent works: brief, validate, review, commit."""
    table = {"setup": roles.SETUP_AGENTS, "volume": roles.VOLUME_AGENTS}.get(step.kind, roles.CHAPTER_AGENTS)
    return table.get(step.phase)


def planner_for(step: Step) -> str | None:
    """Return the agent of a planning step; None where no agent works, and for a step of the chapter crew."""
    return agent_of(step) if step.of_plan else None


def model_of(step: Step, role: str | None, chosen: Mapping[str, str]) -> str | None:
    """Return the model for a step, None where no agent works.

    It is the author's choice (`chosen`, by phase or `second_judge`: `role` is `secondary`), else
    `default_model`.
    """
    if agent_of(step) is None:
        return None
    key = SECOND_JUDGE if role == "secondary" else step.phase
    return chosen[key] if key in chosen else default_model(key)
