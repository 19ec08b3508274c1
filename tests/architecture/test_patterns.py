"""No regular expression of ours can blow up: none repeats without bound inside a repeat without bound."""

import json
import re._constants as code
import re._parser as parser
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

MANY = 20
"""A repeat of more than this counts as unbounded."""


def nested(pattern: str, flags: int = 0) -> bool:
    """Return whether a repeat without bound stands inside another: the shape that backtracks exponentially."""
    return any(_nested(parser.parse(pattern, flags), inside=False))


def _nested(tree: Any, *, inside: bool) -> Iterator[bool]:
    for operation, argument in tree:
        if operation in (code.MAX_REPEAT, code.MIN_REPEAT):
            _, most, body = argument
            unbounded = most > MANY
            yield unbounded and inside
            yield from _nested(body, inside=inside or unbounded)
        elif operation is code.SUBPATTERN:
            yield from _nested(argument[3], inside=inside)
        elif operation is code.BRANCH:
            for branch in argument[1]:
                yield from _nested(branch, inside=inside)
        elif operation in (code.ASSERT, code.ASSERT_NOT):
            yield from _nested(argument[1], inside=inside)


RECORD = """
import importlib, json, pkgutil, re, sys
found, original = {}, re.compile

def recording(pattern, flags=0):
    caller = sys._getframe(1).f_globals.get("__name__", "")
    ours = caller.startswith("surefoot") and not caller.startswith("surefoot.evals")
    if ours and isinstance(pattern, str):
        found[pattern] = caller
    return original(pattern, flags)

re.compile = recording
import surefoot, surefoot_campus
for package in (surefoot, surefoot_campus):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not re.search(r"[.](evals|exam|migrations|cli|testing|llm)([.]|$)", module.name):
            importlib.import_module(module.name)
from surefoot.language import times_en, times_zh
from surefoot_campus.reader import cues, matters, topics
times_en.rules(), times_zh.rules(), cues._patterns(), matters._table(), topics.topics()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def patterns() -> dict[str, str]:
    """Every pattern that our modules compile for people's text, in a fresh interpreter, with the module's name."""
    made = subprocess.run([sys.executable, "-c", RECORD], capture_output=True, text=True, check=True, timeout=60)
    found: dict[str, str] = json.loads(made.stdout)
    return found


def test_the_check_sees_the_shape_that_blows_up():
    assert nested(r"(a+)+b")
    assert nested(r"(?:x|[^,]*)*y")
    assert nested(r"(?:\w+\s?)*$")
    assert not nested(r"(?:a+b){0,5}c*")


def test_no_pattern_repeats_without_bound_inside_a_repeat_without_bound(patterns):
    assert len(patterns) > 150
    assert [f"{module}: {pattern[:80]}" for pattern, module in patterns.items() if nested(pattern)] == []
