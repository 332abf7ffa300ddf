"""What the gate says of given ratios, and that its tables fit together."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

import machine
from gate import __main__ as gate
from gate import decide, measure, places, references
from gate.decide import ATTEMPTS, CAUGHT, Range, judge
from gate.rows import ROWS

RECORDED = sorted(gate.RECORDED.glob("*.json"))
HERE = {"cpu": "Neoverse-N1", "cc": "cc 12", "python": "3.11"}
STEADY = Range(1.0, 1.05)


@pytest.mark.parametrize("spread", [1.0, 1.02, 1.1, 1.2, 1.3])
def test_a_limit_leaves_room_for_noise_and_catches_the_slow_down(spread):
    known = Range(2.0, 2.0 * spread)
    assert known.high * decide.LEAST_ROOM <= known.limit <= CAUGHT * known.low / decide.LEAST_ROOM
    assert judge("row", [known.high] * ATTEMPTS, known).word == "fine"
    assert judge("row", [CAUGHT * known.low] * ATTEMPTS, known).word == "slower"


def test_a_row_that_is_not_steady_has_no_limit():
    known = Range(1.0, 1.4)
    assert known.limit is None
    assert judge("row", [9.0] * ATTEMPTS, known).word == "unsteady"


@pytest.mark.parametrize(
    ("attempts", "word"),
    [
        ([1.0], "fine"),
        ([1.5], "again"),
        ([1.5, 1.6, 1.5, 1.7], "again"),
        ([1.5, 1.6, 1.5, 1.7, 1.5], "slower"),
        ([1.5, 1.6, 1.5, 1.7, 1.02], "fine"),
        ([1.5, 1.0], "fine"),
        ([0.6], "faster"),
    ],
)
def test_a_row_is_slower_only_in_all_processes(attempts, word):
    verdict = judge("row", attempts, STEADY)
    assert verdict.word == word
    assert verdict.is_red == (word == "slower")


def test_a_further_sitting_widens_ranges():
    known = {"a": Range(1.0, 1.1), "b": Range(2.0, 2.1)}
    found = {"a": Range(0.9, 1.05), "c": Range(3.0, 3.1)}
    assert decide.widened(known, found) == {"a": Range(0.9, 1.1), "b": Range(2.0, 2.1), "c": Range(3.0, 3.1)}


@pytest.mark.parametrize(
    ("ratios", "low", "high"),
    [
        ([1.0, 0.5, 1.1, 1.2, 9.0], 1.0, 1.1),
        ([1.0], 1.0, 1.0),
        ([1.0, 1.2], 1.0, 1.0),
        ([1.2, 1.0, 1.1], 1.1, 1.1),
    ],
)
def test_single_processes_are_not_the_range_of_a_sitting(ratios, low, high):
    assert decide.range_of(ratios) == Range(low, high)


def test_a_row_without_a_range_is_told():
    assert judge("row", [1.0], None).word == "not recorded"


@pytest.mark.parametrize("name", decide.SAME)
def test_only_a_machine_like_the_recorded_one_stops_a_change(name):
    red = [judge("row", [2.0] * ATTEMPTS, STEADY)]
    assert decide.exit_status(red, decide.differences(HERE, HERE)) == 1
    other = decide.differences(HERE | {name: "another"}, HERE)
    assert len(other) == 1 and "another" in other[0]
    assert decide.exit_status(red, other) == 0


def test_rows_that_are_fine_stop_nothing():
    assert decide.exit_status([judge("row", [1.0], STEADY), judge("other", [1.0], None)], []) == 0


def test_the_record_of_the_most_similar_machine_is_taken():
    records = [{"machine": HERE | {"cpu": "x"}, "rows": {}}, {"machine": HERE, "rows": {}}, {"machine": {}, "rows": {}}]
    assert decide.record_for(HERE, records) is records[1]
    assert decide.record_for(HERE, []) is None
    assert decide.ranges_of(None, {}) == {}


def test_rows_recorded_beside_another_reference_have_no_range():
    rows = {
        "a": {"reference": "memory", "low": 1.0, "high": 1.1},
        "b": {"reference": "latency", "low": 1.0, "high": 2.0},
    }
    found = decide.ranges_of({"rows": rows}, {"a": "memory", "b": "vector memory"})
    assert found == {"a": Range(1.0, 1.1)}


class Attempts:
    """Stands for processes: a row gives its ratios one after the other."""

    def __init__(self, ratios: dict[str, list[float]]) -> None:
        self.ratios = ratios
        self.asked: list[list[str]] = []

    def __call__(self, rows: Sequence[str], slow: Sequence[str]) -> dict[str, float]:
        self.asked.append(list(rows))
        return {row: self.ratios[row].pop(0) for row in rows or self.ratios}


def test_rows_above_their_limits_are_measured_again_and_no_others(monkeypatch, capsys):
    rows = {row: {"reference": "memory", "low": 1.0, "high": 1.0} for row in "abc"}
    record = {"machine": gate.here(), "rows": rows}
    monkeypatch.setattr(gate, "records", lambda: [record])
    monkeypatch.setattr(gate, "references", lambda: dict.fromkeys("abc", "memory"))
    attempts = Attempts({"a": [1.1], "b": [1.6, 1.0], "c": [1.6, 1.7, 1.5, 1.6, 1.5]})
    monkeypatch.setattr(gate, "attempt", attempts)
    waited: list[int] = []
    monkeypatch.setattr(gate.time, "sleep", waited.append)
    verdicts, unlike = gate.check([], [])
    assert attempts.asked == [[], ["b", "c"], ["c"], ["c"], ["c"]]
    assert tuple(waited) == decide.PAUSES
    assert {each.row: each.word for each in verdicts} == {"a": "fine", "b": "fine", "c": "slower"}
    assert unlike == []
    gate.tell(verdicts, unlike)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].split()[:2] == ["c", "slower"] and lines[-1] == "3 rows, 1 slower than their limits"


def test_a_machine_that_was_not_recorded_is_told_how_to_be(monkeypatch, capsys):
    monkeypatch.setattr(gate, "records", list)
    monkeypatch.setattr(gate, "attempt", Attempts({"a": [1.0]}))
    verdicts, unlike = gate.check([], [])
    gate.tell(verdicts, unlike)
    assert "make gate RECORD=1" in capsys.readouterr().out
    assert decide.exit_status(verdicts, unlike) == 0


def test_recording_keeps_the_ranges_of_other_machines(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(gate, "RECORDED", tmp_path)
    monkeypatch.setattr(gate, "references", lambda: {"a": "memory"})
    other = {"machine": gate.here() | {"cpu": "another"}, "rows": {}}
    old = {"machine": gate.here(), "rows": {"gone": {"reference": "memory", "low": 1.0, "high": 1.0}}}
    gate.recorded_file().write_text(json.dumps([other, old]))
    ratios = [1.0 + 0.01 * k for k in range(gate.RECORDING_PROCESSES)]
    monkeypatch.setattr(gate, "attempt", Attempts({"a": ratios.copy()}))
    gate.record([])
    kept, new = gate.records()
    assert kept == other
    assert new == {"machine": gate.here(), "rows": {"a": {"reference": "memory", "low": 1.01, "high": 1.02}}}


def test_what_was_recorded_are_rows_of_the_table():
    assert RECORDED
    for each in (record for path in RECORDED for record in json.loads(path.read_text())):
        assert set(each["machine"]) == set(decide.SAME)
        assert set(each["rows"]) <= set(ROWS)
        assert not [name for name, row in each["rows"].items() if row["low"] > row["high"]]
        known = {name: {row.reference, row.wide} for name, row in ROWS.items()}
        assert not [name for name, row in each["rows"].items() if row["reference"] not in known[name]]


def test_rows_are_measured_between_samples_of_their_references(tmp_path):
    rows = [ROWS["three numbers, call"], ROWS["logistic, redundant"]]
    known = references.prepared(tmp_path)
    assert {row.reference for row in ROWS.values()} | {row.wide for row in ROWS.values()} - {""} == set(known)
    found = measure.in_turns(rows, {row.name: measure.execution(row) for row in rows}, known, rounds=2)
    assert list(found) == [row.name for row in rows]
    assert all(min(each.values()) > 0 for each in found.values())


class Clock:
    """Calls that take so many seconds of a clock of their own, slower by a factor while the machine is."""

    def __init__(self, monkeypatch) -> None:
        self.now, self.slow = 0.0, 1.0
        self.turns: list[float] = []
        monkeypatch.setattr(measure.time, "process_time", lambda: self.now)

    def call(self, seconds: float) -> measure.Timed:
        def work() -> None:
            self.now += seconds * self.slow
            self.turns.append(seconds)

        return measure.Timed(work)


def test_rows_and_references_take_turns_and_the_least_of_each_counts(monkeypatch):
    clock = Clock(monkeypatch)
    pair = measure.Pair(clock.call(3.0), clock.call(2.0))
    for slow in (1.8, 1.0, 1.3):
        clock.slow = slow
        pair.sample(2)
    assert pair.result() == pytest.approx({"seconds": 3.0, "reference": 2.0})
    assert clock.turns == [2.0, 3.0, 2.0, 3.0, 2.0] * 3


@pytest.mark.parametrize("bits", [128, 256, 512])
def test_the_reference_is_one_with_vectors_where_these_are_wide(bits, monkeypatch):
    monkeypatch.setattr(references, "host", lambda: SimpleNamespace(vector_bits=bits))
    row = ROWS["product, redundant"]
    assert row.reference_here() == ("arithmetic" if bits == 128 else "vector arithmetic")
    assert ROWS["logistic, redundant"].reference_here() == "latency"


@pytest.mark.parametrize("bits", [128, 256, 512])
def test_references_with_vectors_are_built_for_each_width(bits, tmp_path):
    options = ("-ffp-contract=off", f"-DVECTOR_BYTES={bits // 8}")
    loaded = references.compiled("vectors.c", tmp_path, options)
    x = np.arange(64.0)
    y = np.full(64, -1.0)
    assert references._call(loaded.vector_sum, x, 64, 2)() == 2 * x.sum()
    references._call(loaded.vector_stream, x, x, y, 64, 1)()
    assert np.array_equal(y, 1.5 * x)
    references._call(loaded.vector_powers, x / 16.0, y, 64, 1)()
    assert np.allclose(y, np.exp(x / 16.0), rtol=1e-2)


def test_arrays_lie_at_the_same_places():
    given = [np.arange(5.0), 3, np.ones((7, 2), np.float32), np.arange(1000)]
    first, second = (list(map(Places(), given)) for Places in (places.Places, places.Places))
    arrays = [place for place, each in enumerate(given) if isinstance(each, np.ndarray)]
    for found in (first, second):
        assert all(np.array_equal(a, b) and type(a) is type(b) for a, b in zip(found, given, strict=True))
        assert [found[k].ctypes.data % 64 for k in arrays] == [0, 0, 0]
    offsets = [[found[k].ctypes.data - found[0].ctypes.data for k in arrays] for found in (first, second)]
    assert offsets[0] == offsets[1] and len({each % places.PAGE for each in offsets[0]}) == 3
    with pytest.raises(ValueError, match="choose smaller ones"):
        places.Places()(np.zeros(1 << 20))


def test_a_planted_slow_down_takes_the_time_that_it_says():
    taken = []

    def call() -> int:
        start = time.process_time()
        total = sum(range(20_000))
        taken.append(time.process_time() - start)
        return total

    start = time.process_time()
    assert measure.slowed(call, 3.0)() == sum(range(20_000))
    assert time.process_time() - start >= 3.0 * taken[0]


def test_a_compilation_that_finds_a_kernel_in_use_is_refused():
    row = ROWS["compile logistic, coarsened"]
    kernel = row.kernel()
    with pytest.raises(RuntimeError, match="a kernel of it is in use"):
        measure.compilation(row)()
    assert kernel(*row.given())


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("processor\t: 0\nmodel name\t: AMD EPYC 7B13\n\nprocessor: 1\nmodel name\t: other\n", "AMD EPYC 7B13"),
        ("CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", "Neoverse-N1"),
        ("CPU implementer\t: 0x99\nCPU part\t: 0x001\n", "implementer 0x99, part 0x001"),
    ],
)
def test_processors_have_names(text, model):
    assert machine.name_from(text) == model


def test_the_machine_and_versions_are_named():
    assert set(machine.description()) == {"architecture", "processor", "processors", "system", "python", "gpu"}
    assert {"cc", "numpy", "tapeless"} <= set(machine.versions())


def test_recording_again_widens_if_asked(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(gate, "RECORDED", tmp_path)
    beside = {"a": "memory"}
    monkeypatch.setattr(gate, "references", lambda: beside)
    for ratio, widen, low, high in ((2.0, False, 2.0, 2.0), (2.1, True, 2.0, 2.1), (3.0, False, 3.0, 3.0)):
        monkeypatch.setattr(gate, "attempt", lambda rows, slow, ratio=ratio: {"a": ratio})
        gate.record([], widen)
        (entry,) = gate.records()
        assert entry["rows"] == {"a": {"reference": "memory", "low": low, "high": high}}
    beside["a"] = "vector memory"
    gate.record([], widen=True)
    (entry,) = gate.records()
    assert entry["rows"] == {"a": {"reference": "vector memory", "low": 3.0, "high": 3.0}}


def test_recording_a_row_keeps_the_others(monkeypatch, tmp_path, capsys):
    first, second, *_ = ROWS
    monkeypatch.setattr(gate, "RECORDED", tmp_path)
    monkeypatch.setattr(gate, "attempt", lambda rows, slow: dict.fromkeys(rows, 2.0))
    gate.record([first])
    gate.record([second])
    (entry,) = gate.records()
    assert set(entry["rows"]) == {first, second}
    assert {(each["low"], each["high"]) for each in entry["rows"].values()} == {(2.0, 2.0)}
    assert f"process 1 of {gate.RECORDING_PROCESSES}" in capsys.readouterr().out
