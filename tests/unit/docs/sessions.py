"""Examples that are sessions with Python: run, and compared up to the last bits of numbers."""

from __future__ import annotations

import doctest
import re
from typing import Any

import numpy as np

import tapeless as tl

NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?|-?inf|nan")
PRECISION = 1e-12


class Checker(doctest.OutputChecker):
    """Numbers may differ in their last bits, which depend on the processor and on what is folded."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, got, optionflags) or is_same(want, got)


def is_same(want: str, got: str) -> bool:
    """Whether texts agree up to blanks and the last bits of their numbers."""
    texts = [re.sub(r"\s+", "", NUMBER.sub("#", text)) for text in (want, got)]
    wanted, given = ([float(number) for number in NUMBER.findall(text)] for text in (want, got))
    return texts[0] == texts[1] and np.allclose(wanted, given, rtol=PRECISION, atol=PRECISION, equal_nan=True)


def failures(name: str, text: str, names: dict[str, Any] | None = None) -> str:
    """What goes wrong in the sessions of a text."""
    test = doctest.DocTestParser().get_doctest(text, {"np": np, "tl": tl} | (names or {}), name, None, 0)
    assert test.examples, f"{name} has no example"
    said: list[str] = []
    doctest.DocTestRunner(Checker(), optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    return "".join(said)
