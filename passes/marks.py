"""Attributes `tapeless.*`, by which a pass hands facts on loops and sums to those after it."""

FUSED = "tapeless.fused"
"""On a product that becomes one instruction with the sum after it: set by `soac-mark-fma`, read by the lowering and by
`lower-fma`, which makes that instruction."""

PARALLEL = "tapeless.parallel"
"""On a `scf.for` of independent iterations: set by `lower-loops`, read by `lower-vectorise` and `lower-to-llvm`."""

ACCUMULATING = "tapeless.accumulating"
"""On a `scf.for` of iterations that are independent but for sums into memory: set by `lower-loops`, read by
`lower-vectorise` and `lower-fuse-reductions`."""

REDUCING = "tapeless.reducing"
"""On a `scf.for` of iterations that are independent but for numbers that they carry and combine in any order: set by
`lower-loops`, read by `lower-vectorise`."""

ACCUMULATE = "tapeless.accumulate"
"""On the addition of such a sum, between a load and a store of one element: set and read with `ACCUMULATING`."""

ATOMIC = "tapeless.atomic"
"""On an addition into memory that threads share: set by `lower-loops`, made an atomic update at its end; passes that
change the order of sums leave it alone."""

WALKS = "tapeless.walks"
"""On a load in a branch: the axes along which an operator around it walks, so that their indices are in range whether
the branch is taken or not. Set by `lower-loops`, read by `lower-vectorise`."""

RECURSIVE = "tapeless.recursive"
"""On a function that is part of a cycle of calls and so stays a function: set by `soac-inline`, read by differentiation
and by the lowering."""

SIZES = "tapeless.sizes"
"""On a function and its calls: for each result the number of the argument whose sizes it has, or -1. Set by
`rev-to-core` and `soac-inline`, read wherever sizes are asked for."""

COPIES_ROWS = "tapeless.copies_rows"
"""On a map that only copies picked rows, for another one whose sums then find them a stride apart: set by
`soac-gather-before-map`, read by fusion, which leaves the copy where it is."""

GUARD = "tapeless.guard"
"""On a comparison of a loop's index with a bound, which decides what the loop does near its ends: set by
`soac-stencil-gather` and `soac-mark-borders`, read by `lower-peel`."""

DIVIDED = "tapeless.divided"
"""On a `scf.if` of the host: where sums are few they are divided into parts, which are threads enough. Set and read by
`soac-distribute-nests`."""

BY_WARPS = "tapeless.by_warps"
"""On a map of reductions that runs only where these are few and long: set by `soac-distribute-nests`, read by
`lower-schedule`, which gives each a warp."""

LAUNCH = "tapeless.launch"
"""On a `scf.for` that a kernel runs: by a thread for each iteration, or by a block of threads for each (see below).
Set by `lower-loops` for targets with kernels, read by `lower-launches`."""

EACH_THREAD, EACH_BLOCK = "each thread", "each block"

THREADS = "tapeless.threads"
"""On a `scf.for` in a launch of blocks, whose iterations the threads of a block share; they wait for each other after
it. Set and read with `LAUNCH`."""

RESIDENT = "tapeless.resident"
"""On a launch of blocks: so many of them must have room at once in a part of a GPU that runs blocks, which bounds the
registers of a thread. Set by `lower-loops` and `lower-tile-contractions`, read by `lower-launches`."""

MEETING = "tapeless.meeting"
"""On a launch of blocks that may know an array by several names: set by `lower-loops-in-block`, read by
`lower-launches`."""

RESULT = "tapeless.result"
"""On memory of one number that a launch leaves and nothing else writes: it can be read whenever the number is needed.
Set and read with `LAUNCH`."""

VARIANTS = "tapeless.variants"
"""On a `scf.if` that chooses by sizes between two ways to compute the same, of which one may need memory that there is
not for the other: set by `soac-distribute-nests` and `lower-loops`, which allocates inside the branches, read by
`lower-loops-in-block`."""

SIDE = "tapeless.side"
"""On such a choice: the number of the side that the threads of a block take. Set and read by `lower-loops-in-block`."""

NOTED = "tapeless.noted"
"""On a `soac.assert` whose failure is noted while the call goes on: set by `soac-note-failures` and `rev-to-core`, read
by the lowering, and by whoever concludes something from checks, which is wrong for these."""

NEEDED = "tapeless.needed"
"""On a `soac.assert` without which what comes after it may leave its memory or never end: set by `rev-to-core`, read by
`soac-note-failures`, which leaves it alone."""

CASCADE = "tapeless.cascade"
"""On a `soac.map` that is computed together with those it gets its elements from: set by `soac-fuse-scans`, read by the
lowering."""

DEFERRED = "tapeless.deferred"
"""On a `soac.map` or `soac.scan` that such a map computes: set and read with `CASCADE`."""

HEAP = "tapeless.heap"
"""On a `memref.alloc` that hardly any thread of a kernel comes to, so that no thread has a share of memory for it: set
by `lower-guards`, read by `lower-launches`."""

NORMAL = "tapeless.normal"
"""On a `math.rsqrt` that may be anything but finite where its argument is no normal number: set by
`lower-speculate-guards`, read by `lower-math`."""

SCHEDULED = "tapeless.scheduled"
"""On a function whose operators have schedules: the target, the number of threads, and whether everything runs in the
order of the program. Set by `lower-schedule`, read by `lower-loops`."""

TABLE = "tapeless.table"
"""On the `tensor.extract` in the body of a map that reads which iterations run. Set and read with `SCHEDULED`."""

START = "tapeless.start"
"""On a `tensor.splat` that is not filled, because launches which add to it begin with its number. Set and read with
`SCHEDULED`."""

MEMORY = "tapeless.memory"
"""On an operation with arrays: which memory they lie in, which it makes, and which is free afterwards. Set by
`lower-plan-storage`, read by `lower-check-storage`, `lower-schedule` and `lower-loops`."""

CONVENTION = "tapeless.convention"
"""On a recursive function: how it hands back its results. Set and read with `MEMORY`."""
