"""Affine integers: arithmetic, and proofs from bounds and facts."""

from tapeless.frontend.values.affine import Affine, Symbol, is_nonnegative, of_symbol

ZERO = Affine(0)


def symbol(lower=(ZERO,), upper=()):
    return of_symbol(Symbol(lower=lower, upper=upper))


def test_arithmetic():
    n, i = symbol(), symbol()
    assert n + i - n == i and (n - n).is_constant
    assert (n + 2).times(3) - n.times(3) == Affine(6)
    assert hash(n + i) == hash(i + n) and n + i == i + n
    assert n.symbol() is next(iter(n.terms)) and (n + 1).symbol() is None


def test_bounds_of_loop_variables():
    n = symbol()
    i = symbol(upper=(n - 1,))
    j = symbol(lower=(i,), upper=(n - 1,))
    assert is_nonnegative(i) and is_nonnegative(n - i - 1) and is_nonnegative(j - i) and is_nonnegative(n - j - 1)
    assert not is_nonnegative(i - 1) and not is_nonnegative(n - i - 2) and not is_nonnegative(i - j)


def test_unknown_integers_prove_nothing():
    k = symbol(lower=())
    assert not is_nonnegative(k) and not is_nonnegative(-k) and is_nonnegative(k - k)


def test_facts():
    n, k = symbol(), symbol(lower=())
    assert is_nonnegative(k, [k]) and is_nonnegative(k + n, [k]) and is_nonnegative(n - k - 1, [n - k - 1])
    assert not is_nonnegative(k - 1, [k]) and not is_nonnegative(k, [n])


def test_one_of_several_bounds_is_enough():
    n, m = symbol(), symbol()
    least = symbol(upper=(n, m))
    assert is_nonnegative(n - least) and is_nonnegative(m - least)
    assert not is_nonnegative(least - n)
