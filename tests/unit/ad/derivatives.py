"""Derivatives of programs as programs: requests written as text, expanded, and run by the reference interpreter.

`check` compares both modes with central differences: along random directions, seeded with random cotangents, the change
of the results, the pushed tangent and the pulled-back cotangent must give one number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import core_interpreter
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.api.parameters import signature_types
from tapeless.frontend import Source, emit
from tapeless.methods import DEFAULT
from tapeless.passes.driver.pipeline import PassPipeline

CORE = "soac-inline,canonicalize,cse,soac-simplify,ad-expand"
FLOATS = ("f64", "f32")


@dataclass(frozen=True)
class Program:
    """A module as text and the function of it that is meant."""

    text: str
    name: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]

    @property
    def active(self) -> list[int]:
        """The positions of the float arguments."""
        return [k for k, kind in enumerate(self.arguments) if is_float(kind)]


def is_float(kind: str) -> bool:
    """Whether values of a type, given as text, have derivatives."""
    return kind.rstrip(">").endswith(FLOATS)


def from_text(text: str, name: str = "f") -> Program:
    """A function given as IR."""
    with shared_context():
        return _found(ir.Module.parse(text), name)


def from_python(function: Callable[..., Any], *arguments: Any) -> Program:
    """A function given as Python, for arguments of these types."""
    source = Source.of(function)
    made = emit(source, signature_types(source.name, source.parameters, arguments), shared_context())
    return _found(made.module, made.name)


def _found(module: ir.Module, name: str) -> Program:
    for op in module.body.operations:
        attributes = op.operation.attributes
        if op.operation.name == "func.func" and ir.StringAttr(attributes["sym_name"]).value == name:
            kind = ir.FunctionType(ir.TypeAttr(attributes["function_type"]).value)
            return Program(str(module), name, tuple(map(str, kind.inputs)), tuple(map(str, kind.results)))
    raise AssertionError(f"no function {name}")


def vjp(program: Program, wrt: Sequence[int] | None = None, method: str = DEFAULT) -> Program:
    """The function (arguments, cotangents of float results) -> (results, adjoints of the arguments `wrt`)."""
    wrt = program.active if wrt is None else list(wrt)
    seeds = [kind for kind in program.results if is_float(kind)]
    return _request("vjp", method, program, wrt, seeds, [program.arguments[k] for k in wrt])


def jvp(program: Program, wrt: Sequence[int] | None = None, method: str = DEFAULT) -> Program:
    """The function (arguments, tangents of the arguments `wrt`) -> (results, tangents of float results)."""
    wrt = program.active if wrt is None else list(wrt)
    tangents = [kind for kind in program.results if is_float(kind)]
    return _request("jvp", method, program, wrt, [program.arguments[k] for k in wrt], tangents)


def only(program: Program, *positions: int) -> Program:
    """The function that gives some of the results."""
    chosen = [program.results[k] for k in positions]
    names = [f"%a{k}" for k in range(len(program.arguments))]
    call = f"%r:{len(program.results)} = func.call @{program.name}({', '.join(names)}) : {_types(program)}"
    given = ", ".join(f"%r#{k}" for k in positions)
    kept = Program(program.text, f"{program.name}_only", program.arguments, tuple(chosen))
    return _with_function(kept, names, f"{call}\n  return {given} : {', '.join(chosen)}")


def _request(
    mode: str, method: str, program: Program, wrt: Sequence[int], seeds: list[str], derivatives: list[str]
) -> Program:
    made = Program(
        program.text, f"{program.name}_{mode}", (*program.arguments, *seeds), (*program.results, *derivatives)
    )
    names = [f"%a{k}" for k in range(len(made.arguments))]
    segments = f"array<i32: {len(program.arguments)}, {len(seeds)}>"
    attributes = f'callee = @{program.name}, wrt = {list(wrt)}, method = "{method}", operandSegmentSizes = {segments}'
    request = f'%r:{len(made.results)} = "ad.{mode}"({", ".join(names)}) {{{attributes}}} : {_types(made)}'
    given = ", ".join(f"%r#{k}" for k in range(len(made.results)))
    return _with_function(made, names, f"{request}\n  return {given} : {', '.join(made.results)}")


def _types(program: Program) -> str:
    return f"({', '.join(program.arguments)}) -> ({', '.join(program.results)})"


def _with_function(program: Program, names: list[str], body: str) -> Program:
    parameters = ", ".join(f"{name}: {kind}" for name, kind in zip(names, program.arguments, strict=True))
    function = f"func.func @{program.name}({parameters}) -> ({', '.join(program.results)}) {{\n  {body}\n}}\n"
    inner = program.text.rstrip().replace("func.func @", "func.func private @")
    assert inner.endswith("}")
    return Program(f"{inner[:-1]}{function}}}\n", program.name, program.arguments, program.results)


def compiled(program: Program, passes: str = CORE) -> ir.Module:
    """The module after some passes, which expand all requests."""
    with shared_context():
        module = ir.Module.parse(program.text)
        PassPipeline.parse(f"builtin.module({passes})").run(module)
        return module


def run(program: Program, *arguments: Any) -> list[Any]:
    """What the program computes, operation by operation."""
    return runner(program)(*arguments)


def runner(program: Program) -> Callable[..., list[Any]]:
    """The program, expanded once, to be run many times."""
    module = compiled(program)

    def call(*arguments: Any) -> list[Any]:
        typed = [_typed(k, a) for k, a in zip(module_types(module, program.name), arguments, strict=True)]
        return core_interpreter.run(module, program.name, *typed)

    return call


def module_types(module: ir.Module, name: str) -> list[ir.Type]:
    """The argument types of a function."""
    for op in module.body.operations:
        if ir.StringAttr(op.operation.attributes["sym_name"]).value == name:
            return list(ir.FunctionType(ir.TypeAttr(op.operation.attributes["function_type"]).value).inputs)
    raise AssertionError(f"no function {name}")


def _typed(kind: ir.Type, argument: Any) -> Any:
    return np.asarray(argument, dtype=core_interpreter.dtype_of(kind))


def check(program: Program, *arguments: Any, tolerance: float = 1e-6, step: float = 1e-6) -> None:
    """Values, tangents and adjoints of all float arguments and results, against central differences."""
    primal, forward, reverse = runner(program), runner(jvp(program)), runner(vjp(program))
    rng = np.random.default_rng(11)
    directions = [_random(rng, arguments[k]) for k in program.active]
    values = primal(*arguments)
    floats = [k for k, kind in enumerate(program.results) if is_float(kind)]
    seeds = [_random(rng, values[k]) for k in floats]
    pushed, pulled = forward(*arguments, *directions), reverse(*arguments, *seeds)
    _same_values(values, pushed), _same_values(values, pulled)
    after, before = (primal(*_moved(program, arguments, directions, sign * step)) for sign in (1.0, -1.0))
    slopes = [(np.asarray(after[k]) - before[k]) / (2 * step) for k in floats]
    _compare("tangent", pushed[len(values) :], slopes, tolerance)
    _same_shapes(pulled[len(values) :], [arguments[k] for k in program.active])
    wanted, found = _product(seeds, slopes), _product(pulled[len(values) :], directions)
    _compare("product with adjoints", [found], [wanted], tolerance)


def _random(rng: np.random.Generator, like: Any) -> Any:
    return rng.uniform(0.5, 1.5, np.shape(like)) * rng.choice([-1.0, 1.0], np.shape(like))


def _moved(program: Program, arguments: Sequence[Any], directions: Sequence[Any], step: float) -> list[Any]:
    moved = list(arguments)
    for k, direction in zip(program.active, directions, strict=True):
        moved[k] = np.asarray(arguments[k]) + step * direction
    return moved


def _product(left: Sequence[Any], right: Sequence[Any]) -> float:
    return sum((float(np.sum(np.asarray(a) * b)) for a, b in zip(left, right, strict=True)), 0.0)


def _same_values(values: Sequence[Any], found: Sequence[Any]) -> None:
    for value, other in zip(values, found, strict=False):
        np.testing.assert_allclose(other, value, rtol=1e-12, atol=1e-12, err_msg="values")


def _same_shapes(adjoints: Sequence[Any], arguments: Sequence[Any]) -> None:
    assert [np.shape(adjoint) for adjoint in adjoints] == [np.shape(argument) for argument in arguments]


def _compare(what: str, found: Sequence[Any], wanted: Sequence[Any], tolerance: float) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance, err_msg=what)
