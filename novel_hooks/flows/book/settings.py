"""`novel.yaml`: the author's own settings, optional, with comments, changed only by his command.

It is read strictly once; the result is kept by the file's hash in `.novel/settings.json`, so that everyday
commands load no YAML. That file is a cache: broken or foreign, it counts as empty.
"""

from __future__ import annotations

import json

from novel_hooks import defaults, errors, layout, sha2
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    from novel_hooks.rules.evaluation.gate_entry import Bands
    from novel_hooks.rules.settings.prices import Price
    from novel_hooks.store.journal.journal import Change

_VERSION = 3
"""Of the cache; rises when what makes a setting legal changes."""


def read(book: Book) -> Mapping[str, Any]:
    """Return the settings, {} without a file. Raises every problem of the file at once."""
    if book.settings is None:
        book.settings = _read(book)
    return book.settings


def _read(book: Book) -> Mapping[str, Any]:
    data = book.read(layout.CONFIG)
    if data is None:
        return {}
    name = sha2.digest(data)
    known = _cached(book, name)
    if known is not None:
        return known
    found = parse(book.text(layout.CONFIG) or "")
    book.learnt[layout.SETTINGS] = cache_change(data, found).data
    return found


def cache_change(data: bytes, found: Mapping[str, Any]) -> Change:
    """Return the change that caches the settings of a `novel.yaml` of these bytes."""
    from novel_hooks.store.journal import journal

    name = sha2.digest(data)
    document = {"schema_version": _VERSION, "sha256": name, "settings": found}
    return journal.put(layout.SETTINGS, jsonio.dump(document))


def parse(text: str) -> dict[str, Any]:
    """Parse the settings of a whole text. Raises `YamlBroken`, or all that is wrong with the settings."""
    from novel_hooks.rules.settings import values
    from novel_hooks.store.formats import yamlfault, yamlio

    found = yamlio.parse(text, layout.CONFIG)
    if found is None:
        return {}
    if not isinstance(found, dict):
        whole = errors.ConfigValue(layout.CONFIG, "file", key="整个文件")
        raise yamlfault.colon_fault(layout.CONFIG, text) or whole
    wrong = values.problems(found)
    slip = yamlfault.colon_fault(layout.CONFIG, text) if wrong else None
    refuse([slip, *wrong] if slip else wrong)
    return found


def _cached(book: Book, name: str) -> Mapping[str, Any] | None:
    try:
        document = json.loads(book.read(layout.SETTINGS) or b"null")
    except (Problem, ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    if (document.get("schema_version"), document.get("sha256")) != (_VERSION, name):
        return None
    found = document.get("settings")
    return found if isinstance(found, dict) else None


def recorded_bands(book: Book, gate: Mapping[str, Any]) -> Bands:
    """Return the limits in the evaluation's `metadata.gate`; before the gate's decision, the author's."""
    from novel_hooks.rules.evaluation.gate_entry import Bands

    stored = gate.get("bands")
    return Bands.from_json(stored) if stored else bands(book)


def bands(book: Book) -> Bands:
    """Return the gate's limits: the author's, else the default ones (protocol §3)."""
    from novel_hooks.rules.evaluation.gate_entry import Bands

    found = read(book)
    given = dict(found.get("gate") or {})
    if found.get("max_revisions") is not None:
        given["max_revisions"] = found["max_revisions"]
    return Bands.from_json(given, layout.CONFIG)


def chapter_chars(book: Book) -> tuple[int, int]:
    """Return the wanted length of a chapter, in 字: (least, most)."""
    wanted = read(book).get("chapter_chars")
    return (wanted[0], wanted[1]) if wanted else defaults.CHAPTER_CHARS


def daily_chars(book: Book) -> int | None:
    """Return the number of 字 a day that the author wants to write; None when he has not set it."""
    wanted = read(book).get("daily_chars")
    return wanted if isinstance(wanted, int) else None


def scene_break(book: Book) -> str:
    """Return the line that marks a change of scene; "" where two empty lines do."""
    found = read(book).get("scene_break")
    return found.strip() if isinstance(found, str) else ""


def keep_versions(book: Book) -> int:
    """Return for how many chapters back every version of a text is kept."""
    wanted = read(book).get("keep_versions")
    return wanted if isinstance(wanted, int) else defaults.KEEP_VERSIONS


def max_characters(book: Book) -> int:
    """Return how many characters a chapter gets whose contract names none (seed 000 Step 2.4)."""
    wanted = read(book).get("max_characters")
    return wanted if isinstance(wanted, int) else defaults.MAX_CHARACTERS


def packet_chars(book: Book, agent: str) -> int | None:
    """Return the most material that the agent gets, in 字; None for an agent without a limit."""
    from novel_hooks.rules.packet.size_limit import LIMITS

    standard = LIMITS.get(agent)
    chosen = (read(book).get("packet_chars") or {}).get(agent) if standard else None
    return chosen if isinstance(chosen, int) else standard


def stop_after(book: Book) -> tuple[str, ...]:
    """Return the phases after which the author wants to look; () when he has set none."""
    from novel_hooks.rules.steps import break_points

    return break_points.parse_phases(read(book).get("stop_after")) or ()


def models(book: Book) -> dict[str, str]:
    """Return the models that the author chose, by phase (`settings.MODEL_KEYS`)."""
    return {key: model for key, model in (read(book).get("models") or {}).items() if model}


def codex_models(book: Book) -> dict[str, str]:
    """Return the author's choice for Codex, by phase: a model's name, or an effort."""
    return {key: told for key, told in (read(book).get("codex_models") or {}).items() if told}


def prices(book: Book) -> dict[str, Price]:
    """Return the price of a million tokens by model, in the author's money; only those that he set."""
    from novel_hooks.rules.settings.prices import SIDES, Price

    found = read(book).get("prices") or {}
    return {model: Price(*(price.get(side) for side in SIDES)) for model, price in found.items()}


def budget(book: Book) -> dict[str, float]:
    """Return the author's limits by `rules.settings.budget.KEYS`; only those he set."""
    return {key: limit for key, limit in (read(book).get("budget") or {}).items() if limit is not None}


def price_warnings(book: Book) -> list[Problem]:
    """Warn of settings that are legal and hardly meant: misspelt models, a budget of money without prices."""
    if not read(book).get("prices"):
        return unpriced_warnings(book)
    from novel_hooks.rules.settings import values

    slips = values.misspelt_prices(read(book))
    unmatched = [errors.PriceUnmatched(layout.CONFIG, model=name, meant=meant) for name, meant in slips]
    return [*unpriced_warnings(book), *unmatched]


def unpriced_warnings(book: Book) -> list[Problem]:
    """Warn of a budget of money that will stop at a model without a price."""
    if not any(key.endswith("money") for key in budget(book)):
        return []
    from novel_hooks.rules.settings import settings

    missing = settings.unpriced_models(models(book), prices(book))
    if not missing:
        return []
    return [errors.BudgetUnpriced(layout.CONFIG, models="、".join(missing), model=missing[0])]


def currency(book: Book) -> str | None:
    """Return the author's name for the money of his prices; None when he set none."""
    found = read(book).get("currency")
    return found.strip() or None if isinstance(found, str) else None
