"""Every named operation of linalg that is translated: a module of its own, and what it computes by loops of Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from unit.imports.linalg_modules import Case

RNG = np.random.default_rng(4)
NAMES = {"float64": "f64", "int64": "i64", "int32": "i32", "bool": "i1"}


class Sum(NamedTuple):
    """A sum of products (or an extreme) over all letters: what an operand has at which letters, `2h+a` for windows."""

    sizes: dict[str, int]
    reads: tuple[str, ...]
    writes: str
    combine: Callable[[Any, Any], Any] = np.add
    start: float = 0.0

    def expected(self, *arrays: np.ndarray) -> np.ndarray:
        """Element by element."""
        found = np.full([self.sizes[each] for each in self.writes.split()], self.start, arrays[0].dtype)
        for places in product(*map(range, self.sizes.values())):
            at = dict(zip(self.sizes, places, strict=True))
            value = np.prod([a[_place(read, at)] for a, read in zip(arrays, self.reads, strict=True)])
            out = _place(self.writes, at)
            found[out] = self.combine(found[out], value)
        return found


def _place(read: str, at: dict[str, int]) -> tuple[int, ...]:
    """The indices of an operand: `n 2h+a c` for numbers of the letters."""
    return tuple(sum(_term(term, at) for term in axis.split("+")) for axis in read.split())


def _term(term: str, at: dict[str, int]) -> int:
    return int(term[:-1] or 1) * at[term[-1]]


def _extent(axis: str, sizes: dict[str, int]) -> int:
    return 1 + sum(int(term[:-1] or 1) * (sizes[term[-1]] - 1) for term in axis.split("+"))


def tensor_type(array: np.ndarray) -> str:
    return f"tensor<{''.join(f'{size}x' for size in array.shape)}{NAMES[array.dtype.name]}>"


def module(name: str, given: list[np.ndarray], out: np.ndarray, attributes: str, start: str, unread: str = "") -> str:
    """A module that has one named operation with a filled destination; `unread` is the type of a window."""
    operands = [f"%a{k}" for k in range(len(given))]
    types = [tensor_type(each) for each in given]
    parameters = ", ".join(f"{operand}: {type_}" for operand, type_ in zip(operands, types, strict=True))
    window = f"%w = tensor.empty() : {unread}" if unread else ""
    operands, types = ([*operands, "%w"], [*types, unread]) if unread else (operands, types)
    result = tensor_type(out)
    return f"""func.func @main({parameters}) -> {result} {{
  %s = arith.constant {start} : {NAMES[out.dtype.name]}
  %e = tensor.empty() : {result}
  %o = linalg.fill ins(%s : {NAMES[out.dtype.name]}) outs(%e : {result}) -> {result}
  {window}
  %r = linalg.{name} {attributes} ins({", ".join(operands)} : {", ".join(types)}) outs(%o : {result}) -> {result}
  return %r : {result}
}}"""


def summed(name: str, sizes: str, reads: str, writes: str, attributes: str = "") -> Case:
    """An operation that adds up products, with sizes as `n2 h3`."""
    found = Sum({each[0]: int(each[1:]) for each in sizes.split()}, tuple(reads.split(", ")), writes)
    given = [RNG.normal(size=[_extent(axis, found.sizes) for axis in read.split()]) for read in found.reads]
    out = np.zeros([found.sizes[each] for each in writes.split()])
    return Case(module(name, given, out, attributes, "0.0"), tuple(given), found.expected)


def pooled(name: str, sizes: str, read: str, writes: str, window: str, attributes: str) -> Case:
    """An extreme, or a sum, of windows."""
    kind = name.removesuffix("_unsigned").rsplit("_", 1)[1]
    combine, start, text = {
        "sum": (np.add, 0.0, "0.0"),
        "max": (np.maximum, -1e300, "-1.0e300"),
        "min": (np.minimum, 1e300, "1.0e300"),
    }[kind]
    unsigned = name.endswith("_unsigned")
    if unsigned:
        start, text = (0, "0") if kind == "max" else (2**63 - 1, str(2**63 - 1))
    found = Sum({each[0]: int(each[1:]) for each in sizes.split()}, (read,), writes, combine, start)
    shape = [_extent(axis, found.sizes) for axis in read.split()]
    x = RNG.integers(0, 99, shape) if unsigned else RNG.permutation(np.arange(np.prod(shape)) / 7.0).reshape(shape)
    out = np.zeros([found.sizes[each] for each in writes.split()], x.dtype)
    unread = f"tensor<{''.join(f'{found.sizes[each]}x' for each in window.split())}{NAMES[x.dtype.name]}>"
    return Case(module(name, [x], out, attributes, text, unread), (x,), found.expected)


def elementwise(name: str, function: Callable[..., Any], count: int = 1, dtype: type = np.float64) -> Case:
    """A function of elements, of numbers between 0.3 and 2, or of whole ones."""
    shape = (3, 4)
    given = [RNG.uniform(0.3, 2.0, shape) if dtype is np.float64 else RNG.integers(1, 9, shape) for _ in range(count)]
    start = "0.0" if dtype is np.float64 else "0"
    return Case(module(name, given, np.zeros(shape, dtype), "", start), tuple(given), function)


def _erf(x: np.ndarray) -> np.ndarray:
    from math import erf

    return np.vectorize(erf)(x)


def _copied(name: str, out: tuple[int, ...], attribute: str, function: Callable[..., Any]) -> Case:
    x = RNG.normal(size=(3, 4))
    text = f"""func.func @main(%x: tensor<3x4xf64>) -> {tensor_type(np.zeros(out))} {{
  %o = tensor.empty() : {tensor_type(np.zeros(out))}
  %r = linalg.{name} ins(%x : tensor<3x4xf64>) outs(%o : {tensor_type(np.zeros(out))}) {attribute}
  return %r : {tensor_type(np.zeros(out))}
}}"""
    return Case(text, (x,), function)


STRIDED = "{strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}"
PLANE = "{strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}"
SPACE = "{strides = dense<[1, 2, 1]> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}"
VOLUME = "n1 h2 i2 j2 a2 b1 e2"
BOX = ("h+a", "2i+b", "j+e")


SELECTED = Case(
    """func.func @main(%x: tensor<3x4xf64>, %y: tensor<3x4xf64>, %p: tensor<3x4xi1>) -> tensor<3x4xf64> {
  %o = tensor.empty() : tensor<3x4xf64>
  %r = linalg.select ins(%p, %x, %y : tensor<3x4xi1>, tensor<3x4xf64>, tensor<3x4xf64>)
    outs(%o : tensor<3x4xf64>) -> tensor<3x4xf64>
  return %r : tensor<3x4xf64>
}""",
    (RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4)), RNG.random((3, 4)) < 0.5),
    lambda x, y, p: np.where(p, x, y),
)
ADDED = Case(
    """func.func @main(%x: tensor<3x4xf64>, %y: tensor<4xf64>) -> tensor<3x4xf64> {
  %o = tensor.empty() : tensor<3x4xf64>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul>
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]
    ins(%x, %y : tensor<3x4xf64>, tensor<4xf64>) outs(%o : tensor<3x4xf64>) -> tensor<3x4xf64>
  return %r : tensor<3x4xf64>
}""",
    (RNG.normal(size=(3, 4)), RNG.normal(size=4)),
    lambda x, y: x * y,
)
ZERO_POINTS = {
    "quantized_matmul": ("i2 k3 j2", "i k, k j", "i j", ""),
    "quantized_batch_matmul": ("n2 i2 k3 j2", "n i k, n k j", "n i j", ""),
    "conv_2d_nhwc_hwcf_q": ("n1 h2 w2 a2 b2 c2 f2", "n 2h+a w+2b c, a b c f", "n h w f", PLANE),
    "conv_2d_nhwc_fhwc_q": ("n1 h2 w2 a2 b2 c2 f2", "n 2h+a w+2b c, f a b c", "n h w f", PLANE),
    "conv_2d_nchw_fchw_q": ("n1 h2 w2 a2 b2 c2 f2", "n c 2h+a w+2b, f c a b", "n f h w", PLANE),
    "conv_2d_ngchw_gfchw_q": ("n1 g2 h2 w2 a2 b2 c2 f2", "n g c 2h+a w+2b, g f c a b", "n g f h w", PLANE),
    "conv_2d_nhwgc_gfhwc_q": ("n1 g2 h2 w2 a2 b2 c2 f2", "n 2h+a w+2b g c, g f a b c", "n h w g f", PLANE),
    "conv_3d_ndhwc_dhwcf_q": (f"{VOLUME} c2 f2", "n h+a 2i+b j+e c, a b e c f", "n h i j f", SPACE),
    "depthwise_conv_2d_nhwc_hwc_q": ("n1 h2 w2 a2 b2 c2", "n 2h+a w+2b c, a b c", "n h w c", PLANE),
    "depthwise_conv_2d_nhwc_hwcm_q": ("n1 h2 w2 a2 b2 c2 m2", "n 2h+a w+2b c, a b c m", "n h w c m", PLANE),
}
"""Sums of products of whole numbers, of which two others are taken away."""


def quantised(name: str, sizes: str, reads: str, writes: str, attributes: str) -> Case:
    found = Sum({each[0]: int(each[1:]) for each in sizes.split()}, tuple(reads.split(", ")), writes)
    given = [
        RNG.integers(-9, 9, [_extent(axis, found.sizes) for axis in read.split()]).astype(np.int32)
        for read in found.reads
    ]
    out = np.zeros([found.sizes[each] for each in writes.split()], np.int32)
    text = module(name, given, out, attributes, "0").replace(") ->", ", %z0: i32, %z1: i32) ->", 1)
    operands = ", ".join(map(tensor_type, given))
    text = text.replace(f"ins(%a0, %a1 : {operands})", f"ins(%a0, %a1, %z0, %z1 : {operands}, i32, i32)")
    zeros = (np.int32(2), np.int32(-3))
    return Case(text, (*given, *zeros), lambda a, b, y, z: found.expected(a - y, b - z))


RANDOM = Case(
    """func.func @main(%low: f64, %high: f64, %seed: i32) -> tensor<3x4xf64> {
  %o = tensor.empty() : tensor<3x4xf64>
  %r = linalg.fill_rng_2d ins(%low, %high, %seed : f64, f64, i32) outs(%o : tensor<3x4xf64>) -> tensor<3x4xf64>
  return %r : tensor<3x4xf64>
}""",
    (-1.0, 2.0, np.int32(11)),
    lambda low, high, seed: _random(low, high, seed),
)
STRUCTURE = Case(
    """func.func @main(%x: tensor<3x4xf64>, %k: f64, %n: i64) -> (f64, f64, tensor<2x6xf64>, tensor<2xf64>, f64) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %rank = tensor.rank %x : tensor<3x4xf64>
  %e = tensor.extract %x[%rank, %one] : tensor<3x4xf64>
  %sine, %cosine = math.sincos %e : f64
  %y = scf.execute_region -> f64 {
    %z = arith.mulf %cosine, %k : f64
    scf.yield %z : f64
  }
  %shape = arith.constant dense<[2, 6]> : tensor<2xindex>
  %r = tensor.reshape %x(%shape) : (tensor<3x4xf64>, tensor<2xindex>) -> tensor<2x6xf64>
  %s = tensor.splat %y : tensor<2xf64>
  %at = arith.index_castui %n : i64 to index
  %w = scf.index_switch %at -> f64
  case 1 {
    scf.yield %k : f64
  }
  case 5 {
    %v = arith.mulf %k, %sine : f64
    scf.yield %v : f64
  }
  default {
    scf.yield %e : f64
  }
  return %sine, %y, %r, %s, %w : f64, f64, tensor<2x6xf64>, tensor<2xf64>, f64
}""",
    (RNG.normal(size=(3, 4)), 0.7, 5),
    lambda x, k, n: (
        np.sin(x[2, 1]),
        k * np.cos(x[2, 1]),
        x.reshape(2, 6),
        np.full(2, k * np.cos(x[2, 1])),
        {1: k, 5: k * np.sin(x[2, 1])}.get(n, x[2, 1]),
    ),
)


def _random(low: float, high: float, seed: np.int32) -> np.ndarray:
    """The numbers of a congruential generator, as the definition of `fill_rng_2d` says."""

    def step(word: np.ndarray) -> np.ndarray:
        return (word * np.int32(1103515245) + np.int32(12345)).astype(np.int32)

    with np.errstate(over="ignore"):
        row = step(np.arange(3, dtype=np.int32)[:, None] + seed)
        words = step(row + np.arange(4, dtype=np.int32)[None, :])
    return (words.astype(np.float64) + 2147483647.0) * ((high - low) * 2.3283063999999999e-10) + low


def switched(which: int) -> Case:
    return STRUCTURE._replace(arguments=(*STRUCTURE.arguments[:2], which))


TRANSLATED: dict[str, Case] = {
    "structure": STRUCTURE,
    "structure, first case": switched(1),
    "structure, no case": switched(-1),
    "fill_rng_2d": RANDOM,
    **{name: elementwise(name, getattr(np, name)) for name in ("abs", "ceil", "exp", "floor", "log", "square", "tanh")},
    **{name: elementwise(name, getattr(np, name)) for name in ("reciprocal", "sqrt")},
    "erf": elementwise("erf", _erf),
    "negf": elementwise("negf", np.negative),
    "round": elementwise("round", lambda x: np.floor(x + 0.5)),
    "rsqrt": elementwise("rsqrt", lambda x: 1 / np.sqrt(x)),
    "add": elementwise("add", np.add, 2),
    "sub": elementwise("sub", np.subtract, 2),
    "mul": elementwise("mul", np.multiply, 2),
    "div": elementwise("div", np.divide, 2),
    "div_unsigned": elementwise("div_unsigned", np.floor_divide, 2, np.int64),
    "max": elementwise("max", np.maximum, 2),
    "min": elementwise("min", np.minimum, 2),
    "powf": elementwise("powf", np.power, 2),
    "select": SELECTED,
    "elementwise": ADDED,
    "copy": elementwise("copy", lambda x: x),
    "transpose": _copied("transpose", (4, 3), "permutation = [1, 0]", np.transpose),
    "broadcast": _copied("broadcast", (3, 2, 4), "dimensions = [1]", lambda x: np.broadcast_to(x[:, None], (3, 2, 4))),
    "dot": summed("dot", "k5", "k, k", ""),
    "matvec": summed("matvec", "i3 k4", "i k, k", "i"),
    "vecmat": summed("vecmat", "k4 j3", "k, k j", "j"),
    "matmul": summed("matmul", "i3 k4 j2", "i k, k j", "i j"),
    "batch_matmul": summed("batch_matmul", "n2 i3 k4 j2", "n i k, n k j", "n i j"),
    "batch_matvec": summed("batch_matvec", "n2 i3 k4", "n i k, n k", "n i"),
    "batch_vecmat": summed("batch_vecmat", "n2 k4 j3", "n k, n k j", "n j"),
    "batch_reduce_matmul": summed("batch_reduce_matmul", "n2 i3 k4 j2", "n i k, n k j", "i j"),
    "mmt4d": summed("mmt4d", "m2 n1 k2 i2 j2 l3", "m k i l, n k j l", "m n i j"),
    "batch_mmt4d": summed("batch_mmt4d", "q2 m2 n1 k2 i2 j2 l3", "q m k i l, q n k j l", "q m n i j"),
    "conv_1d": summed("conv_1d", "h4 a3", "h+a, a", "h"),
    "conv_1d_ncw_fcw": summed("conv_1d_ncw_fcw", "n2 w3 a2 c2 f3", "n c 2w+a, f c a", "n f w", STRIDED),
    "conv_1d_nwc_wcf": summed("conv_1d_nwc_wcf", "n2 w3 a2 c2 f3", "n 2w+a c, a c f", "n w f", STRIDED),
    "conv_2d": summed("conv_2d", "h3 w2 a2 b3", "h+a w+b, a b", "h w"),
    "conv_2d_nchw_fchw": summed(
        "conv_2d_nchw_fchw", "n2 h2 w3 a2 b2 c2 f3", "n c 2h+a w+2b, f c a b", "n f h w", PLANE
    ),
    "conv_2d_nhwc_hwcf": summed(
        "conv_2d_nhwc_hwcf", "n2 h2 w3 a2 b2 c2 f3", "n 2h+a w+2b c, a b c f", "n h w f", PLANE
    ),
    "conv_2d_nhwc_fhwc": summed(
        "conv_2d_nhwc_fhwc", "n2 h2 w3 a2 b2 c2 f3", "n 2h+a w+2b c, f a b c", "n h w f", PLANE
    ),
    "conv_2d_ngchw_fgchw": summed(
        "conv_2d_ngchw_fgchw", "n1 g2 h2 w2 a2 b2 c2 f2", "n g c 2h+a w+2b, f g c a b", "n g f h w", PLANE
    ),
    "conv_2d_ngchw_gfchw": summed(
        "conv_2d_ngchw_gfchw", "n1 g2 h2 w2 a2 b2 c2 f2", "n g c 2h+a w+2b, g f c a b", "n g f h w", PLANE
    ),
    "conv_2d_nhwgc_gfhwc": summed(
        "conv_2d_nhwgc_gfhwc", "n1 g2 h2 w2 a2 b2 c2 f2", "n 2h+a w+2b g c, g f a b c", "n h w g f", PLANE
    ),
    "conv_3d": summed("conv_3d", "h2 i2 j2 a2 b2 e1", "h+a i+b j+e, a b e", "h i j"),
    "conv_3d_ncdhw_fcdhw": summed(
        "conv_3d_ncdhw_fcdhw", f"{VOLUME} c2 f2", f"n c {' '.join(BOX)}, f c a b e", "n f h i j", SPACE
    ),
    "conv_3d_ndhwc_dhwcf": summed(
        "conv_3d_ndhwc_dhwcf", f"{VOLUME} c2 f2", f"n {' '.join(BOX)} c, a b e c f", "n h i j f", SPACE
    ),
    "depthwise_conv_1d_ncw_cw": summed("depthwise_conv_1d_ncw_cw", "n2 w3 a2 c2", "n c 2w+a, c a", "n c w", STRIDED),
    "depthwise_conv_1d_nwc_wc": summed("depthwise_conv_1d_nwc_wc", "n2 w3 a2 c2", "n 2w+a c, a c", "n w c", STRIDED),
    "depthwise_conv_1d_nwc_wcm": summed(
        "depthwise_conv_1d_nwc_wcm", "n2 w3 a2 c2 m2", "n 2w+a c, a c m", "n w c m", STRIDED
    ),
    "depthwise_conv_2d_nchw_chw": summed(
        "depthwise_conv_2d_nchw_chw", "n2 h2 w2 a2 b2 c2", "n c 2h+a w+2b, c a b", "n c h w", PLANE
    ),
    "depthwise_conv_2d_nhwc_hwc": summed(
        "depthwise_conv_2d_nhwc_hwc", "n2 h2 w2 a2 b2 c2", "n 2h+a w+2b c, a b c", "n h w c", PLANE
    ),
    "depthwise_conv_2d_nhwc_hwcm": summed(
        "depthwise_conv_2d_nhwc_hwcm", "n2 h2 w2 a2 b2 c2 m2", "n 2h+a w+2b c, a b c m", "n h w c m", PLANE
    ),
    "depthwise_conv_3d_ncdhw_cdhw": summed(
        "depthwise_conv_3d_ncdhw_cdhw", f"{VOLUME} c2", f"n c {' '.join(BOX)}, c a b e", "n c h i j", SPACE
    ),
    "depthwise_conv_3d_ndhwc_dhwc": summed(
        "depthwise_conv_3d_ndhwc_dhwc", f"{VOLUME} c2", f"n {' '.join(BOX)} c, a b e c", "n h i j c", SPACE
    ),
    "depthwise_conv_3d_ndhwc_dhwcm": summed(
        "depthwise_conv_3d_ndhwc_dhwcm", f"{VOLUME} c2 m2", f"n {' '.join(BOX)} c, a b e c m", "n h i j c m", SPACE
    ),
    **{
        f"pooling_{layout}_{kind}": pooled(f"pooling_{layout}_{kind}", sizes, read, writes, window, attributes)
        for layout, kinds, sizes, read, writes, window, attributes in (
            ("ncw", ("max", "sum"), "n2 w3 a2 c2", "n c 2w+a", "n c w", "a", STRIDED),
            (
                "nwc",
                ("max", "sum", "min", "max_unsigned", "min_unsigned"),
                "n2 w3 a2 c2",
                "n 2w+a c",
                "n w c",
                "a",
                STRIDED,
            ),
            ("nchw", ("max", "sum"), "n2 h2 w2 a2 b2 c2", "n c 2h+a w+2b", "n c h w", "a b", PLANE),
            (
                "nhwc",
                ("max", "sum", "min", "max_unsigned", "min_unsigned"),
                "n2 h2 w2 a2 b2 c2",
                "n 2h+a w+2b c",
                "n h w c",
                "a b",
                PLANE,
            ),
            ("ndhwc", ("max", "sum", "min"), f"{VOLUME} c2", "n h+a 2i+b j+e c", "n h i j c", "a b e", SPACE),
        )
        for kind in kinds
    },
    **{name: quantised(name, *how) for name, how in ZERO_POINTS.items()},
}
