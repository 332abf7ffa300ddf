"""The subscripts of `einsum`, parsed: a name for each axis of each array, and those of the result.

Axes that `...` stands for have names, too, which no subscripts can have; they are counted from the last one, so that
arrays with fewer of them are broadcast.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters
from typing import TYPE_CHECKING, Any

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.composed.terms import as_value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_FORM = "write a letter for each axis of each array, and those of the result, as in tl.einsum('ij,jk->ik', a, b)"
_REST = "..."


def subscripts_and_operands(t: Translator, first: Any, others: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """The text and the arrays of a call, also where each array is followed by a list of numbers for its axes."""
    if isinstance(first, str):
        return first.replace(" ", ""), others
    given = [first, *others]
    lists = [_letters(t, each) for each in given[1::2]]
    if len(given) % 2 == 0:
        return ",".join(lists), given[::2]
    return f"{','.join(lists)}->{_letters(t, given[-1])}", given[:-1:2]


def _letters(t: Translator, numbers: Any) -> str:
    if not isinstance(numbers, tuple):
        raise t.error("tl.einsum without the names of axes", _FORM, TypeMismatch)
    chosen = [t.constant(as_value(each), "the number of an axis") for each in numbers]
    if not all(0 <= each < len(ascii_letters) for each in chosen):
        raise t.error("the number of an axis is not below 52", _FORM, TypeMismatch)
    return "".join(ascii_letters[each] for each in chosen)


def parsed(t: Translator, text: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """The names of the axes of arrays of some ranks, and of those of the result."""
    given, arrow, result = text.partition("->")
    names = given.split(",")
    if len(names) != len(ranks) or not all(map(_is_readable, (*names, result))):
        raise t.error(f"tl.einsum cannot read {text!r} for {len(ranks)} arrays", _FORM, TypeMismatch)
    counts = [rank - len(each.replace(_REST, "")) for each, rank in zip(names, ranks, strict=True)]
    for each, rank, count in zip(names, ranks, counts, strict=True):
        if count < 0 or (count > 0 and _REST not in each):
            raise t.error(f"the indices '{each}' for an array of rank {rank}", _FORM, ShapeMismatch)
    most = max(counts, default=0)
    if not arrow:
        letters = given.replace(_REST, "").replace(",", "")
        result = _REST + "".join(sorted(label for label in set(letters) if letters.count(label) == 1))
    _check_result(t, set(given), result, most)
    full = [each.replace(_REST, _rest(count)) for each, count in zip(names, counts, strict=True)]
    return full, result.replace(_REST, _rest(most))


def _is_readable(names: str) -> bool:
    """Whether names are letters, with one `...` at most."""
    letters = names.replace(_REST, "", 1)
    return all(each in ascii_letters for each in letters)


def _check_result(t: Translator, given: set[str], result: str, broadcast: int) -> None:
    letters = result.replace(_REST, "")
    if broadcast and _REST not in result:
        raise t.error(
            "the result of tl.einsum lacks the axes that '...' stands for",
            "write them in the result, as in tl.einsum('...ij->...i', a), and sum over them with tl.sum",
            ShapeMismatch,
        )
    if not set(letters) <= given:
        raise t.error("the result of tl.einsum has an index that no array has", _FORM, ShapeMismatch)
    if len(set(letters)) < len(letters):
        raise t.error(
            "tl.einsum with an index twice in the result",
            "leave it there once, and make a matrix of the result with tl.diag",
            ShapeMismatch,
        )


def _rest(count: int) -> str:
    """Names of the axes that `...` stands for, the last one first."""
    return "".join(chr(ord("\N{GREEK SMALL LETTER ALPHA}") + place) for place in reversed(range(count)))
