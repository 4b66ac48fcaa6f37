"""The bundled sample novel: its plan has the right shapes and does not contradict itself."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.rules.cast import characters, world_rules
from novel_hooks.rules.outline import contract, key_chapter, outline, schedule
from novel_hooks.store.schema import schema

PROJECT = Path(CHECKOUT) / "novel_hooks" / "sample" / "project"
VOLUME = 1
CHAPTERS = range(1, 7)
MENTION = re.compile(r"(?:埋|推|收) ([a-z0-9-]+)")
WORD_OF_ACTION = {"planted": "埋", "advanced": "推", "resolved": "收"}


def text(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


def load(path: str) -> Any:
    return json.loads(text(path))


def plain(passage: str) -> str:
    """The passage without white space: what an author counts as its length."""
    return re.sub(r"\s", "", passage)


def deal(chapter: int) -> dict[str, Any]:
    """The chapter's contract."""
    return load(layout.contract(VOLUME, chapter))


def cards() -> dict[str, dict[str, Any]]:
    found = sorted(PROJECT.glob("characters/active/*.json"))
    return {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in found}


def names() -> set[str]:
    return {card["display_name"] for card in cards().values()}


def storylines() -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in load(layout.STORYLINES)["storylines"]}


def rules() -> dict[str, dict[str, Any]]:
    return {rule["id"]: rule for rule in load(layout.WORLD_RULES)["rules"]}


def plan() -> dict[str, dict[str, Any]]:
    return {item["id"]: item for item in load(layout.foreshadowing_plan(VOLUME))["foreshadowing"]}


def book() -> outline.Outline:
    return outline.parse(text(layout.outline(VOLUME)), layout.outline(VOLUME))


def keys(chapter: int) -> dict[str, str]:
    return dict(outline.key_lines(outline.block(book(), chapter)))


def people_of(chapter: int) -> set[str]:
    """Who has a part in a chapter: named in its objectives or changed by it."""
    document = deal(chapter)
    said = json.dumps(document["objectives"], ensure_ascii=False)
    return {n for n in names() if n in said} | set(document["postconditions"]["state_changes"])


# --- shapes ---------------------------------------------------------------------------------------


def documents() -> list[tuple[str, str]]:
    fixed = [
        (layout.CHECKPOINT, "checkpoint"),
        (layout.STYLE_PROFILE, "style-profile"),
        (layout.BLACKLIST, "ai-blacklist"),
        (layout.WORLD_RULES, "world-rules"),
        (layout.STORYLINES, "storylines"),
        (layout.STORYLINE_SPEC, "storyline-spec"),
        (layout.FORESHADOWING, "foreshadowing"),
        (layout.schedule(VOLUME), "storyline-schedule"),
        (layout.foreshadowing_plan(VOLUME), "foreshadowing-plan"),
    ]
    contracts = [(layout.contract(VOLUME, c), "chapter-contract") for c in CHAPTERS]
    people = [(layout.character_card(slug), "character") for slug in cards()]
    return fixed + contracts + people


@pytest.mark.parametrize(("path", "name"), documents())
def test_document_has_its_shape(path: str, name: str) -> None:
    assert [p.diagnostic() for p in schema.problems(name, load(path), path)] == []


def test_every_json_file_is_checked() -> None:
    found = {p.relative_to(PROJECT).as_posix() for p in PROJECT.rglob("*.json")}
    assert found == {path for path, _ in documents()}


def test_files_are_canonical() -> None:
    for path in [p for p in PROJECT.rglob("*") if p.is_file()]:
        data = path.read_bytes()
        assert not data.startswith(b"\xef\xbb\xbf") and b"\r" not in data, path
        assert data.endswith(b"\n") and not data.endswith(b"\n\n"), path
        if path.suffix == ".json":
            value = json.loads(data)
            assert data.decode() == json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n", (
                path
            )


def test_nothing_has_been_written_yet() -> None:
    assert load(layout.CHECKPOINT)["last_completed_chapter"] == 0
    assert load(layout.FORESHADOWING) == {"foreshadowing": []}
    for path in (layout.STATE, layout.CHANGELOG, "chapters", "staging"):
        assert not (PROJECT / path).exists()


# --- outline and contracts ------------------------------------------------------------------------


