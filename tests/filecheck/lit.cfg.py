"""How lit runs the FileCheck tests: tools come from the virtual environment that runs lit, and are imported once."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import lit.formats

HERE = Path(__file__).parent
# Stock drivers of MLIR, which know nothing of Tapeless: one that is installed, else that of the bindings.
MLIR_OPT_NAMES = ("mlir-opt", "mlir-opt-22", "torch-mlir-opt")

config.name = "tapeless"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = str(HERE)
config.test_exec_root = str(HERE.parents[1] / "build" / "filecheck")

# The server of preloaded tools ends when its standard input does.
folder = tempfile.TemporaryDirectory()
address = os.path.join(folder.name, "server")
for tool in ("tapeless-opt", "filecheck"):
    os.symlink(HERE / "preloaded" / "tool.py", os.path.join(folder.name, tool))
server = subprocess.Popen(
    [sys.executable, HERE / "preloaded" / "server.py", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE
)
server.stdout.readline()
atexit.register(folder.cleanup)
atexit.register(server.wait)
atexit.register(server.stdin.close)
config.environment["TAPELESS_PRELOADED"] = address
config.environment["PATH"] = os.pathsep.join((folder.name, str(Path(sys.executable).parent), os.environ["PATH"]))

# A stock mlir-opt is optional: tests that need it say `REQUIRES: mlir-opt` and call it as %mlir_opt.
for name in MLIR_OPT_NAMES:
    if found := shutil.which(name, path=os.pathsep.join((os.environ["PATH"], str(Path(sys.executable).parent)))):
        config.available_features.add("mlir-opt")
        config.substitutions.append(("%mlir_opt", found))
        break
