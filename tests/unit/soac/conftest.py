"""Makes the shared program collection importable as `programs`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