def test_headings_are_exact_and_complete() -> None:
    assert [(h.chapter, bool(h.title)) for h in book().headings] == [(c, True) for c in CHAPTERS]
    assert book().near == ()
    headings = [line for line in text(layout.outline(VOLUME)).split("\n") if line.startswith("### ")]
    assert all(re.fullmatch(r"### 第 [1-6] 章: \S{2,12}", line) for line in headings)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_outline_block_is_whole(chapter: int) -> None:
    found = keys(chapter)
    assert list(found) == list(outline.KEYS) and all(found.values())
    assert found["POV"] in names()
    assert "不可逆" in found["StateChanges"] and "→" in found["StateChanges"]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_contract_fits_its_outline(chapter: int) -> None:
    document = deal(chapter)
    read = contract.parse(document, layout.contract(VOLUME, chapter))
    assert contract.problems(read, chapter, keys(chapter)["Storyline"]) == []
    assert 2 <= len(document["objectives"]) <= 3
    assert keys(chapter)["POV"] in document["preconditions"]["character_states"]
    assert document["acceptance_criteria"]


def test_ids_of_objectives_are_unique() -> None:
    ids = [o["id"] for c in CHAPTERS for o in deal(c)["objectives"]]
    assert len(ids) == len(set(ids))
    assert all(i.startswith(f"OBJ-{c}-") for c in CHAPTERS for i in [o["id"] for o in deal(c)["objectives"]])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_contract_names_only_what_exists(chapter: int) -> None:
    document = deal(chapter)
    before, after = document["preconditions"], document["postconditions"]
    assert set(before["character_states"]) <= names()
    assert set(after["state_changes"]) <= set(before["character_states"])
    assert people_of(chapter) <= set(before["character_states"])
    assert set(before["required_world_rules"]) <= set(rules())
    assert {u["id"] for u in after["foreshadowing_updates"]} <= set(plan())
    assert document["transition_hint"]["next_storyline"] in storylines()
    assert set(document["storyline_context"]["concurrent_state"]) == set(storylines()) - {
        document["storyline_id"]
    }


@pytest.mark.parametrize("chapter", list(CHAPTERS)[1:])
def test_who_was_changed_is_in_the_next_preconditions(chapter: int) -> None:
    changed = set(deal(chapter - 1)["postconditions"]["state_changes"])
    in_play = people_of(chapter)
    assert changed & in_play <= set(deal(chapter)["preconditions"]["character_states"])


def test_people_start_where_they_were_left() -> None:
    left: dict[str, str] = {}
    for chapter in CHAPTERS:
        document = deal(chapter)
        for name, state in document["preconditions"]["character_states"].items():
            assert left.pop(name, "") in state["location"], (chapter, name)
        for name, change in document["postconditions"]["state_changes"].items():
            if "location" in change:
                left[name] = change["location"].split("→")[1]


@pytest.mark.parametrize("chapter", list(CHAPTERS)[:-1])
def test_next_storyline_is_the_next_chapters(chapter: int) -> None:
    assert deal(chapter)["transition_hint"]["next_storyline"] == deal(chapter + 1)["storyline_id"]


def test_a_rule_is_introduced_no_later_than_it_is_needed() -> None:
    for chapter in CHAPTERS:
        for rule in deal(chapter)["preconditions"]["required_world_rules"]:
            assert rules()[rule]["introduced_chapter"] <= chapter, (chapter, rule)


def test_chapters_since_last_counts_on_the_own_line() -> None:
    last: dict[str, int] = {}
    for chapter in CHAPTERS:
        document = deal(chapter)
        line = document["storyline_id"]
        assert document["storyline_context"]["chapters_since_last"] == chapter - last.get(line, chapter)
        last[line] = chapter


# --- storylines -----------------------------------------------------------------------------------


def test_schedule_agrees_with_the_outline() -> None:
    document = load(layout.schedule(VOLUME))
    by_line = {line: [c for c in CHAPTERS if keys(c)["Storyline"] == line] for line in storylines()}
    assert {a["storyline_id"]: a["target_chapters"] for a in document["active_storylines"]} == {
        line: chapters for line, chapters in by_line.items() if chapters
    }
    assert document["dormant_storylines"] == [line for line, chapters in by_line.items() if not chapters]
    assert [a["volume_role"] for a in document["active_storylines"]] == ["primary", "secondary"]


