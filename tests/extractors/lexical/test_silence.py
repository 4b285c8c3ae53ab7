"""What `lexical` leaves alone: each sentence beside a control that differs in the one thing that silences it."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

VIM = ("uses", "Vim", "positive")
NO_VIM = ("uses", "Vim", "negative")


def said(text: str) -> list[tuple[str, str, str]]:
    return [(claim.predicate, claim.object, claim.polarity) for claim in extract_text(text).claims]


@pytest.mark.parametrize(
    ("silent", "control", "expected"),
    [
        ("Do I use Vim?", "I do use Vim.", VIM),
        ("I use Vim, right?", "I use Vim, of course.", VIM),
        ("Who uses Vim anymore", "Nadia uses Vim", VIM),
        ("I would use Vim.", "I actually use Vim.", VIM),
        ("I might use Vim.", "I now use Vim.", VIM),
        ("I could use Vim.", "I always use Vim.", VIM),
        ("I want to use Vim.", "I mostly use Vim.", VIM),
        ("I'm going to use Vim.", "I'm now using Vim.", VIM),
        ("I'm thinking of using Vim.", "I'm currently using Vim.", VIM),
        ("I'll use Vim.", "I use Vim.", VIM),
        ("I have to use Vim.", "I just use Vim.", VIM),
        ("I wish I used Vim.", "Personally I use Vim.", VIM),
        ("Imagine I use Vim.", "Honestly I use Vim.", VIM),
        ("Suppose I use Vim.", "Actually I use Vim.", VIM),
        ("Maybe I use Vim.", "Currently I use Vim.", VIM),
        ("Apparently, I use Vim.", "Honestly, I use Vim.", VIM),
        ("In my dream, I use Vim.", "In fact, I use Vim.", VIM),
        ("At work, I use Vim.", "Well, I use Vim.", VIM),
        ("I use Vim? Nice.", "I use Vim. Nice.", VIM),
    ],
)
def test_what_is_not_stated_is_no_claim(silent: str, control: str, expected: tuple[str, str, str]) -> None:
    assert [] == said(silent)
    assert [expected] == said(control)


@pytest.mark.parametrize(
    ("silent", "control"),
    [
        ('"I use Vim," he said.', "Sure, I use Vim."),
        ("'I use Vim,' she whispered.", "I use Vim, she whispers."),
        ("\u201cI use Vim.\u201d", "I use Vim."),
        ('He wrote "never mind and I use Vim.', "Never mind, and I use Vim."),
        ("> I use Vim.", "I use Vim."),
        ("```\nI use Vim.\n```", "I use Vim."),
        ("Ann: I use Vim", "Update: I use Vim"),
        ("Translate: I use Vim.", "Correction: I use Vim."),
        ("Ann says, I use Vim.", "Yes, I use Vim."),
        ("I lied, I use Vim.", "Sorry, I use Vim."),
        ("I use Vim. Just kidding!", "I use Vim. Just saying."),
        ("I use Vim, not really.", "I use Vim, not Emacs."),
        ("I use Vim, or I use Emacs.", "I use Vim, so I am happy."),
        ("I use Vim, or used to.", "I use Vim, and used to row."),
        ("I use Vim, I think.", "I use Vim, I am sure."),
        ("I think I use Vim.", "Now I use Vim."),
        ("I said I use Vim.", "So I use Vim."),
        ("I'm not sure whether I use Vim.", "I'm sure, I use Vim."),
    ],
)
def test_what_somebody_else_says_or_takes_back_is_no_claim(silent: str, control: str) -> None:
    assert [] == said(silent)
    assert [VIM] == said(control)


@pytest.mark.parametrize(
    "silent",
    [
        "I don't use it anymore.",
        "I can't use Vim anymore.",
        "I don't only use Vim anymore.",
        "I don't use Vim at work anymore.",
        "I don't use Vim anymore than you do.",
        "I don't think I use Vim anymore.",
        "It's not true that I don't use Vim anymore.",
        "I almost don't use Vim anymore.",
        "Do you think I don't use Vim anymore?",
        "I don't use Vim anymore, except at home.",
        "I don't use Vim anymore, only Emacs.",
        "I don't use Vim anymore, at work.",
        "I don't use Vim anymore, on Fridays.",
        "I don't use Vim anymore. Then I went back to it.",
        "I don't use Vim anymore, jk",
        "If only I didn't use Vim anymore.",
    ],
)
def test_a_narrowed_or_doubtful_ending_ends_nothing(silent: str) -> None:
    assert [] == said(silent)
    assert [NO_VIM] == said("I don't use Vim anymore.")


@pytest.mark.parametrize(
    ("silent", "control", "expected"),
    [
        ("I don't use Vim because it's popular.", "I no longer use Vim.", NO_VIM),
        ("I don't use Vim every day.", "I use Vim every day.", VIM),
        ("I don't use Vim much.", "I don't use Vim either.", NO_VIM),
        ("I don't use Vim for notes.", "I use Vim for notes.", VIM),
        ("I rarely use Vim.", "I usually use Vim.", VIM),
        ("I hardly use Vim anymore.", "I never use Vim anymore.", NO_VIM),
        ("I stopped using Vim for a while.", "I stopped using Vim last year.", NO_VIM),
        ("I stopped using Vim and started again.", "I stopped using Vim, thanks.", NO_VIM),
        ("I nearly stopped using Vim.", "I finally stopped using Vim.", NO_VIM),
        ("I want to stop using Vim.", "I have stopped using Vim.", NO_VIM),
        ("I stopped to use Vim.", "I stopped using Vim.", NO_VIM),
        ("I used to use Vim at work.", "I used to use Vim.", NO_VIM),
        ("I used to be used to Vim.", "I used to use Vim but not anymore.", NO_VIM),
    ],
)
def test_less_is_not_nothing(silent: str, control: str, expected: tuple[str, str, str]) -> None:
    assert [] == said(silent)
    assert [expected] == said(control)


@pytest.mark.parametrize(
    ("silent", "control", "value"),
    [
        ("I take a nap.", "I take an antacid.", "antacid"),
        ("I take Vim to another level.", "I take Zyrtec.", "Zyrtec"),
        ("I play the fool.", "I play the flute.", "flute"),
        ("I run into Ann.", "I run Debian.", "Debian"),
        ("I have an idea.", "I have a dog.", "dog"),
        ("I have my sister.", "I have a sister.", "sister"),
        ("I like that.", "I like tea.", "tea"),
        ("I love your shirt.", "I love silk shirts.", "silk shirts"),
        ("I like the second one.", "I like second helpings of cake.", None),
        ("I eat out.", "I eat oats.", "oats"),
        ("I'm eating an orange.", "I eat oranges.", "oranges"),
        ("I had a steak last night.", "I eat steak.", "steak"),
        ("I watch the game last night.", "I watch anime.", "anime"),
        ("I'm a bit tired.", "I'm a baker.", "baker"),
        ("I'm a good baker.", "I'm a pastry baker.", "pastry baker"),
        ("I live in fear.", "I live in Ferrara.", "Ferrara"),
        ("I work at night.", "I work at Nightingale.", "Nightingale"),
        ("I moved from marketing to sales.", "I moved from Marseille to Lyon.", "Lyon"),
        ("I moved from Vim to Emacs.", "I moved from Vienna to Essen.", "Essen"),
        ("I moved the chairs in.", "I moved to Chemnitz.", "Chemnitz"),
        ("I gave up on coffee.", "I gave up coffee.", "coffee"),
        ("I quit.", "I quit coffee.", "coffee"),
        ("My phone stopped working.", "I stopped working at Acme.", "Acme"),
        ("My life is a mess.", "My major is music.", "music"),
        ("My editor is great.", "My editor is Gedit.", "Gedit"),
        ("My dad is a doctor.", "My dentist is Dr Ross.", "Dr Ross"),
        ("My brother went to Mexico.", "My major changed to Music.", "Music"),
        ("My old editor is Vim.", "My editor is Vim.", "Vim"),
        ("I can no longer stand waiting for trains.", "I no longer like waiting for trains.", "waiting for trains"),
        ("My boss is German.", "My boss is Gerda.", "Gerda"),
        ("My car is fast.", "My car is a Honda Civic.", "Honda Civic"),
        ("My favourite part is pasta.", "My favourite pasta is penne.", "penne"),
        ("My favourite place in Oslo is Tim Wendelboe.", "My favourite place is Oslo.", "Oslo"),
        ("My favourite food is pasta or rice.", "My favourite food is pasta and rice.", "pasta and rice"),
        ("I like 4 cats.", "I like cats.", "cats"),
        ("I like walking with.", "I like walking with dogs.", "walking with dogs"),
        ("I like singing and pasta.", "I like singing and dancing.", "singing and dancing"),
        ("I'm eating oats.", "I'm eating oats every morning.", "oats"),
        ("I switched to it.", "I switched to Italian roast.", "Italian roast"),
        ("I moved to it.", "I moved to Italy.", "Italy"),
        ("Nadia The Great uses Vim.", "Nadia Petrova uses Vim.", "Vim"),
        ("I stopped using Vim, when I was ten.", "I stopped using Vim, thanks.", "Vim"),
        ("I don't use Vim, not Emacs.", "I don't use Vim, never Emacs.", "Vim"),
        ("I'm taking two.", "I'm taking two classes.", "two classes"),
    ],
)
def test_idioms_moments_and_pointers_are_no_claims(silent: str, control: str, value: str | None) -> None:
    assert [] == said(silent)
    assert [value] * (value is not None) == [found for _, found, _ in said(control)]


def test_a_very_long_sentence_is_left_alone() -> None:
    assert [VIM] == said("I use Vim")
    assert [] == said("I use Vim and " + "so on and " * 80)
