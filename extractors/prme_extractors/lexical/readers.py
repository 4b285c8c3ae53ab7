"""Readers: which of them reads the object of a pattern, by its column `takes`."""

from __future__ import annotations

from collections.abc import Callable

from prme_extractors.lexical.changes import read_change, read_job_change, read_medicine_change, read_move
from prme_extractors.lexical.doings import (
    read_activity,
    read_age,
    read_front,
    read_habit_noun,
    read_left_for,
    read_lost,
    read_owned_exchange,
    read_owned_swap,
    read_plan,
    read_replacement,
    read_ride_exchange,
    read_tool_exchange,
    read_verb_not_but,
    read_work_mode,
)
from prme_extractors.lexical.endings import (
    accept_app,
    accept_destination,
    accept_school,
    accept_uninstalled,
    read_account,
    read_called_off,
    read_cancelled,
    read_left_firm,
    read_pair,
)
from prme_extractors.lexical.everyday import accept_deed, accept_discipline
from prme_extractors.lexical.names import read_name, read_partner, read_written_name
from prme_extractors.lexical.objects import (
    Objects,
    Place,
    accept_belonging,
    accept_firm,
    accept_former_employer,
    accept_former_post,
    accept_language,
    accept_medicine,
    accept_occupation,
    accept_post,
    accept_service,
    accept_thing,
    accept_town,
    accept_town_or_month,
    accept_workplace,
    one_kind,
    read_for_verb,
    read_had,
    read_liking_of,
    read_nothing,
    read_trait,
)
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.table import Pattern
from prme_extractors.lexical.things import (
    read_became,
    read_contrasted_of,
    read_dated_with,
    read_day,
    read_detail_of,
    read_made,
    read_name_after_called,
    read_not_but,
    read_part_replaced,
    read_part_taken,
    read_past_day,
    read_setting_of,
    read_switched_off,
    read_taken,
    read_trace,
    read_trace_of_numbered,
    read_value_of,
)


def read_objects(reading: Reading, place: Place) -> Objects | None:
    """Read what the pattern takes, from the position; None when it is not there or not clear."""
    pattern = place.pattern
    if pattern.takes == "verb" and place.verb is not None:
        return read_for_verb(reading, place.verb, place.is_negative, place.start, place.end)
    if pattern.takes in _PLACED:
        return _PLACED[pattern.takes](reading, place)
    return _PLAIN[pattern.takes](reading, pattern, place.start, place.end)


_PLAIN: dict[str, Callable[[Reading, Pattern, int, int], Objects | None]] = {
    "thing": one_kind(accept_thing),
    "town": one_kind(accept_town),
    "town_or_month": one_kind(accept_town_or_month),
    "former_employer": one_kind(accept_former_employer),
    "language": one_kind(accept_language),
    "firm": one_kind(accept_firm),
    "workplace": one_kind(accept_workplace),
    "medicine": one_kind(accept_medicine),
    "belonging": one_kind(accept_belonging),
    "service": one_kind(accept_service),
    "uninstalled": one_kind(accept_uninstalled),
    "app": one_kind(accept_app),
    "school": one_kind(accept_school),
    "left_firm": read_left_firm,
    "destination": one_kind(accept_destination),
    "deed": one_kind(accept_deed),
    "discipline": one_kind(accept_discipline),
    "occupation": one_kind(accept_occupation),
    "post": one_kind(accept_post),
    "former_post": one_kind(accept_former_post),
    "liking": read_liking_of,
    "habit_noun": read_habit_noun,
    "trait": read_trait,
    "had": read_had,
    "work_mode": read_work_mode,
    "change": read_change,
    "move": read_move,
    "job_change": read_job_change,
    "medicine_change": read_medicine_change,
    "name": read_name,
    "written_name": read_written_name,
    "partner": read_partner,
    "nothing": read_nothing,
}

_PLACED: dict[str, Callable[[Reading, Place], Objects | None]] = {
    "value": read_value_of,
    "contrasted": read_contrasted_of,
    "setting": read_setting_of,
    "detail": read_detail_of,
    "label": read_name_after_called,
    "date": read_day,
    "past_date": read_past_day,
    "verb_not_but": read_verb_not_but,
    "dated_with": read_dated_with,
    "trace": read_trace,
    "trace_of_numbered": read_trace_of_numbered,
    "became": read_became,
    "made": read_made,
    "taken": read_taken,
    "part_taken": read_part_taken,
    "switch_off": read_switched_off,
    "exchange": read_replacement,
    "age": read_age,
    "plan": read_plan,
    "owned_exchange": read_owned_exchange,
    "owned_swap": read_owned_swap,
    "activity": read_activity,
    "front": read_front,
    "lost": read_lost,
    "account": read_account,
    "cancelled": read_cancelled,
    "called_off": read_called_off,
    "pair": read_pair,
    "tool_exchange": read_tool_exchange,
    "left_for": read_left_for,
    "ride_exchange": read_ride_exchange,
    "not_but": read_not_but,
    "part": read_part_replaced,
}
