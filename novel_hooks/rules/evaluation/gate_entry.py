"""The gate's entry in an evaluation file: what it decided, in the author's words, and within which limits."""

from __future__ import annotations

from novel_hooks import defaults, errors
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import integer, mapping, number

DECISIONS: Mapping[str, str] = {
    "pass": "通过",
    "polish": "润色后通过",
    "revise": "修订",
    "pause_for_user": "等作者决定",
    "pause_for_user_force_rewrite": "建议重写",
}
"""The gate's decisions, by the author's word for each."""
ACCEPTED, FORCED, ADOPTED = "作者接受", "勉强放行", "搬进来的，没有评审"
"""The words that stand in a decision's place: the author overruled it; revisions used up; none was made."""
_KEYS = {"pass_at": "pass", "polish_at": "polish", "revise_at": "revise", "pause_at": "pause"}


class Bands(Record):
    """The lower, included end of each band on the scale 0..5, and how often a chapter is revised."""

    pass_at: float = defaults.PASS_AT
    polish_at: float = defaults.POLISH_AT
    revise_at: float = defaults.REVISE_AT
    pause_at: float = defaults.PAUSE_AT
    max_revisions: int = defaults.MAX_REVISIONS

    def to_json(self) -> dict[str, float | int]:
        """Return the bands as stored in `metadata.gate.bands`: pass, polish, revise, pause, max_revisions."""
        limits: dict[str, float | int] = {key: getattr(self, name) for name, key in _KEYS.items()}
        return {**limits, "max_revisions": self.max_revisions}

    @classmethod
    def from_json(cls, value: object, path: str | None = None) -> Bands:
        """Parse the bands that `to_json` wrote; a key that is missing has its default.

        Raises BandsInvalid for limits that are no numbers, out of order or off the scale, and for a number of
        revisions that is no whole number from 0.
        """
        if value is None:
            return cls()
        if not isinstance(value, dict):
            raise errors.BandsInvalid(path, case="no map")
        default = cls()
        limits = [_limit(value, key, getattr(default, name), path) for name, key in _KEYS.items()]
        most = value.get("max_revisions", default.max_revisions)
        revisions = integer(most)
        if revisions is None or revisions < 0:
            raise errors.BandsInvalid(path, case="revisions", found=most)
        if not 5 >= limits[0] >= limits[1] >= limits[2] >= limits[3] >= 0:
            raise errors.BandsInvalid(path, case="order", **_disorder(limits))
        return cls(limits[0], limits[1], limits[2], limits[3], revisions)


def _disorder(limits: Sequence[float]) -> dict[str, str]:
    """Return the first limit that is higher than the one above it, and that one, in the author's words."""
    from novel_hooks.rules.text import typed_words

    names = [typed_words.setting_name(f"gate.{key}") for key in _KEYS.values()]
    ends = [(f"{name} {limit:g}", limit) for name, limit in zip(names, limits)]
    ends = [(" 5", 5), *ends, ("0", 0)]
    above, below = next((high[0], low[0]) for high, low in zip(ends, ends[1:]) if high[1] < low[1])
    return {"below": below, "above": above}


def _limit(value: Mapping[str, object], key: str, default: float, path: str | None) -> float:
    limit = number(value.get(key, default))
    if limit is None:
        raise errors.BandsInvalid(path, case="no number", key=key, found=value.get(key))
    return limit


def metadata(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields that `novel` itself wrote into the document; {} when there are none."""
    return mapping(document.get("metadata"))


def gate_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the gate's entry of the document; {} when there is none."""
    return mapping(metadata(document).get("gate"))


def is_accepted(document: Mapping[str, Any]) -> bool:
    """Return whether the author accepted the chapter against the gate's decision."""
    return bool(gate_of(document).get("accepted"))


def decision_word(decision: str | None, accepted: bool, forced: bool) -> str:
    """Return the author's word for a decision that he overruled (`accepted`), or that was `forced`."""
    return ACCEPTED if accepted else FORCED if forced else DECISIONS.get(decision or "", "门控未记")
