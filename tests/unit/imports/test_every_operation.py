"""Every operation of the dialects that are read: it has a translation and a module that runs, or it is refused by name.

The operations are those that the dialects have registered, so that a new one is in neither table and fails.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl
from tapeless.dialects.context import make_context
from tapeless.dialects.foreign import load_stablehlo
from tapeless.errors import PipelineError
from tapeless.methods import IMPLEMENTED
from tapeless.passes.imports.linalg.number_rules import RULES as OF_NUMBERS
from tapeless.passes.imports.linalg.to_core import RULES as LINALG
from tapeless.passes.imports.stablehlo.to_core import RULES as STABLEHLO
from unit.imports import linalg_modules, linalg_table, refused_linalg, refused_stablehlo
from unit.imports.linalg_operations import TRANSLATED as NAMED

PAGE = Path(__file__).parents[3] / "docs" / "stablehlo.md"
OF_LINALG = ("linalg", "tensor", "arith", "math", "scf", "cf")
REFUSED = {**refused_stablehlo.REFUSED, **refused_linalg.REFUSED}
ENDS = {"linalg.yield", "scf.condition", "scf.yield", "stablehlo.return", "tensor.yield"}
"""The last operations of regions."""

FIRST = {
    "stablehlo.async_done": "async_start",
    "stablehlo.get_tuple_element": "argument 0 of type tuple",
    "stablehlo.uniform_dequantize": "argument 0 of type tensor<4x4x!quant",
    **dict.fromkeys(("stablehlo.infeed", "stablehlo.outfeed", "stablehlo.recv", "stablehlo.send"), "create_token"),
    **dict.fromkeys(("cf.br", "cf.cond_br", "cf.switch"), "several blocks"),
    **dict.fromkeys(("scf.forall.in_parallel", "tensor.parallel_insert_slice"), "scf.forall"),
    **dict.fromkeys(("scf.reduce", "scf.reduce.return"), "scf.parallel"),
    "tensor.bitcast": "ui32",
}
"""What is refused before the operation is met, in modules that cannot have it without that."""


@cache
def registered() -> set[str]:
    """The operations of the dialects: what the library mentions, as far as its dialects know it."""
    from torch_mlir import _mlir_libs

    library = Path(_mlir_libs.__file__).parent / "libTorchMLIRAggregateCAPI.so"
    pattern = rb"(?:%s)\.[a-z_0-9.]+" % "|".join(("stablehlo", *OF_LINALG)).encode()
    mentioned = {each.decode() for each in re.findall(pattern, library.read_bytes())}
    context = make_context()
    load_stablehlo(context)
    with context:
        return {name for name in mentioned if context.is_registered_operation(name)}


def of(*dialects: str) -> set[str]:
    return {name for name in registered() if name.partition(".")[0] in dialects} - ENDS


def with_modules() -> set[str]:
    """Operations of linalg and its relatives that stand in a module whose values are compared."""
    texts = [case.text for case in (*linalg_modules.CASES.values(), *NAMED.values())]
    texts += [row.text for row in linalg_table.ROWS]
    return set(re.findall(rf"\b(?:{'|'.join(OF_LINALG)})\.[a-z_0-9]+", "\n".join(texts)))


def test_the_dialects_are_found():
    assert len(of("stablehlo")) >= 116 and len(of("linalg")) >= 98


def test_every_operation_of_stablehlo_has_a_rule_or_a_refusal():
    ruled = {name for name in STABLEHLO if name.startswith("stablehlo.")}
    assert ruled & set(refused_stablehlo.REFUSED) == set()
    assert of("stablehlo") == ruled | set(refused_stablehlo.REFUSED)


def test_every_operation_of_linalg_has_a_module_or_a_refusal():
    shown = with_modules()
    assert shown & set(refused_linalg.REFUSED) == set()
    assert of(*OF_LINALG) - shown == set(refused_linalg.REFUSED)
    assert set(LINALG) - shown - {"func.call"} == set()
    assert set(OF_NUMBERS) <= shown


@pytest.mark.parametrize("name", REFUSED)
def test_operations_are_refused_when_they_are_read(name):
    text = REFUSED[name]
    assert name in text
    with pytest.raises(PipelineError, match=re.escape(FIRST.get(name, f"'{name}' op"))) as refusal:
        tl.from_mlir(text)
    assert re.match(r"<mlir>:\d+:\d+: error: ", str(refusal.value))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NAMED)
def test_named_operations_give_what_loops_of_python_give(name):
    case = NAMED[name]
    found, expected = tl.from_mlir(case.text)(*case.arguments), case.expected(*case.arguments)
    pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    for one, other in pairs:
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-13)


SMOOTH = [name for name, case in NAMED.items() if np.asarray(case.arguments[0]).dtype == np.float64]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("method", IMPLEMENTED)
@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives_of_named_operations_are_those_of_differences(name, method):
    tl.check_grads(tl.from_mlir(NAMED[name].text), NAMED[name].arguments, order=1, methods=[method])


def named_in(section: str) -> list[str]:
    """The operations that the first column of the tables of a section names."""
    text = PAGE.read_text().partition(f"## {section}\n")[2].partition("\n## ")[0]
    rows = [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]
    return [name for row in rows for name in " ".join(re.findall(r"`([^`]+)`", row)).split()]


@pytest.mark.parametrize(
    "section, dialects, is_refused",
    [
        ("What is translated", ("stablehlo",), False),
        ("What is refused", ("stablehlo",), True),
        ("Linalg: what is translated", OF_LINALG, False),
        ("Linalg: what is refused", OF_LINALG, True),
    ],
)
def test_the_manual_names_every_operation_once(section, dialects, is_refused):
    prefix = "stablehlo." if dialects == ("stablehlo",) else ""
    named = [f"{prefix}{name}" for name in named_in(section)]
    expected = {name for name in of(*dialects) if (name in REFUSED) == is_refused}
    assert sorted(named) == sorted(expected)
