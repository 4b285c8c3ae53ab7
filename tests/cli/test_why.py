"""`prme why` answers a person: where a claim comes from, what closed it and by which rule, and why nothing happened."""

from __future__ import annotations

import pytest
from rich.console import Console

from prme import ids
from prme.cli.why_view import event_page as page_of_event
from prme.model.explanation import Explanation

REPLACES_KAYAK = {"temporal_intent": "update", "replaces_object": "kayak"}


def page(talk, number: int, *options: str) -> str:
    """The page of the first claim of a message, in one line, so that wrapping does not matter."""
    result = talk.run("why", talk.claim(number), *options)
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def test_a_retired_claim_names_the_sentence_the_rule_and_the_time(pumps):
    text = page(pumps, 1)

    assert "I | uses | insulin pump Fact, a plain statement; retired, with a successor." in text
    assert "In effect from 2031-04-01 09:00 UTC to 2031-04-02 09:00 UTC." in text
    assert '"I use an insulin pump." said on 2031-04-01 09:00 UTC by sam, role user' in text
    assert f"characters 0 to 22 of event {pumps.event(1)}" in text
    closing = text.split("What closed it")[1]
    said = '"I don\'t use the pump anymore." said on 2031-04-02 09:00 UTC by sam; it names "pump" (characters 16 to 20)'
    assert said in closing
    assert "a denial that says something changed ends what it denies; the correction names it by some of its" in closing
    assert "(rule denial of speech_act_v14, match short, via same)" in closing
    before, after = (
        "in effect since 2031-04-01 09:00 UTC",
        "in effect from 2031-04-01 09:00 UTC to 2031-04-02 09:00 UTC",
    )
    assert f"before: {before} after: {after}" in closing
    assert "the correction: I | uses | pump (denied), in effect since 2031-04-02 09:00 UTC" in closing
    assert f"claim {pumps.claim(2)} of event {pumps.event(2)}" in closing


def test_an_open_claim_has_no_closing(talk):
    talk.say("I use an insulin pump.", talk.states("uses", "insulin pump"))
    talk.ingest()

    text = page(talk, 1)

    assert "What closed it" not in text
    assert "In effect since 2031-04-01 09:00 UTC." in text


def test_the_journal_of_a_retired_claim_has_the_entry_that_closed_it(pumps):
    text = page(pumps, 1).split("Journal")[1]

    assert text.count("the message was stored") == 1
    assert text.count("a plan was published") == 2


def test_a_correction_names_what_it_retired(pumps):
    text = page(pumps, 2)

    assert 'It retired 1 claim. it names "pump" (characters 16 to 20) I | uses | insulin pump: a denial that' in text
    assert "(rule denial of speech_act_v14, match short, via same)" in text
    assert "before: in effect since 2031-04-01 09:00 UTC after: in effect from 2031-04-01 09:00 UTC to" in text
    assert f"claim {pumps.claim(1)}" in text


def test_an_ambiguous_denial_names_its_candidates(talk):
    talk.say("I ride a road bike.", talk.states("rides", "road bike"))
    talk.say("I ride a mountain bike.", talk.states("rides", "mountain bike"))
    talk.say("I don't ride the bike anymore.", talk.denies("rides", "bike"))
    talk.ingest()

    text = page(talk, 3)

    assert "It retired nothing: it fits claims about different things" in text
    assert "(ambiguous)" in text
    assert 'it could mean: I | rides | road bike, "I ride a road bike."' in text
    assert 'it could mean: I | rides | mountain bike, "I ride a mountain bike."' in text


def test_the_same_denial_of_one_bike_retires_it(talk):
    talk.say("I ride a road bike.", talk.states("rides", "road bike"))
    talk.say("I don't ride the bike anymore.", talk.denies("rides", "bike"))
    talk.ingest()

    assert "It retired 1 claim." in page(talk, 2)


@pytest.mark.parametrize(
    ("earlier", "words"),
    [
        ({"predicate": "owns", "obj": "kayak"}, "it says owns, the correction uses"),
        ({"predicate": "uses", "obj": "red kayak trailer of mine"}, 'naming "red kayak trailer of mine" would have'),
        ({"predicate": "uses", "obj": "kayak", "kind": "preference"}, "it is a preference and the correction a fact"),
        (
            {"predicate": "uses", "obj": "kayak", "epistemic_type": "unverified"},
            "it was unverified; open and plainly stated it would have been retired",
        ),
    ],
)
def test_a_near_miss_says_what_would_have_retired_it(talk, earlier, words: str):
    talk.say("I use or own a kayak, that is a red kayak trailer of mine.", talk.states(**earlier))
    talk.say("I don't use the kayak anymore.", talk.denies("uses", "kayak"))
    talk.ingest()

    text = page(talk, 2)

    assert 'It retired nothing: rule denial ends what "kayak" names, and no open claim of the same subject' in text
    assert words in text


