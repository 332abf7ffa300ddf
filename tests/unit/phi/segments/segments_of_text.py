"""Segments for tests: written by hand, or of random expressions."""

from __future__ import annotations

from collections.abc import Sequence

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.dialects import phi
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.exchange.attributes import flags_attribute
from tapeless.passes.phi.exchange.segment import rewrite
from tapeless.passes.phi.graph.nodes import Node

SCALARS = {"f64": "f64", "f32": "f32", "i1": "i1"}


def parsed(text: str) -> ir.Module:
    """A module with every dialect."""
    return ir.Module.parse(text, shared_context())


def segment_module(body: str, inputs: Sequence[str], outs: Sequence[str], flags: str = "contract") -> ir.Module:
    """A function `f` that is one segment; the body reads %u0, %u1, ... and ends in phi.yield."""
    parameters = ", ".join(f"%a{k}: {type_}" for k, type_ in enumerate(inputs))
    arguments = ", ".join(f"%u{k}: {type_}" for k, type_ in enumerate(inputs))
    operands = ", ".join(f"%a{k}" for k in range(len(inputs)))
    active = [", ".join("true" if t in ("f64", "f32") else "false" for t in types) for types in (inputs, outs)]
    results = ", ".join(f"%r#{k}" for k in range(len(outs)))
    return parsed(f"""
      func.func @f({parameters}) -> ({", ".join(outs)}) {{
        %r:{len(outs)} = "phi.segment"({operands}) ({{
        ^bb0({arguments}):
          {body}
        }}) {{label = "s0", active_in = [{active[0]}], active_out = [{active[1]}], fm = #phi.fm<"{flags}">}}
          : ({", ".join(inputs)}) -> ({", ".join(outs)})
        return {results} : {", ".join(outs)}
      }}""")


def the_segment(module: ir.Module) -> ir.OpView:
    """The only segment of a module."""
    (found,) = ops_named(module, phi.SegmentOp.OPERATION_NAME)
    return found


def module_of(symbols: Sequence[Node], root: Node, flags: Sequence[str]) -> ir.Module:
    """A function `f` whose segment computes an expression."""
    count = len(symbols)
    module = segment_module('"phi.yield"(%u0) : (f64) -> ()', ["f64"] * count, ["f64"], ",".join(flags))
    with module.context:
        op = the_segment(module)
        op.operation.attributes["fm"] = flags_attribute(flags)
        rewrite(op, symbols, [root])
    return module
