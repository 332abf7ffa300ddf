"""`checks="status"`: a call goes on after failed checks of reversibility, and says afterwards which ones failed."""

import threading

import numpy as np
import pytest

import tapeless as tl
from programs.leaving import leaves, leaves_each
from tapeless.runtime.image import LoadedImage
from tapeless.runtime.invoke import bind


def raised(procedure, *arguments):
    with pytest.raises(tl.InvertibilityError) as found:
        procedure(*arguments)
    return str(found.value)


@pytest.mark.parametrize("by", [1.0, 10.0 + 1e-6, np.nan])
def test_a_failed_check_is_noted_as_it_would_be_raised(by):
    noting = tl.jit(leaves, checks="status")
    assert noting(0.0, by)[0] == 1.0
    status = noting.status
    assert status and status.count == 1
    assert str(status.error) == raised(leaves, 0.0, by)
    assert isinstance(status.error, tl.InvertibilityError)
    source = leaves.procedure.source
    assert (status.file, status.line) == (source.file, source.line + 1)
    with pytest.raises(tl.InvertibilityError):
        status.check()


def test_the_status_is_that_of_the_last_call():
    kernel = tl.compile(leaves, checks="status")
    kernel(0.0, 1.0)
    assert kernel.status.count == 1
    assert kernel(0.0, 10.0 + 1e-9)[0] == 1.0
    assert not kernel.status
    assert (kernel.status.count, kernel.status.error, kernel.status.line) == (0, None, None)
    kernel.status.check()


def test_every_failure_counts_and_the_first_is_told():
    noting = tl.jit(leaves_each, checks="status")
    x = np.array([0.0, 0.0, 3.0, 0.0, 5.0, np.nan])
    y, _ = noting(np.ones(6), x)
    np.testing.assert_array_equal(y, 1.0 + x)
    assert noting.status.count == 3
    assert str(noting.status.error) == raised(leaves_each, np.ones(6), x)
    assert "3.0 and not 0.0" in str(noting.status.error)


def test_elements_of_an_array_count_one_by_one():
    @tl.reversible
    def leaves_array(x: tl.In[tl.f64[:]]):
        with tl.ancilla(tl.zeros(len(x))) as z:
            z += x

    noting = tl.jit(leaves_array, checks="status")
    noting(np.array([0.0, 1.0, 0.0, 2.0]))
    assert noting.status.count == 2
    assert str(noting.status.error) == raised(leaves_array, np.array([0.0, 1.0, 0.0, 2.0]))


def test_conditions_that_change():
    @tl.reversible
    def branches(o: tl.f64, a: tl.In[tl.f64]):
        if tl.cond(o < 4.0, o < 4.0):
            o += a

    @tl.reversible
    def repeats(x: tl.i64):
        while tl.cond(x < 100, x > 50):
            x += 9

    noting = tl.jit(branches, checks="status")
    assert noting(0.0, 28.0)[0] == 28.0
    assert str(noting.status.error) == raised(branches, 0.0, 28.0)
    noting = tl.jit(repeats, checks="status")
    assert noting(0) == (108,)
    assert noting.status.count == 5
    assert str(noting.status.error) == raised(repeats, 0)


def test_a_million_failures_take_no_stack():
    noting = tl.jit(leaves_each, checks="status")
    x = np.ones(1_000_000)
    y, _ = noting(np.zeros_like(x), x)
    assert (y == 1.0).all()
    assert noting.status.count == len(x)


def test_threads_lose_no_failure():
    noting = tl.jit(leaves_each, checks="status", threads=2)
    x = (np.arange(100_000) % 10 == 0).astype(float)
    y, _ = noting(np.zeros_like(x), x)
    np.testing.assert_array_equal(y, x)
    assert noting.status.count == 10_000
    assert "1.0 and not 0.0" in str(noting.status.error)


