"""Expressions and values that make a search endless: only its own client waits."""

import json
import threading
from urllib.parse import quote

import pytest

from target import tape
from wire import ask, connect, head

EXPRESSIONS = [
    r"(?=(a+))a*[bc]\1", r"(a+)+$", r"(a|a)*b", r"(a*)*b", r"(?:a?){200}a{200}", r"(x+x+)+y", r"([a-z]+)*!", r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(.*)*(.*)*(.*)*z", r"(?:.*a){25}", r"(?R)?a", r"(a(?1)?b)", r"(?<=a{1,200})b", r"\X*z", r"(\p{L}+)*\d", r"(?>a+)+z", r"(a)(?=.*\1{5}z)",
    r"a{0,65535}a{0,65535}b", r"((((((((((a*)*)*)*)*)*)*)*)*)*b", r"(?i)(ſ|s|S)*K", r"(*LIMIT_MATCH=4294967295)(a+)+$",
    r"(*LIMIT_DEPTH=4294967295)(a+)+$", r"(*NO_JIT)(a+)+$", r"(*UTF)(*UCP)(\w+)+\W$", r"[\s\S]*[\s\S]*[\s\S]*q", r"(?:(?=a)a)*b", r"\K*", r"(?|(a)|(a))*c",
    r"(?C)a*", r"\Q" + "a" * 3000, "(" * 250 + ")" * 250, "a" * 5000, "[" * 3000, r"(?<n>a)" * 300, r"\C*", r"(?{1})", "\\", "(", "*", r"(?<=.*)a", r"\1", r"(?1)",
    "é*" * 500, "\\x{10ffff}*z", r"(a++)++b", r"(?s).{1000}.{1000}.{1000}z",
]
VALUES = ["", "x", "1", "-0", "1e400", "NaN", "null", "[]", "{", "a" * 3000, "\u0000", "é", "%", "*", "*" * 2000, "\\", '"', "[" * 600, '{"a":' * 600]
PATHS = ["", "/", "//", "/a", "a", "/~", "/~2", "/~0~1", "/-", "/0", "/-1", "/99999999999999999999", "/a" * 2000, "/*", "/" + "x" * 3000, "/é", "/\u0000", "~1"]


@pytest.fixture
def long_line(target):
    """A session with one line of 1 MB that is expensive for every expression."""
    path = "/api/v1/sessions/LONG-LINE-SESSION"
    if target.ask(path).status == 404:
        lines = ['{"seq":0,"at":0,"event":"init","state":' + json.dumps({"text": "a" * 1_000_000}) + "}"]
        lines += [f'{{"seq":{seq},"at":{seq},"event":"note","text":"{"a" * 200}{seq}"}}' for seq in range(1, 300)]
        assert target.ask("/api/v1/sessions", "POST", tape("LONG-LINE-SESSION", lines)).status == 201
    return path


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_is_answered_or_refused(target, long_line, expression):
    for name in ("re", "-re"):
        answer = target.ask(f"{long_line}/events?{name}={quote(expression)}&limit=1")
        assert answer.status in (200, 400, 414, 422, 431), f"{name}: {answer}"


@pytest.mark.parametrize("place", ["events", "matches", "histogram?buckets=10"])
def test_many_slow_searches_block_nobody(target, long_line, place):
    """Searches on all workers: meanwhile health is answered and commits continue."""
    separator = "&" if "?" in place else "?"
    address = f"{long_line}/{place}{separator}re={quote(EXPRESSIONS[0])}"
    answers = []

    def search():
        answers.append(ask(target, address).status)

    searches = [threading.Thread(target=search) for _ in range(6)]
    for one in searches:
        one.start()
    for _ in range(5):
        target.check()
    for one in searches:
        one.join()
    assert set(answers) <= {200, 400, 422, 503}, answers


def test_a_search_ends_when_its_client_leaves(target, long_line):
    for _ in range(30):
        with connect(target) as peer:
            peer.sendall(head(target, f"GET {long_line}/events?re={quote(EXPRESSIONS[0])} HTTP/1.1"))
    assert target.ask(f"{long_line}/events?q=aaa&limit=1").status == 200


def test_any_value_and_path_in_a_search(target, long_line):
    for name, texts in (("value", VALUES), ("path", PATHS), ("q", VALUES), ("type", VALUES + PATHS), ("store", VALUES)):
        for text in texts:
            for sign in ("", "-"):
                answer = target.ask(f"{long_line}/matches?{sign}{name}={quote(text)}&limit=5")
                assert answer.status in (200, 400, 414, 422, 431), f"{sign}{name}={text[:40]}: {answer}"


def test_many_filters_at_once(target, long_line):
    query = "&".join(f"{sign}{name}={quote(value)}" for name, value in (("type", "*a*"), ("q", "a"), ("re", "a+"), ("path", "/text"), ("value", "a"))
                     for sign in ("", "-") for _ in range(20))
    assert target.ask(f"{long_line}/events?{query}").status in (200, 400, 414, 422, 431)
