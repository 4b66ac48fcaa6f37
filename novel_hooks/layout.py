"""Every path of a novel project, as a project-relative POSIX string, and its reading.

Source: protocol §1, seed 000. Only this module spells project paths. The guard imports it at every call of an
agent, so it loads nothing, not even `re`.
"""

from __future__ import annotations

CHECKPOINT = ".checkpoint.json"
LOCK_DIR = ".novel.lock"
LOCK_INFO = ".novel.lock/info.json"
LOCK_SIGN = ".novel.lock/sign"
"""Its time is the last moment at which the guard saw an agent of the lock's session at work."""
CONFIG = "novel.yaml"

OWN = ".novel"
OS_LOCK = ".novel/os.lock"
JOURNAL = ".novel/journal"
VALIDITY = ".novel/validity.json"
HANDOUT = ".novel/handout.json"
REPORTED = ".novel/reported.json"
SETTINGS = ".novel/settings.json"
RUN = ".novel/run.json"
"""Where the last run of `/novel:continue` began, and how many chapters it was to write."""
OTHER_WORK = ".novel/other-work.json"
"""What the steps of setting up, of volumes and of syncs cost lately; no chapter's log has them."""
LINT = ".novel/lint.json"
STYLE_FACTS = ".novel/style-facts.json"
RECALL = ".novel/recall.txt"
PASSAGES = ".novel/passages.txt"
WORD_TALLY = ".novel/words.txt"
"""The length of each landed chapter, and when it was written."""
SETTING = ".novel/setting.json"
SETTING_GIVEN = ".novel/setting-given.json"
DECISIONS = ".novel/decisions.json"
DROPPED_THREADS = ".novel/dropped-threads.json"
"""The threads that the author gave up: by id, with when, by whom and why."""
IGNORED_NAMES = ".novel/ignored-names.json"
"""The names of the text that the author wants no record of."""
FORESHADOW_BACKLOG = ".novel/foreshadow-backlog.json"
OWN_WORDS = (DECISIONS, DROPPED_THREADS, FORESHADOW_BACKLOG, IGNORED_NAMES)
"""Files of `novel`'s own that hold what was said of the story."""
ARCHIVE = ".novel/archive"
ADOPTION = ".novel/adoption.json"
"""The book that moved in: its sources, its volumes, the hashes of its chapters."""
LANDED_MARKS = ".novel/landed-marks.txt"
HAND_EDITS = ".novel/hand-edits.json"
CODEX = ".novel/codex.json"
"""What `novel host codex` wrote, by hash."""
BACKED_UP = ".novel/backup.json"
"""When the book was backed up last, and up to which chapter."""

FENCE = ".novel/fence.txt"
FENCE_ARMED = ".novel/fence-armed"
FENCE_NEAR = ".novel/fence-near.txt"
KNOWN_FILES = ".novel/known-files.txt"
"""The setting's and the plans' files that were in the book once."""
LANDED_FOLDERS = ".novel/landed-folders.txt"
"""How the folders of the landed chapters looked when no file of theirs was missing."""
TITLED_CHAPTERS = ".novel/titled-chapters"
"""There since a chapter's file got its title: such names are looked for from then on, whatever is set."""
WORK = ".novel/work"
TORN = ".novel/torn"
ATTEMPTS = ".novel/attempts"
JUDGE = ".novel/judge"
LANDED = ".novel/landed"
SNAPSHOTS = ".novel/snapshots"
"""What earlier versions kept there. Nothing reads it, and it does no harm."""
CHECKPOINT_SEAL = ".novel/checkpoint.sha256"
# Folders below `.novel/`, and what each chapter has in them; every other name there is a file.
OWN_FOLDERS = {
    ARCHIVE: "folder",
    ATTEMPTS: "folder",
    JOURNAL: "file",
    JUDGE: "file",
    LANDED: "file",
    SNAPSHOTS: "file",
    TORN: "file",
    WORK: "file",
}

