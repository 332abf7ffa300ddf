"""How fast are the derivatives of ADBench's four objectives? By all methods, against JAX, PyTorch and C by hand.

`python benchmarks/adbench.py [--quick] [--only PATTERN] [--json FILE] [--data DIR]`. `--data`, or the variable
`TAPELESS_ADBENCH`, names the folder with `gmm`, `ba`, `hand` and `lstm`; without it, small data of our own are taken.
All run on one core. Derivatives are compared element by element with those in C, and with what the notes beside the
data say of the golden ones, by ADBench's measure and its limit of 1e-8. Kernels are compiled with `checks="off"`.
Denormal numbers are zeros for all contestants, as they are for JAX whatever it is told.

`sparse_s` is a call of `tl.sparse_jacobian`, which gives a matrix of scipy and checks it, `pattern_s` what its first
call takes; `sparse_given_s` is the same with the entries that are not zero at these arguments as pattern, and
`assembly_s` makes such a matrix from the blocks of the derivative.
"""

import argparse
import importlib.util
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
from float_mode import FLUSH, set_denormals  # noqa: E402
from harness import Contestant, Run, now, timed_rounds  # noqa: E402
from objectives import files, in_c  # noqa: E402
from objectives.cases import CASES, OBJECTIVES, QUICK, blocks_of, deviation, index_arrays, parts, stored, summary  # noqa: E402

import tapeless as tl  # noqa: E402

METHODS = ("redundant", "reversible", "coarsened")
OPTIONS = {"checks": "off", "denormals": FLUSH}
LIMIT = 1e-8
LIMITS = {"torch": 1e-7}
Key = tuple[str, str]


