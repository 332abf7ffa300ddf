"""How much LLVM does for better code: where it looks for vectors in straight-line code, and where it does not."""

from __future__ import annotations

import pytest

from tapeless.backend.codegen.llvm import MOST_INSERTIONS, host, optimise

PAIRS = """
define void @pairs__entry(ptr noalias %x, ptr noalias %y) {{
  %a = load double, ptr %x, align 8
  %x1 = getelementptr double, ptr %x, i64 1
  %b = load double, ptr %x1, align 8
  %c = fmul double %a, %a
  %d = fmul double %b, %b
  store double %c, ptr %y, align 8
  %y1 = getelementptr double, ptr %y, i64 1
  store double %d, ptr %y1, align 8
  ret void
}}

define void @lanes__entry(ptr noalias %x, ptr noalias %y) {{
{lanes}
  ret void
}}
"""


def lanes(count: int) -> str:
    """Vectors that are put together lane by lane, from elements that are apart."""
    lines = []
    for k in range(0, count, 2):
        for half, into in ((0, "poison"), (1, f"%v{k}")):
            lines.append(f"  %p{k + half} = getelementptr double, ptr %x, i64 {3 * (k + half)}")
            lines.append(f"  %e{k + half} = load double, ptr %p{k + half}, align 8")
            lines.append(f"  %v{k + half} = insertelement <2 x double> {into}, double %e{k + half}, i64 {half}")
        lines.append(f"  %q{k} = getelementptr double, ptr %y, i64 {k}")
        lines.append(f"  store <2 x double> %v{k + 1}, ptr %q{k}, align 8")
    return "\n".join(lines)


@pytest.mark.parametrize(("count", "finds_vectors"), [(2, True), (MOST_INSERTIONS - 2, True), (MOST_INSERTIONS, False)])
def test_straight_line_code_beside_lanes(count: int, finds_vectors: bool) -> None:
    module = optimise(PAIRS.format(lanes=lanes(count)), host())
    code = str(module.get_function("pairs__entry"))
    assert ("fmul <2 x double>" in code) == finds_vectors
