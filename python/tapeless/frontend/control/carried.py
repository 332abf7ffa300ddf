"""The loop-carried values: which names, in which form.

The body is translated with the forms the names have before the loop. When an iteration changes a form (an integer that
becomes a float, an array whose size varies), the body is translated again with the form both have in common. A name
that only the body sets and that is read after the loop is carried too: nothing reads what it starts from, and reading
it after a loop that ran no iteration is an error when that happens.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.frontend.control import fillers, joins
from tapeless.frontend.control.joins import Form, Mismatch, ScalarForm
from tapeless.frontend.syntax.jumps import holds_result
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.frame import Binding, Delayed, Unbound
from tapeless.frontend.values.value import Value, literal
from tapeless.types import bool_

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Loop = ast.For | ast.While
BEFORE = "assign it before the loop"
RAN = "%ran"
"""The flag of a `while` loop that ran an iteration."""


@dataclass
class Body:
    """A translated loop body that has no terminator yet."""

    block: ir.Block
    scope: Scope
    names: dict[str, Binding]


@dataclass
class Carried:
    """The names a loop carries, their values before it and their forms in it; `set_inside` have none before it."""

    loop: Loop
    names: list[str]
    initial: list[Value]
    forms: list[Form]
    set_inside: list[str] = field(default_factory=list)

    def begin(self, name: str, initial: Value, form: Form) -> None:
        """Carries one more name."""
        self.names.append(name)
        self.initial.append(initial)
        self.forms.append(form)

    def types(self, t: Translator) -> list[ir.Type]:
        return [each for form in self.forms for each in joins.types(t.builder, form)]

    def initial_values(self, t: Translator) -> list[ir.Value]:
        """The initial values of the loop; an array whose size it changes is widened, so that no pass relies on the
        size.
        """
        values = self.flat(t, self.initial)
        are_open = [each for form in self.forms for each in joins.open_sizes(form)]
        return [
            t.builder.value("soac.widen", value.type, [value]) if is_open else value
            for value, is_open in zip(values, are_open, strict=True)
        ]

    def flat(self, t: Translator, values: Sequence[Value]) -> list[ir.Value]:
        return [each for value, form in zip(values, self.forms, strict=True) for each in joins.flatten(t, value, form)]

    def bind(self, t: Translator, values: Sequence[ir.Value]) -> None:
        """Gives the names the values of a block or of the finished loop."""
        remaining = iter(values)
        for name, form in zip(self.names, self.forms, strict=True):
            t.frame.names[name] = joins.rebuild(t, form, remaining)

    def positions(self, t: Translator, name: str) -> list[int]:
        """The positions of a name among the values the loop carries."""
        start = 0
        for each, form in zip(self.names, self.forms, strict=True):
            width = len(joins.types(t.builder, form))
            if each == name:
                return list(range(start, start + width))
            start += width
        return []


def carried_by(t: Translator, loop: Loop) -> Carried:
    """The names that have a value before a loop, change in it, and are needed at its head."""
    needed = t.frame.prepared.analysis.needed[loop]
    names, initial = [], []
    for name in sorted(t.frame.prepared.analysis.assigned(loop.body) & needed):
        binding = t.frame.names.get(name)
        if isinstance(binding, Delayed):
            binding = t.frame.names[name] = binding.compute()
        if binding is not None and not isinstance(binding, Unbound):
            names.append(name)
            initial.append(binding)
    return Carried(loop, names, initial, [joins.form_of(t.builder, value) for value in initial])


def stabilise(t: Translator, carried: Carried, attempt: Callable[[], Body]) -> tuple[Body, list[Value]]:
    """Translates the body until no iteration changes a form; the body and the values it ends with."""
    while True:
        saved = t.frame.names
        t.frame.names = dict(saved)
        body = attempt()
        t.frame.names = saved
        finals = [_final(t, body, name) for name in carried.names]
        joined = [_join(t, *each) for each in zip(carried.names, carried.forms, finals, strict=True)]
        begun = _begun_inside(t, carried, body)
        if joined == carried.forms and not begun:
            return body, finals
        carried.forms = joined
        t.builder.discard(body.block)
        for name, form in begun.items():
            carried.begin(name, fillers.filler(t, form), form)
            if not holds_result(name):
                carried.set_inside.append(name)
        if carried.set_inside and isinstance(carried.loop, ast.While) and RAN not in carried.names:
            carried.begin(RAN, literal(False), ScalarForm(bool_, weak=True))


def _begun_inside(t: Translator, carried: Carried, body: Body) -> dict[str, Form]:
    """Names without a value before the loop: results of a `return` inside, and those that every iteration sets for
    later.
    """
    analysis = t.frame.prepared.analysis
    later = analysis.needed[carried.loop] - analysis.always - t.frame.filled
    found = {
        name: body.names.get(name)
        for name in sorted(analysis.assigned(carried.loop.body) - set(carried.names))
        if holds_result(name) or (name in later and not isinstance(body.names.get(name), Delayed))
    }
    return {
        name: joins.form_of(t.builder, value)
        for name, value in found.items()
        if value is not None and not isinstance(value, Unbound)
    }


def _final(t: Translator, body: Body, name: str) -> Value:
    if name == RAN:
        return literal(True)
    binding = body.names[name]
    if isinstance(binding, Delayed):
        with t.builder.inside(body.block, body.scope):
            return binding.compute()
    if isinstance(binding, Unbound):
        raise t.error(f"{binding.reason}, and the next iteration needs it", binding.instead)
    return binding


def _join(t: Translator, name: str, form: Form, final: Value) -> Form:
    try:
        return joins.join(form, joins.form_of(t.builder, final))
    except Mismatch as mismatch:
        if holds_result(name):
            raise fillers.differing_results(t, mismatch) from None
        raise t.error(
            f"'{name}' changes its kind in this loop: {mismatch}",
            f"give '{name}' its final kind before the loop, for example with tl.zeros(...)",
            TypeMismatch,
        ) from None


def leave(t: Translator, carried: Carried, has_run: Callable[[], ir.Value | bool]) -> None:
    """After a loop, a name that only its body sets has a value if every iteration sets it and one ran."""
    line = carried.loop.lineno
    for name in t.frame.prepared.analysis.assigned(carried.loop.body) - set(carried.names):
        may = "leave an iteration before" if name in t.frame.filled else "run no iteration"
        reason = f"'{name}' is set only inside the loop in line {line}, which may {may}"
        t.frame.names[name] = Unbound(reason, BEFORE)
    ran = has_run() if carried.set_inside else True
    for name in carried.set_inside if ran is not True else []:
        t.frame.names[name] = Delayed(partial(_checked, t, name, t.frame.names[name], ran))


def _checked(t: Translator, name: str, value: Value, has_run: ir.Value) -> Value:
    t.builder.check(has_run, "FrontendError", f"'{name}' has no value: its loop ran no iteration; {BEFORE}")
    return value
