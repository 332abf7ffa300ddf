"""Random numbers from keys, the same bits as those of `jax.random`: operators of the language.

>>> tl.random.uniform(tl.random.key(0), 3, tl.f32)
array([0.947667  , 0.9785799 , 0.33229148], dtype=float32)
"""

from tapeless.lang import random as _operators

__all__ = ["bits", "fold_in", "key", "normal", "split", "uniform"]

bits = _operators.bits
fold_in = _operators.fold_in
key = _operators.key
normal = _operators.normal
split = _operators.split
uniform = _operators.uniform
