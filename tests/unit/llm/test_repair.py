"""Reading JSON that a model wrote: put right where nothing is lost, never half an object."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.llm.repair import Unreadable, fitted, read_object

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-999, 999), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(min_size=1, max_size=5), JSON, min_size=1, max_size=4)


@given(OBJECTS)
def test_a_whole_object_is_read_as_it_is_alone_and_in_a_fence(value):
    text = json.dumps(value, ensure_ascii=False)
    assert read_object(text) == value
    assert read_object(f"Here:\n```json\n{text}\n```") == value


@given(OBJECTS, st.data())
def test_a_text_that_breaks_off_gives_no_value_that_was_not_there(value, data):
    text = json.dumps(value, ensure_ascii=False)
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    try:
        read = read_object(cut)
    except Unreadable:
        return
    assert _is_part(read, value)


def _is_part(part, whole) -> bool:
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _is_part(item, whole[key]) for key, item in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(_is_part(a, b) for a, b in zip(part, whole, strict=False))
    return part == whole


@pytest.mark.parametrize("text", ["", "no json", "[1, 2]", '{"a": "unfinis', '{"a": 12', '{"a":', '{"a": tr', '{"a"'])
def test_what_is_no_object_or_half_a_value_is_unreadable(text):
    with pytest.raises(Unreadable):
        read_object(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': 1, 'b': True}", {"a": 1, "b": True}),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2', None),
        ('{"a": [1, 2]', {"a": [1, 2]}),
        ('{"a": {"b": "x"}', {"a": {"b": "x"}}),
        ('Well, {"a": "it\'s fine"} is it.', {"a": "it's fine"}),
    ],
)
def test_what_loses_nothing_is_put_right(text, value):
    if value is None:
        with pytest.raises(Unreadable):
            read_object(text)
    else:
        assert read_object(text) == value


@pytest.mark.parametrize(
    ("value", "schema", "right"),
    [
        ("5", {"type": "integer"}, 5),
        ("5.5", {"type": "integer"}, "5.5"),
        (5.0, {"type": "integer"}, 5),
        ("about 5", {"type": "integer"}, "about 5"),
        ("True", {"type": "boolean"}, True),
        ("yes", {"type": "boolean"}, "yes"),
        (7, {"type": "string"}, "7"),
        (True, {"type": "string"}, True),
        ("Study Room", {"enum": ["study_room", "hall"]}, "study_room"),
        ("room", {"enum": ["study_room", "hall"]}, "room"),
        ({"a": ["1"]}, {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}}, {"a": [1]}),  # noqa: E501
        ("3", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, 3),
        ("x", {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "x"),
        ({"a": "1"}, {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}, {"a": 1}),  # noqa: E501
    ],
)  # fmt: skip
def test_a_value_is_fitted_only_where_nothing_is_lost(value, schema, right):
    got = fitted(value, schema)
    assert got == right
    assert type(got) is type(right)
