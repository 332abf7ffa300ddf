"""Parts of arrays updated from views of the same array, in every order that views have: as numpy does with copies."""

from __future__ import annotations

import numpy as np
import pytest

from function_from_text import function_from_text

VECTOR_VIEWS = ("w", "w[::-1]", "tl.reverse(tl.reverse(w))", "tl.concat((w[1:], w[:1]))", "w[::-1][::-1]")
MATRIX_VIEWS = ("w", "w[::-1]", "w.T", "w.T[::-1]", "w[:, ::-1]", "w[::-1, ::-1]", "w.T.T", "w[::-1].T")
PARTS = {
    "v": ("[:-1]", "[1:]", "[::2]", "[1:-1]", "[:]"),
    "m": ("[:-1]", "[:, 1:]", "[1:, :-1]", "[0]", "[:, 1]", "[:]"),
}


def body(view: str, part: str, kind: str) -> str:
    """A part of an array that was changed before is updated by the same part of a view of it."""
    first = "w[1:-1] = 0.5" if kind == "v" else "w[1:-1, :] = 0.5"
    return f"    w = x * 1.0\n    {first}\n    u = {view}\n    w{part} -= 2.0 * u{part}\n"


@pytest.mark.one_in(8)
@pytest.mark.parametrize("kind", ["v", "m"])
@pytest.mark.parametrize("size", [2, 5])
def test_updates(kind: str, size: int) -> None:
    views = VECTOR_VIEWS if kind == "v" else MATRIX_VIEWS
    cases = [(view, part) for view in views for part in PARTS[kind]]
    bodies = [body(view, part, kind) for view, part in cases]
    functions = "\n".join(f"@tl.function\ndef f{k}(x):\n{text}    return w\n" for k, text in enumerate(bodies))
    calls = ", ".join(f"f{number}(x)" for number in range(len(cases)))
    text = f"{functions}\n@tl.function\ndef everything(x):\n    return {calls}\n"
    found = function_from_text(text, "everything")
    x = np.arange(1.0, 1.0 + size ** (1 if kind == "v" else 2)).reshape((size,) if kind == "v" else (size, size))
    for (view, part), result in zip(cases, found(x), strict=True):
        assert np.array_equal(result, expected(view, part, kind, x)), f"w{part} -= 2 * ({view}){part}"


def expected(view: str, part: str, kind: str, x: np.ndarray) -> np.ndarray:
    w = x * 1.0
    w[1:-1] = 0.5
    u = eval(view.replace("tl.reverse", "np.flip").replace("tl.concat", "np.concatenate"), {"w": w, "np": np}).copy()
    exec(f"w{part} -= 2.0 * u{part}", {"w": w, "u": u})
    return w