def data_folder() -> Path | None:
    """Takes `--data DIR` off the command line."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--data", type=Path)
    options, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    return files.folder(options.data)


def peers() -> dict[str, Any]:
    """The modules with the objectives of the frameworks that are installed."""
    installed = [name for name in ("jax", "torch") if importlib.util.find_spec(name)]
    return {name: importlib.import_module(f"objectives.in_{name}") for name in installed}


def ours(objective: str, arguments: files.Arguments) -> dict[Key, Contestant]:
    """The objective and its derivative by all methods, compiled."""
    program = OBJECTIVES[objective]
    calls: dict[Key, Contestant] = {
        ("objective_s", "tapeless"): partial(tl.compile(program.value, arguments, **OPTIONS), *arguments)
    }
    for method in METHODS:
        kernel = tl.compile(program.derivative, arguments, method=method, **OPTIONS)
        calls["derivative_s", f"tapeless {method}"] = partial(kernel, *arguments)
    return calls


def theirs(objective: str, arguments: files.Arguments, modules: dict[str, Any], library: Any) -> dict[Key, Contestant]:
    """The same by the frameworks that have the objective, and the derivative in C."""
    calls: dict[Key, Contestant] = {}
    for name, module in modules.items():
        tables = {"objective_s": module.OBJECTIVES, "derivative_s": module.DERIVATIVES}
        for metric, table in tables.items():
            if objective in table:
                calls[metric, name] = module.contestant(table, objective, arguments)
    if library is not None:
        calls["derivative_s", "c"] = in_c.contestant(library, objective, arguments)
    return calls


def check(run: Run, case: str, objective: str, calls: dict[Key, Contestant], golden: files.Golden | None) -> None:
    """Compares all derivatives with one of them, in C if there is one, and ours with the golden one."""
    results = {name: call() for (metric, name), call in calls.items() if metric == "derivative_s"}
    reference = "c" if "c" in results else f"tapeless {METHODS[0]}"
    for name, result in results.items():
        away = deviation(result, results[reference])
        metric, limit = f"away_from_{reference.split()[0]}", LIMITS.get(name, LIMIT)
        run.bar(case, objective, metric, away, at_most=limit, contestant=name)
    if golden is None:
        return
    for method in METHODS:
        own = summary(objective, calls["objective_s", "tapeless"](), results[f"tapeless {method}"])
        away = deviation(tuple(map(float, own)), tuple(map(float, golden)))
        run.bar(case, objective, "away_from_golden", away, at_most=LIMIT, method=method)


def measure(
    run: Run, case: str, objective: str, arguments: files.Arguments, golden: files.Golden | None, others: Any
) -> None:
    """One case: agreement first, then times in turns, and how ours compare."""
    calls = {**ours(objective, arguments), **theirs(objective, arguments, *others)}
    check(run, case, objective, calls, golden)
    times = {}
    for (metric, name), seconds in timed_rounds(calls, sample_seconds=0.002 if run.quick else 0.02).items():
        contestant, _, method = name.partition(" ")
        labels = {"contestant": contestant, "method": method or None, "minimum": min(seconds), "denormals": FLUSH}
        times[metric, name] = statistics.median(seconds)
        run.record(case, objective, metric, times[metric, name], "s", **labels)
    best = min(METHODS, key=lambda method: times["derivative_s", f"tapeless {method}"])
    own = times["derivative_s", f"tapeless {best}"]
    run.record(case, objective, "overhead", own / times["objective_s", "tapeless"], "", method=best)
    for name in ("jax", "torch", "c"):
        if ("derivative_s", name) in times:
            run.record(case, objective, f"ratio_to_{name}", own / times["derivative_s", name], "", method=best)


def measure_sparse(run: Run, case: str, objective: str, arguments: files.Arguments) -> None:
    """The Jacobian as a matrix of scipy: found, coloured and checked by us, or made from the blocks."""
    program = OBJECTIVES[objective]
    dense = tl.compile(program.derivative, arguments, **OPTIONS)(*arguments)
    jacobian = tl.sparse_jacobian(tl.jit(program.value, **OPTIONS), wrt=program.sparse)
    start = now()
    matrix = jacobian(*arguments)
    run.record(case, objective, "pattern_s", now() - start, "s")
    run.record(case, objective, "products", jacobian.products(*arguments), "")
    fewer = matrix.copy()
    fewer.eliminate_zeros()
    given = tl.sparse_jacobian(tl.jit(program.value, **OPTIONS), wrt=program.sparse, pattern=fewer)
    run.record(case, objective, "products_given", given.products(*arguments), "")
    away = deviation(blocks_of(objective, matrix), stored(objective, dense))
    run.bar(case, objective, "sparse_away_from_dense", away, at_most=LIMIT)
    calls: dict[str, Callable[[], Any]] = {
        "sparse_s": partial(jacobian, *arguments),
        "sparse_given_s": partial(given, *arguments),
    }
    if objective == "ba":
        calls["assembly_s"] = partial(_assembled, dense, type(matrix), *index_arrays(arguments))
    for metric, seconds in timed_rounds(calls, sample_seconds=0.002 if run.quick else 0.02).items():
        run.record(case, objective, metric, statistics.median(seconds), "s", minimum=min(seconds))


def _assembled(blocks: Any, make: Any, indices: np.ndarray, indptr: np.ndarray, shape: tuple[int, int]) -> Any:
    """A matrix from the blocks of bundle adjustment, whose index arrays are known."""
    data = np.concatenate([part.reshape(-1) for part in parts(blocks)])
    return make((data, indices, indptr), shape=shape, copy=False)


def cases(data: Path | None, quick: bool) -> Iterator[tuple[str, str, Callable[[], files.Arguments]]]:
    """The name of each case, its objective, and what reads its arguments; without files, our own, under other names."""
    if data is None:
        yield from ((f"small {objective}", objective, program.made) for objective, program in OBJECTIVES.items())
        return
    for case, (objective, file) in CASES.items():
        if case in QUICK or not quick:
            yield case, objective, partial(OBJECTIVES[objective].read, data / file)


def main() -> None:
    set_denormals(FLUSH)
    data = data_folder()
    run = Run.from_command_line("adbench")
    golden = files.golden(data) if data else {}
    if data is None:
        print(f"without the files of ADBench, on small data of our own; --data or {files.VARIABLE} names their folder")
    with tempfile.TemporaryDirectory() as folder:
        library = in_c.compiled(Path(folder)) if shutil.which("cc") else None
        others = peers(), library
        for case, objective, read in cases(data, run.quick):
            if run.wants(case):
                arguments = read()
                measure(run, case, objective, arguments, golden.get(case), others)
                if OBJECTIVES[objective].sparse and importlib.util.find_spec("scipy"):
                    measure_sparse(run, case, objective, arguments)
    run.finish()


if __name__ == "__main__":
    main()
