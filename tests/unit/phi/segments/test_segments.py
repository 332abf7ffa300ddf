"""How segments are found: what a run is, where long ones are cut, and how much is tried."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.phi.segments.segments_of_text import parsed

from tapeless.passes.ir.scopes import Reads
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.segments import segments
from tapeless.passes.phi.segments.cuts import ENOUGH, LONGEST, best_pieces, widths
from tapeless.passes.phi.segments.runs import runs_of
from tapeless.passes.phi.segments.segments import Segments


def long_function(count: int) -> str:
    """Each statement adds a term with three divisions by the same sum."""
    lines = ["func.func @f(%x0: f64, %x: f64, %y: f64) -> f64 {"]
    for k in range(count):
        lines += [
            f"%f{k} = arith.constant {k + 2}.0 : f64",
            f"%u{k} = arith.mulf %x, %f{k} fastmath<contract> : f64",
            f"%a{k} = arith.addf %u{k}, %y fastmath<contract> : f64",
            f"%b{k} = arith.divf %x, %a{k} fastmath<contract> : f64",
            f"%c{k} = arith.divf %y, %a{k} fastmath<contract> : f64",
            f"%d{k} = arith.mulf %b{k}, %c{k} fastmath<contract> : f64",
            f"%e{k} = arith.divf %d{k}, %a{k} fastmath<contract> : f64",
            f"%x{k + 1} = arith.addf %x{k}, %e{k} fastmath<contract> : f64",
        ]
    return "\n".join([*lines, f"return %x{count} : f64", "}"])


def tried(count: int, monkeypatch) -> tuple[int, int]:
    """How many operations were looked at in all pieces, and how many segments there are."""
    looked_at = 0
    plain = segments.estimate

    def counting(candidate):
        nonlocal looked_at
        looked_at += len(candidate.ops)
        return plain(candidate)

    monkeypatch.setattr(segments, "estimate", counting)
    module = parsed(long_function(count))
    with module.context:
        Segments().run(module)
    monkeypatch.undo()
    assert module.operation.verify()
    return looked_at, len(ops_named(module, "phi.segment"))


def test_the_work_grows_like_the_program(monkeypatch):
    (short, few), (long, many) = tried(20, monkeypatch), tried(80, monkeypatch)
    assert 0 < few <= many
    assert long <= 4.5 * short


def pieces(width, gains):
    """The pieces found where only some gain: a number of units, of a hundred that each operation costs."""

    def look(start, end):
        gain = gains.get((start, end), 0.0)
        return gain, gain / (100.0 * (end - start)), (start, end)

    return best_pieces(width, look)


def test_runs_are_cut_where_few_values_are_alive():
    width = [9] * (2 * LONGEST + 1)
    width[40] = width[80] = 1
    looked_at = []
    best_pieces(width, lambda start, end: (1.0, 1.0, looked_at.append((start, end))))
    assert looked_at == [(0, 40), (40, 80), (80, 2 * LONGEST)]


def test_pieces_are_halved_where_halves_gain_more():
    width = [0] * (LONGEST + 1)
    half = LONGEST // 2
    whole = {(0, LONGEST): 7.0}
    assert pieces(width, whole) == [(0, LONGEST)]
    assert pieces(width, whole | {(0, half): 3.0, (half, LONGEST): 5.0}) == [(0, half), (half, LONGEST)]
    assert pieces(width, whole | {(0, half): 3.0, (half, LONGEST): 4.0}) == [(0, LONGEST)]
    assert pieces(width, {(half, LONGEST): 1.0}) == [(half, LONGEST)]


def test_what_saves_enough_is_not_looked_into():
    half = LONGEST // 2
    gains = {(0, LONGEST): ENOUGH * 100 * LONGEST, (0, half): 1e6}
    assert pieces([0] * (LONGEST + 1), gains) == [(0, LONGEST)]


def test_values_alive():
    module = parsed(long_function(2))
    (function,) = module.body.operations
    (run,) = runs_of(function.regions[0].blocks[0], Reads.below(function))
    assert widths(run.ops)[:8] == [0, 1, 1, 2, 3, 2, 1, 1]


def test_segments_stand_before_operations_that_stay(monkeypatch):
    """Operations between two segments read what the first one gives."""
    plain = segments.estimate
    count = 0

    def only_some(candidate):
        nonlocal count
        count += 1
        return plain(candidate) if len(candidate.ops) < LONGEST // 2 and count % 2 else None

    monkeypatch.setattr(segments, "estimate", only_some)
    module = parsed(long_function(16))
    with module.context:
        Segments().run(module)
    inside = sum(len(op.regions[0].blocks[0].operations) - 1 for op in ops_named(module, "phi.segment"))
    assert 0 < inside < 16 * 7
    assert module.operation.verify()


def test_a_wrong_derivative_would_be_rejected(monkeypatch):
    from tapeless.passes.phi.segments import gate

    plain = gate.pulled_back

    def wrong(g, symbols, roots, wanted):
        made = plain(g, symbols, roots, wanted)
        return replace(made, roots=[made.graph.constant(0, "f64")] * len(wanted))

    monkeypatch.setattr(gate, "pulled_back", wrong)
    module = parsed(long_function(4))
    with module.context:
        Segments().run(module)
    assert not ops_named(module, "phi.segment")
