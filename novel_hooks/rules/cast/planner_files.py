"""What is asked of a planner's files beside their schemas: ids, names, numbers. Pure.

Values may hold FAULTY where their shape is wrong. Source: protocol §1, `rules.planning.planner_tasks` (what
packets say).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from novel_hooks.rules.cast.characters import Character

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.rules.cast import characters as casts

_RULE = Pattern(r"W-[0-9]{3,}\Z")
_FEWEST_CONTRACTS, _MOST_CONTRACTS = 2, 5


def stem(path: str) -> str:
    """The file's name without its ending."""
    return path.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def is_staged(path: str) -> bool:
    return path.startswith(f"{layout.STAGING}/")


def file_name_problems(path: str, card: Mapping[str, Any] | None) -> Iterator[Problem]:
    """A character's file bears his slug, and the card says no other; a profile has no card."""
    slug = stem(path)
    if not layout.SLUG.match(slug):
        how = "请把文件名改成小写英文、数字、连字符，如 lin-shen。"
        yield errors.PlanBroken(path, detail=f"{path} 的文件名不能当代号", how=how)
    told = card.get("id") if card is not None else None
    if isinstance(told, str) and told != slug:
        detail = f"{path} 里的 id 是「{told}」，与文件名不同"
        yield errors.PlanBroken(path, detail=detail, how=f"请把 id 改成「{slug}」，或给文件改名。")


def duplicate_id_problems(path: str, listed: object) -> Iterator[Problem]:
    """No id twice."""
    ids = _ids_in(listed)
    for name in dict.fromkeys(one for one in ids if ids.count(one) > 1):
        how = "请给其中一条另起编号。"
        yield errors.PlanBroken(path, detail=f"{path} 里有两条都叫「{name}」", how=how)


def rule_id_problems(path: str, rules: object) -> Iterator[Problem]:
    """A planner's rules are numbered as its packet says; the author's own may bear any name."""
    odd = [name for name in _ids_in(rules) if not _RULE.match(name)] if is_staged(path) else []
    if odd:
        detail = f"规则编号{'、'.join(f'「{name}」' for name in dict.fromkeys(odd))}不是 W-001 这样的"
        yield errors.PlanOdd(
            path, detail=detail, how="照样能用；要整齐，趁还没有别处引用，改成 W-001 起的编号。"
        )


def _ids_in(listed: object) -> list[str]:
    found = [one.get("id") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [one for one in found if isinstance(one, str)]


def slug_problems(path: str) -> Iterator[Problem]:
    """A document's name, as the packet wants it."""
    if is_staged(path) and not layout.SLUG.match(stem(path)):
        detail = "文件名不是小写英文、数字、连字符"
        yield errors.PlanOdd(path, detail=detail, how="照样能读；要整齐，改成 salt-town.md 这样的名字。")


def contract_count_problems(path: str, card: Mapping[str, Any]) -> Iterator[Problem]:
    """How many contracts a planner gives one person, against what its packet says."""
    count = len(card.get("contracts") or ())
    if not _FEWEST_CONTRACTS <= count <= _MOST_CONTRACTS:
        detail = f"有 {count} 条契约，一个角色该有 {_FEWEST_CONTRACTS} 到 {_MOST_CONTRACTS} 条"
        how = "照样能用；要补要减，让角色设计师再改一遍，或入库以后自己改这份档案。"
        yield errors.PlanOdd(path, detail=detail, how=how)


def staged_card_problems(people: Sequence[Character], slugs: Collection[str]) -> Iterator[Problem]:
    """What a staged card (of `slugs`) has from another: his display name as an alias, a contract's id."""
    for person, alias, bearer in casts.borrowed_aliases(people):
        if person.slug in slugs:
            how = f"请从{person.name}的 aliases 里删去它；他冒用这个名字的，写进他的小传。"
            yield _borrowed_name_problem(person, alias, person, slugs, how)
        elif bearer.slug in slugs:
            yield _borrowed_name_problem(bearer, alias, person, slugs, "请给新角色另起一个显示名。")
    for name, first, other in casts.shared_contract_ids(people):
        mine, his = (other, first) if other.slug in slugs else (first, other)
        if mine.slug in slugs:
            path = casts.card_path(mine.slug, slugs)
            detail = f"{path} 的契约「{name}」和{his.name}的一条同号"
            yield errors.PlanBroken(path, detail=detail, how="请给它另起编号。")


def _borrowed_name_problem(
    told: Character, alias: str, person: Character, slugs: Collection[str], how: str
) -> errors.PlanBroken:
    path = casts.card_path(told.slug, slugs)
    detail = f"{path}：「{alias}」是{person.name}的别名，又是另一个人的显示名，写到它只认得那一个"
    return errors.PlanBroken(path, detail=detail, how=how)
