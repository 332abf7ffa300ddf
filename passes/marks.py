"""Attributes `tapeless.*`, by which a pass tells those after it what it knows of loops and sums."""

FUSED = "tapeless.fused"
"""On a product that becomes one instruction with the sum after it: set by `soac-contract`, read by the lowering and by
`lower-fma`, which makes that instruction."""

PARALLEL = "tapeless.parallel"
"""On a `scf.for` of independent iterations: set by `lower-loops`, read by `lower-vectorise` and `lower-to-llvm`."""

ACCUMULATING = "tapeless.accumulating"
"""On a `scf.for` of iterations that are independent but for sums into memory: set by `lower-loops`, read by
`lower-vectorise` and `lower-carried-sums`."""

REDUCING = "tapeless.reducing"
"""On a `scf.for` of iterations that are independent but for numbers that they carry and combine in any order: set by
`lower-loops`, read by `lower-vectorise`."""

ACCUMULATE = "tapeless.accumulate"
"""On the addition of such a sum, between a load and a store of one element: set and read with `ACCUMULATING`."""

ATOMIC = "tapeless.atomic"
"""On an addition into memory that threads share: set by `lower-loops`, made an atomic update at its end; passes that
change the order of sums leave it alone."""

RECURSIVE = "tapeless.recursive"
"""On a function that is part of a cycle of calls and so stays a function: set by `soac-inline`, read by differentiation
and by the lowering."""

SIZES = "tapeless.sizes"
"""On a function and its calls: for each result the number of the argument whose sizes it has, or -1. Set by
`rev-to-core` and `soac-inline`, read wherever sizes are asked for."""

GUARD = "tapeless.guard"
"""On a comparison of a loop's index with a bound, which decides what the loop does near its ends: set by
`soac-gather-slices`, read by `lower-peel`."""

LAUNCH = "tapeless.launch"
"""On a `scf.for` that a kernel runs: by a thread for each iteration, or by a block of threads for each (see below).
Set by `lower-loops` for targets with kernels, read by `lower-launches`."""

EACH_THREAD, EACH_BLOCK = "each thread", "each block"

THREADS = "tapeless.threads"
"""On a `scf.for` in a launch of blocks, whose iterations the threads of a block share; they wait for each other after
it. Set and read with `LAUNCH`."""

RESIDENT = "tapeless.resident"
"""On a launch of blocks: so many of them must have room at once in a part of a GPU that runs blocks, which bounds the
registers of a thread. Set by `lower-loops` and `lower-tiles`, read by `lower-launches`."""

MEETING = "tapeless.meeting"
"""On a launch of blocks that may know an array by several names: set by `lower-loops-in-block`, read by
`lower-launches`."""

RESULT = "tapeless.result"
"""On memory of one number that a launch leaves and nothing else writes: it can be read whenever the number is needed.
Set and read with `LAUNCH`."""

VARIANTS = "tapeless.variants"
"""On a `scf.if` that chooses by sizes between two ways to compute the same, of which one may need memory that there is
not for the other: set by `soac-spread`, read by `lower-loops`, which allocates inside the branches."""

NOTED = "tapeless.noted"
"""On a `soac.assert` whose failure is noted while the call goes on: set by `soac-note-failures` and `rev-to-core`, read
by the lowering, and by whoever concludes something from checks, which is wrong for these."""

NEEDED = "tapeless.needed"
"""On a `soac.assert` without which what comes after it may leave its memory or never end: set by `rev-to-core`, read by
`soac-note-failures`, which leaves it alone."""

GENERAL = "tapeless.general"
"""On a `scf.if` whose first way is right whatever the condition is: set by differentiation, read by
`soac-take-general`."""

CASCADE = "tapeless.cascade"
"""On a `soac.map` that is computed together with those it gets its elements from: set by `soac-cascade`, read by the
lowering."""

DEFERRED = "tapeless.deferred"
"""On a `soac.map` or `soac.scan` that such a map computes: set and read with `CASCADE`."""

SOLVED = "tapeless.solved"
"""On the condition of a `scf.if`, or of a choice in one, whose first way has derivatives of loops as a whole, and whose
second goes step by step where these are not finite: set by differentiation, read by `ad-take-steps`,
`lower-loops`, which allocates memory of the second way in it, and `lower-launches`, which plans none for it."""

GUARDED = "tapeless.guarded"
"""On the condition of a `scf.if` whose second way computes step by step what the first one has at once, and is taken
where that is not finite: set by differentiation, read by `ad-take-steps`, `soac-settle-guards` and `lower-repeat`. On a
`math.rsqrt` that may be anything but finite where its argument is no normal number: set by `lower-repeat`, read by
`lower-together` and `lower-math`."""
