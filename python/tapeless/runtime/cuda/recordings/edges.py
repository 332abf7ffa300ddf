"""What waits for what in a graph of the driver."""

from __future__ import annotations

import ctypes
from typing import Any

from tapeless.runtime.cuda.recordings.order import Waits


def let_wait(cuda: Any, graph: ctypes.c_void_p, waits: Waits) -> None:
    """Has what was recorded in line wait for what it needs only."""
    count = ctypes.c_size_t()
    cuda.cuGraphGetEdges(graph, None, None, ctypes.byref(count))
    handles = ctypes.c_void_p * count.value
    ends = handles(), handles()
    cuda.cuGraphGetEdges(graph, *ends, ctypes.byref(count))
    after = dict(zip(*ends, strict=True))
    nodes = list(after.keys() - set(after.values()))
    while nodes[-1] in after:
        nodes.append(after[nodes[-1]])
    cuda.cuGraphRemoveDependencies(graph, *ends, count)
    earlier = [nodes[other] for others in waits for other in others]
    later = [nodes[number] for number, others in enumerate(waits) for _ in others]
    handles = ctypes.c_void_p * len(later)
    cuda.cuGraphAddDependencies(graph, handles(*earlier), handles(*later), ctypes.c_size_t(len(later)))
