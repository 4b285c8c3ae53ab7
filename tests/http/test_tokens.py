from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

from prme.http.tokens import (
    Caller,
    Token,
    TokensRefusedError,
    admin_token,
    caller_of,
    read_tokens,
    token_digest,
    token_entry,
)

DIGEST = token_digest("a-token-of-somebody")
TOKENS = (Token(digest=DIGEST, user_id="sam"), Token(digest=token_digest("an-operators-token"), admin=True))


def written(folder: Path, text: str) -> Path:
    file = folder / "tokens.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("token", TOKENS, ids=["owner", "admin"])
def test_an_entry_is_read_as_it_was_written(tmp_path: Path, token: Token):
    assert (token,) == read_tokens(written(tmp_path, token_entry(token)))


def test_a_file_may_hold_several_tokens(tmp_path: Path):
    assert TOKENS == read_tokens(written(tmp_path, "# who may call\n" + "\n".join(map(token_entry, TOKENS))))


@pytest.mark.parametrize("owner", ['"', "\\", "\x7f", "\x01", "\U0001f375", "é", "a\nb"], ids=ascii)
def test_any_owner_can_be_written(owner: str):
    entry = token_entry(Token(digest=DIGEST, user_id=owner))

    assert owner == tomllib.loads(entry)["token"][0]["user_id"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not toml", "no TOML file"),
        ('token = "x"', r"tables \[\[token\]\]"),
        ("", r"tables \[\[token\]\]"),
        (f'[[token]]\ndigest = "{DIGEST}"\nadmin = true\n[other]\n', r"tables \[\[token\]\]"),
        (f'[[token]]\ndigest = "{DIGEST}"\n', "number 1"),
        (f'[[token]]\ndigest = "{DIGEST}"\nadmin = false\n', "number 1"),
        (f'[[token]]\ndigest = "{DIGEST}"\nadmin = true\nuser_id = "sam"\n', "number 1"),
        (f'[[token]]\ndigest = "{DIGEST}"\nadmin = 1\n', "number 1"),
        (f'[[token]]\ndigest = "{DIGEST}"\nuser_id = " "\n', "number 1"),
        (f'[[token]]\ndigest = "{DIGEST}"\nuser_id = "sam"\nscope = "x"\n', "number 1"),
        ('[[token]]\ndigest = "a-token-of-somebody"\nuser_id = "sam"\n', "number 1"),
        (f'[[token]]\ndigest = "{DIGEST}"\nadmin = true\n[[token]]\nadmin = true\n', "number 2"),
        (
            f'[[token]]\ndigest = "{DIGEST}"\nadmin = true\n[[token]]\ndigest = "{DIGEST}"\nuser_id = "a"\n',
            "same digest",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_and_says_where(tmp_path: Path, text: str, says: str):
    with pytest.raises(TokensRefusedError, match=says) as refused:
        read_tokens(written(tmp_path, text))

    assert "a-token-of-somebody" not in repr(refused.value)
    assert (None, None) == (refused.value.__cause__, refused.value.__context__)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path):
    file = tmp_path / "tokens.toml"
    file.write_bytes(b"\xff\xfe")

    with pytest.raises(TokensRefusedError, match="UTF-8"):
        read_tokens(file)


def test_a_missing_file_is_an_error_of_the_file_system(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        read_tokens(tmp_path / "nowhere.toml")


@pytest.mark.parametrize("token", ["", "short", "x" * 15, "two words and more", "ünïcödé-tokens-here", "x" * 513])
def test_a_token_of_the_environment_that_could_be_guessed_is_refused(token: str):
    with pytest.raises(TokensRefusedError, match="16 to 512"):
        admin_token(token)


def test_a_token_of_the_environment_is_an_operators():
    assert Token(digest=token_digest("x" * 16), admin=True) == admin_token("x" * 16)


def test_a_token_stands_for_somebody():
    with pytest.raises(ValidationError, match="either a user_id or admin"):
        Token(digest=DIGEST)


def test_a_token_is_kept_as_its_digest():
    assert "a-token-of-somebody" not in repr(TOKENS)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Bearer a-token-of-somebody", Caller(owner="sam", is_operator=False)),
        ("bearer  a-token-of-somebody ", Caller(owner="sam", is_operator=False)),
        ("Bearer an-operators-token", Caller(owner=None, is_operator=True)),
        ("Bearer A-TOKEN-OF-SOMEBODY", None),
        ("Bearer a-token-of-somebod", None),
        (f"Bearer {DIGEST}", None),
        ("Bearer", None),
        ("Bearer \xff", None),
        ("Basic a-token-of-somebody", None),
        ("a-token-of-somebody", None),
    ],
)
def test_a_header_stands_for_a_caller_or_nobody(header: str, expected: Caller | None):
    assert expected == caller_of(header, TOKENS)
