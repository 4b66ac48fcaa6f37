"""The planning agents' staged files, each checked against its step. Source: protocol §1, §2.

A setup step without a staged output may have the author's own landed file as its output.
"""

from __future__ import annotations

from novel_hooks import errors, layout, roles
from novel_hooks.annotations import Any, Iterable, Iterator, Mapping
from novel_hooks.errors import FINDINGS, Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt, collect_problems
from novel_hooks.flows.book.templates import is_template
from novel_hooks.flows.chapter.desk import StagedFile, StagingDesk, maker
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import planner_files
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.outline import brief as briefs
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.rules.text.json_values import FAULTY, text


def outputs_of(book: Book, step: Step) -> list[roles.Output]:
    """Return what the step's planner writes, with what the book as it is requires of him.

    Storylines are the architect's where there are none. Those of a book that moved in come with its people,
    so that its chapters can be recorded before the next volume is planned.
    """
    table = roles.SETUP_OUTPUTS if step.kind == "setup" else roles.VOLUME_OUTPUTS
    found = []
    for output in table[step.phase]:
        if output.key == "storylines":
            bare = not book.project.has(layout.STORYLINES)
            if step.kind == "setup" and not (bare and book.adoption().last):
                continue
            output = output._replace(required=bare)
        found.append(output)
    return found


