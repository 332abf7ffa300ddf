"""From names in the text of a pipeline to passes, and messages for names that nothing has."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from tapeless.errors import PipelineError
from tapeless.methods import IMPLEMENTED
from tapeless.passes.driver.base import Element, Nested, Upstream
from tapeless.passes.driver.options import field_name, make_pass, option_name, print_value
from tapeless.passes.driver.plugins import load_installed_plugins
from tapeless.passes.driver.renamed import RENAMED, current_name
from tapeless.passes.driver.steps import FUNCTION, MODULE
from tapeless.passes.driver.text.brackets import fail_at
from tapeless.passes.driver.text.grammar import parse_element
from tapeless.passes.driver.text.syntax import ElementText, NestedText, Option, PassText
from tapeless.passes.driver.upstream import is_registered, make_upstream, natural_anchor
from tapeless.passes.driver.upstream_table import SUMMARIES
from tapeless.passes.tables import PASSES, PIPELINES
from tapeless.spelling import suggestion

# What options the passes of a named pipeline get unless they are written.
Settings = Callable[[str], Mapping[str, object]]
Nestings = tuple[tuple[str, ...], ...]
# Where a pass written in Python and a named pipeline may stand: the anchors below the root.
PASS_NESTINGS: Nestings = ((), (FUNCTION,))
PIPELINE_NESTINGS: Nestings = ((),)


def known_names() -> list[str]:
    """Every name that can stand in a pipeline and that Tapeless knows without asking MLIR."""
    return [*PASSES, *PIPELINES, *SUMMARIES]


def unknown_pass(name: str) -> str:
    """The message for a name that neither Tapeless nor MLIR knows."""
    return missing_pipeline(name) or f"unknown pass '{name}'{suggestion(name, known_names())}"


def unknown_pipeline(name: str) -> str:
    """The message for a name that is not in `PIPELINES`."""
    return missing_pipeline(name) or f"unknown pipeline '{name}'{suggestion(name, PIPELINES)}"


def missing_pipeline(name: str) -> str | None:
    """The message for a pipeline of a method for a target that there is not."""
    if name.partition("-")[0] not in IMPLEMENTED:
        return None
    return f"there is no pipeline '{name}'; pipelines are {', '.join(PIPELINES)}"


def is_known(name: str) -> bool:
    """Whether a name can stand in a pipeline; installed plugins are asked last."""
    return name in PASSES or name in PIPELINES or name in RENAMED or is_registered(name) or _is_in_plugin(name)


def _is_in_plugin(name: str) -> bool:
    load_installed_plugins()
    return name in PASSES


def checked_names(names: Iterable[str]) -> frozenset[str]:
    """The names that passes have now; raises PipelineError for the first name that is not one of a pass."""
    for name in names:
        if not is_known(name):
            raise PipelineError(unknown_pass(name))
    return frozenset(map(current_name, names))


def resolve_all(elements: Sequence[ElementText], anchors: tuple[str, ...], source: str) -> tuple[Element, ...]:
    """The passes that elements under the given anchors stand for; named pipelines are replaced by their passes."""
    return tuple(found for written in elements for found in _resolve(written, anchors, source))


def _resolve(written: ElementText, anchors: tuple[str, ...], source: str) -> tuple[Element, ...]:
    if isinstance(written, NestedText):
        return (Nested(written.anchor, resolve_all(written.elements, (*anchors, written.anchor), source)),)
    if written.name in PASSES:
        _check_nesting(written, anchors, PASS_NESTINGS, source)
        return (make_pass(PASSES[written.name], written.options, source),)
    if written.name in PIPELINES:
        _check_nesting(written, anchors, PIPELINE_NESTINGS, source)
        return expand(written, source)
    if is_registered(written.name):
        return (make_upstream(written, anchors[-1], source),)
    if _is_in_plugin(written.name):
        return _resolve(written, anchors, source)
    fail_at(source, written.column, unknown_pass(written.name))


def no_settings(pipeline: str) -> Mapping[str, object]:
    """Pipelines with the options that are written."""
    return {}


def resolve_alone(text: str, settings: Settings = no_settings) -> tuple[Element, ...]:
    """The passes of one element by itself, nested in the operation that an upstream pass insists on."""
    written = completed(parse_element(text), settings)
    anchor = _natural_anchor(written)
    elements = _resolve(written, (anchor,), text)
    return elements if anchor == MODULE else (Nested(anchor, elements),)


def _natural_anchor(written: ElementText) -> str:
    if isinstance(written, NestedText) or written.name in PASSES or written.name in PIPELINES:
        return MODULE
    return natural_anchor(written.name) or MODULE


def completed(written: ElementText, settings: Settings) -> ElementText:
    """A named pipeline with the values of the settings, as far as its passes have such options and it has none."""
    if isinstance(written, NestedText) or written.name not in PIPELINES:
        return written
    known = {name for element in PIPELINES[written.name] for name in _options(element)}
    known -= {option.name for option in written.options}
    given = ((option_name(key), value) for key, value in settings(written.name).items())
    added = tuple(Option(name, print_value(value)) for name, value in given if name in known)
    return dataclasses.replace(written, options=(*written.options, *added))


def _check_nesting(written: PassText, anchors: tuple[str, ...], allowed: Nestings, source: str) -> None:
    below = anchors[1:]
    if below not in allowed:
        message = f"'{written.name}' cannot run inside of '{'('.join(anchors)}(...'"
        places = " or ".join(f"'{_example(written.name, anchors)}'" for anchors in allowed)
        fail_at(source, written.column, f"{message}; write {places}")


def _example(name: str, below: tuple[str, ...]) -> str:
    return "(".join((MODULE, *below, name)) + ")" * (len(below) + 1)


def expand(written: PassText, source: str) -> tuple[Element, ...]:
    """The passes of a named pipeline; an option goes to every pass of it that has one of that name."""
    return _with_options(PIPELINES[written.name], written, source)


@lru_cache(maxsize=256)
def _with_options(elements: tuple[Element, ...], written: PassText, source: str) -> tuple[Element, ...]:
    """Remembered, because compilations ask for the same few pipelines again and again."""
    for option in written.options:
        elements = _with_option(elements, written.name, option, source)
    return elements


def _options(element: Element) -> list[str]:
    """The options of a pass written in Python; pipelines hand none to upstream passes."""
    is_python = not isinstance(element, Upstream | Nested)
    return [option_name(field.name) for field in dataclasses.fields(element)] if is_python else []


def _with_option(elements: tuple[Element, ...], pipeline: str, option: Option, source: str) -> tuple[Element, ...]:
    known = [name for element in elements for name in _options(element)]
    if option.name not in known:
        hint = suggestion(option.name, known)
        fail_at(source, option.column, f"no pass of pipeline '{pipeline}' has an option '{option.name}'{hint}")
    return tuple(_replace(element, option, source) for element in elements)


def _replace(element: Element, option: Option, source: str) -> Element:
    if isinstance(element, Upstream | Nested) or option.name not in _options(element):
        return element
    field = field_name(option.name)
    given = make_pass(type(element), (option,), source)
    return dataclasses.replace(element, **{field: getattr(given, field)})
