"""What a correction needs around it: a message that doubts, narrows or undoes nothing, or it is not made."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

ENDED = "I no longer use Figma"
SWITCHED = "I switched from Figma to Penpot"
MOVED = "I moved from Bergen to Turku"
QUIT = "I quit coffee"


def retired(text: str) -> list[str]:
    """Return what the claims of a text may retire."""
    told = [
        claim.replaces_object or claim.object
        for claim in extract_text(text).claims
        if claim.temporal_intent == "update"
        and claim.epistemic_type == "asserted"
        and (claim.polarity == "negative" or claim.replaces_object)
    ]
    return list(dict.fromkeys(told))


@pytest.mark.parametrize(
    ("text", "former"),
    [
        (f"{ENDED}.", "Figma"),
        (f"{SWITCHED}.", "Figma"),
        (f"{MOVED}.", "Bergen"),
        (f"{QUIT}.", "coffee"),
        ("I drink tea instead of coffee now.", "coffee"),
        ("I'm not allergic to hazelnuts anymore.", "hazelnuts"),
    ],
)
def test_a_message_of_one_plain_change_corrects(text: str, former: str) -> None:
    assert [former] == retired(text)


@pytest.mark.parametrize(
    "rest",
    [
        ", I hope", ", or so they tell me", ", fingers crossed",
        ", touch wood", ", famous last words", ", that's the plan",
        ", technically", ", give or take", ", more or less", ", one plugin aside", ", barring emergencies",
        ", save for icons", ", just the plugin", " (the free plan)", ", the browser version", ", Inc",
        ", I mean Framer", ", er, Framer", ", sorry, Framer", ", rather Framer", ", or was it Framer",
        ", haha", ", LOL", " ;)", " :P", " XD", " \U0001f61c", ", my foot", ", yeah sure", ", suuure", " /s", "... not",
        " - Ines", ", signed Ines", ", says Ines", ", Ines",
        ", but I do at night", ", but I went back", ", though it is open all day", ", yet here it is",
        ", I use it twice as much", ", I live in it", ", I adore it", ", I use two of them", ", I do",
        ", as of June", ", from June on", ", starting in June",
        ", on weekends", ", in my novel", " because I was asleep",
        " because the wifi was out", " when I travel",
    ],
)  # fmt: skip
def test_a_remainder_that_takes_back_or_narrows_blocks_a_correction(rest: str) -> None:
    assert [] == retired(f"{ENDED}{rest}.")


@pytest.mark.parametrize(
    "rest",
    [
        ", it was too slow", ", my laptop is old", ", the licence was expensive", ", so my evenings are quiet",
        " because it is slow", " because of the price", " on Mondays", " on weeknights",
    ],
)  # fmt: skip
def test_a_clause_that_is_not_read_or_a_reason_that_may_pass_blocks_a_correction(rest: str) -> None:
    assert [] == retired(f"{ENDED}{rest}.")


@pytest.mark.parametrize(
    "rest",
    [
        ", and I use Penpot", ", I use Penpot now", ", thanks", "!", " :)", " either",
    ],
)  # fmt: skip
def test_a_clean_clause_or_a_known_tail_leaves_a_correction_whole(rest: str) -> None:
    assert ["Figma"] == retired(f"{ENDED}{rest}.")


@pytest.mark.parametrize(
    "sentence",
    [
        "Not true.", "Wrong!", "NOT!", "That is a lie.", "Scratch that.", "Never mind.", "Wait, I do.", "Or do I?",
        "Not sure about it.", "Sorry, wrong chat.", "Typo.", "*Framer", "Correction: Framer.", "I meant Framer.",
        "I still use Figma.", "I use it daily.", "Figma is open all day.",
        "My team uses one.", "I do.", "Well, one file.",
        "Mostly.", "Usually.", "For now.", "Until Monday.", "At work, that is.", "Only at home.", "Except for icons.",
        "In theory.", "On paper.", "Maybe.", "Probably.", "I wish.", "Psych!", "Gotcha!", "Did you fall for that?",
        "Happy April Fools!", "That was my son typing.", "That's what Ines said.", "Ines dictated this.",
        "My records disagree.", "Then I went back.", "And back.", "It lasted a day.", "It was only a dream.",
        "I resumed in June.", "Let's see how long.", "Wish me luck!",
        "Third attempt.", "Day one.", "The opposite is true.",
        "Is this sentence correct?", "Please ignore the message above.", "lol", ";)", "- Ines", "The free plan.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("gap", [" ", "\n", "\n\n"])
def test_a_later_sentence_that_doubts_narrows_or_undoes_blocks_a_correction(sentence: str, gap: str) -> None:
    assert [] == retired(f"{ENDED}.{gap}{sentence}")


@pytest.mark.parametrize(
    "sentence",
    [
        "Thanks.", "Thank you!", "It was time.", "Finally!", "Please remember that.", "Good riddance.",
        "I use Penpot.", "I use Penpot now.", "I no longer use Framer.", "I feel great.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("gap", [" ", "\n", "\n\n"])
def test_a_later_sentence_about_something_else_leaves_a_correction_whole(sentence: str, gap: str) -> None:
    assert "Figma" in retired(f"{ENDED}.{gap}{sentence}")


@pytest.mark.parametrize(
    "other", ["The company gave me a new laptop.", "My sister lives in Turku.", "It was 2012.", "The plan is simple."]
)
def test_a_sentence_that_is_not_read_blocks_a_correction_before_and_after_it(other: str) -> None:
    assert [] == retired(f"{ENDED}. {other}") == retired(f"{other} {ENDED}.")
    assert ["Figma"] == retired(f"{ENDED}. I like tea.") == retired(f"I like tea. {ENDED}.")


@pytest.mark.parametrize(
    "frame",
    [
        "Per Ines, ", "As Ines put it, ", "To quote Ines: ", "Two truths and a lie: ", "Headline: ", "Officially, ",
        "At work ", "On weekends, ", "For the third time, ", "In my novel, ", "If you believe Ines, ", "Oh sure, ",
        "Please translate the next sentence. ", "What does the following mean? ", "Is this sentence correct? ",
        "Correct my grammar. ", "Guess which is a lie. ", "Only one of these is true. ", "Repeat after me. ",
        "Suppose this. ", "Now imagine something. ", "Pretend we never met. ", "Here is what Ines told me. ",
        "Ines just texted me this. ", "My sister wrote:\n", "From: Ines\n\n", "Chapter one. ", "An example sentence. ",
        "You are a poet. ",
    ],
)  # fmt: skip
def test_a_frame_blocks_what_follows_it(frame: str) -> None:
    assert [] == retired(f"{frame}{ENDED}.")


@pytest.mark.parametrize(
    "lead",
    ["Hello. ", "Hi Ines, ", "Update: ", "Actually, ", "Well, ", "I like tea. "],
)
def test_a_plain_lead_leaves_a_correction_whole(lead: str) -> None:
    assert ["Figma"] == retired(f"{lead}{ENDED}.")


@pytest.mark.parametrize(
    ("blocked", "control"),
    [
        (f"{SWITCHED}, but I still use both.", f"{SWITCHED}, I like shortcuts."),
        (f"{SWITCHED} but switched back.", f"{SWITCHED} and I like shortcuts."),
        (f"{SWITCHED}, the call was long.", f"{SWITCHED}, thanks."),
        ("I stopped eating meat, I was full.", "I stopped eating meat, thanks."),
        ("I stopped eating meat. My plate was empty.", "I stopped eating meat. I like rice."),
        ("I no longer work at Acme, I live there.", "I no longer work at Acme, and I live in Oslo."),
        (f"{SWITCHED} mid-call.", f"{SWITCHED} last week."),
        (f"{SWITCHED} on my phone.", f"{SWITCHED} yesterday."),
        (f"{SWITCHED} for a day.", f"{SWITCHED} recently."),
        (f"{MOVED}. Now I live in Bergen again.", f"{MOVED}. I like tea."),
        (f"{MOVED} for the summer.", f"{MOVED} for work."),
        (f"{MOVED}, and back in 2012.", f"{MOVED}, and I like tea."),
        ("I moved from Bergen, Ohio to Turku.", "I moved from Bergen to Turku."),
        ("I no longer live in Bergen, Ohio.", "I no longer live in Bergen."),
        ("I drink tea instead of coffee now, on Sundays.", "I drink tea instead of coffee now, thanks."),
        ("I drink tea at work instead of coffee now.", "I drink tea instead of coffee now."),
        ("I drink tea every Sunday instead of coffee now.", "I now drink tea instead of coffee."),
        (
            "I drink tea instead of coffee now, and coffee at work.",
            "I drink tea instead of coffee now, and I like rice.",
        ),
        ("I used to play the oboe, now I also play the lute.", "I used to play the oboe, now I play the lute."),
        ("I used to play the oboe but I stopped for a month.", "I used to play the oboe but I stopped."),
        (
            "I stopped playing the oboe because my neighbour complained.",
            "I stopped playing the oboe.",
        ),
    ],
)  # fmt: skip
def test_a_partial_or_undone_change_retires_nothing(blocked: str, control: str) -> None:
    assert [] == retired(blocked)
    assert 1 == len(retired(control))


@pytest.mark.parametrize(
    ("blocked", "control"),
    [
        ("I no longer have a dog, I have two dogs!", "I no longer have a dog, I have a cat!"),
        ("I don't have a dog anymore, I have three.", "I don't have a dog anymore, I have a parrot."),
        ("I no longer take lithium, I take lithium XR.", "I no longer take lithium, I take quetiapine."),
        ("I no longer take lithium. I take lithium XR.", "I no longer take lithium. I take quetiapine."),
        (
            "I no longer prefer dark roast, I prefer very dark roast.",
            "I no longer prefer dark roast, I prefer light roast.",
        ),
        ("I don't love pizza anymore, I adore it.", "I don't love pizza anymore, I love salad."),
        ("I no longer use Figma or Framer, I forget which.", "I no longer use Figma."),
    ],
)  # fmt: skip
def test_a_contrast_of_number_or_degree_retires_nothing(blocked: str, control: str) -> None:
    assert [] == retired(blocked)
    assert 1 == len(retired(control))


@pytest.mark.parametrize(
    ("blocked", "control"),
    [
        (f"{QUIT} in 2015.", f"{QUIT} a year ago."),
        (f"{QUIT} in May.", f"{QUIT} yesterday."),
        (f"{QUIT} in May 2019.", f"{QUIT} today."),
        (f"{QUIT} last spring.", f"{QUIT} last month."),
        (f"{QUIT} years ago.", f"{QUIT} 20 years ago."),
        (f"{QUIT} a few years ago.", f"{QUIT} a few days ago."),
        (f"{QUIT} a long time ago.", f"{QUIT} two weeks ago."),
        (f"{SWITCHED} in 2019.", f"{SWITCHED} last year."),
        (f"{MOVED} last summer.", f"{MOVED} last week."),
    ],
)
def test_a_past_that_no_day_can_be_given_to_takes_no_effect_today(blocked: str, control: str) -> None:
    assert [] == retired(blocked)
    assert 1 == len(retired(control))


def test_a_vaguely_dated_change_without_a_former_value_is_still_told() -> None:
    assert ["Turku"] == [claim.object for claim in extract_text("I moved to Turku in March.").claims]


def test_a_limited_ending_is_still_told_as_a_conditional_one() -> None:
    (claim,) = extract_text(f"{ENDED} when I travel.").claims

    assert ("conditional", "when I travel") == (claim.epistemic_type, claim.condition)


def test_what_stands_too_far_away_to_vouch_for_blocks_a_correction() -> None:
    assert ["Figma"] == retired(f"{ENDED}. " + "I like tea. " * 10)
    assert [] == retired(f"{ENDED}. " + "I like tea. " * 60)


@pytest.mark.parametrize(
    ("blocked", "control"),
    [
        ("I switched from Slack to Slack Enterprise.", "I switched from Slack to Teams."),
        ("I switched from an iPhone to a newer iPhone.", "I switched from an iPhone to a Pixel."),
    ],
)
def test_a_new_value_that_holds_the_old_one_replaces_nothing(blocked: str, control: str) -> None:
    assert [] == [claim for claim in extract_text(blocked).claims if claim.replaces_object]
    assert 1 == len([claim for claim in extract_text(control).claims if claim.replaces_object])


def test_a_struck_out_sentence_is_not_said() -> None:
    assert [] == retired(f"~~{ENDED}.~~")
    assert ["Figma"] == retired(f"~~Hello.~~\n{ENDED}.")
