"""All rules by class, and the order of the classes."""

from __future__ import annotations

from tapeless.passes.phi.simplify.branches.arms import ARMS
from tapeless.passes.phi.simplify.branches.told import facts_of_conditions
from tapeless.passes.phi.simplify.classes.always import ALWAYS
from tapeless.passes.phi.simplify.classes.cancelling import CANCELLING
from tapeless.passes.phi.simplify.classes.no_nans import NO_NANS
from tapeless.passes.phi.simplify.classes.reciprocals import RECIPROCALS
from tapeless.passes.phi.simplify.classes.regrouping import REGROUPING
from tapeless.passes.phi.simplify.classes.stable import STABLE
from tapeless.passes.phi.simplify.classes.unsigned_zeros import UNSIGNED_ZEROS
from tapeless.passes.phi.simplify.functions.exponentials import EXPONENTIALS
from tapeless.passes.phi.simplify.functions.powers import POWERS
from tapeless.passes.phi.simplify.functions.sigmoids import SIGMOIDS
from tapeless.passes.phi.simplify.functions.trigonometric import TRIGONOMETRIC
from tapeless.passes.phi.simplify.rule import Rule

_S = (*ALWAYS, *ARMS)
_F = (*EXPONENTIALS, *POWERS, *SIGMOIDS, *TRIGONOMETRIC)
_IN_ARMS = (*_S, *UNSIGNED_ZEROS, *NO_NANS, *REGROUPING, *RECIPROCALS, *_F, *CANCELLING)
RULES: dict[str, tuple[Rule, ...]] = {
    "S": (*_S, facts_of_conditions(_IN_ARMS)),
    "Z": UNSIGNED_ZEROS,
    "N": NO_NANS,
    "R": REGROUPING,
    "A": RECIPROCALS,
    "F": _F,
    "D": CANCELLING,
    "St": STABLE,
}
PHASES = (("S", "Z", "N", "R"), ("S", "Z", "N", "R", "F", "D", "A"), ("St", "S"))
