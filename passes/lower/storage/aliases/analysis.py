"""The analysis: one rule per operation, run over a function before anything is emitted."""

from __future__ import annotations

from collections.abc import Mapping

from tapeless._mlir import ir
from tapeless.passes.driver.pass_table import ImportTable
from tapeless.passes.lower.storage.aliasing import Rule, StoragePlan, is_array, visit_block
from tapeless.passes.lower.storage.signature import Convention
from tapeless.passes.lower.storage.storage import StorageMap
from tapeless.passes.lower.storage.tree import Tree

RULES: ImportTable[str, Rule] = ImportTable(
    "lower.storage.aliases",
    {
        "arith.constant": "values.make_constant",
        "tensor.extract_slice": "values.make_view",
        "tensor.reshape": "values.make_view",
        "soac.transpose": "values.make_view",
        "soac.reverse": "values.make_view",
        "tensor.cast": "values.make_cast",
        "soac.widen": "values.make_cast",
        "tensor.insert": "values.update_dest",
        "tensor.insert_slice": "slices.update_slice",
        "tensor.concat": "slices.make_concat",
        "soac.scatter": "values.update_dest",
        "soac.map": "bulk.visit_map",
        "soac.reduce": "bulk.visit_reduce",
        "soac.scan": "bulk.visit_scan",
        "soac.fused": "bulk.visit_fused",
        "soac.hist": "bulk.visit_hist",
        "soac.fused_hist": "bulk.visit_fused_hist",
        "soac.with_acc": "bulk.visit_with_acc",
        "soac.update": "values.visit_update",
        "scf.for": "control_flow.visit_for",
        "scf.while": "control_flow.visit_while",
        "scf.if": "control_flow.visit_if",
        "func.call": "values.visit_call",
        "func.return": "values.visit_return",
    },
)

NO_CALLS: Mapping[str, Convention] = {}


def make_plan(
    function: ir.OpView, naive: bool, conventions: Mapping[str, Convention] = NO_CALLS, own: Convention | None = None
) -> StoragePlan:
    """Analyses a function of core IR; `conventions` tells how others are called, `own` how it is by others."""
    tree = Tree(function)
    plan = StoragePlan(tree, StorageMap(tree, naive), RULES, conventions=conventions, own=own)
    taken = set() if own is None else {argument for _, argument in own.in_place()}
    for number, argument in enumerate(tree.root.arguments()):
        if is_array(argument):
            plan.storages.fresh(argument, tree.root, writable=number in taken, sinkable=False)
    visit_block(plan, tree.root.regions[0])
    plan.deaths = plan.storages.last_uses()
    return plan
