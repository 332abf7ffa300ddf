"""Procedures: `rev.func`, `rev.call`, and primitives with given inverses, `rev.prim`."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.rev.accesses import share_elements
from tapeless.dialects.rev.bodies import body_problems, check_attribute_problems
from tapeless.dialects.rev.cells import is_cell, written
from tapeless.dialects.rev.dialect import Operation, StackType
from tapeless.dialects.symbols import find_function, module_operations, symbol_name
from tapeless.dialects.verification import Problems, types_text

MODES = ("inout", "in", "param")


class FuncOp(Operation, name="func", traits=[ir.IsIsolatedFromAboveTrait, ir.NoTerminatorTrait]):
    """A reversible procedure: one block of statements, no results.

    ```mlir
    "rev.func"() ({
    ^bb0(%p: memref<f64>, %q: memref<f64>):
      "rev.accum"(%p) ({
        %v = memref.load %q[] : memref<f64>
        "rev.yield"(%v) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }) {sym_name = "shift", modes = ["inout", "in"]} : () -> ()
    ```
    `modes` has one entry per argument: inout (a cell or stack the procedure may change), in (a cell it only reads) or
    param (an ordinary value).
    """

    sym_name: ir.StringAttr
    modes: ir.ArrayAttr
    body: ext.Region

    @property
    def procedure_name(self) -> str | None:
        """The name in calls."""
        return symbol_name(self)

    @property
    def mode_names(self) -> list[str | None]:
        """The modes of the parameters."""
        return [getattr(mode, "value", None) for mode in self.modes]

    @property
    def parameter_types(self) -> list[ir.Type]:
        """The types of the parameters."""
        return [argument.type for argument in self.body.blocks[0].arguments]

    def problems(self) -> Problems:
        if len(self.body.blocks) != 1:
            yield f"has {len(self.body.blocks)} blocks in the region body; give it exactly one"
        arguments = list(self.body.blocks[0].arguments)
        modes = self.mode_names
        if len(modes) != len(arguments) or not set(modes) <= set(MODES):
            yield f"has modes = {self.modes} for {len(arguments)} arguments; give each one of {', '.join(MODES)}"
        for argument, mode in zip(arguments, modes, strict=True):
            yield from _mode_problems(argument.type, mode)
        yield from body_problems("body", self.body, [argument.type for argument in arguments], "the parameters")
        changed = written(self.body)
        for position, (argument, mode) in enumerate(zip(arguments, modes, strict=True)):
            if mode == "in" and argument in changed:
                yield f"writes argument {position}, which it may only read; make its mode inout"
        yield from check_attribute_problems(self)


class CallOp(Operation, name="call"):
    """Runs a procedure, or with `inv` its inverse.

    ```mlir
    "rev.call"(%x, %y) {callee = @move, inv = false} : (memref<f64>, memref<f64>) -> ()
    ```
    A cell may be passed twice only where both parameters have mode in.
    """

    arguments: Sequence[ext.Operand[Any]]
    callee: ir.FlatSymbolRefAttr
    inv: ir.IntegerAttr

    def written_cells(self) -> Sequence[ir.Value]:
        procedure = find_procedure(self)
        if not isinstance(procedure, FuncOp):
            return self.arguments
        pairs = zip(self.arguments, procedure.mode_names, strict=False)
        return [argument for argument, mode in pairs if mode == "inout"]

    def read_cells(self) -> Sequence[ir.Value]:
        changed = list(self.written_cells())
        return [argument for argument in self.arguments if is_cell(argument.type) and argument not in changed]

    def problems(self) -> Problems:
        procedure = find_procedure(self)
        if procedure is None:
            yield f"names {self.callee}, which is no rev.func or rev.prim of this module; define it"
            return
        given = [argument.type for argument in self.arguments]
        wanted = procedure.parameter_types
        if len(given) != len(wanted) or not all(map(_can_be_passed, given, wanted)):
            yield f"has arguments {types_text(given)}; give {types_text(wanted)}: the parameters of {self.callee}"
        if _passes_twice(self):
            yield "passes a cell twice although the procedure changes it; pass different cells"


class PrimOp(Operation, name="prim"):
    """Declares that a function changes cells reversibly, and names its inverse and its adjoint.

    ```mlir
    "rev.prim"() {primal = @twist, dual = @untwist, adjoint = @twist_adjoint, parameters = [memref<f64>]} : () -> ()
    ```
    All three are functions of the module. A `rev.call` of the primal runs it, or with `inv` its dual.
    """

    primal: ir.FlatSymbolRefAttr
    dual: ir.FlatSymbolRefAttr
    adjoint: ir.FlatSymbolRefAttr
    parameters: ir.ArrayAttr

    @property
    def procedure_name(self) -> str:
        """The name in calls."""
        return self.primal.value

    @property
    def parameter_types(self) -> list[ir.Type]:
        """The types of the parameters."""
        return [parameter.value for parameter in self.parameters]

    def problems(self) -> Problems:
        for parameter in self.parameters:
            if not isinstance(parameter, ir.TypeAttr):
                yield f"has {parameter} among its parameters; give types"
        for name in (self.primal, self.dual, self.adjoint):
            if find_function(self, name.value) is None:
                yield f"names {name}, which is no func.func of this module; define it or declare it"
        if not any(is_cell(type_) for type_ in self.parameter_types):
            yield "has no cell among its parameters; a primitive changes at least one memref"


def find_procedure(op: CallOp) -> FuncOp | PrimOp | None:
    """The procedure that a call names."""
    procedures = (found for found in module_operations(op) if isinstance(found, FuncOp | PrimOp))
    return next((found for found in procedures if found.procedure_name == op.callee.value), None)


def _can_be_passed(given: ir.Type, wanted: ir.Type) -> bool:
    """Whether an argument has the type of a parameter; cells may be views, and know more or less of their sizes."""
    if not (is_cell(given) and is_cell(wanted)):
        return given == wanted
    sizes = zip(given.shape, wanted.shape, strict=False)
    is_same = given.rank == wanted.rank and given.element_type == wanted.element_type
    return is_same and all(a == b or DYNAMIC in (a, b) for a, b in sizes)


def _passes_twice(op: CallOp) -> bool:
    """Whether a cell that the call changes shares an element with another argument for sure."""
    changed = list(op.written_cells())
    for position, argument in enumerate(op.arguments):
        for other in list(op.arguments)[position + 1 :]:
            if argument not in changed and other not in changed:
                continue
            if argument == other or (
                is_cell(argument.type) and is_cell(other.type) and share_elements(argument, other)
            ):
                return True
    return False


def _mode_problems(type_: ir.Type, mode: str | None) -> Problems:
    is_state = is_cell(type_) or isinstance(type_, StackType)
    if is_state and mode == "param":
        yield f"has a parameter of type {type_} with mode param; use inout or in"
    if not is_state and mode != "param":
        yield f"has a parameter of type {type_} with mode {mode}; use param"
