"""How segments are found: what a run is, where long ones are cut, and how much is tried."""

from __future__ import annotations

from tests.unit.phi.segments_of_text import parsed

from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.segments import segments
from tapeless.passes.phi.segments.cuts import LONGEST, STEP, best_pieces
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


def test_cuts_are_where_gains_are_largest():
    count = STEP * (LONGEST + 2)
    gains = {(0, STEP): 1.0, (STEP, 3 * STEP): 5.0, (0, 2 * STEP): 4.0, (3 * STEP, 4 * STEP): 0.0}
    found = best_pieces(count, lambda start, end: (gains.get((start, end), 0.0), (start, end)))
    assert found == [(0, STEP), (STEP, 3 * STEP)]


def test_segments_stand_before_operations_that_stay(monkeypatch):
    """Operations between two segments read what the first one gives."""
    plain = segments.estimate
    count = 0

    def only_some(candidate):
        nonlocal count
        count += 1
        return plain(candidate) if len(candidate.ops) == STEP and count % 2 else None

    monkeypatch.setattr(segments, "estimate", only_some)
    module = parsed(long_function(16))
    with module.context:
        Segments().run(module)
    assert 0 < len(ops_named(module, "phi.segment")) < 16 * 7 // STEP
    assert module.operation.verify()


def test_a_wrong_derivative_would_be_rejected(monkeypatch):
    from tapeless.passes.phi.segments import gate

    plain = gate.pulled_back

    def wrong(g, symbols, roots, wanted):
        made = plain(g, symbols, roots, wanted)
        return type(made)(
            made.graph, made.inputs, made.seeds, [made.graph.constant(0, "f64")] * len(wanted), made.images
        )

    monkeypatch.setattr(gate, "pulled_back", wrong)
    module = parsed(long_function(4))
    with module.context:
        Segments().run(module)
    assert not ops_named(module, "phi.segment")
