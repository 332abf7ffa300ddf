"""How lit runs the FileCheck tests: the tools come from the virtual environment that runs lit."""

import os
import shutil
import sys
from pathlib import Path

import lit.formats

HERE = Path(__file__).parent
MLIR_OPT_NAMES = ("mlir-opt", "mlir-opt-22")

config.name = "tapeless"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = str(HERE)
config.test_exec_root = str(HERE.parents[1] / "build" / "filecheck")
config.environment["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))

# A stock mlir-opt is optional: tests that need it say `REQUIRES: mlir-opt` and call it as %mlir_opt.
for name in MLIR_OPT_NAMES:
    if found := shutil.which(name):
        config.available_features.add("mlir-opt")
        config.substitutions.append(("%mlir_opt", found))
        break
