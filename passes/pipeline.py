"""Pass pipelines: read from text, printed, and run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tapeless.passes.base import Element, Nested, Pass, Upstream
from tapeless.passes.brackets import fail_at
from tapeless.passes.element_text import print_nested
from tapeless.passes.grammar import parse_element, parse_pipeline
from tapeless.passes.instruments import Instrument
from tapeless.passes.options import field_name, make_pass, option_name, print_value
from tapeless.passes.runner import run_steps
from tapeless.passes.spelling import suggestion
from tapeless.passes.steps import FUNCTION, MODULE, steps_of
from tapeless.passes.syntax import ElementText, NestedText, Option, PassText
from tapeless.passes.tables import PASSES, PIPELINES
from tapeless.passes.upstream import ANY_OPERATION, is_registered, make_upstream, natural_anchor
from tapeless.passes.upstream_table import SUMMARIES

from tapeless._mlir import ir
from tapeless.errors import PipelineError

ROOTS = (MODULE, ANY_OPERATION)


@dataclass(frozen=True)
class PassPipeline:
    """Passes to run on a module, in order; `str` gives the text that `parse` reads."""

    elements: tuple[Element, ...]
    anchor: str = MODULE

    @staticmethod
    def parse(text: str) -> PassPipeline:
        """Reads `builtin.module(soac-fuse,func.func(cse),cpu{threads=2})`; raises PipelineError with a caret."""
        written = parse_pipeline(text)
        if written.anchor not in ROOTS:
            message = f"a pipeline runs on '{MODULE}', not on '{written.anchor}'"
            fail_at(text, written.column, f"{message}; write '{MODULE}({written.anchor}(...))'")
        return PassPipeline(_resolve_all(written.elements, written.anchor, text), written.anchor)

    @staticmethod
    def of_elements(texts: Sequence[str]) -> PassPipeline:
        """A pipeline of single elements; a pass that insists on another operation is nested in it."""
        return PassPipeline(tuple(element for text in texts for element in _resolve_alone(text)))

    @staticmethod
    def named(name: str, **options: object) -> PassPipeline:
        """One of `PIPELINES`, with options given to every pass that has them."""
        if name not in PIPELINES:
            raise PipelineError(f"unknown pipeline '{name}'{suggestion(name, PIPELINES)}")
        written = tuple(Option(option_name(key), print_value(value)) for key, value in options.items())
        return PassPipeline(_expand(PassText(name, written), name))

    def __str__(self) -> str:
        return print_nested(self.anchor, self.elements)

    def run(self, module: ir.Module, *, verify_each: bool = True, instruments: Sequence[Instrument] = ()) -> None:
        """Runs the passes on a module; raises PassFailed with the diagnostics of the pass that failed."""
        run_steps(steps_of(self.elements), module, verify_each=verify_each, instruments=instruments)


EMPTY = PassPipeline(())


def known_names() -> list[str]:
    """Every name that can stand in a pipeline and that Tapeless knows without asking MLIR."""
    return [*PASSES, *PIPELINES, *SUMMARIES]


def is_known(name: str) -> bool:
    """Whether a name can stand in a pipeline."""
    return name in PASSES or name in PIPELINES or is_registered(name)


def check_names(names: Iterable[str]) -> None:
    """Raises PipelineError for the first name that is not one of a pass."""
    for name in names:
        if not is_known(name):
            raise PipelineError(f"unknown pass '{name}'{suggestion(name, known_names())}")


def _resolve_all(elements: Sequence[ElementText], anchor: str, source: str) -> tuple[Element, ...]:
    return tuple(found for written in elements for found in _resolve(written, anchor, source))


def _resolve(written: ElementText, anchor: str, source: str) -> tuple[Element, ...]:
    if isinstance(written, NestedText):
        return (Nested(written.anchor, _resolve_all(written.elements, written.anchor, source)),)
    if written.name in PASSES:
        _check_python_anchor(written, anchor, source)
        return (make_pass(PASSES[written.name], written.options, source),)
    if written.name in PIPELINES:
        _check_pipeline_anchor(written, anchor, source)
        return _expand(written, source)
    if is_registered(written.name):
        return (make_upstream(written, anchor, source),)
    fail_at(source, written.column, f"unknown pass '{written.name}'{suggestion(written.name, known_names())}")


def _resolve_alone(text: str) -> tuple[Element, ...]:
    written = parse_element(text)
    is_own = isinstance(written, NestedText) or written.name in PASSES or written.name in PIPELINES
    anchor = None if is_own else natural_anchor(written.name)
    elements = _resolve(written, anchor or MODULE, text)
    return elements if anchor in (None, MODULE) else (Nested(anchor, elements),)


def _check_python_anchor(written: PassText, anchor: str, source: str) -> None:
    if anchor not in (*ROOTS, FUNCTION):
        message = f"pass '{written.name}' runs on '{MODULE}' or '{FUNCTION}', not on '{anchor}'"
        fail_at(source, written.column, f"{message}; move it out of '{anchor}(...)'")


def _check_pipeline_anchor(written: PassText, anchor: str, source: str) -> None:
    if anchor not in ROOTS:
        message = f"pipeline '{written.name}' runs on '{MODULE}', not on '{anchor}'"
        fail_at(source, written.column, f"{message}; move it out of '{anchor}(...)'")


def _expand(written: PassText, source: str) -> tuple[Element, ...]:
    """The passes of a named pipeline; an option goes to every pass of it that has one of that name."""
    elements = PIPELINES[written.name]
    for option in written.options:
        elements = _with_option(elements, written.name, option, source)
    return elements


def _has_field(element: Element, name: str) -> bool:
    return dataclasses.is_dataclass(element) and not isinstance(element, Upstream | Nested) and hasattr(element, name)


def _with_option(elements: tuple[Element, ...], pipeline: str, option: Option, source: str) -> tuple[Element, ...]:
    field = field_name(option.name)
    if not any(_has_field(element, field) for element in elements):
        own = [e for e in elements if not isinstance(e, Upstream | Nested)]
        known = [option_name(f.name) for e in own for f in dataclasses.fields(e)]
        hint = suggestion(option.name, known)
        fail_at(source, option.column, f"no pass of pipeline '{pipeline}' has an option '{option.name}'{hint}")
    return tuple(_replace(e, field, option, source) if _has_field(e, field) else e for e in elements)


def _replace(element: Pass, field: str, option: Option, source: str) -> Pass:
    given = make_pass(type(element), (option,), source)
    return dataclasses.replace(element, **{field: getattr(given, field)})