def test_the_first_of_the_near_misses_is_the_nearest(talk):
    talk.say("I own a kayak and a canoe.", talk.states("owns", "kayak"), talk.states("uses", "canoe"))
    talk.say("I don't use the kayak anymore.", talk.denies("uses", "kayak"))
    talk.ingest()

    text = page(talk, 2)

    assert "nearest miss: I | uses | canoe" in text
    assert "near miss: I | owns | kayak" in text
    assert text.index("nearest miss:") < text.index(" near miss:")


def nearly(talk, count: int) -> None:
    """Sam uses some things that are no kayak, and then denies the kayak."""
    things = [f"canoe {letter}" for letter in "abcdefgh"[:count]]
    talk.say(f"I use {', '.join(things)}.", *(talk.states("uses", thing) for thing in things))
    talk.say("I don't use the kayak anymore.", talk.denies("uses", "kayak"))
    talk.ingest()


def test_of_many_near_misses_the_three_nearest_are_shown_and_the_others_counted(talk):
    nearly(talk, 5)

    text = page(talk, 2)

    assert [thing for thing in "abcde" if f"I | uses | canoe {thing}," in text] == ["c", "d", "e"]
    assert "and 2 more (--json shows all)" in text


def test_three_near_misses_are_shown_without_a_count(talk):
    nearly(talk, 3)

    text = page(talk, 2)

    assert text.count("near miss: I | uses | canoe") == 2
    assert "--json shows all" not in text


def test_json_has_every_near_miss(talk):
    nearly(talk, 5)

    assert len(talk.json("why", talk.claim(2))["claims"][0]["near_misses"]) == 5


def test_the_page_of_an_event_shows_as_many_near_misses(talk):
    nearly(talk, 5)

    assert "and 2 more (--json shows all)" in event_page(talk, 2)


def test_a_near_miss_that_was_closed_names_what_closed_it(talk):
    talk.say("I use a kayak.", talk.states("uses", "kayak"))
    talk.say("I use a canoe instead of the kayak.", talk.states("uses", "canoe", **REPLACES_KAYAK))
    talk.say("I don't use the kayak anymore.", talk.denies("uses", "kayak"))
    talk.ingest()

    assert (
        'it was closed on 2031-04-02 09:00 UTC, by "I use a canoe instead of the kayak." (rule named_replacement, '
        f"claim {talk.claim(2)}); without that it would have been retired (state)"
    ) in page(talk, 3)


def test_a_new_value_that_is_known_already_is_not_told_that_another_would_retire_it(talk):
    talk.say("I use a canoe.", talk.states("uses", "canoe"))
    talk.say("I use a canoe instead of the kayak.", talk.states("uses", "canoe", **REPLACES_KAYAK))
    talk.ingest()

    text = page(talk, 2)

    assert 'it has the new value itself, "canoe", and nothing replaces itself, nor would rule named_' in text
    assert "would have" not in text.split("nearest miss:")[1]


def test_words_of_a_message_in_a_sentence_are_safe_to_print(talk):
    talk.say("Nadia\u202e plays chess.", talk.denies("plays", "chess", subject="Nadia\u202e"))
    talk.ingest()

    assert "\u202e" not in page(talk, 1)
    assert "whom " in page(talk, 1)


def test_a_conditional_denial_quotes_its_condition(talk):
    talk.say("I no longer fast if I travel.", talk.denies("does", "fast", condition="if I travel"))
    talk.ingest()

    text = page(talk, 1)

    assert 'it holds only under the condition "if I travel"; without the condition it could correct' in text
    assert 'its condition: "if I travel" (characters 17 to 28)' in text


def test_a_plain_statement_repeats_no_words(talk):
    talk.say("I fast.", talk.states("does", "fast"))
    talk.ingest()

    assert "it names" not in page(talk, 1)
    assert "its condition" not in page(talk, 1)


def test_a_claim_that_arrived_after_its_denial_says_that_it_was_closed_as_it_arrived(talk):
    talk.say("I don't use Figma anymore.", talk.denies("uses", "Figma"))
    talk.say("I use Figma.", talk.states("uses", "Figma"), occurred_at="2031-03-01T09:00:00Z")
    talk.ingest()

    closing = page(talk, 2).split("What closed it")[1]

    assert "before: it was not known yet, and was closed as it arrived after: in effect from 2031-03-01" in closing


def test_a_near_miss_in_time_says_when_it_took_effect(talk):
    talk.say("I use a kayak.", talk.states("uses", "kayak"), occurred_at="2031-06-01T09:00:00Z")
    talk.say("I don't use the kayak anymore.", talk.denies("uses", "kayak"))
    talk.ingest()

    assert "it took effect later (2031-06-01 09:00 UTC)" in page(talk, 2)


def test_a_near_miss_of_another_source_names_it(talk):
    nadia = {"subject": "Nadia", "subject_entity_type": "person"}
    talk.say("Nadia uses a kayak.", talk.states("uses", "kayak", **nadia), role="tool", first_person_owner=False)
    talk.say("Nadia no longer uses the kayak.", talk.denies("uses", "kayak", **nadia))
    for recorded in talk.recorded:
        recorded["extraction"]["entities"] = [{"name": "Nadia", "entity_type": "person"}]
    talk.ingest()

    assert "it comes from another source (TOOL_OUTPUT)" in page(talk, 2)


