"""The passes as compilations meet them: lengths of pipelines, modules loaded, and rounds of simplification."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from unittest.mock import patch

import structure

REPEATED = ("canonicalize", "cse")
MOST_LOADED = 390
LOADED = """
import re, sys
from pathlib import Path
from unittest.mock import patch
code = re.search(r"```python\\n(.*?)```", Path(sys.argv[1]).read_text(), re.DOTALL).group(1)
path = Path(sys.argv[2]) / "readme.py"
path.write_text(code.partition("print(")[0] + "tl.grad(loss)(w, x, y)\\n")
with patch.object(sys, "argv", [str(path)]):
    exec(compile(path.read_text(), str(path), "exec"))
print(sum(name.startswith("tapeless.passes.") for name in sys.modules))
"""


def modules_loaded() -> int:
    """How many modules of passes the first example of the README has imported after its gradient."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TAPELESS_CACHE_DIR": folder}
        command = [sys.executable, "-c", LOADED, str(structure.ROOT / "README.md"), folder]
        output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return int(output.split()[-1])


def rounds(method: str, target: str) -> Counter[str]:
    """How often each pass ran for the gradient of a mixture of Gaussians."""
    import tapeless as tl
    from figures.mixture import ARGUMENTS, mixture
    from firing.watched import steps_of_compilation

    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, TAPELESS_CACHE_DIR=folder):
        return Counter(steps_of_compilation(tl.grad(mixture, method=method), ARGUMENTS, target))


def rows() -> Iterator[tuple[str, str]]:
    """The figures by name."""
    from tapeless.passes import PASSES, PIPELINES
    from tapeless.passes.driver.steps import steps_of

    yield "passes in the catalogue", str(len(list(PASSES)))
    for name in ("fuse", "cpu", "cuda"):
        yield f"steps of the pipeline {name}", str(len(list(steps_of(PIPELINES[name]))))
    yield "pass modules that the README's gradient loads", str(modules_loaded())
    for method, target in (("redundant", "cpu"), ("coarsened", "cpu"), ("redundant", "cuda:sm_90")):
        ran = rounds(method, target)
        yield (
            f"{' + '.join(REPEATED)} in a mixture, {method}-{target}",
            " + ".join(str(ran[each]) for each in REPEATED) + f", of {ran.total()} steps",
        )
