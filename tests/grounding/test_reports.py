"""What somebody else said, thought or was heard to say is no claim of the message's author."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("report", "assertion"),
    [
        ("Ann said I use Figma.", "I said I use Figma."),
        ("Bo thinks I use Figma.", "I think I use Figma."),
        ("They told me I use Figma.", "I told them I use Figma."),
        ("Bo and Ann say I use Figma.", "Bo and I say I use Figma."),
        ("My doctor told me I use Figma.", "I told my doctor I use Figma."),
        ("Bo wrote: I use Figma.", "I wrote: I use Figma."),
        ("Bo wrote me: I use Figma.", "I wrote him: I use Figma."),
        ("Bo mentioned that I use Figma.", "I mentioned that I use Figma."),
        ("Bo asked me to use Figma.", "Bo helped me to use Figma."),
        ("Bo claims I use Figma.", "My claims show I use Figma."),
        ("Bo claims to know I use Figma.", "Some claims to know show I use Figma."),
        ("The report says I use Figma.", "The report shows I use Figma."),
        ("Bo said that I, a fool, use Figma.", "Bo left; I, a fool, use Figma."),
        ("Bo left and said I use Figma.", "I left and said I use Figma."),
        ("Bo is ready to say I use Figma.", "I am ready to say I use Figma."),
        ("Bo says:\n- I use Figma", "Tools.\n- I use Figma"),
        ("I use Figma, says Bo.", "I use Figma, say I."),
        ("I use Figma, Bo says.", "I use Figma, I say."),
        ("I use Figma, they told me once.", "I use Figma, I told them once."),
        ("I use Figma Bo says", "I use Figma I say"),
        ("I, Bo says, use Figma.", "I, I say, use Figma."),
        ("According to Bo, I use Figma.", "According to me, I use Figma."),
        ("Apparently I use Figma.", "Clearly I use Figma."),
        ("I never said I use Figma.", "I always said I use Figma."),
        ("Bo said it works and I use Figma.", "Bo said it works, but I use Figma."),
    ],
)
def test_a_report_is_no_claim_and_ones_own_saying_is_no_report(report: str, assertion: str, outcome) -> None:
    assert outcome(report) == "report"
    assert outcome(assertion) == "asserted"


@pytest.mark.parametrize(
    ("report", "assertion"),
    [
        ("Nadia says she uses Figma.", "I say Nadia uses Figma."),
        ("I heard that Nadia uses Figma.", "I know that Nadia uses Figma."),
        ("I heard Nadia uses Figma.", "I see Nadia uses Figma."),
        ("I read somewhere that Nadia uses Figma.", "I found somewhere that Nadia uses Figma."),
        ("Heard that Nadia uses Figma.", "Told you Nadia uses Figma."),
        ("Nadia uses Figma, I heard.", "Nadia uses Figma, I said."),
        ("I was told Nadia uses Figma.", "I told Bo Nadia uses Figma."),
        ("I've been told that Nadia uses Figma.", "I've told Bo that Nadia uses Figma."),
        ("I'm told Nadia uses Figma.", "I told you Nadia uses Figma."),
        ("Nadia left. I heard she uses Figma.", "Nadia left. I know she uses Figma."),
        ("Nadia is said to use Figma.", "Nadia is known to use Figma."),
        ("Bo wants to say Nadia uses Figma.", "It is fair to say Nadia uses Figma."),
        ("Bo, who left, said Nadia uses Figma.", "Bo, tell them Nadia uses Figma."),
        ("Bo said it is good, but Nadia uses Figma.", "Bo is good, but Nadia uses Figma."),
        ("Nadia thinks Figma is great.", "Nadia knows Figma is great."),
        ("Nadia claims Figma works.", "Nadia finds Figma works."),
        ("Bo claims to draw for Nadia with Figma.", "Bo happens to draw for Nadia with Figma."),
    ],
)
def test_a_report_about_somebody_named_is_no_claim(report: str, assertion: str, outcome) -> None:
    assert outcome(report, subject="Nadia") == "report"
    assert outcome(assertion, subject="Nadia") == "asserted"


@pytest.mark.parametrize(
    "content",
    [
        "I use Figma and Bo says hi.",
        "I use Figma, which Bo says is great.",
        "I use Figma because Bo said it is good.",
        "Bo says hi. I use Figma.",
        "bo says hi! i use figma",
        "My thoughts on this: I use Figma.",
        "I had a thought: I use Figma.",
        "It was a good read and I use Figma.",
        "I read books and I use Figma.",
        "I read it and I use Figma.",
        "Please tell Bo I use Figma.",
        "To say it plainly, I use Figma.",
        "Needless to say, I use Figma.",
        "That said, I use Figma.",
        "Let me tell you, I use Figma.",
        "As I said, I use Figma.",
        "I report to Bo and use Figma.",
        "It's time to say hi from me and Figma.",
        "I use Figma; the self-told story ends.",
    ],
)
def test_a_verb_of_saying_that_is_not_around_the_claim_reports_nothing(content: str, outcome) -> None:
    assert outcome(content) == "asserted"


@pytest.mark.parametrize(
    ("content", "subject", "predicate", "value"),
    [
        ("I hear music.", "I", "hears", "music"),
        ("I read books.", "I", "reads", "books"),
        ("Nadia reads that book.", "Nadia", "reads", "book"),
        ("Nadia says “hello” a lot.", "Nadia", "says", "hello"),
        ("Nadia believes in magic.", "Nadia", "has_faith_in", "magic"),
        ("Nadia told Bo about Figma.", "Nadia", "told_about", "Figma"),
        ("Nadia mentioned people daily.", "Nadia", "talks_about", "people"),
        ("Nadia writes Python.", "Nadia", "codes_in", "Python"),
        ("Nadia loves reading Dune.", "Nadia", "loves", "Dune"),
        ("Says Inc sells Figma.", "Says Inc", "sells", "Figma"),
    ],
)
def test_a_predicate_or_name_with_such_a_verb_reports_nothing(
    content: str, subject: str, predicate: str, value: str, outcome
) -> None:
    assert outcome(content, subject=subject, predicate=predicate, object=value) == "asserted"


def test_a_belief_that_the_speaker_only_had_or_denies_stays_a_guess(outcome) -> None:
    assert outcome("I thought Nadia used Figma.", subject="Nadia") == "hypothetical modal"
    assert outcome("I don't think Nadia uses Figma.", subject="Nadia") == "hypothetical modal"
    assert outcome("I do think Nadia uses Figma.", subject="Nadia") == "asserted"
    assert outcome("I thought about it, so I use Figma.") == "asserted"
    assert outcome("I was believed when I used Figma.") == "report"
