"""One word of the author's for each field of a card and of the story's state."""

from __future__ import annotations

from novel_hooks.rules.cast import people, person_state
from novel_hooks.rules.cast.field_words import WORDS


def test_each_field_that_the_program_knows_has_a_word() -> None:
    assert set(person_state.BEGINNING) | set(people.SHOWN) <= WORDS.keys()
    assert not any(word.isascii() for word in WORDS.values())


def test_a_word_with_several_keys_is_one_thing_in_several_spellings() -> None:
    spellings: dict[str, list[str]] = {}
    for key, word in WORDS.items():
        spellings.setdefault(word, []).append(key)
    assert [keys for keys in spellings.values() if len(keys) > 1] == [
        ["called_by", "called", "address", "forms_of_address"],
        ["looks", "appearance"],
        ["role", "identity"],
        ["wants", "goal"],
        ["injuries", "injury"],
        ["inventory", "items"],
    ]
