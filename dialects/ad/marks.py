"""Attributes of the dialect `ad` on loops and operators: hints of users, and marks between passes."""

STRIPMINE = "ad.stripmine"
"""A user's hint: how many nested loops `ad-stripmine` makes of a loop."""

BUDGET = "ad.budget"
"""A user's hint: how many states `ad-stripmine` may have a loop keep at once."""

BENNETT = "ad.bennett"
"""On loops made of `rev.chain`: Bennett's scheme runs them, cutting stretches into as many parts as the budget says."""

TRUE_DEP = "ad.true_dep"
"""A user's promise about carried arrays, by position; `ad-promises` turns it into `ad.promise`."""

BOUND = "ad.bound"
"""A user's hint: the most iterations of a `scf.while`; `ad-while-to-for` reads it."""

UNROLL = "ad.unroll"
"""A user's hint: `ad-unroll` writes out the iterations."""

TIES = "ad.ties"
"""On larger and smaller of two operands: where these are equal, each has half of the derivative. Set by importers, read
by `ad-ties`."""

LEAN = "ad.lean"
"""On loops that `ad-stripmine` made: the return sweep keeps no values of the body but states."""

SURE = "ad.sure"
"""On an `ad.promise` that a pass wrote, knowing that it holds: nothing of it is checked."""

DIGEST = "ad.digest"
"""On loops whose last carried value is a digest of what they read from promised arrays; set where digests are added,
read by the return rule of loops, which compares them."""

FALLBACK = "ad.fallback"
"""On a request, a bool: whether loops that run backwards and go astray run again (as without it), or raise."""

REQUEST = "ad.request"
"""On a copy of a function that is differentiated, a dictionary: what the request is about (`passes/ad/about.py`). Set
where the copy is made, read by passes on it; the copy goes with the request."""

SEEDS = "ad.seeds"
"""On the map over the seeds of one derivative: set where that is written, read and removed where work is shared."""

ORIGINAL = "ad.original"
"""On a request for a derivative of derivatives, a function: the one it is about as it was before derivatives were taken
in it. Set before the first is, read by the method `coarsened`, which asks for its derivative where others are not
finite."""

SECOND_WAY = "ad.second_way"
"""On a request: its derivative is the second way of a guarded branch, hardly ever taken. Set by the method `coarsened`,
read by `ad-expand`, which lets its loops keep few states where that is asked for."""

ASLEEP = "ad.asleep"
"""On such a function: derivatives in it are taken when a request is made of it. Set and removed with `ORIGINAL`."""
