"""Imported programs beside `jax.jit` and beside the same by hand: `python benchmarks/imported/run.py --help`.

The command line, the processes and the files of results are those of `untuned/run.py`, whose `README.md` says how
times are taken. `--prepare DIR` compiles bundles for GPUs, one for each of `--sizes` of what is imported, and
`--run DIR --sizes ...` times them where the GPU is.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from untuned.run import main

if __name__ == "__main__":
    main("imported.programs")
