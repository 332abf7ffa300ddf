"""The work on a module: the passes of the settings, or those of a reproducer."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.backend.faults.faults import explain
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import InternalError, PipelineError
from tapeless.optimizer.settings import Settings
from tapeless.optimizer.source import Piece
from tapeless.passes.driver.faults.faults import internal_error
from tapeless.passes.driver.faults.reproducer import Reproducer, read_reproducer
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.steps import Instrument


@dataclass(frozen=True)
class Work:
    """Passes and, for reproducers of faults that come after them, the code generator."""

    pipeline: PassPipeline
    verify_each: bool = True
    generate_code: bool = False
    leaves_reproducer: bool = True

    @staticmethod
    def of(settings: Settings, piece: Piece) -> Work:
        """The work of the settings; raises PipelineError if a reproducer is to be run and there is none."""
        if not settings.run_reproducer:
            return Work(settings.pipeline, settings.verify_each, leaves_reproducer=settings.reproducer is None)
        found = read_reproducer(piece.content) if isinstance(piece.content, str) else None
        if found is None:
            raise PipelineError(f"{piece.name} holds no reproducer; leave out --run-reproducer")
        return Work(PassPipeline.parse(found.pipeline), found.verify_each, found.generate_code, leaves_reproducer=False)

    @property
    def reproducer(self) -> Reproducer:
        """The same work as text."""
        return Reproducer(str(self.pipeline), self.verify_each, self.generate_code)

    def run(self, module: ir.Module, instruments: Sequence[Instrument]) -> None:
        """Does it; a fault of a pass leaves a reproducer, unless one is there already."""
        before = module.operation.clone()
        try:
            self.pipeline.run(module, verify_each=self.verify_each, instruments=instruments)
            if self.generate_code:
                _generate_code(module)
            return
        except InternalError as error:
            if not self.leaves_reproducer:
                raise
            fault = error
        explained = explain(fault, before, module, self.pipeline)
        raise explained from explained.__cause__


def _generate_code(module: ir.Module) -> None:
    from tapeless.backend.codegen.emission import emitted_as
    from tapeless.backend.compile import generate
    from tapeless.backend.faults.explanation import CODE_GENERATOR
    from tapeless.backend.targets import TARGETS

    try:
        generate(module, target=TARGETS[emitted_as(module).target])
    except MemoryError:
        raise
    except Exception as error:
        raise internal_error(CODE_GENERATOR, error, module) from error
