"""LLVM IR text of kernels cut into parts: some kernels, with what they call and the memory they share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

NAME: Final = r'@(?:"([^"]+)"|([-\w.$]+))'
NAMED: Final = re.compile(NAME)
# As LLVM prints: a body ends with a brace at the beginning of a line, a variable or a declaration with its line.
DEFINITION: Final = re.compile(
    rf"^(?:define [^\n]*?{NAME}\(.*?^\}}\n|declare [^\n]*?{NAME}\([^\n]*\n|{NAME} = [^\n]*\n)", re.M | re.S
)


class DeviceParts:
    """The definitions of a module by name, and the text between them."""

    def __init__(self, text: str) -> None:
        self._definitions: dict[str, str] = {}
        self._head, self._rest, behind = "", "", 0
        for found in DEFINITION.finditer(text):
            if behind == 0:
                self._head, behind = text[: found.start()], found.start()
            self._definitions[next(filter(None, found.groups()))] = found[0]
            self._rest += text[behind : found.start()]
            behind = found.end()
        self._rest += text[behind:]

    def of(self, kernels: Iterable[str]) -> str:
        """A module with these kernels, in the order of the whole one."""
        needed, waiting = set[str](), list(kernels)
        while waiting:
            name = waiting.pop()
            if name in needed or name not in self._definitions:
                continue
            needed.add(name)
            waiting += (quoted or plain for quoted, plain in NAMED.findall(self._definitions[name]))
        definitions = (text for name, text in self._definitions.items() if name in needed)
        return "".join((self._head, *definitions, self._rest))
