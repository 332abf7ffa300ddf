"""All that can be read and written: expressions, core IR, and loops."""

from __future__ import annotations

from tapeless.passes.phi.exchange.core import CORE
from tapeless.passes.phi.exchange.expressions import EXPRESSIONS
from tapeless.passes.phi.exchange.read import Reader
from tapeless.passes.phi.exchange.write import EXPRESSION_WRITERS, Writer

READERS: dict[str, Reader] = {**EXPRESSIONS, **CORE}
WRITERS: dict[str, Writer] = {**EXPRESSION_WRITERS}