def test_status_of_storylines_agrees_with_the_schedule() -> None:
    read = schedule.parse(load(layout.schedule(VOLUME)))
    assert {i for i, line in storylines().items() if line["status"] == "active"} == set(read.active)
    assert {i for i, line in storylines().items() if line["status"] == "dormant"} == set(read.dormant)
    assert all(set(line["pov_characters"]) <= names() for line in storylines().values())


def test_convergence_lies_within_the_volume() -> None:
    read = schedule.parse(load(layout.schedule(VOLUME)))
    assert read.convergences == (((5, 6), ("seventh-span", "rope-chaser")),)
    assert all(set(involved) <= set(read.active) for _, involved in read.convergences)
    assert [c for c in CHAPTERS if key_chapter.is_key_chapter(c, book().start, book().end, read)] == [1, 5, 6]


def test_relationships_name_what_exists() -> None:
    for link in load(layout.STORYLINES)["relationships"]:
        assert {link["from"], link["to"]} <= set(storylines())
        assert set(link["bridges"]["shared_characters"]) <= names()
        assert set(link["bridges"]["shared_foreshadowing"]) <= set(plan())


def test_spec_holds_the_five_rules() -> None:
    found = {r["id"]: r["constraint_type"] for r in load(layout.STORYLINE_SPEC)["rules"]}
    assert sorted(found) == [f"LS-00{n}" for n in range(1, 6)]
    assert found["LS-001"] == "hard" and found["LS-005"] == "soft"


def test_memories_are_short_and_only_of_lines_at_rest() -> None:
    found = sorted(p.parent.name for p in PROJECT.glob("storylines/*/memory.md"))
    assert found == load(layout.schedule(VOLUME))["dormant_storylines"]
    assert all(0 < len(plain(text(layout.memory(line)))) <= 500 for line in found)


# --- foreshadowing --------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_outline_and_contract_plan_the_same_foreshadowing(chapter: int) -> None:
    updates = deal(chapter)["postconditions"]["foreshadowing_updates"]
    promised = {f"{WORD_OF_ACTION[u['action']]} {u['id']}" for u in updates}
    found = keys(chapter)["Foreshadowing"]
    assert {f"{m.group(0)}" for m in MENTION.finditer(found)} == promised


def test_every_thread_is_planted_once_and_in_its_chapter() -> None:
    planted = [
        (u["id"], c)
        for c in CHAPTERS
        for u in deal(c)["postconditions"]["foreshadowing_updates"]
        if u["action"] == "planted"
    ]
    assert sorted(planted) == sorted((i, item["planted_chapter"]) for i, item in plan().items())
    assert all(sum(c == at for _, at in planted) <= 2 for c in CHAPTERS)
    assert all(keys(at)["Storyline"] == plan()[i]["planted_storyline"] for i, at in planted)


def test_threads_are_moved_in_order_and_resolved_in_time() -> None:
    seen: dict[str, list[tuple[str, int]]] = {}
    for chapter in CHAPTERS:
        for update in deal(chapter)["postconditions"]["foreshadowing_updates"]:
            seen.setdefault(update["id"], []).append((update["action"], chapter))
    for thread, item in plan().items():
        actions = [action for action, _ in seen[thread]]
        assert actions[0] == "planted" and "planted" not in actions[1:], thread
        assert "resolved" not in actions[:-1], thread
        first, last = item["target_resolve_range"]
        resolved = [c for action, c in seen[thread] if action == "resolved"]
        assert bool(resolved) == (item["scope"] == "short"), thread
        assert all(first <= c <= last for c in resolved), thread
        assert item["planted_chapter"] < first, thread


def test_plan_holds_all_three_scopes() -> None:
    scopes = [item["scope"] for item in plan().values()]
    assert len(scopes) >= 5 and set(scopes) == {"short", "medium", "long"}


# --- people, rules, style -------------------------------------------------------------------------


def test_every_character_has_a_card_and_a_profile() -> None:
    assert len(cards()) >= 6
    assert all(card["id"] == slug and layout.SLUG.match(slug) for slug, card in cards().items())
    assert characters.duplicate_name_problems([characters.character(s, c) for s, c in cards().items()]) == []
    for slug, card in cards().items():
        profile = text(layout.character_profile(slug))
        assert profile.startswith(f"# {card['display_name']}\n")
        assert card["contracts"]
    ids = [c["id"] for card in cards().values() for c in card["contracts"]]
    assert len(ids) == len(set(ids))