BRIEF = "brief.md"
STYLE_PROFILE = "style-profile.json"
BLACKLIST = "ai-blacklist.json"
WORLD_RULES = "world/rules.json"
CHARACTERS = "characters/active"
RETIRED = "characters/retired"
WORLD = "world"
RESEARCH = "research"
STYLE_SAMPLES = "research/samples"
ADOPTED_OVERVIEW = "research/搬进来的书.md"
"""What a book that moved in looks like: names, titles, passages from all over it, for the planners."""
PASTED = "staging/pasted.md"
"""A text that the author pasted into the conversation, until `novel import` takes it."""
EXPORTS = "exports"
SENSITIVE_WORDS = "sensitive-words.txt"
"""The author's list of words that a platform refuses, one a line."""
STORYLINES = "storylines/storylines.json"
STORYLINE_SPEC = "storylines/storyline-spec.json"

SETTING_SCHEMAS = {
    STYLE_PROFILE: "style-profile",
    BLACKLIST: "ai-blacklist",
    WORLD_RULES: "world-rules",
    STORYLINES: "storylines",
    STORYLINE_SPEC: "storyline-spec",
}
"""The JSON files of the setting, and the schema of each."""
PAGE_ENDINGS = {
    RESEARCH: (".md",),
    STYLE_SAMPLES: (".md", ".txt"),
    WORLD: (".md", ".json"),
}
"""The author's folders of pages, and the endings of the files that are read in each."""

STATE = "state/current-state.json"
CHANGELOG = "state/changelog.jsonl"
FORESHADOWING = "foreshadowing/global.json"
UNKNOWN_ENTITIES = "logs/unknown-entities.jsonl"
AUDIT = "logs/audit.jsonl"
REPORT = "logs/report.html"
"""The page of `novel report`, made anew each time."""

STAGING = "staging"
MANIFESTS = "staging/manifests"
GUIDES = "staging/manifests/guides"
STAGING_DIRS = (
    "staging/chapters",
    "staging/summaries",
    "staging/state",
    "staging/storylines",
    "staging/evaluations",
    "staging/manifests",
)
# What the second fence watches (protocol §1; never `.git`, never files we do not know). The
# checkpoint has a seal of its own.
FENCED_FILES = (
    BRIEF,
    STYLE_PROFILE,
    BLACKLIST,
    CONFIG,
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "AGENTS.override.md",
    ".mcp.json",
)
FENCED_WHOLE = (".agents", ".claude", ".codex")
FENCED_FOLDERS = (
    *FENCED_WHOLE,
    "chapters",
    "summaries",
    "evaluations",
    "state",
    "foreshadowing",
    "storylines",
    "world",
    "characters",
    "research",
    "volumes",
)
PROJECT_DIRS = (
    *STAGING_DIRS,
    "chapters",
    "summaries",
    "evaluations",
    "state",
    "storylines",
    "foreshadowing",
    "world",
    "characters/active",
    "volumes",
    "logs",
)


class _Slug:
    """The pattern `[a-z0-9]+(?:-[a-z0-9]+)*` of entity and storyline ids."""

    __slots__ = ()

    def match(self, text: str) -> bool:
        return all(part.isascii() and part.isalnum() and part == part.lower() for part in text.split("-"))


SLUG = _Slug()


def chapter_id(chapter: int) -> str:
    """Return a chapter's id, of at least three digits: `7` → `chapter-007`; 1000 → `chapter-1000`."""
    return f"chapter-{chapter:03d}"


def volume_dir(volume: int) -> str:
    return f"volumes/vol-{volume:02d}"


def chapter(number: int) -> str:
    return f"chapters/{chapter_id(number)}.md"


def summary(number: int) -> str:
    return f"summaries/{chapter_id(number)}-summary.md"


def evaluation(number: int) -> str:
    return f"evaluations/{chapter_id(number)}-eval.json"


def crossref(number: int) -> str:
    return f"state/{chapter_id(number)}-crossref.json"


def chapter_log(number: int) -> str:
    return f"logs/{chapter_id(number)}-log.json"


def memory(storyline_id: str) -> str:
    return f"storylines/{storyline_id}/memory.md"


def delta(number: int) -> str:
    """Return the path of a staged delta; it lands as a change of the state and not as a file."""
    return f"state/{chapter_id(number)}-delta.json"


def hints(number: int) -> str:
    """Return the path of the writer's staged hints to the summarizer; they never land."""
    return f"chapters/{chapter_id(number)}-hints.json"


