"""Links one object file into an image that the loader can place at any address.

Layout: code and constants, a jump stub per imported function, the table of addresses, then writable data. Only the
table entries and absolute addresses are left for the loader to fill in. A shared library has the table among its
writable data, for it is the system that fills in addresses there.
"""

from __future__ import annotations

from tapeless.backend.codegen.rejection import RejectedCode
from tapeless.backend.linking.elf import (
    ALLOCATED,
    UNDEFINED,
    WRITABLE,
    ObjectFile,
    Relocation,
    Section,
    Symbol,
    read_object,
)
from tapeless.backend.linking.relocate import PROCESSORS, Kind, Processor, Wants
from tapeless.errors import TargetError
from tapeless.runtime.image import PAGE, Image

ENTRY_BYTES = 8
UNUSED_SECTIONS = (".eh_frame", ".note", ".llvm", ".comment")


def link(object_code: bytes, writable_table: bool = False) -> Image:
    """The image of an object file."""
    return _Linker(read_object(object_code), writable_table).link()


class _Linker:
    """State of one link: where sections, stubs and table entries went."""

    def __init__(self, source: ObjectFile, writable_table: bool) -> None:
        if source.machine not in PROCESSORS:
            raise TargetError(f"no linker for ELF machine {source.machine}; use x86_64 or aarch64")
        self.source = source
        self.writable_table = writable_table
        self.loaded = [s for s in source.sections if s.flags & ALLOCATED and not s.name.startswith(UNUSED_SECTIONS)]
        loaded_indices = {section.index for section in self.loaded}
        self.relocations = [r for r in source.relocations if r.section in loaded_indices]
        self.processor: Processor = PROCESSORS[source.machine]
        self.code = bytearray()
        self.places: dict[int, int] = {}
        self.stubs: dict[str, int] = {}
        self.table: dict[str, int] = {}
        self.absolutes: list[tuple[int, int]] = []

    def link(self) -> Image:
        self._place([section for section in self.loaded if not section.flags & WRITABLE])
        table_from = self._add_stubs_and_table()
        writable = [section for section in self.loaded if section.flags & WRITABLE and section.data]
        if writable and not self.writable_table:
            self._align(PAGE)
        writable_from = table_from if self.writable_table else len(self.code)
        self._place(writable)
        for relocation in self.relocations:
            self._relocate(relocation)
        imports = {name: place for name, place in self.table.items() if name in self.stubs}
        return Image(bytes(self.code), writable_from, self._exports(), imports, tuple(self.absolutes))

    def _align(self, alignment: int) -> None:
        self.code.extend(bytes(-len(self.code) % alignment))

    def _place(self, sections: list[Section]) -> None:
        for section in sections:
            self._align(section.alignment)
            self.places[section.index] = len(self.code)
            self.code.extend(section.data)

    def _add_stubs_and_table(self) -> int:
        """Every imported name gets a stub and a table entry; a name defined here may need an entry too.

        Gives the place of the table.
        """
        imported = dict.fromkeys(r.symbol.name for r in self.relocations if r.symbol.section == UNDEFINED)
        local = dict.fromkeys(
            r.symbol.name
            for r in self.relocations
            if r.symbol.name not in imported and self._kind(r).wants is Wants.TABLE_ENTRY
        )
        self._align(16)
        for name in imported:
            self.stubs[name] = len(self.code)
            self.code.extend(bytes(self.processor.stub_bytes))
        self._align(PAGE if self.writable_table else ENTRY_BYTES)
        table_from = len(self.code)
        for name in (*imported, *local):
            self.table[name] = len(self.code)
            self.code.extend(bytes(ENTRY_BYTES))
        for name, place in self.stubs.items():
            self.processor.write_stub(self.code, place, self.table[name])
        for symbol in self.source.symbols:
            if symbol.name in local:
                self.absolutes.append((self.table[symbol.name], self._target(symbol)))
        return table_from

    def _kind(self, relocation: Relocation) -> Kind:
        if relocation.kind not in self.processor.kinds:
            raise RejectedCode(f"the generated code has a relocation of kind {relocation.kind}, which cannot be linked")
        return self.processor.kinds[relocation.kind]

    def _relocate(self, relocation: Relocation) -> None:
        kind = self._kind(relocation)
        place = self.places[relocation.section] + relocation.offset
        if kind.wants is Wants.TABLE_ENTRY:
            kind.write(self.code, place, self.table[relocation.symbol.name] + relocation.addend)
            return
        target = self._target(relocation.symbol) + relocation.addend
        if kind.wants is Wants.ABSOLUTE:
            self.absolutes.append((place, target))
        else:
            kind.write(self.code, place, target)

    def _target(self, symbol: Symbol) -> int:
        """Where a symbol is in the image; an imported function is reached through its stub."""
        if symbol.section == UNDEFINED:
            return self.stubs[symbol.name]
        if symbol.section not in self.places:
            raise RejectedCode(f"the generated code refers to '{symbol.name}', which is in no loaded section")
        return self.places[symbol.section] + symbol.value

    def _exports(self) -> dict[str, int]:
        """Addresses by name; names that begin with `$` only say where AArch64's instructions and data begin."""
        return {
            symbol.name: self._target(symbol)
            for symbol in self.source.symbols
            if symbol.name and not symbol.name.startswith("$") and symbol.section in self.places
        }
