"""`TAPELESS_LOG=compile`, and the notice of long compilations where somebody waits."""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import tapeless as tl
from tapeless.api import compile_log

FACTOR = 2.0


@tl.function
def logged(x, n):
    return x * FACTOR + n


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What was told, without times."""
    return [re.sub(r"in [0-9.]+ s", "in T s", line) for line in capsys.readouterr().err.splitlines()]


def test_what_was_compiled_and_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("TAPELESS_LOG", "compile")
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))
    x = np.ones(3)
    logged(x, 1)
    assert lines(capsys) == ["tapeless: compiled logged(x: tl.f64[:], n: int) for cpu in T s"]
    logged(x, 2)
    assert lines(capsys) == []
    logged(x, 1.5)
    again = "again: 'n' is float, was int"
    assert lines(capsys) == [f"tapeless: compiled logged(x: tl.f64[:], n: float) for cpu in T s, {again}"]
    logged(x.astype(np.float32), 1)
    again = "again: 'x' is tl.f32[:], was tl.f64[:]; 'n' is int, was float"
    assert lines(capsys) == [f"tapeless: compiled logged(x: tl.f32[:], n: int) for cpu in T s, {again}"]
    logged.recapture()
    logged(x, 1)
    again = "again: recapture() took the present values of outside names"
    [line] = lines(capsys)
    assert line.endswith(again)
    tl.jit(logged, checks="off")(x, 1)
    [line] = lines(capsys)
    assert line.endswith("for cpu with checks='off' in T s")


def test_the_cache_is_told_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("TAPELESS_LOG", "compile")
    kernel = tl.compile(logged, (tl.f64, tl.f64))
    assert "took from another version logged(" in (lines(capsys), tl.jit(logged)(1.0, 2.0), lines(capsys))[2][0]
    assert kernel(1.0, 2.0) == 4.0


def test_logs_that_are_not_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPELESS_LOG", "compil")
    tl.jit(logged, threads=2)(1.0, 2.0)
    assert lines(capsys) == ["tapeless: TAPELESS_LOG asks for 'compil', which is no log; there is compile"]


def test_nothing_is_said_unasked(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAPELESS_LOG", raising=False)
    monkeypatch.setattr(compile_log, "LONG", 0.0)
    tl.jit(logged, threads=3)(1.0, 2.0)
    assert lines(capsys) == []


def test_long_compilations_say_so_where_somebody_waits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_log, "LONG", 0.0)
    monkeypatch.setattr(compile_log, "is_interactive", lambda: True)
    tl.jit(logged, threads=4)(1.0, 2.0)
    told = lines(capsys)
    title = "logged(x: float, n: float) for cpu with threads=4"
    assert re.fullmatch(rf"tapeless: \.\.\. {re.escape(title)} took [0-9.]+ s", told[-1])
    assert set(told[:-1]) <= {f"tapeless: compiling {title} takes longer than 0 s ..."}


def test_terminals_and_notebooks_are_interactive(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not compile_log.is_interactive()
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: True))
    assert compile_log.is_interactive()
    monkeypatch.setattr(sys, "stderr", None)
    assert not compile_log.is_interactive()
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert compile_log.is_interactive()
