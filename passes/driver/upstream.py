"""The passes of MLIR itself: which exist, which options they take, and whether a use of one is right.

MLIR offers no list of its passes to Python, but its pass manager parses and prints them. So everything is asked of the
pass manager, except what it cannot print: one-line summaries, options that are lists, and the values of choices.
"""

from __future__ import annotations

import functools
import re

from tapeless._mlir import ir, passmanager
from tapeless.passes.driver.base import Upstream
from tapeless.passes.driver.steps import MODULE
from tapeless.passes.driver.text.brackets import fail_at
from tapeless.passes.driver.text.grammar import parse_pipeline
from tapeless.passes.driver.text.syntax import Option, PassText, print_options
from tapeless.passes.driver.upstream_table import CHOICES, LIST_OPTIONS
from tapeless.spelling import suggestion

RESTRICTED = re.compile(r"restricted to '(?P<anchor>[\w.]+)'")
UNREGISTERED = "does not refer to a registered pass"
BOOLS = ("true", "false")


@functools.cache
def _scratch_context() -> ir.Context:
    context = ir.Context()
    context.enable_multithreading(False)
    return context


def parse_manager(pipeline: str, context: ir.Context | None = None) -> passmanager.PassManager:
    """The C++ pass manager for a pipeline of upstream passes; raises ValueError if it is not one."""
    return passmanager.PassManager.parse(pipeline, context or _scratch_context())


@functools.cache
def refusal(name: str, anchor: str) -> str:
    """Why MLIR does not let the pass run on the operation, in its own words; empty if it does."""
    try:
        parse_manager(f"{anchor}({name})")
    except ValueError as error:
        return str(error)
    return ""


def is_registered(name: str) -> bool:
    """Whether MLIR has a pass or pipeline of this name."""
    return UNREGISTERED not in refusal(name, MODULE)


def natural_anchor(name: str) -> str | None:
    """The operation that the pass insists on, if it does: `func.func` for `buffer-hoisting`."""
    found = RESTRICTED.search(refusal(name, MODULE))
    return found["anchor"] if found else None


@functools.cache
def option_defaults(name: str) -> dict[str, str | None] | None:
    """The options of a pass with the text of their defaults, None where MLIR does not print one.

    None for a pipeline of MLIR, which is printed as the passes it stands for.
    """
    printed = parse_pipeline(str(parse_manager(f"{natural_anchor(name) or MODULE}({name})"))).elements
    if len(printed) != 1 or not isinstance(printed[0], PassText) or printed[0].name != name:
        return None
    return {option.name: option.value for option in printed[0].options} | dict.fromkeys(LIST_OPTIONS.get(name, ()))


def _expectation(pass_name: str, option: Option, default: str | None) -> tuple[str, tuple[str, ...]] | None:
    """The expected form of an option's value, with the values to choose from; None if it is right."""
    text = "true" if option.value is None and default in BOOLS else option.value or ""
    choices = CHOICES.get((pass_name, option.name), BOOLS if default in BOOLS else ())
    if choices:
        return None if text in choices else ("one of " + ", ".join(f"'{choice}'" for choice in choices), choices)
    if default is not None and re.fullmatch(r"-?\d+", default) and not re.fullmatch(r"-?\d+", text):
        return "an integer", ()
    return None


def _check_option(pass_name: str, option: Option, source: str) -> None:
    defaults = option_defaults(pass_name)
    if defaults is None:
        return
    if option.name not in defaults:
        hint = suggestion(option.name, defaults) if defaults else "; it takes none"
        fail_at(source, option.column, f"pass '{pass_name}' has no option '{option.name}'{hint}")
    wrong = _expectation(pass_name, option, defaults[option.name])
    if wrong:
        expected, choices = wrong
        text = option.value or ""
        message = f"option '{option.name}' of pass '{pass_name}' expects {expected}, not '{text}'"
        fail_at(source, option.column, message + suggestion(text, choices))


def _check_anchor(written: PassText, anchor: str, source: str) -> None:
    needed = RESTRICTED.search(refusal(written.name, anchor))
    if needed:
        message = f"pass '{written.name}' runs on '{needed['anchor']}', not on '{anchor}'"
        fail_at(source, written.column, f"{message}; write '{needed['anchor']}({written.name})'")


def make_upstream(written: PassText, anchor: str, source: str) -> Upstream:
    """The upstream pass written at a place in `source`, after checking its options and the operation it runs on."""
    _check_anchor(written, anchor, source)
    for option in written.options:
        _check_option(written.name, option, source)
    made = Upstream(written.name, print_options(written.options))
    try:
        parse_manager(f"{anchor}({made})")
    except ValueError as error:
        fail_at(source, written.column, " ".join(str(error).split()))
    return made
