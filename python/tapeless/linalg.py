"""Linear algebra: `tl.linalg.solve` and its kin, operators of the language under the names of `np.linalg`.

>>> tl.linalg.solve(np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([3.0, 5.0]))
array([0.8, 1.4])
"""

from tapeless.lang import linalg as _operators

__all__ = ["cholesky", "det", "inv", "matrix_power", "multi_dot", "norm", "slogdet", "solve"]

cholesky = _operators.cholesky
det = _operators.det
inv = _operators.inv
matrix_power = _operators.matrix_power
multi_dot = _operators.multi_dot
norm = _operators.norm
slogdet = _operators.slogdet
solve = _operators.solve
