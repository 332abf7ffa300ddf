"""`ad-lasting-arrays`: carried arrays of which no element is written after it was read are marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import ad
from tapeless.dialects.ad.marks import SURE
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.search import ops_named

if TYPE_CHECKING:
    from tapeless.passes.ir.dependence.accesses import Accesses, Carried


@dataclass(frozen=True)
class LastingArrays(FunctionPass):
    """Marks loop-carried arrays in single-assignment form: loops that overwrite nothing they have read.

    ```mlir
    scf.for %i ... iter_args(%a = %x) {                scf.for %i ... iter_args(%a = %x) {
      %v = tensor.extract %a[%i]                         %b = "ad.promise"(%a) {ad.sure}
      %w = math.sin %v                                   %v = tensor.extract %b[%i]
      %b = tensor.insert %w into %a[%i + 1]              %w = math.sin %v
      scf.yield %b                                       ...
    ```
    What such a loop reads is in the array that it ends with, so that going back no state of it is needed
    (`passes/ad/redundant/control/promised.py`). With `alone`, loops that carry something else as well are left as
    they are.
    """

    name: ClassVar[str] = "ad-lasting-arrays"
    alone: bool = False

    def run_on(self, function: ir.OpView) -> None:
        """Looks at all loops of a function; at those inside of others with the outermost that carries the array."""
        settled: set[ir.Value] = set()
        for loop in _outermost_first(function):
            lasting = [found for k in _arrays(loop) if (found := _lasting(loop, k, settled)) is not None]
            arrays = {arguments_of(inner, "carried")[k] for found in lasting for inner, k in found}
            if self.alone and not all(_carries_only(inner, arrays) for found in lasting for inner, _ in found):
                continue
            settled |= arrays
            for array in arrays:
                _mark(array)


def _outermost_first(function: ir.OpView) -> list[ir.OpView]:
    return ops_named(function, "scf.for")[::-1]


def _arrays(loop: ir.OpView) -> list[int]:
    return [k for k, value in enumerate(loop.results) if is_array(value)]


def _lasting(loop: ir.OpView, position: int, settled: set[ir.Value]) -> list[Carried] | None:
    """The loops that carry an array, from this one inwards, if they overwrite nothing that they have read."""
    if arguments_of(loop, "carried")[position] in settled:
        return None
    from tapeless.passes.ir.dependence.accesses import Accesses
    from tapeless.passes.ir.dependence.overwriting import overwrites_what_it_read

    accesses = Accesses.of(loop, position)
    if accesses is None or not _is_worth_it(accesses) or overwrites_what_it_read(accesses):
        return None
    return accesses.carried


def _is_worth_it(accesses: Accesses) -> bool:
    """Whether there is something to be kept: of an array that is only written or only read, nothing is."""
    return len({access.is_write for access in accesses.found}) == 2


def _carries_only(loop: ir.OpView, arrays: set[ir.Value]) -> bool:
    return arrays.issuperset(arguments_of(loop, "carried"))


def _mark(array: ir.Value) -> None:
    uses = [(use.owner, use.operand_number) for use in array.uses]
    with ir.InsertionPoint.at_block_begin(array.owner), array.owner.owner.location:
        mark = ad.PromiseOp(array, array.type)
    mark.operation.attributes[SURE] = ir.UnitAttr.get()
    for user, operand in uses:
        user.operation.operands[operand] = mark.out
