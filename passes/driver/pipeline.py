"""Pass pipelines: read from text, printed, and run."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.deep_calls import deep_calls
from tapeless.errors import PipelineError
from tapeless.passes.driver.base import Element
from tapeless.passes.driver.options import option_name, print_nested, print_value
from tapeless.passes.driver.renamed import current_name
from tapeless.passes.driver.runner import run_steps
from tapeless.passes.driver.steps import ANY_OPERATION, MODULE, Instrument, steps_of
from tapeless.passes.driver.text.brackets import fail_at
from tapeless.passes.driver.text.grammar import parse_pipeline
from tapeless.passes.driver.text.resolve import (
    Settings,
    completed,
    expand,
    no_settings,
    resolve_all,
    resolve_alone,
    unknown_pipeline,
)
from tapeless.passes.driver.text.syntax import Option, PassText
from tapeless.passes.tables import PIPELINES

ROOTS = (MODULE, ANY_OPERATION)


@dataclass(frozen=True)
class PassPipeline:
    """Passes to run on a module, in order; `str` gives the text that `parse` reads."""

    elements: tuple[Element, ...]
    anchor: str = MODULE

    @staticmethod
    def parse(text: str, settings: Settings = no_settings) -> PassPipeline:
        """Reads `builtin.module(soac-fuse,func.func(cse),cpu{threads=2})`; raises PipelineError with a caret.

        Named pipelines get the options that `settings` says for them, where the text has none.
        """
        written = parse_pipeline(text)
        if written.anchor not in ROOTS:
            message = f"a pipeline runs on '{MODULE}', not on '{written.anchor}'"
            fail_at(text, written.column, f"{message}; write '{MODULE}({written.anchor}(...))'")
        elements = [completed(each, settings) for each in written.elements]
        return PassPipeline(resolve_all(elements, (written.anchor,), text), written.anchor)

    @staticmethod
    def of_elements(texts: Sequence[str], settings: Settings = no_settings) -> PassPipeline:
        """A pipeline of single elements; a pass that insists on another operation is nested in it."""
        return PassPipeline(tuple(element for text in texts for element in resolve_alone(text, settings)))

    @staticmethod
    def named(name: str, **options: object) -> PassPipeline:
        """One of `PIPELINES`, with options given to every pass that has them."""
        name = current_name(name)
        if name not in PIPELINES:
            raise PipelineError(unknown_pipeline(name))
        written = tuple(Option(option_name(key), print_value(value)) for key, value in options.items())
        return PassPipeline(expand(PassText(name, written), name))

    def __str__(self) -> str:
        return print_nested(self.anchor, self.elements)

    def up_to(self, name: str) -> PassPipeline:
        """The same passes, up to the last of this name."""
        has_it = [any(step.name == name for step in steps_of((element,))) for element in self.elements]
        return PassPipeline(self.elements[: len(has_it) - has_it[::-1].index(True)], self.anchor)

    def run(self, module: ir.Module, *, verify_each: bool = True, instruments: Sequence[Instrument] = ()) -> None:
        """Runs the passes on a module; raises PassFailed with the diagnostics of the pass that failed."""
        with deep_calls():
            run_steps(steps_of(self.elements), module, verify_each=verify_each, instruments=instruments)


EMPTY = PassPipeline(())
