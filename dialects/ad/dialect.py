"""The dialect `ad` itself."""

from tapeless._mlir import ext
from tapeless.dialects import operation


class Ad(ext.Dialect, name="ad"):
    """Requests for derivatives, and marks that steer how they are made.

    `ad.vjp` and `ad.jvp` name a function and what to differentiate; the passes of the chosen method replace them. Loops
    take the attributes `ad.stripmine`, `ad.budget`, `ad.true_dep`, `ad.bound` and `ad.unroll`.
    """


class Operation(operation.Operation, dialect=Ad):
    """Base class of the operations of `ad`."""
