"""`novel config`: list the settings, or set or unset one in `novel.yaml`; the rest of the file stays.

The new file is judged as a whole before it is written through the journal with its cache.
"""

from __future__ import annotations

from contextlib import suppress

from novel_hooks import errors, layout, roles
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import settings as book_settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.settings import messages, settings, typed_values, values
from novel_hooks.rules.settings.prices import SIDES
from novel_hooks.rules.settings.settings import Setting
from novel_hooks.rules.text import typed_words
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from novel_hooks.store.formats.yamlsplice import Unspliced

_EXAMPLES = {
    "gate": "gate.pass",
    "models": "models.draft",
    "codex_models": "codex_models.draft",
    "prices": "prices.sonnet.input",
    "budget": "budget.chapter_tokens",
    "packet_chars": "packet_chars.chapter-writer",
}


class Shown(Record):
    """One setting: `value` is the value in force, `written` tells whether the author wrote it."""

    key: str
    value: Any
    default: Any
    written: bool
    meaning: str


def shown(book: Book, key: str | None) -> list[Shown]:
    """Return all settings, or those at and below `key`. Raises ConfigKeyUnknown, and faults of the file."""
    found = book_settings.read(book)
    listed = [_setting_shown(found, setting) for setting in _with_prices(found)]
    if key is None:
        return listed
    if not (settings.is_known(key) or settings.is_map(key)):
        raise messages.unknown_setting(key)
    chosen = [one for one in listed if one.key == key or one.key.startswith(f"{key}.")]
    meaning = _PRICE if key.startswith("prices.") else _CODEX
    return chosen or [_setting_shown(found, Setting(key, meaning, None))]


_PRICE = "一百万词元的价钱"
_CODEX = "在 Codex 里这一步用的模型，或用几分力"


def _with_prices(found: Mapping[str, Any]) -> list[Setting]:
    """Return the table, with a line for every price that is written."""
    prices = [
        Setting(f"prices.{model}.{side}", _PRICE, None)
        for model, price in sorted((found.get("prices") or {}).items())
        for side in SIDES
        if side in price
    ]
    table = settings.all_settings()
    return [*(table[:-1] if prices else table), *prices]


def _setting_shown(found: Mapping[str, Any], setting: Setting) -> Shown:
    written = settings.value_at(found, setting.key)
    value = setting.default if written is None else written
    return Shown(setting.key, value, setting.default, written is not None, setting.meaning)


def change(session: Session, key: str, typed: str | None) -> tuple[list[Shown], bool]:
    """Set (`typed`) or unset (None) one setting; return (its value now, whether the file changed).

    Raises ConfigKeyUnknown, ConfigMap, ConfigRefused, ConfigUneditable, and other faults of the file; then
    nothing has changed.
    """
    book = Book(session.project)
    text = book.text(layout.CONFIG) or ""
    new = _unset(text, key) if typed is None else _set(text, key, typed)
    if new != text:
        _land(session, new)
    after = Book(session.project)
    stands = (
        [] if typed is None and not (settings.is_known(key) or settings.is_map(key)) else shown(after, key)
    )
    return stands, new != text


def _set(text: str, key: str, typed: str) -> str:
    if settings.is_map(key):
        raise errors.ConfigMap(layout.CONFIG, key=key, example=_EXAMPLES.get(key, f"{key}.input"))
    if not settings.is_known(key):
        raise messages.unknown_setting(key)
    if key.startswith("models.") and typed not in roles.MODELS:
        raise _model_refusal(key, typed)
    value = typed_values.parse(key, typed)
    if isinstance(value, str) and not values.is_one_line(value):
        raise errors.ConfigRefused(layout.CONFIG, case="two lines", key=key, value=" ".join(value.split()))
    new = with_value(text, key, value)
    _check_new_file(new, key, typed)
    return new


def with_value(text: str, key: str, value: object) -> str:
    """Return the text of a `novel.yaml` with one setting written into it, every other byte as it was.

    Raises YamlBroken, ConfigComment, ConfigUneditable.
    """
    from novel_hooks.store.formats import yamlsplice

    try:
        return yamlsplice.set_value(text, layout.CONFIG, settings.split_key(key), value)
    except yamlsplice.Unspliced as wrong:
        raise _uneditable(text, key, wrong) from None


def _model_refusal(key: str, typed: str) -> Problem:
    near = typed_words.meant(typed, roles.MODELS)
    case, known = "near a model" if near else "no model", "、".join(roles.MODELS)
    return errors.ConfigRefused(layout.CONFIG, case, key=key, value=typed, known=known, near=near)


def _unset(text: str, key: str) -> str:
    """Return the text without the setting; a map that would be left empty goes as a whole.

    Where a comment stands by its line, as in the template, the line stays and gets the default. An unknown
    name can be unset when it is written.
    """
    from novel_hooks.store.formats import yamlio, yamlsplice

    found = yamlio.parse(text, layout.CONFIG)
    path = settings.split_key(key)
    written = isinstance(found, dict) and settings.value_at(found, key) is not None
    if not (written or settings.is_known(key) or settings.is_map(key)):
        raise messages.unknown_setting(key)
    if path[-1] not in (yamlsplice.value_at(found, path[:-1]) or ()):
        return text
    while len(path) > 1 and len(yamlsplice.value_at(found, path[:-1])) == 1:
        path = path[:-1]
    try:
        new = yamlsplice.drop_value(text, layout.CONFIG, path)
        default = next((one.default for one in settings.all_settings() if one.key == key), None)
        if len(new) > len(text) and default is not None and not settings.is_map(key):  # a comment was made
            with suppress(yamlsplice.Unspliced):
                new = yamlsplice.set_value(text, layout.CONFIG, settings.split_key(key), default)
    except yamlsplice.Unspliced as wrong:
        raise _uneditable(text, key, wrong) from None
    if new != text:
        _check_new_file(new, key, None)
    return new


def _uneditable(text: str, key: str, wrong: Unspliced) -> Problem:
    from novel_hooks.store.formats import yamlfault

    kind = errors.ConfigComment if wrong.comment else errors.ConfigUneditable
    return yamlfault.colon_fault(layout.CONFIG, text) or kind(layout.CONFIG, key=key, line=wrong.line)


def _check_new_file(text: str, key: str, typed: str | None) -> None:
    """Judge the whole file as it would be: a fault of this setting is a refusal of the value."""
    try:
        book_settings.parse(text)
    except Problem as wrong:
        listed = wrong.problems
        from novel_hooks.store.formats import yamlio

        document = None if isinstance(listed[0], errors.YamlBroken) else yamlio.parse(text, layout.CONFIG)
        gate = document.get("gate") if isinstance(document, dict) else None
        refuse([_as_refusal(one, key, typed, messages.gate_line_bounds(gate, key)) for one in listed])


def _as_refusal(problem: Problem, key: str, typed: str | None, bounds: str | None) -> Problem:
    cause = problem.values.get("detail")
    about = problem.values.get("key")
    if typed is None or cause is None or about not in (None, key):
        return problem
    if isinstance(problem, errors.BandsInvalid) and bounds is not None:
        cause = bounds
    return errors.ConfigRefused(layout.CONFIG, case="fault", key=key, value=typed, cause=cause)


def _land(session: Session, text: str) -> None:
    data = text.encode("utf-8")
    remembered = book_settings.cache_change(data, book_settings.parse(text))
    session.land([journal.put(layout.CONFIG, data), remembered], label="改设置")
    session.renew_marks([layout.CONFIG])
