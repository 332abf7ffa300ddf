"""`rev-to-core`: procedures become functions that give back the cells they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.rev.cells import holds_fixed
from tapeless.passes.ir.calls import NONE, note_sizes
from tapeless.passes.ir.search import ops_named
from tapeless.passes.rev.blocks import procedures
from tapeless.passes.rev.to_core import fixed
from tapeless.passes.rev.to_core.control import RUN, run_block
from tapeless.passes.rev.to_core.peaks import PEAKS, Peaked, emptied_into
from tapeless.passes.rev.to_core.signature import argument_types, result_types, types_of
from tapeless.passes.rev.to_core.state import Held, State

REQUESTS = ("ad.vjp", "ad.jvp")


@dataclass(frozen=True)
class ToCore:
    """Replaces every procedure by a private function on values, which is called like it with `.run` behind.

    ```mlir
    "rev.func"() ({
    ^bb0(%p: memref<f64>, %q: memref<f64>):
      "rev.accum"(%p) ({
        %v = memref.load %q[] : memref<f64>
        "rev.yield"(%v) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }) {sym_name = "shift", modes = ["inout", "in"]} : () -> ()
    ```
    becomes
    ```mlir
    func.func private @shift.run(%p: f64, %q: f64) -> f64 {
      %r = arith.addf %p, %q : f64
      return %r : f64
    }
    ```
    Its results are the cells of mode `inout`, in order; functions call procedures by declaring it. A stack becomes an
    array of its capacity and the number of entries, `i64`. A fixed-point cell, `memref<si64>`, becomes the number of
    its units, `i64`, and its value, `f64`, which has the derivative in programs that ask for one. Float operations have
    no fast-math flags, so that a procedure and its inverse round in the same way.
    """

    name: ClassVar[str] = "rev-to-core"

    def run(self, module: ir.Module) -> None:
        found = {procedure.procedure_name: procedure for procedure in procedures(module)}
        asked = _take_declarations(module, found)
        is_differentiated = bool(ops_named(module.operation, *REQUESTS))
        for procedure in found.values():
            with ir.InsertionPoint(procedure), procedure.location:
                as_function(procedure, asked, is_differentiated=is_differentiated)
        made: set[Peaked] = set()
        for peaked in asked:  # which grows: functions with peaks may ask for others
            if peaked not in made:
                made.add(peaked)
                procedure = found[peaked.procedure]
                with ir.InsertionPoint(procedure), procedure.location:
                    as_function(procedure, asked, peaked, is_differentiated=is_differentiated)
        for procedure in found.values():
            procedure.operation.erase()


def _take_declarations(module: ir.Module, found: Mapping[str, ir.OpView]) -> list[Peaked]:
    """Erases the declarations of functions that procedures become; gives those that ask for peaks."""
    names, asked = {name + RUN for name in found}, []
    for op in list(module.body.operations):
        if isinstance(op, func.FuncOp) and op.is_external:
            if PEAKS in op.attributes:
                numbers = tuple(ir.DenseI64ArrayAttr(op.attributes[PEAKS]))
                asked += [each for name in found if (each := Peaked(name, numbers)).name == op.name.value]
            if op.name.value in names or PEAKS in op.attributes:
                op.operation.erase()
    return asked


def as_function(
    procedure: ir.OpView, asked: list[Peaked], peaked: Peaked | None = None, *, is_differentiated: bool = False
) -> func.FuncOp:
    """The function of a procedure; `is_differentiated` where derivatives may be asked of it.

    With `peaked` it gives peaks, too; what its calls ask for is added to `asked`.
    """
    names = list(procedure.body.blocks[0].arguments)
    modes = dict(zip(names, procedure.mode_names, strict=True))
    returned = [name for name in names if modes[name] == "inout"]
    tracked = [names[number] for number in peaked.parameters] if peaked else []
    results = [*result_types(procedure), *(name.type.element_type for name in tracked)]
    made = func.FuncOp(
        peaked.name if peaked else procedure.procedure_name + RUN,
        ir.FunctionType.get(argument_types(procedure), results),
        visibility="private",
    )
    _note_sizes(made, [name in returned for name in names for _ in types_of(name)])
    arguments = iter(made.add_entry_block().arguments)
    state = State({}, is_differentiated=is_differentiated, asked=asked)
    with ir.InsertionPoint(made.entry_block):
        for name in names:
            values = tuple(next(arguments) for _ in types_of(name))
            if modes[name] == "param":
                state.values[name] = values[0]
            else:
                state.cells[name] = fixed.taken(state, values) if holds_fixed(name.type) else values
        for name in dict.fromkeys([*tracked, *emptied_into(procedure.body, names)]):
            state.track(name)
        run_block(state, procedure.body.blocks[0])
        left = [value for name in returned for value in _values_of(state, name)]
        func.ReturnOp([*left, *state.held(state.peaks_of(tracked))])
    return made


def _note_sizes(function: func.FuncOp, is_returned: list[bool]) -> None:
    """Says of arrays that come back which argument they have the sizes of, should the function turn out recursive."""
    arguments = [number for number, comes_back in enumerate(is_returned) if comes_back]
    is_array = [isinstance(type_, ir.RankedTensorType) for type_ in function.type.results]
    if any(is_array):
        cells = [number if array else NONE for number, array in zip(arguments, is_array, strict=False)]
        note_sizes(function, [*cells, *[NONE] * (len(is_array) - len(cells))])


def _values_of(state: State, cell: ir.Value) -> Held:
    return fixed.given(state.cells[cell]) if holds_fixed(cell.type) else state.cells[cell]
