"""English words that say nothing about what is sought; a query of nothing else keeps them."""

from __future__ import annotations

_TEXT = """
a about again all also am an and any are as at be been being but by can could did do does doing don for from had
has have having he her here hers him his how i if in into is it its just ll me my myself no nor not of off on or
our ours please re s shall she should so some such t than that the their theirs them then there these they this
those to too up us ve was we were what when where which who whom whose why will with would you your yours
"""
STOP_WORDS = frozenset(_TEXT.split())
