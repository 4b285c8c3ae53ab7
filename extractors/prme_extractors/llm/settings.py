"""Where a model is and which one: from arguments, else from the environment, else from `models.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

# A server of one's own often asks for no key; the SDK insists on one.
NO_KEY = "none"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model and how to reach it. The key is left out of every text that shows the settings.

    `base_url` is None for the provider's own service. `max_output_tokens` bounds an answer, `call_seconds` one call.
    """

    model: str
    api_key: str = field(repr=False)
    base_url: str | None
    max_output_tokens: int
    call_seconds: float

    @property
    def client_options(self) -> dict[str, Any]:
        """What a client of either SDK is made with.

        Retries are the engine's: two layers of them would multiply. The extractor bounds the whole call.
        """
        return {"api_key": self.api_key, "base_url": self.base_url, "timeout": None, "max_retries": 0}


def model_settings(
    provider: str,
    environment: Mapping[str, str],
    *,
    model: str | None,
    api_key: str | None,
    base_url: str | None,
    call_seconds: float | None = None,
) -> ModelSettings:
    """Return the settings of a provider, `anthropic` or `openai`.

    The environment is asked for `<PROVIDER>_API_KEY`, `<PROVIDER>_BASE_URL` and `PRME_<PROVIDER>_MODEL`. Raises
    `ValueError` saying what to set when there is no key for the provider's own service, or no model for another one.
    """
    upper = provider.upper()
    base_url = base_url or environment.get(f"{upper}_BASE_URL", "").strip() or None
    model = model or environment.get(f"PRME_{upper}_MODEL", "").strip() or None
    api_key = api_key or environment.get(f"{upper}_API_KEY", "").strip() or None
    defaults = _defaults()
    limits = defaults[provider if base_url is None else "compatible"]
    if base_url is None:
        if api_key is None:
            raise ValueError(f"there is no key: set {upper}_API_KEY, or pass api_key")
        model = model or str(limits["model"])
    elif model is None:
        raise ValueError(f"a server of your own has models of its own: write {provider}:MODEL")
    return ModelSettings(
        model=model,
        api_key=api_key or NO_KEY,
        base_url=base_url,
        max_output_tokens=int(limits["max_output_tokens"]),
        call_seconds=call_seconds or float(limits["call_seconds"]),
    )


def _defaults() -> dict[str, dict[str, str | int | float]]:
    return tomllib.loads((resources.files(__package__) / "models.toml").read_text(encoding="utf-8"))