class PlanDesk(StagingDesk):
    """The outputs of planning steps; `volume` is that of a volume's steps."""

    def step_files(self, step: Step) -> tuple[tuple[StagedFile, ...], tuple[Problem, ...]]:
        """Return (the files of a step, all problems in and between them).

        Several parts of a command call this; the files are judged once.
        """
        key, checked = (self.volume, step), self.book.checked_steps
        if key not in checked:
            checked[key] = self._checked(step)
        found: tuple[tuple[StagedFile, ...], tuple[Problem, ...]] = checked[key]
        return found

    def _checked(self, step: Step) -> tuple[tuple[StagedFile, ...], tuple[Problem, ...]]:
        setup = step.kind == "setup"
        files = self.setup(step.phase) if setup else self.volume_files()
        nameless = [fault for pattern in self._patterns(step) for fault in self._matched(pattern)[1]]
        problems = [p for f in files for p in f.problems] + [*self._reused(step), *map(finding, nameless)]
        if not setup:
            from novel_hooks.flows.planning import volume_material

            unread, broken = volume_material.problems(self.book, self.volume, files, self.staged_cards())
            return files, (*problems, *unread, *map(finding, broken), *self._shared())
        if step.phase == "characters":
            twins = casts.problems(self._known(), self.staged_cards())  # two of one name, a file misnamed
            problems += [*self._paired(files), *map(finding, twins), *self._shared()]
            cards = [found for found in self.staged_cards().values() if found.ok]
            for found in cards:
                problems += planner_files.contract_count_problems(found.path, found.value)
                problems += planner_files.person_state_problems(found.path, found.value)
        return files, tuple(problems)

    def setup(self, phase: str) -> tuple[StagedFile, ...]:
        """Return the files staged for the phase; where nothing is staged, the landed ones."""
        step = Step("setup", None, phase)
        return tuple(f for output in outputs_of(self.book, step) for f in self._held(output, step))

    def volume_files(self) -> tuple[StagedFile, ...]:
        """Return the files staged for the volume; one that is written in part keeps its contracts."""
        step = steps.volume_step(self.volume, "outline")
        found: list[StagedFile] = []
        for output in outputs_of(self.book, step):
            needed = output.required and not (output.key == "contracts" and self._begun())
            found += self._files_of_output(output, needed, self._pattern(output, step))
        return tuple(found)

    def questions(self, step: Step) -> StagedFile | None:
        """Return the file of the planner's questions to the author; None when he has none."""
        path = layout.questions(step.file_name)
        return self.examine("questions", path, "planning-questions") if self.book.project.has(path) else None

    def _reused(self, step: Step) -> Iterator[Problem]:
        """Find questions that were answered already, and others under their ids."""
        from novel_hooks.flows.planning import questions

        found = self.questions(step)
        if found is None or not found.ok:
            return
        for name in questions.reused_ids(self.book, step, found.value):
            yield errors.PlanBroken(found.path, case="reused", name=name)

    def _begun(self) -> bool:
        last = self.book.checkpoint().last
        return last > 0 and self.book.project.has(layout.contract(self.volume, last))

    def staged(self, step: Step) -> bool:
        """Tell whether any file of this step is in staging."""
        return any(map(self._any, self._patterns(step)))

    def staged_cards(self) -> dict[str, StagedFile]:
        """Return the staged cards by the id in their file names, valid or not."""
        paths = self._filled(layout.staged(layout.character_card("{ID}")))
        return {planner_files.stem(p): self.examine("character_cards", p, "character") for p in paths}

    def examine(self, key: str, path: str, schema: str | None) -> StagedFile:
        """Check one file, present or required, once."""
        if path not in self._seen:
            self._seen[path] = self._inspect(key, path, schema)
        return self._seen[path]

    def people(self) -> list[Character]:
        """Return the active characters after the landing, staged cards before landed ones, by slug.

        Raises the faults of a landed card; a faulty staged card is left out.
        """
        staged = self.staged_cards()
        people = [casts.character(slug, found.value) for slug, found in staged.items() if found.ok]
        people += [person for person in self.book.cast() if person.slug not in staged]
        return sorted(people, key=lambda person: person.slug)

    def _known(self) -> list[Character]:
        """Return `people`, and those whose staged card is wrong elsewhere as far as it is right."""
        people = {person.slug: person for person in self.people()}
        for slug, found in self.staged_cards().items():
            document = found.value
            if document is None:
                document = _partial_document(found.path, found.data, "character")
            if isinstance(document, dict) and text(document.get("display_name")):
                people[slug] = casts.character(slug, document)
        return [people[slug] for slug in sorted(people)]

    def _held(self, output: roles.Output, step: Step) -> list[StagedFile]:
        pattern = self._pattern(output, step)
        landed = pattern[len(layout.STAGING) + 1 :]
        if self._any(landed) and not self._any(pattern) and output.key != "questions":
            pattern = landed
        return self._files_of_output(output, output.required, pattern)

    def _any(self, pattern: str) -> bool:
        return any(map(self._there, self._filled(pattern)))

    def _there(self, path: str) -> bool:
        return self.book.project.kind(path) != "absent"

    def _files_of_output(self, output: roles.Output, needed: bool, pattern: str) -> list[StagedFile]:
        found = [self.examine(output.key, path, output.schema) for path in self._filled(pattern)]
        if not found and needed:
            place = pattern.replace("{C}", "chapter-001").replace("{ID}", "代号")
            return [StagedFile(output.key, place, None, None, (self._missing(output.key, place),))]
        return [f for f in found if needed or f.data is not None]

    def _pattern(self, output: roles.Output, step: Step) -> str:
        return output.pattern.replace("{V}", f"vol-{self.volume:02d}").replace("{STEP}", step.file_name)

    def _filled(self, pattern: str) -> list[str]:
        """Return the pattern's path, or the files that it matches, by name."""
        return self._matched(pattern)[0]

    def _matched(self, pattern: str) -> tuple[list[str], list[Problem]]:
        """Return `_filled`, and the files whose name is no text: nobody could name them."""
        if "{" not in pattern:
            return [pattern], []
        folder, ending = pattern.rsplit("/", 1)[0], pattern.rsplit("}", 1)[1]
        names, garbled = self.book.files(folder, (ending,))
        return [f"{folder}/{name}" for name in names], garbled

    def _patterns(self, step: Step) -> list[str]:
        """Return the patterns of all that the step's planner may stage; a volume's steps have one set."""
        if step.kind == "volume":
            step = steps.volume_step(self.volume, "outline")
        return [self._pattern(output, step) for output in outputs_of(self.book, step)]

    def _paired(self, files: Iterable[StagedFile]) -> Iterator[Problem]:
        """Require a profile for every card, and a card for every profile that is staged."""
        stems: dict[str, set[str]] = {"character_cards": set(), "character_profiles": set()}
        for one in files:
            staged = one.path.startswith(f"{layout.STAGING}/")
            if one.key in stems and one.data is not None and (staged or one.key == "character_cards"):
                stems[one.key].add(planner_files.stem(one.path))
        partners = (
            ("character_cards", "character_profiles", layout.character_profile),
            ("character_profiles", "character_cards", layout.character_card),
        )
        for key, partner, place in partners:
            for path in map(place, sorted(stems[key])):
                if not any(self.book.project.has(one) for one in (layout.staged(path), path)):
                    yield self._missing(partner, layout.staged(path))

    def _shared(self) -> Iterator[Problem]:
        """Find what staged cards take from another, and secrets that they tell a chapter's writer."""
        staged = self.staged_cards()
        people = (attempt(self._known)[0] or ()) if staged else ()
        yield from planner_files.staged_card_problems(people, staged)
        yield from planner_files.secret_leak_problems(people, staged)

    def _besides(self, key: str, path: str, data: bytes | None, schema: str | None) -> list[Problem]:
        """Return what else is wrong with a document whose shape is: all faults at once."""
        sound = _partial_document(path, data, schema)
        return [] if sound is None else collect_problems(lambda: self._check(key, path, sound))

    def _finding(self, key: str, problem: Problem) -> Problem:
        return finding(problem)

    def _retired_problems(self, path: str) -> Iterator[Problem]:
        """Refuse a card or profile of a retired character: it would bring him back by the back door."""
        stem = planner_files.stem(path)
        left = self.book.project.has(layout.retired(layout.character_card(stem)))
        if left and not self.book.project.has(layout.character_card(stem)):
            yield errors.PlanBroken(path, case="retired")

    def _counted(self, path: str, profile: Mapping[str, Any]) -> Iterator[Problem]:
        """Find numbers of a style that were not measured, and passages that are not the author's.

        Numbers of a sample that is too short only advise: a profile may have others, or none.
        """
        from novel_hooks.flows.packet import style_measures
        from novel_hooks.flows.planning import questions
        from novel_hooks.rules.planning import style_decisions
        from novel_hooks.rules.text import style_measures as text_style_measures

        found = style_measures.measured_samples(self.book)
        staged = layout.staged(layout.BRIEF)
        path_in_force = staged if self._there(staged) else layout.BRIEF
        brief = attempt(lambda: self.book.text(path_in_force))[0] or ""
        decided = questions.decision_texts(self.book)
        if found is None:
            return
        short = found[1]["sentences"] < text_style_measures.FEWEST_SENTENCES
        for where, told, counted in text_style_measures.profile_differences(profile, found[1], found[0]):
            measure = where.partition(".")[0]
            said = style_decisions.is_decided(measure, profile.get(measure), decided, brief)
            if counted is not None and (short or said):  # the author has said it himself
                continue
            values = {"where": where, "found": told, "counted": counted, "profile": layout.STYLE_PROFILE}
            yield errors.PlanBroken(path, "no quotation" if counted is None else "other number", **values)

    def _check(self, key: str, path: str, value: Any) -> Iterator[Problem]:
        no_lines = key == "storylines" and not value.get(key)
        if no_lines or (isinstance(value, str) and not value.strip()):
            yield errors.PlanBroken(path, case="empty", who=maker(key))
        elif key in ("project_brief", "style_profile") and is_template(self.book, path):
            broken = errors.PlanBroken(path, case="template", who=maker(key))
            yield errors.BriefBlank(path) if key == "project_brief" else broken
        elif key == "project_brief":
            yield from _unfinished_places(path, value)
        elif key in ("character_cards", "character_profiles"):
            yield from planner_files.file_name_problems(path, value if key == "character_cards" else None)
            yield from self._retired_problems(path)
            if key == "character_cards" and path.startswith(f"{layout.STAGING}/"):
                yield from planner_files.duplicate_id_problems(path, value.get("contracts"))
        elif key == "style_profile" and path.startswith(f"{layout.STAGING}/"):
            yield from self._counted(path, value)
        elif key == "world_rules":
            yield from planner_files.duplicate_id_problems(path, value.get("rules"))
            yield from planner_files.rule_id_problems(path, value.get("rules"))
        elif key == "world_docs":
            yield from planner_files.slug_problems(path)
        elif key == "storylines":
            yield from planner_files.duplicate_id_problems(path, value.get("storylines"))
        elif key == "questions":
            listed = [*(value.get("questions") or ()), *(value.get("conflicts") or ())]
            yield from planner_files.duplicate_id_problems(path, listed)


