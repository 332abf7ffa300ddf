"""What a gradient holds at its peak must not depend on the number of steps."""

from __future__ import annotations

from pathlib import Path

from harness import Contestant, Run

from running_back import peers
from running_back.cases import CASES, Case, gradient
from tapeless.runtime import counters


def measure(run: Run, folder: Path | None) -> None:
    for name, case in CASES.items():
        if run.wants(name) and case.counted:
            measure_case(run, name, case)


def measure_case(run: Run, name: str, case: Case) -> None:
    """Bytes of ours as counted in a call, of JAX's as compiled; how much each has grown at the end."""
    held: dict[str, list[int]] = {}
    for steps in case.counted:
        arguments = case.arguments(run.quick, steps)
        ours = {
            "reversible": peak_bytes(gradient(case, case.program, "reversible", arguments)),
            **peers.bytes_held(name, case, arguments),
        }
        for contestant, found in ours.items():
            run.record(name, f"{arguments[-1]} steps", "peak_bytes", found, "bytes", contestant=contestant)
            held.setdefault(contestant, []).append(found)
    size = f"{case.counted[0]} and {case.counted[-1]} steps"
    for contestant, found in held.items():
        growth = found[-1] / found[0]
        if contestant == "reversible" and case.has_bars:
            run.bar(name, size, "peak_growth", growth, at_most=1.01, contestant=contestant)
        else:
            run.record(name, size, "peak_growth", growth, "", contestant=contestant)


def peak_bytes(call: Contestant) -> int:
    """The most bytes that a call holds at once, results included."""
    before = counters.memory_counters().live_bytes
    counters.reset_peak()
    call()
    return counters.peak_bytes() - before
