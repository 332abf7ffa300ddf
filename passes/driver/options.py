"""Options of passes and elements of pipelines: text into the fields of a pass's dataclass, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tapeless.errors import TapelessError
from tapeless.passes.driver.base import Element, Nested, Pass, Upstream
from tapeless.passes.driver.steps import Step
from tapeless.passes.driver.text.brackets import balanced_end, fail_at, unwrap, wrap
from tapeless.passes.driver.text.syntax import Option, print_options
from tapeless.spelling import suggestion

Scalar = bool | int | float | str
BOOLS = {"true": True, "false": False}
KINDS: dict[type, str] = {bool: "'true' or 'false'", int: "an integer", float: "a number", str: "text"}
READERS: dict[type, Callable[[str], Scalar]] = {bool: BOOLS.__getitem__, int: int, float: float, str: str}


def option_types(pass_class: type[Pass]) -> dict[str, object]:
    """The options of a pass as they are spelt in text, with the type of each."""
    hints = get_type_hints(pass_class)
    return {option_name(field.name): hints[field.name] for field in dataclasses.fields(pass_class)}


def option_name(field_name: str) -> str:
    """The option that sets a field: `max_depth` is set by `max-depth`."""
    return field_name.replace("_", "-")


def field_name(option: str) -> str:
    """The field that an option sets."""
    return option.replace("-", "_")


def _required(declared: Any) -> Any:
    """The type without its `None`, which stands for an option that is not given."""
    if get_origin(declared) in (Union, UnionType):
        return next(member for member in get_args(declared) if member is not type(None))
    return declared


def _expected(declared: Any) -> str:
    if get_origin(declared) is Literal:
        return "one of " + ", ".join(f"'{choice}'" for choice in get_args(declared))
    if get_origin(declared) is tuple:
        return f"a list of items separated by commas, each {KINDS[get_args(declared)[0]]}"
    return KINDS[declared]


def _choices(declared: Any) -> tuple[str, ...]:
    return get_args(declared) if get_origin(declared) is Literal else tuple(BOOLS) if declared is bool else ()


def _split(text: str) -> list[str]:
    items, start = [], 0
    while start < len(text):
        end = balanced_end(text, start, ",")
        items.append(unwrap(text[start:end].strip()))
        start = end + 1
    return items


def _read(declared: Any, text: str) -> object:
    """The value of an option; raises ValueError or KeyError if the text does not fit the type."""
    if get_origin(declared) is Literal:
        return {choice: choice for choice in get_args(declared)}[text]
    if get_origin(declared) is tuple:
        return tuple(READERS[get_args(declared)[0]](item) for item in _split(text))
    return READERS[declared](text)


def _read_option(pass_class: type[Pass], option: Option, source: str) -> object:
    types = option_types(pass_class)
    where = f"pass '{pass_class.name}'"
    if option.name not in types:
        known = "; it has " + ", ".join(f"'{name}'" for name in types) if types else "; it takes none"
        hint = suggestion(option.name, types) or known
        fail_at(source, option.column, f"{where} has no option '{option.name}'{hint}")
    declared = _required(types[option.name])
    text = option.value if option.value is not None else "true" if declared is bool else ""
    try:
        return _read(declared, text)
    except (ValueError, KeyError):
        hint = suggestion(text, _choices(declared))
        expected = f"option '{option.name}' of {where} expects {_expected(declared)}, not '{text}'"
        fail_at(source, option.column, expected + hint)


def make_pass(pass_class: type[Pass], options: tuple[Option, ...], source: str) -> Pass:
    """The pass with the options given in `source`."""
    values: dict[str, Any] = {}
    for option in options:
        if field_name(option.name) in values:
            fail_at(source, option.column, f"option '{option.name}' of pass '{pass_class.name}' is given twice")
        values[field_name(option.name)] = _read_option(pass_class, option, source)
    try:
        return pass_class(**values)
    except (ValueError, TapelessError) as error:
        fail_at(source, options[0].column if options else 0, f"pass '{pass_class.name}' refuses its options: {error}")


def print_value(value: object) -> str:
    """The value of an option as text."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(_print_item, value)) if isinstance(value, tuple) else str(value)


def _print_item(item: object) -> str:
    text = print_value(item)
    return f"{{{text}}}" if "," in text else wrap(text)


def pass_options(instance: Pass) -> tuple[Option, ...]:
    """The options of a pass that has been made, without those left out (None)."""
    values = {option_name(field.name): getattr(instance, field.name) for field in dataclasses.fields(instance)}
    return tuple(Option(name, print_value(value)) for name, value in values.items() if value is not None)


def print_pass(instance: Pass) -> str:
    """A pass as it is written in a pipeline, with all its options."""
    options = print_options(pass_options(instance))
    return f"{instance.name}{{{options}}}" if options else instance.name


def print_element(element: Element) -> str:
    """The text of one element."""
    if isinstance(element, Nested):
        return print_nested(element.anchor, element.elements)
    return str(element) if isinstance(element, Upstream) else print_pass(element)


def print_nested(anchor: str, elements: Sequence[Element]) -> str:
    """The text of elements with the operation they run on."""
    return f"{anchor}({','.join(map(print_element, elements))})"


def print_step(step: Step) -> str:
    """The text of one step with the nesting it runs under."""
    text = print_element(step.run)
    for anchor in reversed(step.anchors):
        text = f"{anchor}({text})"
    return text
