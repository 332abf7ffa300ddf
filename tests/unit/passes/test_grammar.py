"""The grammar of pipelines: reading, printing, and errors that point at the text."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tapeless.errors import PipelineError
from tapeless.passes.driver.text.brackets import wrap
from tapeless.passes.driver.text.grammar import parse_element, parse_pipeline
from tapeless.passes.driver.text.syntax import NestedText, Option, PassText, print_element
from tapeless.passes.driver.upstream import parse_manager


def is_writable(value: str) -> bool:
    try:
        wrap(value)
    except PipelineError:
        return False
    return True


names = st.from_regex(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", fullmatch=True)
values = st.text(alphabet="ab1=,.:-{}()[]'\" \t\n", max_size=12).filter(is_writable)
options = st.builds(Option, names, st.none() | values)
passes = st.builds(PassText, names, st.lists(options, max_size=3).map(tuple))
anchors = st.sampled_from(["builtin.module", "func.func", "any", "gpu.module"])
elements = st.recursive(
    passes, lambda inner: st.builds(NestedText, anchors, st.lists(inner, max_size=3).map(tuple)), max_leaves=8
)


@given(elements)
def test_printing_then_reading_gives_the_same_element(element):
    assert parse_element(print_element(element)) == element


@given(st.text(alphabet="ab-=,.{}()[]'\" \t\n", max_size=30))
def test_any_text_is_read_or_refused_with_a_place(text):
    try:
        element = parse_element(text)
    except PipelineError as error:
        assert str(error).startswith("pass pipeline:") and "error: " in str(error)
    else:
        assume(is_printable(element))
        assert parse_element(print_element(element)) == element


def is_printable(element: PassText | NestedText) -> bool:
    if isinstance(element, NestedText):
        return all(map(is_printable, element.elements))
    return all(option.value is None or is_writable(option.value) for option in element.options)


@given(st.text(alphabet="ab1=,.- ", min_size=1, max_size=12).filter(lambda value: value == value.strip()))
def test_mlir_reads_a_printed_value_as_we_do(value):
    written = PassText("inline", (Option("default-pipeline", value),))
    printed = parse_pipeline(str(parse_manager(f"any({print_element(written)})"))).elements[0]
    assert {option.name: option.value for option in printed.options}["default-pipeline"] == value


def test_whole_grammar():
    text = "builtin.module( a{x=1 y=foo flag},func.func(b , c{z=1,2}), d{p=func.func(e{q=1},f) s='a b' t={u v}} )"
    expected = NestedText(
        "builtin.module",
        (
            PassText("a", (Option("x", "1"), Option("y", "foo"), Option("flag", None))),
            NestedText("func.func", (PassText("b"), PassText("c", (Option("z", "1,2"),)))),
            PassText("d", (Option("p", "func.func(e{q=1},f)"), Option("s", "a b"), Option("t", "u v"))),
        ),
    )
    assert parse_pipeline(text) == expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected the name of a pass, a pipeline or an operation"),
        ("cse", 1, "a pipeline names the operation it runs on; write 'builtin.module(...)'"),
        ("cse,canonicalize", 1, "a pipeline names the operation it runs on; write 'builtin.module(...)'"),
        ("any(cse", 1, "the pipeline of this anchor is never closed; add ')'"),
        ("any(cse))", 9, "expected the end of the pipeline"),
        ("any(cse,)", 9, "expected the name of a pass, a pipeline or an operation"),
        ("any(cse cse)", 9, "expected ',' or ')'"),
        ("any(a{x=1)", 10, "')' closes nothing; remove it"),
        ("any(a{x={1)", 11, "')' does not close '{'; write '}' first"),
        ("any(a{x=1", 6, "'{' is never closed; add '}'"),
        ("any(a{x=(1})", 11, "'}' does not close '('; write ')' first"),
        ("any(a{x='1})", 9, "the quote ' is never closed"),
        ("any(a{=1})", 7, "expected the name of an option"),
        ("any(" * 60, 201, "pipelines are nested more than 50 deep"),
    ],
)
def test_errors_name_the_column(text, column, message):
    with pytest.raises(PipelineError) as caught:
        parse_pipeline(text)
    assert str(caught.value) == f"pass pipeline:1:{column}: error: {message}\n{text}\n{' ' * (column - 1)}^"


def test_error_in_a_later_line_shows_that_line():
    with pytest.raises(PipelineError) as caught:
        parse_pipeline("any(a,\n  b c)")
    assert str(caught.value) == "pass pipeline:2:5: error: expected ',' or ')'\n  b c)\n    ^"


def test_a_value_that_cannot_be_written_is_refused():
    with pytest.raises(PipelineError, match="cannot be written in a pipeline"):
        print_element(PassText("a", (Option("x", "'{\""),)))
