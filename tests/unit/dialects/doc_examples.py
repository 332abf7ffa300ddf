"""The IR examples in the doc strings of operation classes, wrapped into modules that can be parsed."""

from __future__ import annotations

import re
import textwrap

MODULE_LEVEL = ("ad.custom_rule", "rev.func", "rev.prim")

FUNCTIONS = """
func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func private @square_fwd(tensor<?xf64>, f64) -> (tensor<?xf64>, i64)
func.func private @square_bwd(i64, tensor<?xf64>) -> (tensor<?xf64>, f64)
func.func private @unknown(f64) -> f64
func.func private @unknown_derivative(f64) -> f64
func.func private @twist(memref<f64>)
func.func private @untwist(memref<f64>)
func.func private @twist_adjoint(memref<f64>, memref<f64>)
"rev.func"() ({
^bb0(%p: memref<f64>, %q: memref<f64>):
  "rev.swap"(%p, %q) : (memref<f64>, memref<f64>) -> ()
}) {sym_name = "move", modes = ["inout", "inout"]} : () -> ()
"""

VALUES = {
    "ad": {"x": "tensor<?xf64>", "dx": "tensor<?xf64>", "y_bar": "tensor<?xf64>", "c": "f64"},
    "soac": {
        "n": "index",
        "i": "index",
        "ok": "i1",
        "c": "f64",
        "zero": "f64",
        "xs": "tensor<?xf64>",
        "ys": "tensor<?xf64>",
        "dest": "tensor<?xf64>",
        "values": "tensor<?xf64>",
        "keys": "tensor<?xi64>",
        "m": "tensor<?x3xf64>",
        "acc": "!soac.acc<tensor<?xf64>>",
    },
    "rev": {
        "n": "index",
        "i": "index",
        "lo": "index",
        "one": "index",
        "ok": "i1",
        "c": "f64",
        "zero": "f64",
        "x": "memref<f64>",
        "y": "memref<f64>",
        "xs": "memref<?xf64>",
        "ys": "memref<?xf64>",
        "stack": "!rev.stack<f64>",
    },
    "phi": {
        "n": "index",
        "i": "index",
        "lo": "index",
        "ok": "i1",
        "a": "f64",
        "b": "f64",
        "c": "f64",
        "xs": "tensor<?xf64>",
    },
}


def examples_of(doc: str) -> list[str]:
    """The ```mlir blocks of a doc string."""
    return [textwrap.dedent(block) for block in re.findall(r"```mlir\n(.*?)\n\s*```", doc, re.DOTALL)]


def module_around(example: str, dialect: str) -> str:
    """A module in which the example parses: at module level, or in a function that has the values it uses."""
    if any(f'"{name}"' in example for name in MODULE_LEVEL):
        return FUNCTIONS + example
    results = re.findall(r"^\s*((?:%\w+, )*%\w+) = ", example, re.MULTILINE)
    defined = {name for names in results for name in re.findall(r"\w+", names)} | set(re.findall(r"%(\w+):", example))
    values = {name: type_ for name, type_ in VALUES[dialect].items() if name not in defined}
    arguments = ", ".join(f"%{name}: {type_}" for name, type_ in values.items())
    return f"{FUNCTIONS}\nfunc.func @example({arguments}) {{\n{example}\n  return\n}}\n"
