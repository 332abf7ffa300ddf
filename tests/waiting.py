"""How tests wait: for conditions, or for processor time to be used, so that a busy machine changes nothing."""

from __future__ import annotations

import threading
import time

# When something that does not end is given up. No machine is as slow as this: it tells a hang, not a delay.
HANG_SECONDS = 900
_LOOK_SECONDS = 0.002


def wait_for_work(seconds: float, cancelled: threading.Event) -> bool:
    """Waits until the other threads of this process have used so much processor time; False if it was cancelled."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        if cancelled.wait(_LOOK_SECONDS):
            return False
    return not cancelled.is_set()
