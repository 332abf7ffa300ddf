"""The manual of the operators, section by section: examples with their results, shapes and derivatives.

`tl.sum.__doc__` and the language reference of the documentation are made from it.
"""

from tapeless.manual.arrays import ARRAYS, SHAPES_CHANGED
from tapeless.manual.entry import Entry
from tapeless.manual.positions import POSITIONS
from tapeless.manual.procedures import PROCEDURES
from tapeless.manual.reductions import REDUCTIONS
from tapeless.manual.scalars import CHOICES, CONVERSIONS, SCALARS, STEPS
from tapeless.manual.second_order import MARKERS, SECOND_ORDER

SECTIONS: dict[str, dict[str, Entry]] = {
    "Functions of numbers": SCALARS,
    "Steps, signs and conditions": STEPS,
    "Choices": CHOICES,
    "Conversions": CONVERSIONS,
    "Making arrays": ARRAYS,
    "Rearranging arrays": SHAPES_CHANGED,
    "Positions, bins and sets": POSITIONS,
    "Sums, products and other reductions": REDUCTIONS,
    "Second-order operators": SECOND_ORDER,
    "Loops and markers": MARKERS,
    "Statements of reversible procedures": PROCEDURES,
}
ENTRIES: dict[str, Entry] = {name: entry for section in SECTIONS.values() for name, entry in section.items()}
