"""Names, options and nesting of pipelines: what they stand for, and what is refused."""

from __future__ import annotations

import pytest
from example_passes import Tag
from hypothesis import given
from hypothesis import strategies as st

from tapeless.errors import PipelineError
from tapeless.passes.driver.base import Nested, Upstream
from tapeless.passes.driver.options import print_pass
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.steps import steps_of
from tapeless.passes.driver.text.brackets import balanced_end


def test_python_and_upstream_passes_mix_at_every_level():
    text = "builtin.module(example-tag{times=2},func.func(cse,example-tag),canonicalize{max-iterations=3})"
    assert PassPipeline.parse(text).elements == (
        Tag(times=2),
        Nested("func.func", (Upstream("cse"), Tag())),
        Upstream("canonicalize", "max-iterations=3"),
    )


def test_options_of_every_kind_are_read():
    options = "label='a b' times=-3 loud scale=1e-3 sizes=1,2 words={x,y z} mode=exact limit=7"
    (made,) = PassPipeline.parse(f"builtin.module(example-tag{{{options}}})").elements
    assert made == Tag("a b", -3, True, 1e-3, (1, 2), ("x", "y z"), "exact", 7)


@pytest.mark.parametrize(
    "text",
    [
        "builtin.module()",
        "any(cse)",
        "builtin.module(example-tag{label={a b} times=3 sizes=4,5 words={x,y z} loud=true})",
        "builtin.module(func.func(cse,func.func(cse),example-tag),canonicalize{max-iterations=3 top-down})",
        "builtin.module(inline{op-pipelines=func.func(canonicalize{max-iterations=2})})",
    ],
)
def test_printed_pipeline_reads_back(text):
    pipeline = PassPipeline.parse(text)
    assert PassPipeline.parse(str(pipeline)) == pipeline


words = st.text(alphabet="ab,= (){}'", max_size=5).filter(lambda word: word == word.strip() and is_balanced(word))


@given(
    st.builds(Tag, words, st.integers(), st.booleans(), st.floats(allow_nan=False), words=st.lists(words).map(tuple))
)
def test_every_option_value_prints_and_reads_back(made):
    assert PassPipeline.parse(f"builtin.module({print_pass(made)})").elements == (made,)


def is_balanced(word: str) -> bool:
    try:
        return balanced_end(word, 0, "") == len(word)
    except PipelineError:
        return False


def test_named_pipeline_expands_and_hands_options_down():
    assert PassPipeline.parse("any(example{times=4})").elements == (Tag(times=4), Upstream("cse"))
    assert PassPipeline.named("example", times=4, loud=True).elements == (Tag(times=4, loud=True), Upstream("cse"))


def test_the_passes_up_to_the_last_of_a_name():
    pipeline = PassPipeline.parse("builtin.module(cse,soac-fuse,func.func(canonicalize,cse),soac-fuse,canonicalize)")
    assert pipeline.up_to("soac-fuse").elements == pipeline.elements[:4]
    assert pipeline.up_to("cse").elements == pipeline.elements[:3]
    assert pipeline.up_to("canonicalize") == pipeline


def test_flags_nest_passes_in_the_operation_they_insist_on():
    pipeline = PassPipeline.of_elements(["cse", "buffer-hoisting", "example-tag"])
    assert str(pipeline).startswith("builtin.module(cse,func.func(buffer-hoisting),example-tag{")