def test_living_characters_have_want_fear_limit_and_voice() -> None:
    for slug in sorted(cards().keys() - {"sang-dingxing"}):
        profile = text(layout.character_profile(slug))
        for line in ("- 要：", "- 怕：", "- 知", "- 口吻："):
            assert line in profile, (slug, line)
        assert "- 能力上限：" in profile or "- 限：" in profile, slug


def test_sums_in_the_plan_are_right() -> None:
    """A book about weights: its own numbers must add up."""
    people = {c["display_name"]: c["starting"] for c in cards().values()}
    assert people["絮儿"]["body"] + people["絮儿"]["debt"] == 412
    assert people["桑准"]["body"] + 412 == 509
    assert people["鲁墩"]["body"] + people["鲁墩"]["debt"] == 395
    assert people["灯花"]["body"] + people["灯花"]["debt"] == 451
    assert 2860 + 412 == 3272
    shares = 120 + 30 + 40 + 157
    assert shares == 347 and people["絮儿"]["debt"] - shares == 37
    last = json.dumps(deal(6), ensure_ascii=False)
    assert all(n in last for n in ("三百八十四", "一百二十", "一百五十七", "三百四十七", "三十七", "六十五"))
    assert people["絮儿"]["body"] + 37 == 65 and 243 + 30 + people["鲁墩"]["body"] == 425


def test_world_has_hard_and_soft_rules() -> None:
    found = rules()
    assert list(found) == [f"W-{n:03d}" for n in range(1, len(found) + 1)] and len(found) >= 8
    kinds = [r["constraint_type"] for r in found.values()]
    assert kinds.count("hard") >= 8 and kinds.count("soft") >= 2
    assert len({r["category"] for r in found.values()}) >= 4
    assert sum(bool(r["exceptions"]) for r in found.values()) >= 5
    named = set(re.findall(r"W-\d{3}", text(layout.WORLD_RULES)))
    assert named <= set(found)


def test_blacklist_is_long_and_sorted_into_categories() -> None:
    document = load(layout.BLACKLIST)
    words = document["words"]
    assert len(words) >= 40 and len(words) == len(set(words))
    assert sorted(w for listed in document["categories"].values() for w in listed) == sorted(words)
    assert world_rules.blacklist_top(document) == words[:10]


def test_style_samples_are_passages_in_the_books_own_marks() -> None:
    profile = load(layout.STYLE_PROFILE)
    banned = load(layout.BLACKLIST)["words"]
    assert 2 <= len(profile["samples"]) <= 3
    for sample in profile["samples"]:
        assert 300 <= len(plain(sample)) <= 600
        assert sample.count("“") == sample.count("”") > 0 and "「" not in sample
        assert [w for w in banned if w in sample] == []


def test_style_figures_are_those_of_the_samples() -> None:
    profile = load(layout.STYLE_PROFILE)
    whole = "\n".join(profile["samples"])
    spoken = sum(len(q) for q in re.findall("“([^”]*)”", whole)) / len(plain(whole))
    low, high = profile["dialogue_ratio"]
    assert low <= spoken <= high
    sentences = [len(plain(s).strip("“”")) for s in re.split("[。！？\n]”?", whole) if plain(s).strip("“”")]
    mean = sum(sentences) / len(sentences)
    assert abs(mean - profile["sentence_length"]["mean"]) <= 3


def test_plan_is_not_prose_that_a_writer_could_copy() -> None:
    """Nothing in an outline or contract is 16 characters of a style sample."""
    samples = [plain(s) for s in load(layout.STYLE_PROFILE)["samples"]]
    pieces = {s[i : i + 16] for s in samples for i in range(len(s) - 15)}
    for path in [layout.outline(VOLUME), *(layout.contract(VOLUME, c) for c in CHAPTERS)]:
        planned = plain(text(path))
        assert not any(planned[i : i + 16] in pieces for i in range(len(planned) - 15)), path


def test_brief_says_what_a_writer_needs() -> None:
    brief = text(layout.BRIEF)
    for part in ("要什么", "怕什么", "凭什么", "到哪儿为止", "## 语气", "## 给谁读", "## 三个承诺", "## 忌"):
        assert part in brief
