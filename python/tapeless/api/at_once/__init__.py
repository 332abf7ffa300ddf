"""Operators that are called outside of functions: `tl.sum(np.ones(3))` computes at once, as inside of one."""