def questions(step_file: str) -> str:
    """Return the path of a planner's questions to the author; `step_file` as for `manifest`. It never
    lands."""
    return f"{STAGING}/questions/{step_file}.json"


def staged(path: str) -> str:
    """Return the staged place of a file that will land at `path`."""
    return f"{STAGING}/{path}"


def outline(volume: int) -> str:
    return f"{volume_dir(volume)}/outline.md"


def contract(volume: int, number: int) -> str:
    return f"{volume_dir(volume)}/chapter-contracts/{chapter_id(number)}.json"


def schedule(volume: int) -> str:
    return f"{volume_dir(volume)}/storyline-schedule.json"


def foreshadowing_plan(volume: int) -> str:
    """Return the path of a volume's foreshadowing plan (seed 002 §2)."""
    return f"{volume_dir(volume)}/foreshadowing.json"


def volume_review(volume: int) -> str:
    return f"{volume_dir(volume)}/review.md"


def volume_review_data(volume: int) -> str:
    return f"{volume_dir(volume)}/review.json"


def character_card(slug: str) -> str:
    return f"{CHARACTERS}/{slug}.json"


def character_profile(slug: str) -> str:
    return f"{CHARACTERS}/{slug}.md"


def retired(path: str) -> str:
    """Return the place of a card or profile whose character leaves the book."""
    return f"{RETIRED}/{path.rpartition('/')[2]}"


def manifest(step_file: str) -> str:
    """Return the path of a step's packet; `step_file` is the step id with `-` for `:`."""
    return f"{MANIFESTS}/{step_file}.json"


def work_log(number: int) -> str:
    """Return the path of the step timings of a chapter in work, until they land in its log."""
    return f"{WORK}/{chapter_id(number)}.json"


LANDED_VERSION = "landed"
RENAMED_VERSION = "renamed"
KEPT_VERSIONS = (LANDED_VERSION, RENAMED_VERSION)
"""The labels of the attempts that hold a chapter's text as it landed, and so with a name replaced since."""


def attempts(number: int) -> str:
    return f"{ATTEMPTS}/{chapter_id(number)}"


def raw_verdict(number: int, revision: int, role: str, sequence: int) -> str:
    return f"{JUDGE}/{chapter_id(number)}-r{revision}-{role}-{sequence}.txt"


def landed_record(number: int) -> str:
    """Return the path of a chapter's landed record."""
    return f"{LANDED}/{chapter_id(number)}.json"


def chapter_number(file_name: str) -> int | None:
    """Return the number in a chapter's file name: `chapter-007.md` → 7; None when the name is no
    chapter's, or not as `chapter_id` spells it (`chapter-0007.md`)."""
    if not (file_name.startswith("chapter-") and file_name.endswith(".md")):
        return None
    digits = file_name[len("chapter-") : -len(".md")]
    number = int(digits) if digits.isascii() and digits.isdigit() else 0
    return number if number and file_name == f"{chapter_id(number)}.md" else None


CHAPTERS = "chapters"
"""The folder of the landed texts."""


def titled_chapter(number: int, title: str) -> str:
    """Return the file name of a chapter that carries its title: `第012章 夜雨.md`; `第012章.md` for ""."""
    return f"第{number:03d}章{f' {title}' if title else ''}.md"


def titled_chapter_number(file_name: str) -> int | None:
    """Return the number in a file name as `titled_chapter` spells it, whatever the title: `第012章 夜雨.md` →
    12; None for every other name."""
    if not (file_name.startswith("第") and file_name.endswith(".md")):
        return None
    digits, mark, title = file_name[1 : -len(".md")].partition("章")
    number = int(digits) if mark and len(digits) < 10 and digits.isascii() and digits.isdigit() else 0
    spelled = number and digits == f"{number:03d}" and (not title or title[0] in " \u3000")
    if not spelled or any("\ud800" <= mark <= "\udfff" for mark in title):  # bytes that are no UTF-8
        return None
    return number


def archived(archive: str, path: str) -> str:
    """Return the place in an archive of the file of that path."""
    return f"{ARCHIVE}/{archive}/{path}"


def archive_manifest(archive: str) -> str:
    return f"{ARCHIVE}/{archive}/manifest.json"
