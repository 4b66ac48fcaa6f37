"""Appearances and meetings."""

from __future__ import annotations

from novel_hooks.rules.report.people import SHOWN_MET, Appearances


def test_people_are_found_by_all_their_names_and_met_in_a_chapter() -> None:
    people = {
        "shen": ("沈渡", ["沈渡", "摆渡的"]),
        "qiao": ("乔九", ["乔九", "九"]),
        "bai": ("白穗", ["白穗", "阿穗"]),
        "mo": ("莫岚", ["莫岚", "阿穗"]),
    }
    found = Appearances(people)
    found.add(1, "沈渡看乔九。")
    found.add(2, "摆渡的走了，九盏灯，阿穗在等。")
    found.add(3, "沈渡、白穗、乔九，沈渡。")
    rows = {row["id"]: row for row in found.rows()}
    assert [row["id"] for row in found.rows()] == ["shen", "qiao", "bai"]
    assert rows["shen"]["chapters"] == [1, 2, 3]
    assert rows["qiao"]["chapters"] == [1, 3], "one character is no name, and a shared one is nobody's"
    assert rows["shen"]["met"] == [
        {"id": "qiao", "name": "乔九", "chapters": 2},
        {"id": "bai", "name": "白穗", "chapters": 1},
    ]


def test_the_longer_name_counts() -> None:
    found = Appearances({"a": ("沈渡", ["沈渡"]), "b": ("沈渡口", ["沈渡口"])})
    found.add(1, "到了沈渡口。")
    assert [row["id"] for row in found.rows()] == ["b"]


def test_nobody_and_many() -> None:
    nobody = Appearances({})
    nobody.add(1, "水声。")
    assert nobody.rows() == []
    names = [f"角色{chr(0x4E00 + n)}" for n in range(SHOWN_MET + 3)]
    many = Appearances({str(n): (name, [name]) for n, name in enumerate(names)})
    many.add(1, "、".join(names))
    assert {len(row["met"]) for row in many.rows()} == {SHOWN_MET}
