"""All that can be read and written: expressions, core IR, and loops."""

from __future__ import annotations

from tapeless.passes.phi.exchange.core import CORE
from tapeless.passes.phi.exchange.core_loops import CORE_LOOPS
from tapeless.passes.phi.exchange.expressions import EXPRESSIONS
from tapeless.passes.phi.exchange.loops import LOOPS
from tapeless.passes.phi.exchange.read import Reader
from tapeless.passes.phi.exchange.write import EXPRESSION_WRITERS, Writer
from tapeless.passes.phi.exchange.write_loops import LOOP_WRITERS

READERS: dict[str, Reader] = {**EXPRESSIONS, **LOOPS, **CORE, **CORE_LOOPS}
WRITERS: dict[str, Writer] = {**EXPRESSION_WRITERS, **LOOP_WRITERS}
