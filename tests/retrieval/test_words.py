"""Which words find which texts; every case has its control."""

from __future__ import annotations

import sqlite3

import pytest

from prme.retrieval.query_terms import MOST_TERMS, Term, terms_of
from prme.retrieval.ranking import any_of
from prme.retrieval.words import LONGEST_TOKEN, folded, indexed, tokens


def is_found(text: str, query: str) -> bool:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("""create virtual table t using fts5 (x, tokenize = "porter ascii tokenchars '_'")""")
        connection.execute("insert into t values (?)", [indexed(text)])
        terms = terms_of(query)
        found = connection.execute("select 1 from t where t match ?", [any_of(terms)]).fetchall() if terms else []
    connection.close()
    return bool(found)


@pytest.mark.parametrize(
    ("text", "query", "other"),
    [
        ("She takes medications daily", "medication", "medicine"),
        ("I was running late", "run", "ran"),
        ("I live in São Paulo", "sao", "sal"),
        ("I live in Sao Paulo", "São", "Sãl"),
        ("Zoe\u0301 called", "zoé", "zo"),
        ("MY CAT", "cat", "bat"),
        ("Die Straße", "STRASSE", "strand"),
        ("I use \uff21\uff23\uff2d\uff25 now", "acme", "acne"),
        ("ticket ACME-42 is open", "ACME-42", "42-ACME"),
        ("ticket ACME-4211 is open", "acme-42", "acme-21"),
        ("release v1.2.3 works", "v1.2.3", "v1.3.2"),
        ("release v1.2.3 works", "v1.2", "v2.3.1"),
        ("set my_long_name to 1", "my_long_name", "my_long_game"),
        ("set my_long_name to 1", "my_long", "my_lung"),
        ("set my_long_name to 1", "long", "lon"),
        ("sam's well-known dog", "well-known", "ill-famed"),
        ("sam's well-known dog", "known", "kno"),
        ("a dog named Rex", "Sam's dog", "Sam's cat"),
        ("write to sam@example.com", "sam@example.com", "jim@elsewhere.org"),
        ("私は東京都に住んでいます", "東京", "京東"),
        ("私は東京都に住んでいます", "どこに住んでいますか", "猫が好き"),
        ("서울에서 일해요", "서울", "울서"),
        ("ผมชอบกาแฟมาก", "กาแฟ", "ชาเย็น"),
        ("iPhone15を買った", "iphone15", "iphone16"),
        ("שָׁלוֹם עולם", "שלום", "שלומך"),
        ("مَرْحَبًا يا سام", "مرحبا", "مرحبتين"),
        ("मैं हिन्दी बोलता हूँ", "हिन्दी", "हिन्द"),
        ("pizza🍕 tonight", "🍕", "🍔"),
        ("pizza🍕 tonight", "pizza", "piz"),
        ("nice 👍🏽", "👍", "👎"),
        ("she is a 👩\u200d💻", "👩\u200d💻", "💻\u200d👩"),
        ("ko\u00adala bears", "koala", "kola"),
    ],
)
def test_a_word_finds_its_text_and_another_word_does_not(text: str, query: str, other: str):
    assert (is_found(text, query), is_found(text, other)) == (True, False)


def test_stop_words_are_left_out():
    assert terms_of("What treatment do I use?") == (Term(("treatment",)), Term(("use",)))


def test_stop_words_are_kept_when_there_is_nothing_else():
    assert terms_of("The Who") == (Term(("the",)), Term(("who",)))


@pytest.mark.parametrize(
    "query", ["", " \t\n", "?!.,;:", '"*^(){}[]', "\x00\x01", "\ud800", "\u200b\u200d", "- _- "[:2]]
)
def test_a_query_without_a_word_has_no_terms(query: str):
    assert terms_of(query) == ()


@pytest.mark.parametrize(
    "query", ['a" OR "b', "NEAR(a b)", "x AND y NOT z", "claim: x", "^x", "x*", "{a b}: c", "-x +y"]
)
def test_no_expression_holds_anything_but_quoted_words(query: str):
    for term in terms_of(query):
        quoted = term.expression().removesuffix(" *")
        assert (quoted[0], quoted[-1]) == ('"', '"')
        assert all(part.replace("_", "").isalnum() for part in quoted[1:-1].split(" "))


def test_only_so_many_terms_are_sought():
    assert len(terms_of(" ".join(f"word{n}" for n in range(500)))) == MOST_TERMS


def test_the_same_word_is_sought_once():
    assert terms_of("Tea tea TEA") == (Term(("tea",)),)


def test_a_plain_number_and_a_very_short_code_are_no_beginnings_of_longer_ones():
    assert [term.is_prefix for term in terms_of("42 v1 b12c")] == [False, False, False, True]


def test_a_token_is_not_longer_than_its_limit():
    assert tokens("x" * 1000) == ["x" * LONGEST_TOKEN]
    assert tokens("é" * 1000) == ["é" * LONGEST_TOKEN]


def test_folding_twice_is_folding_once():
    text = "Straße \uff21\uff22\uff23 ﬁn ẞ Ǆ é e\u0301 שָׁ مَ が か\u3099"

    assert folded(folded(text)) == folded(text)
