"""Forks, other processes, other GPUs, and how a process ends."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import tapeless as tl
from shared_gpu.bundles import EXPECTED
from shared_gpu.checks import Check, Skipped, agree, kernel, library, refused

ENDS = {
    "kernels and results alive": "call, result = kernel, kernel(x)",
    "results of torch alive": "import torch; result = kernel(torch.ones(9, dtype=torch.float64, device='cuda'))",
    "results of JAX alive": "import jax; jax.config.update('jax_enable_x64', True); "
    "result = kernel(jax.numpy.ones(9)); other = result + 1.0",
    "in a circle": "circle = [kernel]; circle.append(circle); kernel(x); del kernel",
    "a thread at work": "import threading; "
    "threading.Thread(target=lambda: [kernel(x) for _ in range(10**6)], daemon=True).start(); time.sleep(0.3)",
}
PROGRAM = "import sys, time; import numpy as np; import tapeless as tl; kernel = tl.load(sys.argv[1]); x = np.ones(9); "
TORCH_FIRST = """
import os, sys, torch, numpy as np, tapeless as tl
torch.zeros(1, device="cuda").sum().item()
if os.fork() == 0:
    try:
        tl.load(sys.argv[1])(np.ones(9))
    except tl.TapelessError as error:
        os._exit(0 if "spawn" in str(error) else print(error, flush=True) or 3)
    os._exit(4)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def forked(folder: Path) -> str:
    """A forked process says what to do instead; the first one goes on."""
    call, x = kernel(folder, "scaled"), np.ones(9)
    call(x)
    child = os.fork()
    if child == 0:
        try:
            for work in (lambda: call(x), lambda: kernel(folder, "scaled")(x), tl.cuda.memory, tl.cuda.trim):
                refused(tl.TapelessError, work, "forked", "spawn")
            os._exit(0)
        except BaseException as error:
            print(f"  in the forked process: {type(error).__name__}: {error}", flush=True)
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, f"the forked process ended with {status}"
    agree(call(x), EXPECTED["scaled"](x), "after the fork")
    library("torch")
    done = _program(TORCH_FIRST, folder)
    assert done.returncode == 0, f"forked after torch: {done.returncode} {done.stdout[-300:]} {done.stderr[-300:]}"
    return "refused, after torch's start as well"


def _called(given: tuple[Any, Any]) -> Any:
    return given[0](given[1])


def spawned(folder: Path) -> str:
    """Kernels go to spawned processes."""
    call, x = kernel(folder, "scaled"), np.linspace(0.0, 1.0, 9)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for found in pool.map(_called, [(call, x), (call, x + 1.0)]):
            agree(found - EXPECTED["scaled"](x) > -1e-9, np.ones(9, bool), "in another process")
    return "2 processes"


def _program(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", text, str(folder / "scaled.tlk")]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def endings(folder: Path) -> str:
    """However a process ends, it ends well."""
    start = time.perf_counter()
    tried = 0
    for name, text in ENDS.items():
        if ("torch" in text and not _has("torch")) or ("jax" in text and not _has("jax")):
            continue
        done = _program(PROGRAM + text, folder)
        said = [line for line in done.stderr.splitlines() if "warn" not in line.lower()]
        assert done.returncode == 0, f"{name}: ended with {done.returncode}: {done.stderr[-300:]}"
        assert not any("Exception ignored" in line or "Traceback" in line for line in said), f"{name}: {said[-3:]}"
        tried += 1
    return f"{tried} ways, {time.perf_counter() - start:.0f} s"


def _has(name: str) -> bool:
    try:
        library(name)
    except Skipped:
        return False
    return True


def other_gpus(folder: Path) -> str:
    """Arrays on a second GPU are refused; the thread's own choice of a GPU stays as it was."""
    torch = library("torch")
    call = kernel(folder, "scaled")
    count = torch.cuda.device_count()
    last = count - 1
    torch.cuda.set_device(last)
    call(np.ones(9))
    assert torch.cuda.current_device() == last
    assert torch.zeros(1, device="cuda").device.index == last
    torch.cuda.set_device(0)
    if count == 1:
        raise Skipped("one GPU")
    x = torch.ones(9, dtype=torch.float64, device="cuda:1")
    refused(tl.TargetError, lambda: call(x), "GPU 1", "CUDA_VISIBLE_DEVICES=1")
    return "refused"


def newer_generation(folder: Path) -> str:
    major, minor = library("torch").cuda.get_device_capability(0)
    if (major, minor) >= (10, 0):
        raise Skipped("the GPU runs it")
    refused(tl.BundleError, lambda: kernel(folder, "newer"), "sm_100", f"sm_{major}{minor}")
    return "refused"


PROCESSES: dict[str, Check] = {
    "fork": forked,
    "spawned processes": spawned,
    "ends of processes": endings,
    "a second GPU": other_gpus,
    "code for sm_100": newer_generation,
}
