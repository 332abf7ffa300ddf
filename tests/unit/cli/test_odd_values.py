"""Odd attributes and constants on operations of core IR: each is lowered, or refused with a message that says why."""

from __future__ import annotations

import io

import pytest

from tapeless.optimizer.driver import optimize
from tapeless.optimizer.settings import Settings
from tapeless.optimizer.source import Source
from tapeless.passes.driver.pipeline import PassPipeline

FINE = None
LARGEST = 2**63 - 1
ARGUMENTS = "%x: tensor<4x3xf64>, %d: tensor<?x?xf64>, %i: index, %n: i64, %one: f64"
LOOP = "iter_args(%a = %one) -> f64 {sort} {{ %b = arith.addf %a, %a : f64 scf.yield %b : f64 }}"
CASES: dict[str, tuple[str, str, str | None]] = {}


def case(name: str, result: str, body: str, message: str | None) -> None:
    """A function that returns `%y`, and what of the message says why it is refused."""
    CASES[name] = result, body, message


for axis, why in ((-1, "has dim -1; give an axis from 0 on"), (2, "less than the tensor rank")):
    for array, joined in (("%x", "tensor<8x3xf64>"), ("%d", "tensor<?x?xf64>")):
        kind = "tensor<4x3xf64>" if array == "%x" else joined
        types = f": ({kind}, {kind}) -> {joined}"
        case(f"concat {array} {axis}", joined, f"%y = tensor.concat dim({axis}) {array}, {array} {types}", why)
        generic = f'%y = "tensor.concat"({array}, {array}) <{{dim = {axis} : i64}}> {types}'
        case(f"generic concat {array} {axis}", joined, generic, why)

for axis in (-1, 2, LARGEST):
    dim = f"%c = arith.constant {axis} : index %y = tensor.dim %d, %c : tensor<?x?xf64>"
    case(f"dim {axis}", "index", dim, "an axis that is not known")
    reverse = f'%y = "soac.reverse"(%x) {{axis = {axis} : i64}} : (tensor<4x3xf64>) -> tensor<4x3xf64>'
    case(f"reverse {axis}", "tensor<4x3xf64>", reverse, "soac.reverse")

for order in ("[0, 0]", "[0, 2]", "[-1, 0]", "[0]", "[1, 0, 2]", "[]"):
    transpose = f'%y = "soac.transpose"(%x) {{permutation = {order}}} : (tensor<4x3xf64>) -> tensor<3x4xf64>'
    case(f"transpose {order}", "tensor<3x4xf64>", transpose, "give each axis from 0 to 1 once")

# Offsets, sizes, strides, the type of the slice; why it is refused of an array of known and of unknown sizes.
SLICES = [
    ("0, 0", "-1, 3", "1, 1", "2x3", "sizes to be non-negative", "sizes to be non-negative"),
    ("0, 0", "2, 3", "0, 1", "2x3", "has the stride 0", "has the stride 0"),
    ("3, 0", "2, 3", "-1, 1", "2x3", "has the stride -1", "has the stride -1"),
    ("-1, 0", "2, 3", "1, 1", "2x3", "offsets to be non-negative", "offsets to be non-negative"),
    ("3, 0", "2, 3", "1, 1", "2x3", "out-of-bounds", FINE),
    ("0, 0", "9, 3", "1, 1", "9x3", "out-of-bounds", FINE),
    ("0, 0", "2, 3", f"{LARGEST}, 1", "2x3", "out-of-bounds", FINE),
    ("0, 0", "0, 3", "1, 1", "0x3", FINE, FINE),
]
for offsets, sizes, strides, shape, known, unknown in SLICES:
    part, place = f"tensor<{shape}xf64>", f"[{offsets}] [{sizes}] [{strides}]"
    for array, kind, why in (("%x", "tensor<4x3xf64>", known), ("%d", "tensor<?x?xf64>", unknown)):
        case(f"extract {array} {place}", part, f"%y = tensor.extract_slice {array}{place} : {kind} to {part}", why)
        insert = f"%e = tensor.splat %one : {part} %y = tensor.insert_slice %e into {array}{place} : {part} into {kind}"
        case(f"insert {array} {place}", kind, insert, why)

for size in (-1, 0):
    constant = f"%c = arith.constant {size} : index"
    case(f"empty {size}", "tensor<?xf64>", f"{constant} %y = tensor.empty(%c) : tensor<?xf64>", FINE)
    case(f"splat {size}", "tensor<?xf64>", f"{constant} %y = tensor.splat %one[%c] : tensor<?xf64>", FINE)
    reshape = (
        f"{constant} %s = tensor.from_elements %c : tensor<1xindex> "
        "%y = tensor.reshape %x(%s) : (tensor<4x3xf64>, tensor<1xindex>) -> tensor<?xf64>"
    )
    case(f"reshape {size}", "tensor<?xf64>", reshape, "has the size -1" if size < 0 else FINE)

ZERO = "%z = arith.constant 0 : index"
for step, why in ((0, "has the step 0"), (-3, "has the step -3"), (1, FINE), (LARGEST, FINE)):
    loop = f"{ZERO} %s = arith.constant {step} : index %y = scf.for %k = %z to %i step %s {LOOP.format(sort='')}"
    case(f"step {step}", "f64", loop, why)
wide = f"%z = arith.constant 0 : i64 %s = arith.constant 1 : i64 %y = scf.for %k = %z to %n step %s {LOOP}"
case("loop of i64", "f64", wide.format(sort=": i64"), "counts with i64; cast its bounds to index")
bare = f"{ZERO} %s = arith.constant 1 : index %y = scf.for unsigned %k = %z to %i step %s {LOOP.format(sort='')}"
case("unsigned loop", "f64", bare, "compares without signs")

for operation in ("divsi", "remsi"):
    case(f"{operation} by 0", "i64", f"%c = arith.constant 0 : i64 %y = arith.{operation} %n, %c : i64", FINE)
for distance in (-1, 64):
    case(f"shift {distance}", "i64", f"%c = arith.constant {distance} : i64 %y = arith.shli %n, %c : i64", FINE)
case("huge", f"tensor<{LARGEST}xf64>", f"%y = tensor.splat %one : tensor<{LARGEST}xf64>", FINE)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("pipeline", ["cpu", "cpu-sequential"])
@pytest.mark.parametrize("name", CASES)
def test_odd_values(name: str, pipeline: str) -> None:
    result, body, message = CASES[name]
    text = f"func.func @f({ARGUMENTS}) -> {result} {{ {body} return %y : {result} }}"
    log = io.StringIO()
    settings = Settings(pipeline=PassPipeline.named(pipeline))
    done = optimize(Source("odd.mlir", text.encode()), settings, log)
    assert done.succeeded == (message is None), log.getvalue()
    assert (message or "") in log.getvalue()
    assert "internal error" not in log.getvalue()


def test_what_only_looks_like_a_crash() -> None:
    text = '// tensor.concat dim(-1)\nmodule attributes {t.a = "tensor.concat is not called"} {}\n'
    assert optimize(Source("odd.mlir", text.encode()), Settings(), io.StringIO()).succeeded
