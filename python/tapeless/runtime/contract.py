"""Whether a calling contract read from a file can be one: every dtype, size, index, expression and error site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tapeless import errors
from tapeless.abi import DRIFT, DTYPES, HALVES, OPERATORS, Abi, Parameter, Result, Site
from tapeless.runtime.failure import HOLE, MAX_VALUES
from tapeless.runtime.image_checks import is_whole_number
from tapeless.runtime.structures import positions

LARGEST = 2**63
INTEGERS = ("i64", "i32", "u32", "i1")
SITE_TYPES = ("f64", "i64")
DRIFT_VALUES = 2
# What numpy has at most.
MOST_AXES = 64
# So many parameters no function has, and so many results.
MOST_ENTRIES = 2048


def has_lists(abi: Any, sites: Any) -> bool:
    """Whether JSON has lists where lists belong; texts and tables would be read like them, item by item."""
    entries = [*abi["parameters"], *abi["results"]]
    lists = (
        abi["parameters"],
        abi["results"],
        *(each["dims"] for each in entries),
        sites,
        *(s["types"] for s in sites),
    )
    return all(type(each) is list for each in lists)


def is_abi(abi: Abi) -> bool:
    """Whether parameters and results are described completely and refer to each other rightly."""
    return (
        max(len(abi.parameters), len(abi.results)) <= MOST_ENTRIES
        and all(map(is_parameter, abi.parameters))
        and all(is_result(each, abi.parameters) for each in abi.results)
    )


def is_parameter(parameter: Parameter) -> bool:
    """A scalar without dimensions, or an array with sizes or None."""
    return parameter.dtype in DTYPES and _has_dims(parameter) and all(map(_is_size_or_open, parameter.dims))


def is_result(result: Result, parameters: Sequence[Parameter]) -> bool:
    """A scalar by value, an array that the kernel allocates, or one whose sizes are expressions of the arguments."""
    if result.dtype not in DTYPES or not _has_dims(result) or (result.kind == "scalar") != (result.place == "value"):
        return False
    if result.place == "out":
        return all(is_size_expression(size, parameters) for size in result.dims)
    return result.place in ("value", "allocated") and all(map(_is_size_or_open, result.dims))


def _has_dims(entry: Parameter | Result) -> bool:
    if not entry.dims and entry.dtype in HALVES:
        return False
    return len(entry.dims) <= MOST_AXES and entry.kind == ("array" if entry.dims else "scalar")


def _is_size_or_open(size: Any) -> bool:
    return size is None or is_whole_number(size, LARGEST)


def is_size_expression(expression: Any, parameters: Sequence[Parameter]) -> bool:
    """A number, a dimension of an array, an integer argument, or an operator with two expressions."""
    if type(expression) is int:
        return -LARGEST <= expression < LARGEST
    if type(expression) is not list or not expression:
        return False
    operator, *operands = expression
    if operator == "dim":
        return len(operands) == 2 and _is_axis(operands[0], operands[1], parameters)
    if operator == "arg":
        return len(operands) == 1 and _is_integer_argument(operands[0], parameters)
    is_operator = type(operator) is str and operator in OPERATORS and len(operands) == 2
    return is_operator and all(is_size_expression(operand, parameters) for operand in operands)


def _is_axis(argument: Any, axis: Any, parameters: Sequence[Parameter]) -> bool:
    return is_whole_number(argument, len(parameters)) and is_whole_number(axis, len(parameters[argument].dims))


def _is_integer_argument(argument: Any, parameters: Sequence[Parameter]) -> bool:
    if not is_whole_number(argument, len(parameters)):
        return False
    return parameters[argument].kind == "scalar" and parameters[argument].dtype in INTEGERS


def is_site(site: Site) -> bool:
    """An error class or a report, a message that takes as many values as there are types, and a line of a file."""
    if type(site.kind) is not str or type(site.ends) is not bool or not _is_kind(site):
        return False
    is_line = type(site.file) is str and is_whole_number(site.line, LARGEST)
    has_types = len(site.types) <= MAX_VALUES and all(each in SITE_TYPES for each in site.types)
    return is_line and has_types and type(site.message) is str and site.message.count(HOLE) == len(site.types)


def _is_kind(site: Site) -> bool:
    if site.kind == DRIFT:
        return not site.ends and len(site.types) == DRIFT_VALUES
    kind = getattr(errors, site.kind, None)
    return isinstance(kind, type) and issubclass(kind, errors.TapelessError)


def is_structure(structure: Any, count: int) -> bool:
    """Whether every flat result, or argument, has its place in the structure, in order."""
    return list(positions(structure)) == list(range(count))
