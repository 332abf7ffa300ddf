"""The layouts of JSON that benchmarks write, each with a function that makes rows of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from report.row import KNOWN, METHODS, OURS, Row

Entry = Mapping[str, Any]
# Metrics of the harness that are times of calls, by what is computed.
TIMES = {
    "primal_s": "value",
    "gradient_s": "gradient",
    "derivative_s": "derivative",
    "second_order_s": "second order",
    "call_s": "call",
    "evaluate_cpu_s": "evaluation",
    "processor_s": "procedure",
}
# How the names of contestants begin that are not ours.
PEERS = ("jax", "torch", "numpy", "c", "enzyme")
GPU_PEERS = ("jax", "torch")


def from_programs(entry: Entry) -> Iterator[Row]:
    """A row of programs that nobody tuned; also what this package writes itself."""
    given = {name: value for name, value in entry.items() if name in KNOWN}
    seconds = _first(entry, "seconds", "processor_seconds_min", "seconds_min")
    compiled = _first(entry, "compile_processor_seconds", "compile_seconds")
    yield Row(**given | {"seconds": seconds, "compile_seconds": compiled, "size": str(entry.get("size", ""))})


def _first(entry: Entry, *names: str) -> float | None:
    """The first that is there; processor time, which other processes do not lengthen, where there is one processor."""
    is_single = entry.get("target", "cpu") == "cpu" and entry.get("threads", 1) == 1
    usable = (name for name in names if is_single or "processor" not in name)
    return next((entry[name] for name in usable if entry.get(name) is not None), None)


def from_harness(entry: Entry) -> Iterator[Row]:
    """A record of `harness.Run`; ratios, which follow from times, are left out."""
    metric, value = entry["metric"], float(entry["value"])
    labels = {"program": entry["program"], "field": entry["benchmark"], "size": entry["size"], **contestant_of(entry)}
    labels["denormals"] = entry.get("denormals")
    if metric in TIMES:
        yield Row(**{"quantity": TIMES[metric], **labels}, seconds=entry.get("minimum", value))
    elif metric == "compile_s":
        yield Row(**labels, compile_seconds=value)
    elif metric == "peak_bytes":
        yield Row(**labels, peak_bytes=value)


def contestant_of(entry: Entry) -> dict[str, Any]:
    """The parts of a contestant's name: names that are no peer's are ways to write or to run it with Tapeless."""
    name, found = entry["contestant"], {"target": entry.get("target", "cpu"), "threads": entry.get("threads", 1)}
    if re.match(r"\w+", name)[0] in PEERS:
        return found | {"contestant": name}
    found |= {"contestant": OURS, "method": entry.get("method")}
    if name in METHODS:
        found["method"] = name
    elif name.startswith("threads="):
        found["threads"] = int(name.removeprefix("threads="))
    elif entry["metric"] == "processor_s":
        found["quantity"] = name
    elif name != OURS:
        found["spelling"] = name
    return found


def from_gpu(entry: Entry) -> Iterator[Row]:
    """A row of the benchmark of GPUs: each contestant has columns of its own."""
    place = {"program": entry["problem"], "field": "on a GPU", "quantity": entry["row"], "target": "cuda"}
    yield Row(
        **place,
        contestant=OURS,
        seconds=_scaled(entry.get("gpu_ms") or entry.get("call_ms"), 1e-3),
        peak_bytes=_scaled(entry.get("megabytes"), 1e6),
        deviation=entry.get("error"),
        refused=entry.get("failed"),
    )
    for peer in GPU_PEERS:
        if entry.get(f"{peer}_ms") is not None or entry.get(f"{peer}_failed"):
            yield Row(
                **place,
                contestant=peer,
                seconds=_scaled(entry.get(f"{peer}_ms"), 1e-3),
                peak_bytes=_scaled(entry.get(f"{peer}_megabytes"), 1e6),
                refused=entry.get(f"{peer}_failed"),
            )


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


# The name of the list in a file, and what makes rows of its entries.
LAYOUTS: dict[str, Callable[[Entry], Iterator[Row]]] = {
    "rows": from_programs,
    "records": from_harness,
    "gpu": from_gpu,
}
