"""Procedures written as text, with functions that run them and their inverses, compiled and called on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.backend.compile import CompileOptions, compile_module
from tapeless.runtime.calling.binding import call
from tapeless.runtime.image import LoadedImage
from tapeless.runtime.invoke import bind

Parameters = Mapping[str, str]
PRELUDE = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
"""


def cell(shape: str) -> str:
    """The type of a cell: `?xf64` is an array."""
    return f"memref<{shape}>"


def value(shape: str) -> str:
    """The type of what a cell holds."""
    return f"tensor<{shape}>" if "x" in shape else shape


def procedure(parameters: Parameters, body: str, name: str = "p") -> str:
    """A procedure; parameters are `{"y": "f64", "x": "in ?xf64", "n": "param index"}`."""
    kinds = [kind.split() for kind in parameters.values()]
    modes = [kind[0] if len(kind) == 2 else "inout" for kind in kinds]
    types = [kind[-1] if mode == "param" else cell(kind[-1]) for kind, mode in zip(kinds, modes, strict=True)]
    arguments = ", ".join(f"%{name}: {type_}" for name, type_ in zip(parameters, types, strict=True))
    listed = ", ".join(f'"{mode}"' for mode in modes)
    attributes = f'{{sym_name = "{name}", modes = [{listed}]}}'
    return f'"rev.func"() ({{\n^bb0({arguments}):{PRELUDE}{body}}}) {attributes} : () -> ()\n'


def accum(target: str, lines: str, kind: str = "add", result: str = "%v : f64") -> str:
    """A statement; the target is written `%y : f64` or `%ys[%i] : ?xf64`."""
    place, shape = target.split(" : ")
    name, _, rest = place.partition("[")
    indices = [part for part in rest.rstrip("]").split(", ") if part]
    operands = ", ".join([name, *indices])
    types = ", ".join([cell(shape), *["index"] * len(indices)])
    given, type_ = result.split(" : ")
    return f"""
  "rev.accum"({operands}) ({{
    {lines}
    "rev.yield"({given}) : ({type_}) -> ()
  }}) {{kind = "{kind}"}} : ({types}) -> ()
"""


def for_(body: str, lower: str = "%c0", upper: str = "%n", step: str = "%c1", index: str = "%i") -> str:
    """A loop."""
    return f"""
  "rev.for"({lower}, {upper}, {step}) ({{
  ^bb0({index}: index):{body}
  }}) {{reversed = false}} : (index, index, index) -> ()
"""


def ancilla(body: str, init: str = '"rev.yield"(%zero) : (f64) -> ()', shape: str = "f64", name: str = "%z") -> str:
    """A scope with a cell of its own."""
    return f"""
  "rev.ancilla"() ({{
    {init}
  }}, {{}}, {{
  ^bb0({name}: {cell(shape)}):{body}
  }}) : () -> ()
"""


def element(source: str, index: str, name: str) -> str:
    """An element of an array as a cell."""
    segments = "operandSegmentSizes = array<i32: 1, 1, 1, 1>"
    return f"""
  {name} = "rev.view"({source}, {index}, %c1, %c1) {{drop = [0], {segments}}}
    : (memref<?xf64>, index, index, index) -> memref<f64, strided<[], offset: ?>>
"""


ELEMENT = "memref<f64, strided<[], offset: ?>>"


def program(parameters: Parameters, body: str, calls: Sequence[str] = ("p",), others: str = "") -> str:
    """A module with a procedure and a public function `@f` that runs `calls` (`p`, `p.inv`) one after the other."""
    kinds = [kind.split() for kind in parameters.values()]
    given = [value(kind[-1]) for kind in kinds]
    changed = [k for k, kind in enumerate(kinds) if len(kind) == 1]
    results = [given[k] for k in changed]
    signature = f"({', '.join(given)}) -> ({', '.join(results)})"
    held = [f"%a{k}" for k in range(len(given))]
    lines, declarations = [], []
    for number, name in enumerate(calls):
        made = ", ".join(f"%r{number}_{k}" for k in changed)
        lines.append(f"  {made} = func.call @{name}.run({', '.join(held)}) : {signature}\n")
        declarations.append(f"func.func private @{name}.run{signature}\n")
        held = [f"%r{number}_{k}" if k in changed else old for k, old in enumerate(held)]
    arguments = ", ".join(f"%a{k}: {type_}" for k, type_ in enumerate(given))
    returned = ", ".join(held[k] for k in changed)
    types = ", ".join(results)
    function = f"func.func @f({arguments}) -> ({types}) {{\n{''.join(lines)}  return {returned} : {types}\n}}\n"
    return others + procedure(parameters, body) + "".join(dict.fromkeys(declarations)) + function


def compiled(text: str, **options: Any) -> Callable[..., tuple[Any, ...]]:
    """The public function of a module."""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        code = compile_module(module, CompileOptions(**options))
    image = LoadedImage(code.image)
    invoke = bind(image.address(code.entry), dict(enumerate(code.sites)))

    def run(*arguments: Any) -> tuple[Any, ...]:
        names = [f"argument{k}" for k in range(len(arguments))]
        return tuple(call(code.abi, names, "f", invoke, arguments))

    run.image = image  # The code lives as long as the function.
    return run


def run(text: str, *arguments: Any, **options: Any) -> tuple[Any, ...]:
    """The results of the public function of a module."""
    return compiled(text, **options)(*arguments)


def there_and_back(parameters: Parameters, body: str, *arguments: Any, others: str = "") -> tuple[Any, ...]:
    """What a procedure leaves, after its inverse was seen to restore the arguments."""
    changed = [k for k, kind in enumerate(parameters.values()) if len(kind.split()) == 1]
    back = run(program(parameters, body, ("p", "p.inv"), others), *arguments)
    for position, found in zip(changed, back, strict=True):
        np.testing.assert_allclose(found, arguments[position], rtol=1e-12, atol=1e-12)
    return run(program(parameters, body, others=others), *arguments)
