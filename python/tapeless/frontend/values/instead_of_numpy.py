"""Replacements of names of numpy that the language has not: expressions of x and y, or where they belong."""

from __future__ import annotations

from tapeless.types import DTYPES_IN_WORDS

EXPRESSIONS = {
    "angle": "tl.where(x < 0, tl.pi, 0.0)",
    "apply_over_axes": "tl.sum(x, axis=axes, keepdims=True) for np.sum",
    "argpartition": "tl.argsort(x)",
    "array_equiv": "tl.all(x == y)",
    "asarray_chkfinite": "x",
    "asfortranarray": "x",
    "asmatrix": "tl.atleast_2d(x)",
    "atleast_3d": "x[None, :, None] for a vector x",
    "bartlett": "1.0 - tl.abs(2.0 * tl.iota(n) / (n - 1) - 1.0)",
    "bitwise_count": "tl.sum((tl.abs(x)[:, None] >> tl.iota(63)) & 1, axis=1) for a vector x of integers",
    "blackman": "0.42 - 0.5 * tl.cos(t) + 0.08 * tl.cos(2 * t) with t = 2 * tl.pi * tl.iota(n) / (n - 1)",
    "bmat": "tl.block([[a, b], [c, d]])",
    "broadcast": "tl.broadcast_arrays(x, y)",
    "broadcast_shapes": "tl.broadcast_arrays(x, y)[0].shape",
    "choose": "tl.select([x == 0, x == 1], [a, b])",
    "compress": "y[x] for a vector x of bools",
    "diag_indices_from": "tl.diag_indices(x.shape[0])",
    "diagflat": "tl.diag(tl.ravel(x))",
    "dsplit": "tl.split(x, parts, axis=2)",
    "ediff1d": "tl.diff(x)",
    "extract": "y[x] for a vector x of bools",
    "float_power": "tl.astype(x, tl.f64) ** y",
    "fromfunction": "f(*tl.indices((n, m)))",
    "fromiter": "tl.array([f(v) for v in x])",
    "frompyfunc": "tl.map(f, x)",
    "gcd": "a loop: while y != 0: x, y = y, x % y",
    "hamming": "0.54 - 0.46 * tl.cos(2 * tl.pi * tl.iota(n) / (n - 1))",
    "hanning": "0.5 - 0.5 * tl.cos(2 * tl.pi * tl.iota(n) / (n - 1))",
    "histogram_bin_edges": "tl.histogram(x)[1]",
    "histogram2d": "tl.bincount(tl.digitize(x, a) * (len(b) + 1) + tl.digitize(y, b)) for edges a and b",
    "histogramdd": "tl.bincount of keys that tl.digitize gives for each axis",
    "imag": "0.0 * x",
    "insert": "tl.concat((x[:k], tl.array([value]), x[k:]))",
    "delete": "tl.concat((x[:k], x[k + 1 :]))",
    "intersect1d": "tl.unique(x)[tl.isin(tl.unique(x), y)]",
    "iscomplex": "tl.zeros_like(x) > 0",
    "isneginf": "x == -tl.inf",
    "isposinf": "x == tl.inf",
    "isreal": "tl.ones_like(x) > 0",
    "isscalar": "x.ndim == 0",
    "lcm": "x // g * y, where g is their greatest common divisor",
    "ldexp": "x * 2.0**y",
    "lexsort": "tl.argsort of one key after the other, the most important one last: it is stable",
    "logaddexp2": "tl.logaddexp(x * tl.log(2.0), y * tl.log(2.0)) / tl.log(2.0)",
    "mask_indices": "tl.nonzero(mask)",
    "matvec": "x @ y",
    "modf": "(x - tl.trunc(x), tl.trunc(x))",
    "nanargmax": "tl.argmax(tl.where(tl.isnan(x), -tl.inf, x))",
    "nanargmin": "tl.argmin(tl.where(tl.isnan(x), tl.inf, x))",
    "nancumprod": "tl.cumprod(tl.where(tl.isnan(x), 1.0, x))",
    "nancumsum": "tl.cumsum(tl.where(tl.isnan(x), 0.0, x))",
    "nanmedian": "tl.median(x[~tl.isnan(x)])",
    "nanpercentile": "tl.percentile(x[~tl.isnan(x)], y)",
    "nanquantile": "tl.quantile(x[~tl.isnan(x)], y)",
    "ndenumerate": "for i in range(n): for j in range(m): x[i, j]",
    "ndindex": "for i in range(n): for j in range(m): ...",
    "nditer": "for v in x.ravel():",
    "partition": "tl.sort(x)",
    "piecewise": "tl.select([a, b], [x, y])",
    "poly": "tl.convolve of the factors tl.array([1.0, -r])",
    "poly1d": "tl.polyval(coefficients, x)",
    "polyadd": "x + y for coefficients of as many powers",
    "polyder": "x[:-1] * tl.reverse(tl.iota(len(x)))[:-1]",
    "polyfit": "np.linalg.solve(v.T @ v, v.T @ y) with v = x[:, None] ** tl.reverse(tl.iota(n))",
    "polyint": "tl.append(x / tl.reverse(tl.iota(len(x)) + 1), 0.0)",
    "polymul": "tl.convolve(x, y)",
    "polysub": "x - y for coefficients of as many powers",
    "ravel_multi_index": "i * m + j for an array of m columns",
    "real_if_close": "x",
    "require": "x",
    "resize": "tl.reshape(tl.tile(x, n)[:k], shape)",
    "rollaxis": "tl.moveaxis(x, axis, start)",
    "row_stack": "tl.vstack((x, y))",
    "setdiff1d": "tl.unique(x)[tl.isin(tl.unique(x), y, invert=True)]",
    "setxor1d": "tl.unique of both parts: x[tl.isin(x, y, invert=True)] and y[tl.isin(y, x, invert=True)]",
    "tril_indices_from": "tl.tril_indices(x.shape[0])",
    "triu_indices_from": "tl.triu_indices(x.shape[0])",
    "trim_zeros": "x[tl.flatnonzero(x)[0] : tl.flatnonzero(x)[-1] + 1]",
    "union1d": "tl.unique(tl.concat((x, y)))",
    "unique_all": "tl.unique(x, return_index=True, return_inverse=True, return_counts=True)",
    "unique_counts": "tl.unique(x, return_counts=True)",
    "unique_inverse": "tl.unique(x, return_inverse=True)",
    "unique_values": "tl.unique(x)",
    "unstack": "for row in x:, or x[0], x[1], ...",
    "unwrap": "x - 2 * tl.pi * tl.append(0.0, tl.cumsum(tl.round(tl.diff(x) / (2 * tl.pi))))",
    "vander": "x[:, None] ** tl.reverse(tl.iota(len(x)))",
    "vecmat": "x @ y",
    "vectorize": "tl.map(f, x)",
    # Objects that are indexed.
    "c_": "tl.column_stack((x, y))",
    "index_exp": "the index itself, x[a:b]",
    "mgrid": "tl.indices((n, m)), or tl.meshgrid(x, y, indexing='ij')",
    "ogrid": "tl.ix_(tl.iota(n), tl.iota(m))",
    "r_": "tl.concat((x, y))",
    "s_": "the index itself, x[a:b]",
    # Functions that change arrays, which are values here.
    "copyto": "np.copyto(x, y) as a statement of its own, where x is a name",
    "fill_diagonal": "np.fill_diagonal(x, value) as a statement of its own, where x is a name",
    "place": "x[mask] = value",
    "put": "np.put(x, indices, values) as a statement of its own, where x is a name",
    "put_along_axis": "np.put_along_axis(x, indices, values, axis) as a statement of its own, where x is a name",
    "putmask": "np.putmask(x, mask, values) as a statement of its own, where x is a name",
}
_RESULT = "np.{} outside of the function, and pass its result as an argument"
_TYPE = f"{DTYPES_IN_WORDS}, which are the types there are"
_FILES = "np.{} outside of the function, and pass arrays as arguments"
_SETTING = "np.{} outside of the function: compiled code gives infinities and NaN without warnings"
_SHOWN = "tl.debug_print('{{}}', x) to show a number or an array, or return it"
_NO_VIEWS = "False: arrays are values, which share nothing"
# Names of one kind, with what to write for each.
KINDS = {
    _RESULT: "busday_count busday_offset busdaycalendar datetime_as_string datetime_data einsum_path frexp i0 "
    "is_busday isnat kaiser nested_iters nextafter packbits polydiv roots spacing sort_complex unpackbits "
    "base_repr binary_repr can_cast common_type isdtype isfortran issubdtype iterable min_scalar_type "
    "mintypecode promote_types result_type typename iscomplexobj isrealobj get_include info test dtype",
    _TYPE: "byte bytes_ cdouble character clongdouble complex128 complex256 complex64 complexfloating csingle "
    "datetime64 flatiter flexible float128 floating generic inexact int16 int8 integer longdouble matrix "
    "memmap ndarray number object_ recarray record short signedinteger str_ timedelta64 ubyte ufunc uint uint16 "
    "uint64 uint8 uintp ulong ulonglong unsignedinteger ushort void",
    _FILES: "from_dlpack frombuffer fromfile fromregex fromstring genfromtxt load loadtxt save savetxt savez "
    "savez_compressed",
    _SETTING: "errstate getbufsize geterr geterrcall get_printoptions printoptions set_printoptions setbufsize seterr "
    "seterrcall show_config show_runtime",
    _SHOWN: "array2string array_repr array_str format_float_positional format_float_scientific",
    _NO_VIEWS: "may_share_memory shares_memory",
}
NUMPY = {
    **EXPRESSIONS,
    **{name: text.format(name) for text, names in KINDS.items() for name in names.split()},
}
# Modules whose functions are all of one kind.
MODULES = {
    "numpy.fft": "np.fft outside of the function, and pass its result as arguments: there are no complex numbers here; "
    "(tl.cos(a) @ x, -tl.sin(a) @ x) is the transform of x, where a = 2 * tl.pi / n * tl.outer(tl.iota(n), tl.iota(n))",
    "numpy.random": "tl.random.uniform(key, shape) or tl.random.normal(key, shape) with a key as an argument, or pass "
    "the numbers: functions are pure",
    "numpy.polynomial": "tl.polyval(coefficients, x), with the highest power first",
    "numpy.ma": "tl.where(mask, other, x), or the reductions that leave NaN out, such as tl.nansum",
    "numpy.char": "strings outside of the function",
    "numpy.strings": "strings outside of the function",
    "numpy.testing": "assert tl.allclose(x, y)",
    "scipy": "operators of the language, or pass what scipy computes as arguments",
    "random": "tl.random.uniform(key) with a key as an argument, or pass the numbers: functions are pure",
    "time": "what the clock says as an argument: functions are pure",
}
