"""One rule per kind of operation: what it reads and writes."""

from __future__ import annotations

from tapeless.passes.lower.storage.plan_check import array_rules, control_rules, operator_rules
from tapeless.passes.lower.storage.plan_check.bindings import VIEWS
from tapeless.passes.lower.storage.plan_check.events import Rule

SILENT = (
    "arith.constant",
    "tensor.empty",
    "tensor.dim",
    "soac.assert",
    "soac.report",
    "scf.yield",
    "soac.yield",
    "scf.condition",
)

RULES: dict[str, Rule] = {
    **dict.fromkeys((*VIEWS, *SILENT), array_rules.nothing),
    "tensor.extract": array_rules.extract,
    "tensor.insert": array_rules.insert,
    "tensor.insert_slice": array_rules.insert_slice,
    "tensor.concat": array_rules.concat,
    "soac.scatter": array_rules.scatter,
    "soac.update": array_rules.update,
    "soac.hist": operator_rules.hist,
    "soac.fused_hist": operator_rules.fused_hist,
    "soac.map": operator_rules.map_,
    "soac.reduce": operator_rules.reduce,
    "soac.scan": operator_rules.scan,
    "soac.fused": operator_rules.fused,
    "soac.with_acc": operator_rules.with_acc,
    "scf.for": control_rules.for_,
    "scf.while": control_rules.while_,
    "scf.if": control_rules.if_,
    "func.call": control_rules.call,
    "func.return": control_rules.return_,
}
