"""`novel.yaml`: read strictly, changed without losing the author's comments.

YAML 1.2 by ruamel.yaml, loaded only when there is something to read. What comes out is what a JSON
file could hold: a date is the text it was written as. Lines and columns count from 1.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

import io
import warnings

from novel_hooks import errors
from novel_hooks.store import site, yamlfault


def load(text: str, path: str) -> object:
    """The value of a whole YAML text; None when it holds nothing. Raises `YamlBroken`."""
    yaml = _yaml("safe")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ruamel's remarks on style are in English, on stderr
        try:
            yamlfault.check(path, text, yaml.parse(text))
            value: object = yaml.load(text)
        except RecursionError:
            raise yamlfault.at(path, text, 0, f"套了 {yamlfault.MOST_LEVELS} 层以上") from None
        except _yaml_error() as wrong:
            raise yamlfault.of_syntax(path, text, wrong) from None
    return value


def edit(text: str, path: str, changes: dict[str, object]) -> str:
    """`text` with `changes` made, everything else kept: comments, order, quotes, empty lines.

    A key `gate.pass` names `pass` in the map `gate`, which is made when it is not there. Raises
    `YamlBroken` for the text, `ValueError` for a key below something that is no map.
    """
    known = _mapping(text, path)
    yaml = _yaml("rt")
    _keep_layout(yaml, text)
    tree = yaml.load(text) if known else {}
    for key, value in changes.items():
        _set(tree, key.split("."), value)
    out = io.StringIO()
    if tree:
        yaml.dump(tree, out)
    if known:
        return out.getvalue()
    kept = text if not text or text.endswith("\n") else text + "\n"
    return kept + out.getvalue()


def compose(text: str, path: str) -> Any:
    """The tree of nodes, each with its place in the text (`start_mark.index`); None for a text of comments.

    Raises `YamlBroken` as `load` does.
    """
    load(text, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _yaml("safe").compose(text)


def _mapping(text: str, path: str) -> dict[str, object]:
    value = load(text, path)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise yamlfault.at(path, text, _first(text), "这里应当是一行一行的「键: 值」")
    return value


def _first(text: str) -> int:
    return len(text) - len(text.lstrip())


def _set(tree: Any, keys: list[str], value: object) -> None:
    *above, last = keys
    for key in above:
        tree = tree.setdefault(key, {})
        if not isinstance(tree, dict):
            raise ValueError(f"{key} is not a map")
    old = tree.get(last)
    if isinstance(old, list) and isinstance(value, list):
        old[:] = value  # in place, so that `[a, b]` stays on one line
    else:
        tree[last] = value


def _keep_layout(yaml: Any, text: str) -> None:
    from ruamel.yaml.util import load_yaml_guess_indent

    _, step, offset = load_yaml_guess_indent(text)
    yaml.preserve_quotes = True
    yaml.width = 1 << 16
    if step and offset:
        yaml.indent(mapping=2, sequence=step, offset=offset)


def _yaml(kind: str) -> Any:
    site.activate()
    try:
        from ruamel.yaml import YAML
    except ImportError:
        raise errors.DependencyMissing(None, name="ruamel.yaml") from None
    yaml = YAML(typ=kind, pure=True)
    if kind == "safe":
        yaml.Constructor = _constructor()
    return yaml


def _constructor() -> Any:
    from ruamel.yaml.constructor import ConstructorError, SafeConstructor

    class Plain(SafeConstructor):
        """Dates stay text, and keys are text."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            odd = next((key for key, _ in node.value if key.tag != "tag:yaml.org,2002:str"), None)
            if odd is not None:
                raise ConstructorError(None, None, yamlfault.ODD_KEY, odd.start_mark)
            return super().construct_mapping(node, deep)

    Plain.add_constructor("tag:yaml.org,2002:timestamp", SafeConstructor.construct_yaml_str)
    return Plain


def _yaml_error() -> type[Exception]:
    from ruamel.yaml.error import YAMLError

    return YAMLError
