"""Checks every relocation of an object file against the image that the linker made of it."""

from __future__ import annotations

from dataclasses import dataclass

from tapeless.backend.linking.elf import UNDEFINED, ObjectFile, Relocation, Symbol, read_object
from tapeless.backend.linking.link import UNUSED_SECTIONS, link
from tapeless.runtime.image import Image

from . import decoding

X86_64 = 62
EXECUTABLE = 4


@dataclass(frozen=True)
class Linked:
    """An object file and its image."""

    source: ObjectFile
    image: Image

    @staticmethod
    def of(object_code: bytes) -> Linked:
        return Linked(read_object(object_code), link(object_code))

    def check(self) -> int:
        """Compares all relocations; how many there were."""
        relocations = [r for r in self.source.relocations if not self._name(r).startswith(UNUSED_SECTIONS)]
        for relocation in relocations:
            self._check(relocation, relocations)
        return len(relocations)

    def named_addresses(self) -> dict[int, int]:
        """Places of instructions that hold a whole address, and the symbol's address they refer to plus the addend."""
        machine, found = self.source.machine, {}
        for relocation in self.source.relocations:
            kind, section = relocation.kind, self.source.sections[relocation.section]
            if section.flags & EXECUTABLE and kind in {**decoding.READERS[machine], **decoding.TABLE_READERS[machine]}:
                found[self._start(relocation.section) + relocation.offset] = self._expected(relocation)
        return found

    def _expected(self, relocation: Relocation) -> int:
        """What the manual says, from the image's own tables; x86_64 counts from the end of the instruction.

        That is the end of its four bytes, unless a number follows them.
        """
        symbol, machine = relocation.symbol, self.source.machine
        past = 4 if machine == X86_64 else 0
        if relocation.kind in decoding.TABLE_READERS[machine]:
            return self.image.imports[symbol.name] + relocation.addend + past
        start = self._stub(symbol.name) if symbol.section == UNDEFINED else self._start(symbol.section) + symbol.value
        return start + relocation.addend + past

    def _stub(self, name: str) -> int:
        entry, code = self.image.imports[name], self.image.code
        places = range(0, self.image.writable_from - 12, 8)
        return next(place for place in places if decoding.is_stub_of(self.source.machine, code, place, entry))

    def _name(self, relocation: Relocation) -> str:
        return self.source.sections[relocation.section].name

    def _check(self, relocation: Relocation, others: list[Relocation]) -> None:
        machine, code, kind = self.source.machine, self.image.code, relocation.kind
        place = self._start(relocation.section) + relocation.offset
        if kind == decoding.ABSOLUTE[machine]:
            target = dict(self.image.absolutes)[place] - relocation.addend
            self._check_target(relocation.symbol, target)
        elif kind in decoding.READERS[machine]:
            self._check_target(relocation.symbol, decoding.READERS[machine][kind](code, place, relocation.addend))
        elif kind in decoding.TABLE_READERS[machine]:
            entry = decoding.TABLE_READERS[machine][kind](code, place, relocation.addend)
            self._check_entry(relocation.symbol, entry)
        elif kind in decoding.PAGES[machine]:
            self._check_page(relocation, place, others)
        else:
            assert kind in decoding.OFFSETS[machine], f"no reader for kind {kind}"

    def _check_page(self, relocation: Relocation, place: int, others: list[Relocation]) -> None:
        """A page makes an address with each of the offsets that belong to it."""
        machine, code = self.source.machine, self.image.code
        in_table = decoding.PAGES[machine][relocation.kind]
        kinds = [kind for kind, flag in decoding.OFFSETS[machine].items() if flag is in_table]
        key = relocation.section, relocation.symbol, relocation.addend
        offsets = [r for r in others if r.kind in kinds and (r.section, r.symbol, r.addend) == key]
        assert offsets
        for offset in offsets:
            low = decoding.arm_offset(code, self._start(offset.section) + offset.offset)
            address = decoding.arm_page(code, place) + low - relocation.addend
            (self._check_entry if in_table else self._check_target)(relocation.symbol, address)

    def _check_target(self, symbol: Symbol, address: int) -> None:
        if symbol.section == UNDEFINED:
            entry = decoding.stub_entry(self.source.machine, self.image.code, address)
            assert entry == self.image.imports[symbol.name]
        else:
            assert address == self._start(symbol.section) + symbol.value

    def _check_entry(self, symbol: Symbol, entry: int) -> None:
        if symbol.section == UNDEFINED:
            assert entry == self.image.imports[symbol.name]
        else:
            assert dict(self.image.absolutes)[entry] == self._start(symbol.section) + symbol.value

    def _start(self, section: int) -> int:
        """Where a section is: by a function in it, else by its contents."""
        for symbol in self.source.symbols:
            if symbol.section == section and symbol.name in self.image.exports:
                return self.image.exports[symbol.name] - symbol.value
        contents, alignment = self.source.sections[section].data, self.source.sections[section].alignment
        place = self.image.code.find(contents)
        while place % alignment:
            place = self.image.code.find(contents, place + 1)
        assert place >= 0, f"section {self.source.sections[section].name} is not in the image"
        return place
