"""What around a plain statement makes it untrue or another one: beside each, the statement without it."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text


def objects(text: str) -> list[str]:
    return [claim.object for claim in extract_text(text).claims]


@pytest.mark.parametrize(
    ("silent", "control", "value"),
    [
        ("I have diabetes in my family.", "I have diabetes.", "diabetes"),
        ("I have asthma as a kid.", "I have asthma.", "asthma"),
        ("I live in Oslo in my novel.", "I live in Oslo with my cat.", "Oslo"),
        ("I live in Oslo in The Sims.", "I live in Oslo near the lake.", "Oslo"),
        ("I drive a Tesla, in GTA.", "I drive a Tesla, it is red.", "Tesla"),
        ("I'm a doctor in this game.", "I'm a doctor in Oslo.", "doctor"),
        ("I'm a nurse in training.", "I'm a nurse at the clinic.", "nurse"),
        ("I'm a vegetarian on weekdays.", "I'm a vegetarian.", "vegetarian"),
        ("I play the violin, badly, in my imagination.", "I play the violin, it helps.", "violin"),
        ("I have a dog in this fight.", "I have a dog.", "dog"),
    ],
)
def test_an_unreal_or_passing_setting_silences_a_statement(silent: str, control: str, value: str) -> None:
    assert [] == objects(silent)
    assert [value] == objects(control)


@pytest.mark.parametrize(
    ("silent", "control", "value"),
    [
        ("I live in Athens, Georgia.", "I live in Athens, my flat needs work.", "Athens"),
        ("I live in Athens - the one in Georgia.", "I live in Athens - my flat needs work.", "Athens"),
        ("I live in Athens (Georgia).", "I live in Athens (my flat needs work).", "Athens"),
        ("I'm a doctor (PhD, not medical).", "I'm a doctor, my days are long.", "doctor"),
        ("I work at Acme starting Monday.", "I work at Acme.", "Acme"),
        ("I work at Acme as of Monday.", "I work at Acme as a baker.", "Acme"),
        ("I live in Oslo from June.", "I live in Oslo by the sea.", None),
        ("I live in Oslo half of the year.", "I live in Oslo now.", "Oslo"),
        ("I use Vim - Ines", "I use Vim - it helps", "Vim"),
        ("I use Vim.\n- Ines", "I use Vim.\n- it helps", "Vim"),
        ("My name is Samoan.", "My name is Samuel.", "Samuel"),
    ],
)
def test_a_remainder_that_may_change_the_object_silences_a_statement(
    silent: str, control: str, value: str | None
) -> None:
    assert [] == objects(silent)
    assert [value] * (value is not None) == objects(control)


@pytest.mark.parametrize(
    "rest",
    [
        ", no, paracetamol", " - I mean paracetamol", ", sorry, paracetamol",
        ", well, did", ", almost", ", technically",
        ", fingers crossed", ", obviously not", ", as if", " ;)",
        ". Not anymore though.", ". Not.", ". Never!", ". Wrong.",
        ". Or paracetamol.", ". Sorry, paracetamol.", ". I meant paracetamol.", ". *paracetamol", ". As if!", ". Soon.",
        ". In my dreams.", ". Says who?", ". That is a lie.", ". Is this sentence correct?", ". Wrong chat.",
        ". No, I take paracetamol.", ". Nobody ever said that. Scratch that.",
    ],
)  # fmt: skip
def test_a_takeback_silences_a_statement(rest: str) -> None:
    assert "ibuprofen" not in objects(f"I take ibuprofen{rest}")


@pytest.mark.parametrize(
    "rest",
    [
        ", it helps", ", my back hurts", " now", " daily",
        ", haha", " :)", ". It helps.", ". Nice.", ". I also take iron.",
        ". No, I don't use Vim.", ". What else is there?", ". I love my doctor.",
    ],
)  # fmt: skip
def test_another_remark_leaves_a_statement(rest: str) -> None:
    assert "ibuprofen" in objects(f"I take ibuprofen{rest}")


@pytest.mark.parametrize(
    ("silent", "control"),
    [
        ("I have a cat. She died last year.", "I have a cat. She sleeps all day."),
        ("I have a cat, it ran away.", "I have a cat, it runs around."),
        ("I have a cat. We sold her.", "I have a cat. We bought her toys."),
    ],
)
def test_what_is_gone_is_not_had(silent: str, control: str) -> None:
    assert [] == objects(silent)
    assert ["cat"] == objects(control)


def test_the_end_of_what_was_had_does_not_silence_its_denial() -> None:
    assert [] == objects("I have a dog. He died in spring.")
    assert ["dog"] == objects("I no longer have a dog.")


@pytest.mark.parametrize(
    ("frame", "control"),
    [
        ("Translate this for me. ", "Hello there. "),
        ("Write a story about a nurse. ", "Write a function for me. "),
        ("Imagine this. ", "I can imagine. "),
        ("Two truths and a lie. ", "Two hobbies and a pet. "),
        ("My sister wrote this. ", "My sister wrote books. "),
        ("My sister's note:\n", "My sister's note\n"),
        ("Let's play a game. ", "Let's talk. "),
    ],
)
def test_a_frame_silences_what_follows_it(frame: str, control: str) -> None:
    assert [] == objects(f"{frame}I use Vim.")
    assert ["Vim"] == objects(f"{control}I use Vim.")


def test_a_frame_does_not_silence_what_stands_before_it() -> None:
    assert ["Vim"] == objects("I use Vim. Write a story about a nurse.")


@pytest.mark.parametrize(
    ("silent", "control", "value"),
    [
        ("I'm taking the piss.", "I'm taking the bus pass.", "bus pass"),
        ("I play second fiddle.", "I play the fiddle daily.", None),
        ("I drink the kool-aid.", "I drink the tea.", "tea"),
        ("I wear the pants.", "I wear the ring.", "ring"),
        ("My name is mud.", "My name is Mudita.", "Mudita"),
    ],
)
def test_an_idiom_says_nothing(silent: str, control: str, value: str | None) -> None:
    assert [] == objects(silent)
    assert [value] * (value is not None) == objects(control)


def test_a_filler_after_the_object_is_no_part_of_it() -> None:
    assert ["Vim"] == objects("I use Vim btw.")
