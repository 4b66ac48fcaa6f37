"""Which agent does a chapter's phase, and with which model. Source: seed 000 Step 3."""

from __future__ import annotations

from novel_hooks import roles


def agent_for(phase: str) -> str | None:
    """None where no agent works: review and commit."""
    return roles.CHAPTER_AGENTS.get(phase)


def model_for(phase: str, role: str | None) -> str | None:
    """opus for revision and for the second judge, else the agent's own."""
    agent = agent_for(phase)
    if agent is None:
        return None
    if phase == "revise" or role == "secondary":
        return roles.STRONG_MODEL
    return roles.ROLES[agent].model