def _unfinished_places(path: str, brief: str) -> Iterator[Problem]:
    """Find what the author left open in his brief, and what is the template's still."""
    if briefs.open_places(brief):
        yield errors.BriefOpen(path, count=briefs.open_places(brief))
    for line in briefs.sample_lines(brief):
        yield errors.PlanOdd(path, case="sample line", line=line)


def unusable_problems(book: Book, step: Step) -> list[Problem]:
    """Return the errors of a step's staged files, because of which the step is due again."""
    desk = PlanDesk(book, step.number or 1)
    return [p for p in desk.step_files(step)[1] if p.severity == "error"] if desk.staged(step) else []


def _partial_document(path: str, data: bytes | None, schema: str | None) -> Any:
    """Return a document as far as its shape is right; None when nothing is, or it is no JSON object."""
    from novel_hooks.flows.planning import partial_document

    sound = partial_document.parse(data, path, schema) if data and schema is not None else None
    whole = sound is not None and isinstance(sound.document, dict) and sound.document is not FAULTY
    return sound.document if sound is not None and whole else None


def finding(problem: Problem) -> Problem:
    """Return the problem as a finding (exit 1), since any fault of an agent's file is one."""
    if problem.exit == FINDINGS or problem.severity != "error":
        return problem
    return errors.PlanBroken(problem.path, case="finding", cause=problem, advice=problem.diagnostic().fix)
