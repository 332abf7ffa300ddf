"""The source of a function: its syntax tree, its signature, and the outside values it captures by value."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary, ref

import numpy as np

from tapeless.annotations import Layout, NoType, fixed_types, is_annotation, layout_of
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.deep_calls import deep_calls
from tapeless.errors import FrontendError, TapelessError, TypeMismatch
from tapeless.frontend.syntax import depth, diagnostics, finding, fingerprint, refusals, scoping
from tapeless.frontend.syntax.rules import Rules
from tapeless.modes import without_mode
from tapeless.number_types import number_of
from tapeless.signature import Parameter
from tapeless.trees import copied
from tapeless.types import is_any_array, type_of_parameter

# Functions of these are operators of the language or none of it: what is in them is not written in it.
LIBRARIES = frozenset({"tapeless", "numpy"})
# Functions of Python with a meaning of their own for structures.
OF_DATACLASSES: frozenset[Any] = frozenset({dataclasses.replace, dataclasses.asdict, dataclasses.astuple})


@dataclass(eq=False)
class Source:
    """A Python function as the frontend sees it; `is_written` unless the package made it of others.

    `captured` has the values of outside names, and `origins` the objects that they were taken from.
    """

    name: str
    file: str
    lines: Sequence[str]
    node: ast.FunctionDef | ast.Lambda
    parameters: tuple[Parameter, ...]
    returns: Any
    function: Callable[..., Any]
    captured: dict[str, Any] = field(default_factory=dict)
    rules: Rules | None = None
    helpers: dict[FunctionType, Source] = field(default_factory=dict)
    origins: dict[str, Any] = field(default_factory=dict)
    is_written: bool = True

    @classmethod
    def of(cls, function: Callable[..., Any], check: refusals.Check | None = None) -> Source:
        """Reads a function; `check`, by default that of functions, raises FrontendError for unsupported syntax."""
        with deep_calls():
            return cls._of(function, check or refusals.check)

    @classmethod
    def _of(cls, function: Callable[..., Any], check: refusals.Check) -> Source:
        code = function.__code__
        lines = finding.lines_of(function)
        node = finding.node_of(function, lines)
        source = cls(
            "lambda" if isinstance(node, ast.Lambda) else function.__name__,
            code.co_filename,
            lines,
            node,
            (),
            None,
            function,
        )
        may_be_deep = depth.may_be_deep("".join(lines[node.lineno - 1 : node.end_lineno]))
        if may_be_deep:
            depth.check(node, source.error)
        check(node, source.error, may_be_deep=may_be_deep)
        annotations = _annotations(function)
        is_function = check is refusals.check
        source.parameters = tuple(source._parameters(annotations))
        if is_function:
            source._refuse_numbers()
        source.returns = annotations.get("return")
        for name in source.free_names:
            source._capture(name)
        return source

    @property
    def line(self) -> int:
        return self.node.lineno

    @computed_once
    def free_names(self) -> set[str]:
        """The outside names that the function reads."""
        return scoping.free_names(self.node)

    @computed_once
    def body(self) -> list[ast.stmt]:
        """The statements; a lambda is one `return`."""
        if isinstance(self.node, ast.Lambda):
            return [ast.copy_location(ast.Return(self.node.body), self.node.body)]
        return self.node.body

    def error(
        self, node: ast.AST, message: str, instead: str | None = None, kind: type[TapelessError] = FrontendError
    ) -> TapelessError:
        """An error that shows a node of this source."""
        return diagnostics.failure(self.file, self.lines, node, message, instead, kind)

    def lookup(self, name: str) -> Any:
        """The captured value of an outside name; raises KeyError when there is none.

        A name that does not exist yet at decoration (a function defined further down) is captured when first needed.
        """
        if name not in self.captured:
            self._capture(name)
        return self.captured[name]

    def fingerprint(self) -> str:
        """A digest of everything the meaning of the function depends on."""
        with deep_calls():
            return fingerprint.of(self)

    def called(self, value: Any) -> Source | None:
        """The source of a decorated or a plain Python function that this one reads; None for anything else.

        A plain function is read when one that is decorated first needs it, and then kept.
        """
        if is_decorated(value):
            return value.source
        if (
            not isinstance(value, FunctionType)
            or value in OF_DATACLASSES
            or value.__module__.partition(".")[0] in LIBRARIES
        ):
            return None
        if value not in self.helpers:
            read = _READ[value]() if value in _READ else None
            self.helpers[value] = read or Source.of(value)
            _READ[value] = ref(self.helpers[value])
        return self.helpers[value]

    def capture_rest(self) -> None:
        """Captures names that did not exist yet at decoration, such as functions defined further down."""
        for name in self.free_names - self.captured.keys():
            self._capture(name)

    def recapture(self) -> None:
        """Captures the present values of all names that functions see outside of them."""
        for name in [*self.origins]:
            del self.captured[name], self.origins[name]
        self.helpers.clear()
        self.capture_rest()

    def place_of(self, name: str) -> tuple[Mapping[str, Any], str]:
        """The dict, or the closure, in which the value of an outside name lives, and its key there."""
        root, *attributes = name.split(".")
        place = next((each for each in _scopes(self.function) if root in each), {})
        for attribute in attributes:
            value = place.get(root)
            if not isinstance(value, ModuleType):
                return {}, name
            place, root = vars(value), attribute
        return place, root

    def _capture(self, name: str) -> None:
        place, key = self.place_of(name)
        if key in place:
            self.origins[name] = place[key]
            self.captured[name] = _by_value(place[key])
        elif "." in name:
            self._capture_attribute(name)

    def _capture_attribute(self, name: str) -> None:
        """A name of a module that is made when it is first asked for."""
        place, key = self.place_of(name.rpartition(".")[0])
        module, attribute = place.get(key), name.rpartition(".")[2]
        if isinstance(module, ModuleType) and hasattr(module, attribute):
            self.origins[name] = getattr(module, attribute)
            self.captured[name] = _by_value(self.origins[name])

    def _refuse_numbers(self) -> None:
        """Number systems are those of cells; values are plain numbers."""
        for parameter in self.parameters:
            number = number_of(parameter.type)
            if number is not None:
                raise self.error(
                    self.node,
                    f"'{parameter.name}' is {parameter.type!r}, which only cells of procedures hold",
                    "annotate it with tl.f64; procedures called with floats round them to their number system",
                    TypeMismatch,
                )

    def _parameters(self, annotations: Mapping[str, Any]) -> Iterator[Parameter]:
        nodes = {argument.arg: argument for argument in ast.walk(self.node.args) if isinstance(argument, ast.arg)}
        for name, parameter in inspect.signature(self.function).parameters.items():
            annotated, is_read_only = without_mode(annotations.get(name))
            annotation = type_of_parameter(annotated)
            is_structure = is_annotation(annotated)
            is_left = annotated is None or is_any_array(annotated) or is_structure
            if annotation is None and not is_left:
                raise self.error(
                    nodes[name],
                    f"the annotation of '{name}' is not a type of the language",
                    "annotate with tl.f64, tl.i64, tl.bool_, ... or an array type such as tl.f64[:, 3]",
                )
            keyword_only = parameter.kind is inspect.Parameter.KEYWORD_ONLY
            layout = self._layout(nodes[name], annotated) if is_structure else None
            default = _by_value(parameter.default)
            yield Parameter(name, annotation, default, keyword_only, is_read_only, layout=layout)

    def _layout(self, node: ast.arg, annotation: Any) -> Layout:
        try:
            layout = layout_of(annotation, node.arg)
        except NoType as error:
            raise self.error(
                node,
                f"the annotation of '{error}' is not a type of the language",
                "annotate parts with tl.f64, tl.f64[:, 3], ..., or with Any, which leaves them to the call",
            ) from None
        if any(number_of(type_) is not None for type_ in fixed_types(layout)):
            raise self.error(
                node,
                f"'{node.arg}' has parts of a number system, which only parameters of procedures have as a whole",
                "pass these one by one, or annotate the parts with tl.f64",
                TypeMismatch,
            )
        return layout


# Their functions compute with arrays of their own, and are not written in the language.
LIBRARIES = frozenset({"cupy", "jax", "numpy", "pandas", "scipy", "tapeless", "torch"})

# Plain functions that were read, so that all who call one share its source.
_READ: WeakKeyDictionary[FunctionType, ref[Source]] = WeakKeyDictionary()


def is_decorated(value: Any) -> bool:
    """Whether a Python object is a decorated function of the language."""
    return isinstance(getattr(value, "source", None), Source)


def _by_value(value: Any) -> Any:
    """The value as it is now: arrays are copied, also those in structures."""
    return copied(value, _frozen)


def _frozen(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    frozen = np.array(value, order="C")
    frozen.flags.writeable = False
    return frozen


class Cells(Mapping[str, Any]):
    """The names that a function has from the functions around it, with their present values."""

    def __init__(self, function: Callable[..., Any]) -> None:
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self._cells = {name: cell for name, cell in cells if _is_filled(cell)}

    def __getitem__(self, name: str) -> Any:
        return self._cells[name].cell_contents

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)


def _scopes(function: Callable[..., Any]) -> Iterator[Mapping[str, Any]]:
    yield Cells(function)
    yield function.__globals__
    yield vars(builtins)


def closure_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The values of the names that a function has from the functions around it."""
    return dict(Cells(function))


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _annotations(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return inspect.get_annotations(function, eval_str=True, locals=closure_of(function))
    except (NameError, AttributeError) as error:
        raise FrontendError(
            f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}: an annotation of "
            f"'{function.__name__}' cannot be evaluated ({error}); annotate with names visible at the definition"
        ) from None