def test_what_memory_depends_on_still_ends_the_call():
    @tl.reversible
    def reads(y: tl.f64, x: tl.In[tl.f64[:]], i: tl.In[tl.i64]):
        y += x[i]

    @tl.reversible
    def fills(x: tl.f64[:]):
        with tl.ancilla(tl.new_stack(tl.f64, 2)) as s:
            for i in range(len(x)):
                tl.push(s, x[i])
            for i in range(len(x)):
                tl.pop(s, x[i])

    @tl.reversible
    def empties(x: tl.f64):
        with tl.ancilla(tl.new_stack(tl.f64, 2)) as s:
            tl.pop(s, x)
            tl.push(s, x)

    @tl.reversible
    def counts(y: tl.i64, step: tl.In[tl.i64]):
        for i in range(0, 10, step):
            y += i

    @tl.reversible
    def rounds(y: tl.fixed43, x: tl.In[tl.f64]):
        y += x

    with pytest.raises(tl.IndexOutOfRange):
        tl.jit(reads, checks="status")(0.0, np.ones(3), 3)
    raised(tl.jit(fills, checks="status"), np.ones(3))
    raised(tl.jit(empties, checks="status"), 0.0)
    with pytest.raises(tl.ArgumentError, match="step of a range is 0"):
        tl.jit(counts, checks="status")(0, 0)
    raised(tl.jit(rounds, checks="status"), 0.0, 2.0**30)


def test_numbers_on_the_grid():
    @tl.reversible
    def leaves_fixed(y: tl.fixed43, x: tl.In[tl.f64]):
        with tl.ancilla(tl.fixed43(0.0)) as z:
            z += x
            y += z

    noting = tl.jit(leaves_fixed, checks="status")
    assert float(noting(1.0, 0.5)[0]) == 1.5
    assert noting.status.count == 1
    noting(1.0, 0.0)
    assert not noting.status


def test_gradients_go_on_and_tell():
    @tl.reversible
    def forgets(loss: tl.f64, x: tl.f64, y: tl.f64):
        loss += x * x
        x += y
        x *= 2.0

    kernel, unchecked = (tl.compile(tl.grad(forgets, loss=0, argnums=1), checks=checks) for checks in ("status", "off"))
    assert kernel(0.0, 3.0, 4.0) == unchecked(0.0, 3.0, 4.0) == 6.0
    assert not kernel.status
    assert kernel(0.0, 1.0, 1e17) == unchecked(0.0, 1.0, 1e17)
    assert kernel.status.line == forgets.procedure.source.line
    assert str(kernel.status.error) == raised(tl.compile(tl.grad(forgets, loss=0, argnums=1)), 0.0, 1.0, 1e17)


def test_saved_kernels_have_a_status(tmp_path):
    tl.compile(leaves, checks="status").save(tmp_path / "leaves.tlk")
    kernel = tl.load(tmp_path / "leaves.tlk")
    kernel(0.0, 1.0)
    assert kernel.status.count == 1
    assert "-9.0 and not 0.0" in str(kernel.status.error)


def test_threads_have_their_own_status():
    noting = tl.jit(leaves, checks="status")
    noting(0.0, 1.0)
    seen = []

    def other():
        with pytest.raises(tl.ArgumentError, match="no status before its first call on this thread"):
            _ = noting.status
        noting(0.0, 10.0)
        seen.append(noting.status.count)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert (seen, noting.status.count) == ([0], 1)


def test_of_several_versions_the_last_called_one_tells():
    @tl.reversible
    def either(y, by):
        with tl.ancilla(0.0) as z:
            z += by
        y += 1

    noting = tl.jit(either, checks="status")
    noting(0, 1.0)
    assert noting.status.count == 1
    noting(0.0, 0.0)
    assert noting.status.count == 0
    noting(0, 2.0)
    assert "2.0 and not 0.0" in str(noting.status.error)


def test_nothing_is_kept_without_asking():
    with pytest.raises(tl.ArgumentError, match="has checks='on' and keeps no status; compile with checks='status'"):
        _ = tl.compile(leaves).status
    with pytest.raises(tl.ArgumentError, match=r"keeps no status; use tl.jit\(f, checks='status'\)"):
        _ = leaves.status
    with pytest.raises(tl.ArgumentError, match="no status before its first call on this thread; call it first"):
        _ = tl.compile(leaves, checks="status").status


def test_without_a_place_for_the_status_a_failure_ends_the_call():
    kernel = tl.compile(leaves, checks="status")
    sites = dict(enumerate(kernel._code.sites))
    slots = np.array([0.0, 1.0, 0.0, 0.0]).view(np.int64)
    image = LoadedImage(kernel._code.image)
    with pytest.raises(tl.InvertibilityError, match=r"-9\.0 and not 0\.0"):
        bind(image.address(kernel._code.entry), sites)(slots.ctypes.data)


def test_a_kernel_without_checks_has_an_empty_status():
    @tl.function
    def double(x: tl.f64):
        return 2.0 * x

    kernel = tl.compile(double, checks="status")
    assert kernel(1.5) == 3.0
    assert not kernel.status
