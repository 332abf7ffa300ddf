"""Passes described for people: name, options, summary, and the whole help text."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args, get_origin

from tapeless.passes.driver.base import Pass
from tapeless.passes.driver.options import option_types, pass_options, print_element
from tapeless.passes.driver.plugins import load_installed_plugins
from tapeless.passes.driver.renamed import current_name
from tapeless.passes.driver.steps import steps_of
from tapeless.passes.driver.upstream import option_defaults
from tapeless.passes.driver.upstream_table import SUMMARIES
from tapeless.passes.tables import PASSES, PIPELINES

Kind = Literal["pass", "pipeline", "upstream pass"]


class CatalogueEntry(NamedTuple):
    """One line of the list of passes."""

    kind: Kind
    name: str
    options: str
    summary: str


def catalogue() -> Iterator[CatalogueEntry]:
    """All passes of Tapeless and of plugins, its pipelines, and the upstream passes worth knowing."""
    load_installed_plugins()
    for name, pass_class in PASSES.items():
        yield CatalogueEntry("pass", name, " ".join(_option_texts(pass_class)), _first_sentence(pass_class))
    for name, elements in PIPELINES.items():
        yield CatalogueEntry("pipeline", name, "", ", ".join(step.name for step in steps_of(elements)))
    for name, summary in SUMMARIES.items():
        yield CatalogueEntry("upstream pass", name, "", summary)


def _first_sentence(pass_class: type[Pass]) -> str:
    return (inspect.getdoc(pass_class) or "").partition("\n\n")[0].replace("\n", " ")


def _option_texts(pass_class: type[Pass]) -> Iterator[str]:
    defaults = {option.name: option.value for option in pass_options(pass_class())}
    for name, declared in option_types(pass_class).items():
        choices = f" ({'|'.join(get_args(declared))})" if get_origin(declared) is Literal else ""
        yield f"{name}={defaults.get(name, '')}{choices}"


def explanation(name: str) -> str:
    """The help text of a pass or pipeline."""
    name = current_name(name)
    if name in PASSES:
        return _section(name, inspect.getdoc(PASSES[name]) or "", list(_option_texts(PASSES[name])))
    if name in PIPELINES:
        return _section(name, "Runs " + ", ".join(map(print_element, PIPELINES[name])), [])
    options = [f"{key}={value or ''}" for key, value in (option_defaults(name) or {}).items()]
    return _section(name, SUMMARIES.get(name, "A pass of MLIR."), options)


def _section(name: str, text: str, options: list[str]) -> str:
    listed = "".join(f"\n  {option}" for option in options)
    return f"--{name}\n\n{text}\n" + (f"\nOptions with their defaults:{listed}\n" if listed else "")
