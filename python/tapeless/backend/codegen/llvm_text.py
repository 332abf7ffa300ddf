"""Rewrites float constants of newer LLVM IR text into the form that the LLVM inside llvmlite reads.

Newer LLVM prints `f0x3FF0...` for bits, `+inf`, `+qnan` and `+nan(0x1)` for special values, and shortest decimals also
for `float`; older LLVM reads decimals that are exact, and hexadecimal digits of the value as a double.
"""

from __future__ import annotations

import re
import struct

CONSTANT = re.compile(
    r"\b(?P<type>double|float)\b"
    r"|\bf0x(?P<bits>[0-9A-Fa-f]+)"
    r"|(?P<sign>[+-])(?P<special>inf|qnan|s?nan\(0x(?P<payload>[0-9A-Fa-f]+)\))"
    r"|(?P<decimal>-?\d+\.\d+e[+-]\d+)"
)
# What makes a line differ between the two forms; decimals do so only where a `float` is.
NEWER = ("f0x", "inf", "nan", "float")
QUIET = 0x7FF8 << 48
INFINITE = 0x7FF0 << 48
FLOAT_TO_DOUBLE_PAYLOAD = 29


def for_llvmlite(text: str) -> str:
    """The same module, readable by llvmlite."""
    return "\n".join(_rewrite_line(line) if any(mark in line for mark in NEWER) else line for line in text.split("\n"))


def _rewrite_line(line: str) -> str:
    """A constant has the float type named last before it."""
    kind = "double"

    def rewrite(match: re.Match[str]) -> str:
        nonlocal kind
        if match["type"]:
            kind = match["type"]
            return kind
        if match["bits"]:
            return _hexadecimal(_bits_as_double(match["bits"]))
        if match["special"]:
            return _hexadecimal(_special(match, kind))
        return _exact_decimal(match["decimal"], kind)

    return CONSTANT.sub(rewrite, line) if line.lstrip()[:1] not in ("!", ";") else line


def _hexadecimal(bits: int) -> str:
    return f"0x{bits:016X}"


def _double_bits(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def _bits_as_double(digits: str) -> int:
    """The bits of the value as a double; 8 digits are a `float`."""
    if len(digits) == 16:
        return int(digits, 16)
    return _double_bits(struct.unpack(">f", bytes.fromhex(digits))[0])


def _special(match: re.Match[str], kind: str) -> int:
    sign = (match["sign"] == "-") << 63
    if match["special"] == "inf":
        return sign | INFINITE
    payload = int(match["payload"] or "0", 16) << (FLOAT_TO_DOUBLE_PAYLOAD if kind == "float" else 0)
    return sign | (INFINITE if match["special"].startswith("s") else QUIET) | payload


def _exact_decimal(decimal: str, kind: str) -> str:
    """Decimals of `float` rarely are exact; those of `double` are rounded when read."""
    if kind == "double":
        return decimal
    return _hexadecimal(_double_bits(struct.unpack("<f", struct.pack("<f", float(decimal)))[0]))