@pytest.mark.parametrize(
    ("element", "column", "message"),
    [
        ("canonicalise", 16, "unknown pass 'canonicalise'; did you mean 'canonicalize'?"),
        ("example-tg", 16, "unknown pass 'example-tg'; did you mean 'example-tag'?"),
        ("zzzzzz", 16, "unknown pass 'zzzzzz'"),
        ("example-tag{tims=2}", 28, "pass 'example-tag' has no option 'tims'; did you mean 'times'?"),
        ("example-crash{x}", 30, "pass 'example-crash' has no option 'x'; it takes none"),
        (
            "example-tag{loud=ture}",
            28,
            "option 'loud' of pass 'example-tag' expects 'true' or 'false', not 'ture'; did you mean 'true'?",
        ),
        ("example-tag{times=two}", 28, "option 'times' of pass 'example-tag' expects an integer, not 'two'"),
        ("example-tag{times}", 28, "option 'times' of pass 'example-tag' expects an integer, not ''"),
        (
            "example-tag{mode=exat}",
            28,
            "option 'mode' of pass 'example-tag' expects one of 'fast', 'exact', not 'exat'; did you mean 'exact'?",
        ),
        (
            "example-tag{sizes=1,x}",
            28,
            "option 'sizes' of pass 'example-tag' expects a list of items separated by commas, each an integer, "
            "not '1,x'",
        ),
        ("example-tag{times=1 times=2}", 36, "option 'times' of pass 'example-tag' is given twice"),
        (
            "example-tag{limit=0}",
            28,
            "pass 'example-tag' refuses its options: limit is 0; leave it out for no limit",
        ),
        ("cse{x=1}", 20, "pass 'cse' has no option 'x'; it takes none"),
        (
            "canonicalize{max-iteration=1}",
            29,
            "pass 'canonicalize' has no option 'max-iteration'; did you mean 'max-iterations'?",
        ),
        (
            "canonicalize{max-iterations=many}",
            29,
            "option 'max-iterations' of pass 'canonicalize' expects an integer, not 'many'",
        ),
        (
            "canonicalize{region-simplify=norml}",
            29,
            "option 'region-simplify' of pass 'canonicalize' expects one of 'disabled', 'normal', 'aggressive', "
            "not 'norml'; did you mean 'normal'?",
        ),
        (
            "buffer-hoisting",
            16,
            "pass 'buffer-hoisting' runs on 'func.func', not on 'builtin.module'; write 'func.func(buffer-hoisting)'",
        ),
        (
            "gpu.module(example-tag)",
            27,
            "'example-tag' cannot run inside of 'builtin.module(gpu.module(...'; "
            "write 'builtin.module(example-tag)' or 'builtin.module(func.func(example-tag))'",
        ),
        (
            "any(example-tag)",
            20,
            "'example-tag' cannot run inside of 'builtin.module(any(...'; "
            "write 'builtin.module(example-tag)' or 'builtin.module(func.func(example-tag))'",
        ),
        (
            "func.func(example)",
            26,
            "'example' cannot run inside of 'builtin.module(func.func(...'; write 'builtin.module(example)'",
        ),
        (
            "example{time=4}",
            24,
            "no pass of pipeline 'example' has an option 'time'; did you mean 'times'?",
        ),
    ],
)
def test_what_does_not_exist_is_refused_with_the_nearest_name(element, column, message):
    text = f"builtin.module({element})"
    with pytest.raises(PipelineError) as caught:
        PassPipeline.parse(text)
    assert str(caught.value) == f"pass pipeline:1:{column}: error: {message}\n{text}\n{' ' * (column - 1)}^"


def test_pipeline_must_run_on_the_module():
    with pytest.raises(PipelineError, match=r"write 'builtin.module\(func.func\(...\)\)'"):
        PassPipeline.parse("func.func(cse)")


@pytest.mark.parametrize("name", ["coarsened-metal", "redundant-metal"])
def test_pipelines_that_are_not_there_are_refused_with_those_that_are(name):
    listed = rf"there is no pipeline '{name}'; pipelines are core, .*\bcpu\b"
    with pytest.raises(PipelineError, match=listed):
        PassPipeline.named(name)
    with pytest.raises(PipelineError, match=listed):
        PassPipeline.parse(f"builtin.module({name})")


def test_passes_that_options_leave_nothing_to_do_are_no_steps():
    def steps(**options: object) -> list[str]:
        return [step.name for step in steps_of(PassPipeline.named("cpu", **options).elements)]

    assert "soac-unchecked" in steps(checks=False) and "soac-unchecked" not in steps(checks=True)
    assert "lower-fastmath" not in steps() and "lower-fma" in steps()
    fast = steps(flags=("reassoc", "contract"))
    assert [name for name in fast if name not in steps()] == ["lower-fastmath"] * 2 and "lower-fma" not in fast
    assert fast[0] == "lower-fastmath" == fast[fast.index("soac-gather-before-map") - 2]


def test_unknown_named_pipeline_is_refused():
    with pytest.raises(PipelineError, match=r"unknown pipeline 'exampel'; did you mean 'example'\?"):
        PassPipeline.named("exampel")
