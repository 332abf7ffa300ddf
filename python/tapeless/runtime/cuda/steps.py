"""Launch plans as Python functions: every step becomes a line or a block of source, which is compiled once.

The steps and their fields are described in `docs/gpu_runtime.md`. Names of a plan become variables `v0`, `v1`, ...,
so that no text of a plan stands in the source but checked numbers.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from types import CodeType
from typing import Any

from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.bounded_json import read_json
from tapeless.runtime.cuda.expressions import FUNCTIONS, Expression, MalformedPlan, python_text
from tapeless.runtime.cuda.recordings.order import TOUCHED
from tapeless.runtime.failure import MAX_VALUES
from tapeless.runtime.image_checks import is_whole_number

VERSION = 1
WORDS = ("ptr", "i64", "i32", "f64", "f32")
MOST_BYTES = 1 << 48
READABLE = ("i64", "i32", "i1", "f64", "f32", "index")
Step = Mapping[str, Any]


@dataclass
class Source:
    """Python text under construction: lines, how deep they are, and the variables of names bound so far."""

    plan: Mapping[str, Any]
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    names: dict[str, str] = field(default_factory=dict)
    count: int = 0

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def bind(self, name: Any) -> str:
        """A fresh variable for a name."""
        if not isinstance(name, str):
            raise MalformedPlan(f"{name!r} is no name")
        self.names[name] = f"v{self.count}"
        self.count += 1
        return self.names[name]

    def text(self, expression: Expression) -> str:
        return python_text(expression, self.names)

    def tuple_of(self, expressions: Sequence[Expression]) -> str:
        return f"({''.join(self.text(each) + ', ' for each in expressions)})"

    def assign(self, names: Sequence[str], expressions: Sequence[Expression]) -> None:
        """Assigns all at once, so that values may trade places."""
        if len(names) != len(expressions):
            raise MalformedPlan("there are not as many values as names")
        if names:
            self.line(f"{', '.join(names)}, = {self.tuple_of(expressions)}")

    def block(self, steps: Sequence[Step], ends: Callable[[], None]) -> None:
        """The steps of a region; their names are not known behind it, and `ends` is written while they are."""
        outer = dict(self.names)
        self.depth += 1
        before = len(self.lines)
        for step in steps:
            write_step(self, step)
        ends()
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1
        self.names = outer


def let(source: Source, step: Step) -> None:
    text = source.text(step["value"])
    source.line(f"{source.bind(step['name'])} = {text}")


def allocate(source: Source, step: Step) -> None:
    text = source.text(step["bytes"])
    source.line(f"{source.bind(step['name'])} = device.allocate({text})")


def free(source: Source, step: Step) -> None:
    source.line(f"device.free({source.text(step['name'])})")


def launch(source: Source, step: Step) -> None:
    """A launch of nothing is no launch: the driver would refuse it."""
    kernel = step["kernel"]
    kernels = source.plan["kernels"]
    if kernel not in kernels:
        raise MalformedPlan(f"there is no kernel {kernel!r}")
    if len(step["arguments"]) != len(kernels[kernel]["parameters"]) - 1:
        raise MalformedPlan(f"a launch of {kernel!r} has too few or too many arguments")
    grid, block = (source.tuple_of([*step[name], 1, 1, 1][:3]) for name in ("grid", "block"))
    arguments = source.tuple_of(["status", *step["arguments"]])
    number = list(kernels).index(kernel)
    source.line(f"device.launch({number}, {grid}, {block}, {source.text(step.get('shared', 0))}, {arguments})")


def copy(source: Source, step: Step) -> None:
    source.line(f"device.copy({source.text(step['to'])}, {source.text(step['from'])}, {source.text(step['bytes'])})")


def fill(source: Source, step: Step) -> None:
    source.line(f"device.fill({source.text(step['to'])}, {source.text(step['byte'])}, {source.text(step['bytes'])})")


def constant(source: Source, step: Step) -> None:
    part = step["part"]
    if type(part) is not int or not 0 <= part < len(source.plan.get("constants", ())):
        raise MalformedPlan(f"there is no constant {part!r}")
    source.line(f"{source.bind(step['name'])} = device.constant({part})")


def read(source: Source, step: Step) -> None:
    text = f"device.read({source.text(step['from'])}, {_readable(step['type'])!r})"
    source.line(f"{source.bind(step['name'])} = {text}")


def check(source: Source, step: Step) -> None:
    site = step["site"]
    if type(site) is not int or len(step["values"]) > MAX_VALUES:
        raise MalformedPlan(f"{site!r} is no site, or has too many values")
    source.line(f"if not {source.text(step['condition'])}:")
    source.line(f"    device.fail({site}, {source.tuple_of(step['values'])})")


def for_loop(source: Source, step: Step) -> None:
    bounds = ", ".join(source.text(step[name]) for name in ("low", "high", "step"))
    starts = [start for _, start in step["carried"]]
    texts = [source.text(start) for start in starts]
    outer = dict(source.names)
    carried = [source.bind(name) for name, _ in step["carried"]]
    for name, text in zip(carried, texts, strict=True):
        source.line(f"{name} = {text}")
    source.line(f"for {source.bind(step['index'])} in range({bounds}):")
    source.block(step["body"], lambda: source.assign(carried, step["yields"]))
    source.names = outer
    _give(source, step["results"], carried)


def branch(source: Source, step: Step) -> None:
    condition = source.text(step["condition"])
    outer = dict(source.names)
    results = [source.bind(name) for name in step["results"]]
    source.names = outer
    source.line(f"if {condition}:")
    source.block(step["then"], lambda: source.assign(results, step["then_yields"]))
    source.line("else:")
    source.block(step["else"], lambda: source.assign(results, step["else_yields"]))
    source.names.update(zip(step["results"], results, strict=True))


def while_loop(source: Source, step: Step) -> None:
    """`before` decides whether `after` runs once more; each sees the values of the other."""
    texts = [source.text(start) for _, start in step["carried"]]
    outer = dict(source.names)
    carried = [source.bind(name) for name, _ in step["carried"]]
    for name, text in zip(carried, texts, strict=True):
        source.line(f"{name} = {text}")
    handed = [source.bind(name) for name in step["arguments"]]
    source.line("while True:")

    def decide() -> None:
        source.assign(handed, step["passed"])
        source.line(f"if not {source.text(step['condition'])}:")
        source.line("    break")
        arguments = dict(zip(step["arguments"], handed, strict=True))
        source.names.update(arguments)
        source.depth -= 1
        source.block(step["after"], lambda: source.assign(carried, step["yields"]))
        source.depth += 1

    source.block(step["before"], decide)
    source.names = outer
    _give(source, step["results"], handed)


def give_back(source: Source, step: Step) -> None:
    """Results as tuples: ("value", number), ("read", address, type) or ("array", address, sizes)."""
    if source.depth > 1:
        raise MalformedPlan("a loop or a branch returns")
    parts = []
    for value in step["values"]:
        if "value" in value:
            parts.append(f"('value', {source.text(value['value'])})")
        elif "read" in value:
            parts.append(f"('read', {source.text(value['read'])}, {_readable(value['type'])!r})")
        else:
            parts.append(f"('array', {source.text(value['address'])}, {source.tuple_of(value['dims'])})")
    source.line(f"return [{', '.join(parts)}]")


STEPS: dict[str, Callable[[Source, Step], None]] = {
    "let": let,
    "allocate": allocate,
    "free": free,
    "launch": launch,
    "copy": copy,
    "fill": fill,
    "constant": constant,
    "read": read,
    "check": check,
    "for": for_loop,
    "if": branch,
    "while": while_loop,
    "return": give_back,
}


def write_step(source: Source, step: Step) -> None:
    STEPS[step["do"]](source, step)


def _readable(type_: Any) -> str:
    if type_ not in READABLE:
        raise MalformedPlan(f"{type_!r} is no type of scalars")
    return str(type_)


def _give(source: Source, names: Sequence[str], variables: Sequence[str]) -> None:
    """Results of a loop are its last carried values; they get variables of their own, since the loop may run again."""
    if len(names) != len(variables):
        raise MalformedPlan("a loop has not as many results as values")
    for name, variable in zip(names, variables, strict=True):
        source.line(f"{source.bind(name)} = {variable}")


def python_source(plan: Mapping[str, Any], bound: Sequence[str]) -> str:
    """The source of `run(device, bound...)`, which carries out a plan; raises MalformedPlan for anything else."""
    source = Source(plan)
    try:
        if plan["version"] != VERSION:
            raise MalformedPlan(f"the plan has version {plan['version']!r}, this runtime reads {VERSION}")
        if not all(is_whole_number(plan.get(name, 0), MOST_BYTES) for name in ("stack", "heap")):
            raise MalformedPlan("the size of a stack or heap is no number")
        check_constants(plan.get("constants", []))
        for kernel in plan["kernels"].values():
            if not kernel["parameters"] or any(word not in WORDS for word in kernel["parameters"]):
                raise MalformedPlan("a kernel has parameters of no known type")
            check_touched(kernel)
        parameters = [source.bind(name) for name in bound]
        for step in plan["steps"]:
            write_step(source, step)
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError) as error:
        if isinstance(error, MalformedPlan):
            raise
        raise MalformedPlan(f"a field of the plan is missing or malformed: {error!r}") from error
    return "\n".join([f"def run({', '.join(['device', *parameters])}):", *source.lines, ""])


def check_constants(constants: Any) -> None:
    """Constants are texts in base64."""
    if type(constants) is not list or not all(type(each) is str for each in constants):
        raise MalformedPlan("a constant of the plan is none")
    for each in constants:
        binascii.a2b_base64(each, strict_mode=True)


def check_touched(kernel: Mapping[str, Any]) -> None:
    """The reads and writes of a kernel, if they are told, must be arrays that it is given."""
    parameters = dict(enumerate(kernel["parameters"]))
    if any(parameters.get(number) != "ptr" for what in TOUCHED for number in kernel.get(what, ())):
        raise MalformedPlan("a kernel touches what it has no address of")


@lru_cache(maxsize=4)
def code_of_text(plan: str, bound: tuple[str, ...], ranks: tuple[int, ...]) -> CodeType:
    """The code for a plan in JSON, which returns arrays of these ranks, 0 for scalars; raises MalformedPlan.

    It is asked for when a kernel is loaded, and again for its first call.
    """
    try:
        data = read_json(plan)
        text = python_source(data, bound)
        check_returned(data["steps"], ranks)
        return compile(text, "<launch plan>", "exec")
    except MalformedPlan:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, SyntaxError, RecursionError, MemoryError) as error:
        # Python's compiler takes expressions and loops that are nested to some depth.
        raise MalformedPlan(f"the plan is none that this Python can carry out: {error!r}") from error


def check_returned(steps: Sequence[Step], ranks: Sequence[int]) -> None:
    """The last step, and no other one, gives the results for the caller, in order."""
    last = steps[-1] if steps else {}
    if last.get("do") != "return" or "return" in (step["do"] for step in steps[:-1]):
        raise MalformedPlan("the last step of a plan, and no other, returns")
    if [len(value["dims"]) if "address" in value else 0 for value in last["values"]] != list(ranks):
        raise MalformedPlan("the plan returns something else than the kernel does")


def program(plan: str, bound: Sequence[str], ranks: Sequence[int]) -> Callable[..., list[Any]]:
    """The function that carries out a plan on a device, given the values of the names bound at its start.

    It returns where results are: reading them waits for the GPU, and is left to the caller.
    """
    scope: dict[str, Any] = {"__builtins__": {"range": range, "float": float}, **FUNCTIONS}
    exec(code_of_text(plan, tuple(bound), tuple(ranks)), scope)
    return scope["run"]
