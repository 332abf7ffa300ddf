"""The forms of all operators of a function: of each by itself, and of operators that go together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from tapeless.dialects.soac.schedules import Column, Deferred, Picked, Schedule, Sums, Tree
from tapeless.passes.lower.schedule.kinds import KINDS
from tapeless.passes.lower.schedule.searches import pair_searches
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.lower.storage.tree import Tree as Operations
from tapeless.passes.marks import DEFERRED

Forms = dict[Node, Schedule]


def forms_of(plan: StoragePlan, scheduler: Scheduler) -> Forms:
    """The form of every operator of a function, outer ones first."""
    tree, forms = plan.tree, Forms()
    _decide(tree, tree.root.regions[0], scheduler, forms, inside=False)
    pair_searches(tree, forms)
    for node, form in list(forms.items()):
        if isinstance(form, Sums) and form.columns:
            forms |= _columns(node)
        elif isinstance(form, Tree):
            from tapeless.passes.lower.schedule.nested_reductions import nest_of

            forms[node] = replace(form, nest=len(nest_of(plan, node)))
    return forms


def _columns(node: Node) -> Forms:
    """The forms of the maps over elements of the rows that iterations add."""
    from tapeless.passes.lower.schedule.row_columns.adding_maps import row_maps
    from tapeless.passes.lower.schedule.row_columns.searched import searches_of

    return dict.fromkeys(row_maps(node, searches_of(node)), Column())


def tables_read(forms: Forms) -> list[Node]:
    """The reads of tables that say which iterations of maps run."""
    picked = [node for node, form in forms.items() if isinstance(form, Picked)]
    if not picked:
        return []
    from tapeless.passes.lower.schedule.picked_maps import read_table

    return [read for read in map(read_table, picked) if read is not None]


def _decide(tree: Operations, nodes: Sequence[Node], scheduler: Scheduler, forms: Forms, *, inside: bool) -> None:
    for node in nodes:
        is_inside = inside
        if node.name in KINDS:
            form = _form(tree, node, scheduler, inside=inside)
            forms[node] = form
            is_inside = inside or not scheduler.is_open(form)
        for region in node.regions:
            _decide(tree, region, scheduler, forms, inside=is_inside)


def _form(tree: Operations, node: Node, scheduler: Scheduler, *, inside: bool) -> Schedule:
    if DEFERRED in node.op.attributes:
        return Deferred()
    if inside:
        return scheduler.inner(node)
    form = scheduler.operator(node)
    return _by_columns(tree, node, form) if isinstance(form, Sums) else form


def _by_columns(tree: Operations, node: Node, form: Sums) -> Sums:
    """Rows that iterations add are taken apart by columns, perhaps with the search for their destinations."""
    from tapeless.passes.lower.schedule.row_columns.adding_maps import row_maps
    from tapeless.passes.lower.schedule.row_columns.searched import guard_of, searched_maps

    if row_maps(node):
        return replace(form, columns="direct")
    inner = searched_maps(tree, node)
    return replace(form, columns="searched", is_guarded=guard_of(node, inner) is not None) if inner else form


class Scheduler(Protocol):
    """Decides on operators, outer ones first; what stands inside another operator mostly runs in a thread of it."""

    def operator(self, node: Node) -> Schedule:
        """The form of an operator that stands inside no thread."""

    def inner(self, node: Node) -> Schedule:
        """The form of an operator inside a thread."""

    def is_open(self, form: Schedule) -> bool:
        """Whether operators inside of one in this form stand in no thread of it."""
