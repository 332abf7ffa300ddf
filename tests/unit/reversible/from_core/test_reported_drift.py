"""What `explain` says of how far loops that ran backwards were off in the last call."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(3)

LINE = re.compile(r"  drift   (.*):(\d+): in the last call, (.*)off by at most (\S+) of its size; (.*): (\d+) times")


@tl.function
def henon(x: tl.f64, y: tl.f64, n: tl.i64):
    for _ in range(n):
        x, y = 1.0 - 1.4 * x * x + y, 0.3 * x
    return x * x + y


@tl.function
def henons(xs: tl.f64[:], ns: tl.i64[:]):
    return tl.sum(tl.map(lambda x, n: henon(x, 0.1, n), xs, ns))


@tl.function
def swing(x: tl.f64, y: tl.f64, n: tl.i64):
    for _ in range(n):
        x -= 0.1 * (y * y)
        y += 0.1 * x
    return x * y


@tl.function
def swings(xs: tl.f64[:], n: tl.i64):
    return tl.sum(tl.map(lambda x: swing(x, 0.2, n), xs))


@tl.reversible
def shrinks(loss, x: tl.f64[:]):
    loss += tl.sum(x * x)
    x *= 0.1
    loss += tl.sum(x * x * x)


def drift(kernel):
    """Per line of `explain` about drift: source line, error, how often it was too large."""
    lines = [line for line in kernel.explain().splitlines() if line.startswith("  drift")]
    found = [LINE.fullmatch(line) for line in lines]
    assert all(found), lines
    return [(int(m[2]), float(m[4]), int(m[6])) for m in found]


def swing_states(x, y, n):
    """The states before every step and the last one, forward and back; in f64, without contraction."""
    there = [(x, y)]
    for _ in range(n):
        x -= 0.1 * (y * y)
        y += 0.1 * x
        there.append((x, y))
    back = [(x, y)]
    for _ in range(n):
        y -= 0.1 * x
        x += 0.1 * (y * y)
        back.append((x, y))
    return np.array(there), np.array(back[::-1])


def backwards(function=henon, types=(tl.f64, tl.f64, tl.i64), **options):
    return tl.compile(tl.grad(function), types, method="reversible", **options)


@pytest.mark.parametrize("n", [5, 40, 64])
def test_the_error_is_that_of_the_run_backwards(n):
    kernel = backwards(swing)
    kernel(0.3, 0.2, n)
    ((line, error, failures),) = drift(kernel)
    there, back = swing_states(0.3, 0.2, n)
    # Up to 64 steps, each step is a stretch of its own: the state before it is compared.
    wanted = (np.abs(there - back) / np.abs(there))[:-1].max()
    assert wanted > 0
    assert error == pytest.approx(wanted, rel=0.05)
    assert (line, failures) == (swing.source.line + 1, 0)


def test_the_last_call_counts():
    kernel = backwards()
    assert "henon" in repr(kernel) and "no call on this thread yet" in kernel.explain()
    kernel(0.3, 0.2, 1000)
    ((_, error, failures),) = drift(kernel)
    assert not error <= 1e-9 and failures == 1
    kernel(0.3, 0.2, 3)
    ((_, error, failures),) = drift(kernel)
    assert error < 1e-13 and failures == 0


def test_what_falls_back_says_so_and_is_right():
    kernel, stored = backwards(), tl.compile(tl.grad(henon), (tl.f64, tl.f64, tl.i64))
    assert kernel(0.3, 0.2, 100) == pytest.approx(stored(0.3, 0.2, 100), rel=1e-6)
    assert "beyond 1e-09 it runs again with states kept: 1 times" in kernel.explain()


def test_an_error_keeps_its_report():
    kernel = backwards(fallback=False)
    with pytest.raises(tl.InvertibilityError) as raised:
        kernel(0.3, 0.2, 60)
    ((_, error, failures),) = drift(kernel)
    assert failures == 1
    told = float(re.search(r"off by (\S+) of", str(raised.value))[1])
    assert error == pytest.approx(told, rel=0.05)
    assert "beyond 1e-09 the call ends: 1 times" in kernel.explain()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_loop_in_a_map_reports_the_largest_of_all_elements(threads):
    kernel = backwards(swings, (tl.f64[:], tl.i64), threads=threads)
    xs = np.linspace(0.1, 0.4, 300)
    kernel(xs, 20)
    ((line, error, failures),) = drift(kernel)
    assert (line, failures) == (swing.source.line + 1, 0)
    wanted = []
    for there, back in (swing_states(x, 0.2, 20) for x in xs):
        wanted += [*(np.abs(there - back) / np.abs(there))[0]]
        # Loops in maps have one stretch: sums over all steps are compared.
        wanted += [*(np.abs(there[:-1].sum(0) - back[:-1].sum(0)) / np.abs(there[:-1]).sum(0))]
    assert error == pytest.approx(max(wanted), rel=0.05)


@pytest.mark.parametrize("threads", [1, 2])
def test_elements_of_a_map_that_fall_back_are_counted(threads):
    kernel = backwards(henons, (tl.f64[:], tl.i64[:]), threads=threads)
    ns = np.full(300, 4)
    ns[7] = ns[150] = 500
    kernel(np.linspace(0.1, 0.4, 300), ns)
    ((line, error, failures),) = drift(kernel)
    assert (line, failures) == (henon.source.line + 1, 2)
    assert not error <= 1e-9


def test_f32_has_its_own_tolerance():
    @tl.function
    def turns(x: tl.f32, y: tl.f32, n: tl.i64):
        for _ in range(n):
            x, y = 0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y
            x += 0.1 * tl.sin(y)
        return x * y

    kernel = backwards(turns, (tl.f32, tl.f32, tl.i64))
    kernel(np.float32(0.3), np.float32(0.2), 20)
    ((_, error, failures),) = drift(kernel)
    assert 1e-9 < error < 1e-4 and failures == 0
    assert "beyond 0.0001" in kernel.explain()


def test_saved_kernels_report(tmp_path):
    backwards().save(tmp_path / "henon.tlk")
    kernel = tl.load(tmp_path / "henon.tlk")
    kernel(0.3, 0.2, 1000)
    ((line, _, failures),) = drift(kernel)
    assert (line, failures) == (henon.source.line + 1, 1)


def test_each_thread_is_told_of_its_own_call():
    kernel = backwards()
    kernel(0.3, 0.2, 1000)
    seen = []

    def other():
        assert "no call on this thread yet" in kernel.explain()
        kernel(0.3, 0.2, 3)
        seen.extend(drift(kernel))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen[0][2] == 0
    assert drift(kernel)[0][2] == 1


def test_second_derivatives_report():
    kernel = tl.compile(tl.grad(tl.grad(henon)), (tl.f64, tl.f64, tl.i64), method="reversible")
    kernel(0.3, 0.2, 5)
    assert {line for line, *_ in drift(kernel)} == {henon.source.line + 1}
    kernel = tl.compile(tl.hessian(henon), (tl.f64, tl.f64, tl.i64), method="reversible")
    kernel(0.3, 0.2, 5)
    ((_, error, failures),) = drift(kernel)
    assert 0 < error < 1e-9 and failures == 0


def test_gradients_of_procedures_report_every_cell_that_matters():
    kernel = tl.compile(tl.grad(shrinks, loss=0, argnums=1), (tl.f64, tl.f64[:]))
    x = np.linspace(0.1, 1.3, 50)
    kernel(0.0, x)
    ((line, error, failures),) = drift(kernel)
    assert line == shrinks.procedure.source.line
    again = x * 0.1 / 0.1
    assert error == pytest.approx(np.abs(again - x).max() / x.max(), rel=0.05)
    assert failures == 0
    assert "ran 'shrinks' backwards and found 'x' off by at most" in kernel.explain()


def test_unchecked_procedures_and_other_methods_have_nothing_to_report():
    unchecked = tl.compile(tl.grad(shrinks, loss=0, argnums=1), (tl.f64, tl.f64[:]), checks="off")
    stored = tl.compile(tl.grad(henon), (tl.f64, tl.f64, tl.i64))
    for kernel in (unchecked, stored):
        assert "\n  drift" not in kernel.explain()
        assert "tl_report" not in kernel.explain()


def test_a_gradient_that_is_not_used_leaves_no_report():
    @tl.function
    def value_only(x: tl.f64, n: tl.i64):
        value, _ = tl.value_and_grad(henon, method="reversible")(x, 0.2, n)
        return value

    kernel = tl.compile(value_only)
    assert kernel(0.3, 5) == pytest.approx(henon(0.3, 0.2, 5))
    assert "tl_report" not in kernel.explain()
