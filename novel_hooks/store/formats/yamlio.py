"""YAML texts such as `novel.yaml`, read strictly: the value, and the place of each part of it.

YAML 1.2 by ruamel.yaml, loaded only when there is something to read. A value is one that a JSON file
could hold: a date is the text it was written as. Lines and columns count from 1.
"""

from __future__ import annotations

import warnings

from novel_hooks.annotations import Any
from novel_hooks.store.formats import yamlfault
from novel_hooks.store.formats.text import MOST_LEVELS
from novel_hooks.store.host import environment, site


def parse(text: str, path: str) -> object:
    """Parse a whole YAML text to its value; None when it holds nothing.

    `path` is the file for the message. Raises `YamlBroken`, `DependencyMissing`.
    """
    yaml = _yaml()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ruamel's remarks on style are in English, on stderr
        try:
            yamlfault.check(path, text, yaml.parse(text))
            value: object = yaml.load(text)
        except RecursionError:
            raise yamlfault.fault_at(path, text, 0, f"套了 {MOST_LEVELS} 层以上") from None
        except _yaml_error() as wrong:
            raise yamlfault.syntax_fault(path, text, wrong) from None
    return value


def node_tree(text: str) -> Any:
    """Return ruamel's tree of nodes, each with its place in the text (`start_mark.index`).

    `text` is one that `parse` has taken. None for one without a value.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _yaml().compose(text)


def _yaml() -> Any:
    site.activate()
    try:
        from ruamel.yaml import YAML
    except Exception as wrong:  # half of it is gone: what that raises is anything
        raise environment.missing("ruamel.yaml") from wrong
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = _constructor()
    return yaml


def _constructor() -> Any:
    from ruamel.yaml.constructor import ConstructorError, SafeConstructor

    class Plain(SafeConstructor):
        """A constructor by which dates stay text, and that refuses keys that are no text."""

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
