"""How large tiles are: what a block has of rows, columns and steps, and what a thread of it has in registers."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.machine import SHARED_WITHOUT_ASKING
from tapeless.passes.lower.tiles.contraction import Contraction, Side
from tapeless.passes.lower.tiles.folds.fold import Fold
from tapeless.passes.lower.tiles.matrices import FIRST_GENERATION, is_product

THREADS = 256
# Threads of a block along rows, and along columns.
ALONG = 16
ACCESS_BYTES = 16
MOST_SHARED_BYTES = SHARED_WITHOUT_ASKING
# Registers of four bytes for what a thread carries: half of those there are.
MOST_CARRIED_WORDS = 128
# More operations after the reduction are not copied for as many elements.
MOST_EPILOGUE = 12
BUFFERS = 2
# While the threads of one block wait for each other, those of another one work, if there are registers for both.
BLOCKS_AT_ONCE = 2
MOST_WORDS_OF_TWO = 64
# How many rows and columns a thread has, and how many steps there are at a time: more are better, if they fit.
LARGE, SMALL = 8, 4
STEPS = (16, 8)
# For batches of small products of matrices: tiles of 32 x 32, many steps of them.
NARROW_EACH, NARROW_STEPS = 2, 32


@dataclass(frozen=True)
class Shape:
    """A thread has `each` rows and columns; a block takes so many steps of the reduction at a time.

    Sums of products are made `by_matrices` where there are instructions for them.
    """

    each: int
    steps: int
    by_matrices: bool = False

    @property
    def extent(self) -> int:
        """How many rows, and how many columns, a block has."""
        return self.each * ALONG


def element_bytes(type_: ir.Type) -> int:
    return 4 if str(type_) in ("f32", "i32") else 8


def words(type_: ir.Type) -> int:
    return 2 if str(type_) in ("f64", "i64", "index") else 1


def padding(shape: Shape, type_: ir.Type) -> int:
    """Elements between the steps of a tile, so that they start in other banks; threads that make products of matrices
    together read four steps at once.
    """
    return (2 if shape.by_matrices else 1) * ACCESS_BYTES // element_bytes(type_)


def shared_bytes(contraction: Contraction, shape: Shape) -> int:
    """What a block needs of shared memory."""

    def of_side(side: Side) -> int:
        return sum(element_bytes(value.type) * (shape.extent + padding(shape, value.type)) for value in side.staged)

    return BUFFERS * shape.steps * (of_side(contraction.rows) + of_side(contraction.columns))


def shapes_for(contraction: Contraction, generation: int) -> list[Shape]:
    """The shapes that fit on a generation of GPUs, the larger one first."""
    by_matrices = generation >= FIRST_GENERATION and is_product(contraction)
    return fitting_shapes(contraction, by_matrices, lambda shape: 0)


def narrow_shape(contraction: Contraction, generation: int) -> Shape | None:
    """The shape for batches of products with few rows and columns, if they are made by matrices."""
    if not contraction.batch or generation < FIRST_GENERATION or not is_product(contraction):
        return None
    shape = Shape(NARROW_EACH, NARROW_STEPS, by_matrices=True)
    return shape if shared_bytes(contraction, shape) <= MOST_SHARED_BYTES else None


def fitting_shapes(contraction: Contraction, by_matrices: bool, beside: Callable[[Shape], int]) -> list[Shape]:
    """The shapes for which all that a thread carries fits, so many words beside the contraction among them."""
    candidates = [[Shape(each, steps, by_matrices) for steps in STEPS] for each in (LARGE, SMALL)]
    fitting = [[shape for shape in shapes if _fits(contraction, shape, beside(shape))] for shapes in candidates]
    return [shapes[0] for shapes in fitting if shapes]


def _fits(contraction: Contraction, shape: Shape, beside: int) -> bool:
    both = [
        value
        for value in contraction.invariants()
        if contraction.values.of_value(value) & {*contraction.rows.loops}
        and contraction.values.of_value(value) & {*contraction.columns.loops}
    ]
    carried = sum(words(value.type) for value in (*contraction.carried, *both)) * shape.each**2
    if carried + beside > MOST_CARRIED_WORDS or shared_bytes(contraction, shape) > MOST_SHARED_BYTES:
        return False
    return shape.each == SMALL or (len(contraction.epilogue) <= MOST_EPILOGUE and not _calls(contraction))


def leaves_room(contraction: Contraction, shape: Shape) -> bool:
    """Whether what threads carry leaves registers for a second block beside the first."""
    carried = sum(words(value.type) for value in contraction.carried) * shape.each**2
    return shape.each == LARGE and not shape.by_matrices and carried <= MOST_WORDS_OF_TWO


def _calls(contraction: Contraction) -> bool:
    return any(op.name.startswith("math.") for op in contraction.epilogue)


def shapes_for_fold(fold: Fold) -> list[Shape]:
    """The shapes that fit, the larger one first; a thread carries something for each of its rows beside the pairs."""
    each_row = sum(words(value.type) for value in fold.carried)
    return fitting_shapes(fold.contraction, False, lambda shape: each_row * shape.each)
