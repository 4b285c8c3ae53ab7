"""Which model, where, and with which key: arguments before the environment before the defaults."""

from __future__ import annotations

import subprocess
import sys

import pytest

from prme.errors import UnknownExtractorError
from prme.extraction.registry import installed_extractors, resolve_extractor
from prme_extractors.llm.estimate import estimated_usage
from prme_extractors.llm.settings import ModelSettings, model_settings
from tests.extractors.llm.asking import request
from tests.extractors.llm.loopback import ANTHROPIC

HOME = {"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}


def settings(environment: dict[str, str], provider: str = "openai", **given: str) -> ModelSettings:
    return model_settings(provider, environment, **{"model": None, "api_key": None, "base_url": None, **given})


@pytest.mark.parametrize(("provider", "model"), [("anthropic", "claude-haiku-5-5"), ("openai", "gpt-6-luna")])
def test_a_key_is_enough_for_the_providers_own_service(provider: str, model: str):
    found = settings({f"{provider.upper()}_API_KEY": "k"}, provider)

    assert (found.model, found.api_key, found.base_url) == (model, "k", None)


def test_the_environment_names_another_model_and_an_argument_names_a_third():
    environment = {"OPENAI_API_KEY": "k", "PRME_OPENAI_MODEL": "second"}

    assert settings(environment).model == "second"
    assert settings(environment, model="third").model == "third"


def test_an_argument_goes_before_the_environment():
    found = settings({"OPENAI_API_KEY": "k", **HOME}, model="m", api_key="mine", base_url="http://other/v1")

    assert (found.api_key, found.base_url) == ("mine", "http://other/v1")


@pytest.mark.parametrize("environment", [{}, {"OPENAI_API_KEY": " "}], ids=["missing", "blank"])
def test_without_a_key_it_says_what_to_set(environment: dict[str, str]):
    with pytest.raises(ValueError, match="set OPENAI_API_KEY"):
        settings(environment)


def test_a_server_of_ones_own_needs_no_key_but_a_model():
    assert settings(HOME, model="qwen3").api_key == "none"
    with pytest.raises(ValueError, match="write openai:MODEL"):
        settings(HOME)


def test_a_server_of_ones_own_is_not_asked_for_long_answers():
    assert settings(HOME, model="m").max_output_tokens < settings({"OPENAI_API_KEY": "k"}).max_output_tokens


def test_settings_do_not_show_their_key():
    assert "Quokka" not in repr(settings({"OPENAI_API_KEY": "Quokka"}))


def test_both_are_found_by_name():
    assert {"anthropic", "openai"} <= set(installed_extractors())


def test_a_model_is_named_after_the_colon(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")

    assert resolve_extractor("anthropic:claude-x").model == "claude-x"


def test_a_missing_key_is_told_where_the_extractor_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(UnknownExtractorError, match="set ANTHROPIC_API_KEY, or pass api_key"):
        resolve_extractor("anthropic")


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_missing_sdk_is_told_with_what_to_install(provider: str):
    program = (
        f"import sys; sys.modules[{provider!r}] = None\n"
        "from prme.extraction.registry import resolve_extractor\n"
        "from prme.errors import UnknownExtractorError\n"
        f"try: resolve_extractor({provider!r})\n"
        "except UnknownExtractorError as error: print(error)\n"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert f"pip install 'prme[{provider}]'" in shown


def test_an_estimate_grows_with_the_message_and_the_context():
    extractor = ANTHROPIC.extractor("http://127.0.0.1:9")
    short, long = request("I use Figma."), request("I use Figma. " * 20)
    with_context = request("I use Figma.", context=("I said something before.",))

    plain = extractor.estimate_tokens([short])
    assert plain.input_tokens < extractor.estimate_tokens([with_context]).input_tokens
    assert plain.output_tokens < extractor.estimate_tokens([long]).output_tokens
    shared = extractor.estimate_tokens([short, short])
    assert plain.input_tokens < shared.input_tokens < 2 * plain.input_tokens


def test_what_is_not_asked_about_costs_nothing():
    extractor = ANTHROPIC.extractor("http://127.0.0.1:9")
    usage = extractor.estimate_tokens([request("I use Figma.", role="assistant")])

    assert (usage.input_tokens, usage.output_tokens) == (0, 0)


def test_other_scripts_take_more_tokens_for_their_length():
    assert (
        estimated_usage(["私は東京に住んでいます"], []).input_tokens > estimated_usage(["I live here"], []).input_tokens
    )
