"""A pytest plugin for mutation runs: nothing that was cached before a test may vouch for a mutant.

Each mutant is tested in a fork of a process in which all tests have run, and only by the tests that reached its
function there: a cached answer would hide from both what the function does.
"""

from __future__ import annotations

import sys
from functools import _lru_cache_wrapper

from hypothesis import Phase, settings

# Enough examples to notice a mutant, and no time spent on making a counterexample small.
settings.register_profile(
    "mutation", max_examples=50, derandomize=True, deadline=None, phases=(Phase.explicit, Phase.generate)
)


def pytest_runtest_setup() -> None:
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "prme"]
    for cached in (value for module in modules for value in vars(module).values()):
        if isinstance(cached, _lru_cache_wrapper):
            cached.cache_clear()
