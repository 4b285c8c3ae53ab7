"""Judges a scenario: passed, failed, or unexercised when nothing in it could have failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from prme.extraction.protocol import Extractor
from prme.model.value import Value
from prme.testing.claim_reference import ClaimReference, ToldClaim, parse_reference
from prme.testing.scenario import Scenario
from prme.testing.scenario_run import Ran, run_messages

Verdict = Literal["passed", "failed", "unexercised"]


class Finding(Value):
    """One thing that is not as expected: which expectation, what it asks for, and what was found."""

    what: Literal["current", "retired", "must_not", "reasons", "run"]
    expected: str | None
    found: str | None


class Judgement(Value):
    """The verdict on a scenario, what was not as expected, and why nothing could have failed."""

    name: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    why: str | None = None


def judge(scenario: Scenario, extractor: Callable[[], Extractor]) -> Judgement:
    """Run a scenario, and its control if it has one, and return the verdict.

    A failed expectation fails it. Else it has to be shown that something could have failed: by the control, which must
    break an expectation, or without one by what was claimed. `extractor` is as for `run_messages`.
    """
    ran = run_messages(scenario, scenario.labelled(), extractor)
    findings = tuple(find_differences(scenario, ran))
    if findings:
        return Judgement(name=scenario.name, verdict="failed", findings=findings)
    proposed = list(ran.claims)
    why = None
    if scenario.control is not None:
        control = run_messages(scenario, scenario.control_messages(), extractor)
        if control.problems:
            run = tuple(Finding(what="run", expected=None, found=f"control: {says}") for says in control.problems)
            return Judgement(name=scenario.name, verdict="failed", findings=run)
        proposed += control.claims
        if not any(find_differences(scenario, control)):
            why = "the control changes nothing: every expectation holds with it, too"
    why = why or why_unexercised(scenario, proposed, shown=scenario.control is not None)
    return Judgement(name=scenario.name, verdict="passed" if why is None else "unexercised", why=why)


def find_differences(scenario: Scenario, ran: Ran) -> Iterator[Finding]:
    """Yield what is not as the scenario expects it."""
    for says in ran.problems:
        yield Finding(what="run", expected=None, found=says)
    yield from _current(scenario, ran.claims)
    yield from _retired(scenario, ran.claims)
    for state, reference in scenario.expect.forbidden(len(scenario.messages)):
        for claim in reference.among(ran.claims):
            if claim.state == state:
                yield Finding(what="must_not", expected=f"not {state}: {reference.text}", found=_became(claim))
    for text, reason in scenario.expect.reasons.items():
        reasons = _reference(scenario, text).among(ran.claims)
        if not any(claim.reason == reason for claim in reasons):
            found = "; ".join(f"{claim.says}: {claim.reason}" for claim in reasons) or "no such claim"
            yield Finding(what="reasons", expected=f"{text}: {reason}", found=found)


def _current(scenario: Scenario, claims: Sequence[ToldClaim]) -> Iterator[Finding]:
    if scenario.expect.current is None:
        return
    found = [claim for claim in claims if claim.state == "current"]
    expected = [_reference(scenario, text) for text in scenario.expect.current]
    for reference in expected:
        if not reference.among(found):
            yield Finding(what="current", expected=reference.text, found=_instead(reference, claims))
    for claim in found:
        if not any(reference.names(claim) for reference in expected):
            yield Finding(what="current", expected=None, found=claim.says)


def _retired(scenario: Scenario, claims: Sequence[ToldClaim]) -> Iterator[Finding]:
    if scenario.expect.retired is None:
        return
    found = [claim for claim in claims if claim.state == "retired"]
    expected = [(_reference(scenario, one.claim), one.by) for one in scenario.expect.retired]
    for reference, by in expected:
        fitting = reference.among(found)
        if not fitting or (by is not None and by not in {claim.by for claim in fitting}):
            says = reference.text + ("" if by is None else f", by {by}")
            yield Finding(what="retired", expected=says, found=_instead(reference, claims))
    for claim in found:
        if not any(reference.names(claim) for reference, _ in expected):
            yield Finding(what="retired", expected=None, found=_became(claim))


def _reference(scenario: Scenario, text: str) -> ClaimReference:
    return parse_reference(text, messages=len(scenario.messages))


def _instead(reference: ClaimReference, claims: Sequence[ToldClaim]) -> str:
    return "; ".join(_became(claim) for claim in reference.among(claims)) or "no such claim"


def _became(claim: ToldClaim) -> str:
    closed = f" by {claim.by}" if claim.state == "retired" and claim.by is not None else ""
    kept_out = f", {claim.reason}" if claim.state == "not admitted" else ""
    return f"{claim.says}: {claim.state}{closed}{kept_out}"


def why_unexercised(scenario: Scenario, proposed: Sequence[ToldClaim], *, shown: bool) -> str | None:
    """Return why an expectation that holds could not have failed, or None.

    `proposed` are the claims of the scenario and of its control; `shown` says that the control broke an expectation.
    """
    expect = scenario.expect
    if expect.current is None and expect.retired is None and not expect.must_not and not expect.reasons:
        return "it expects nothing"
    if not proposed:
        return "the extractor found no claim in any message"
    for state, reference in expect.forbidden(len(scenario.messages)):
        named = reference.among(proposed)
        if state == "retired":
            named = [claim for claim in named if claim.state != "not admitted"]
        if not named:
            return f"must_not names what was never claimed: {reference.text}"
        if state == "retired" and not shown and not _is_at_stake(named, scenario, proposed):
            return f"nothing tries to retire {reference.text}: no other claim is a correction, and no step decides"
    only_nothing_retired = not (
        shown or expect.current is not None or expect.must_not or expect.reasons or expect.retired
    )
    if not only_nothing_retired or _is_at_stake(proposed, scenario, proposed):
        return None
    return "nothing tries to retire anything: no claim is a correction, and no step decides"


def _is_at_stake(named: Sequence[ToldClaim], scenario: Scenario, proposed: Sequence[ToldClaim]) -> bool:
    """Whether something other than the named claims tried to change something."""
    if any(message.then for message in scenario.messages):
        return True
    return any(claim.corrects and any(claim.label != one.label for one in named) for claim in proposed)