def test_a_restatement_names_what_it_confirms(talk):
    talk.say("I use Figma.", talk.states("uses", "Figma"))
    talk.say("Still: I use Figma.", talk.states("uses", "Figma"))
    talk.ingest()

    text = page(talk, 2)

    assert "repeats an earlier claim, which it confirms" in text
    assert f"What it confirms I | uses | Figma, claim {talk.claim(1)}" in text


def test_a_restatement_is_closed_by_what_closed_the_first_one(talk):
    talk.say("I use Figma.", talk.states("uses", "Figma"))
    talk.say("Still: I use Figma.", talk.states("uses", "Figma"))
    talk.say("I don't use Figma anymore.", talk.denies("uses", "Figma"))
    talk.ingest()

    assert "match exact, via same)" in page(talk, 2).split("What closed it")[1]


def test_what_grounding_changed_is_said_in_words(talk):
    talk.say("I may use Figma.", talk.states("uses", "Figma"))
    talk.ingest()

    text = page(talk, 1)

    assert "What grounding changed kept as hypothetical: the sentence says what may, might or could be (modal)" in text
    assert "Fact, only a guess or a plan; current." in text


def event_page(talk, number: int) -> str:
    result = talk.run("why", talk.event(number))
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def test_an_event_shows_what_was_admitted_and_what_was_not(talk):
    talk.say("I use Figma. Do I use Vim?", talk.states("uses", "Figma"), talk.states("uses", "Vim"))
    talk.ingest()

    text = event_page(talk, 1)

    assert "Claim 1: I | uses | Figma" in text
    assert "Not admitted I | uses | Vim: the sentence asks, it does not state (question)" in text
    assert "extracted by recorded" in text
    assert "under speech_act_v14" in text


def test_an_event_shows_what_closed_its_claim(pumps):
    assert 'It was closed. "I don\'t use the pump anymore."' in event_page(pumps, 1)


def test_an_event_without_claims_says_so(talk):
    talk.say("Good morning.")
    talk.ingest()

    assert "no claim was proposed" in event_page(talk, 1)


def test_an_event_whose_extraction_failed_says_why(talk):
    talk.say("I use Figma.", recorded=False)
    talk.ingest()

    text = event_page(talk, 1)

    assert "its extraction failed: the file of recorded extractions has no answer for this message" in text
    assert "(recorded_miss)" in text


def test_a_note_is_explained_like_its_event(pumps):
    assert pumps.run("why", ids.note_id(pumps.event(1))).stdout == pumps.run("why", pumps.event(1)).stdout


def test_an_id_is_accepted_in_any_case(pumps):
    assert pumps.run("why", pumps.claim(1).upper()).stdout == pumps.run("why", pumps.claim(1)).stdout


def test_json_is_the_explanation(pumps):
    explanation = pumps.json("why", pumps.claim(1))

    assert explanation["claims"][0]["closed_by"]["correction"]["id"] == pumps.claim(2)
    assert explanation["event"]["id"] == pumps.event(1)


@pytest.mark.parametrize("unknown", ["no-id", "00000000-0000-0000-0000-000000000000"])
def test_an_unknown_id_is_one_line_that_says_what_to_do(pumps, unknown: str):
    result = pumps.run("why", unknown)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"Error: nothing in the store {pumps.store!r} has this id: prme claims --user-id OWNER --all lists the ids of "
        "an owner's claims, and prme why names the message of a claim\n"
    )


def test_the_owner_that_was_named_stands_in_the_error(pumps):
    assert "nothing of the owner 'ann' in the store" in pumps.run("why", "no-id", "--user-id", "ann").stderr


def test_a_foreign_id_reads_like_an_unknown_one(pumps):
    foreign = pumps.run("why", pumps.claim(1), "--user-id", "ann")

    assert foreign.stderr == pumps.run("why", "no-id", "--user-id", "ann").stderr


def test_blanks_around_an_id_do_not_matter(pumps):
    assert pumps.run("why", f" {pumps.claim(1)}\t").stdout == pumps.run("why", pumps.claim(1)).stdout


def test_the_owner_may_be_named(pumps):
    assert pumps.run("why", pumps.claim(1), "--user-id", "sam").stdout == pumps.run("why", pumps.claim(1)).stdout


def test_a_note_without_extraction_and_a_pending_one_are_told_apart(talk):
    talk.say("I use Figma.", recorded=False)
    talk.ingest()
    explanation = Explanation.model_validate(talk.json("why", talk.event(1)))

    def text(**changes):
        console = Console(width=100)
        with console.capture() as printed:
            console.print(page_of_event(explanation.model_copy(update=changes)))
        return printed.get()

    assert "its extraction is pending" in text(work="pending")
    assert "stored as a note, without extraction" in text(work=None)
    assert "no reason is recorded" in text(work="failed", reason_code=None)
