"""Makes the reference interpreter importable as `core_interpreter`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
