"""Writes linked code as a shared library that the system's loader takes: an ELF file, without calling a linker.

    headers, names, symbols and relocations    read only
    code and constants of the image            executable
    table of addresses, data, dynamic section  writable

Places in the file are addresses in memory, and every segment begins on a page.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from tapeless.backend.linking.elf import ALLOCATED, HEADER, RELOCATION, SECTION, SYMBOL
from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.image import PAGE, Image

SEGMENT = struct.Struct("<IIQQQQQQ")
DYNAMIC = struct.Struct("<qQ")
WORD = struct.Struct("<I")
NEEDED = ("libtapeless_runtime.so", "libm.so.6", "libc.so.6")
# What is needed is looked for beside the library, too.
RUNPATH = "$ORIGIN"

OWN_NAMES = ".shstrtab"
SEGMENTS = 5

SHARED, CURRENT = 3, 1
LOAD, DYNAMIC_SEGMENT, STACK = 1, 2, 0x6474E551
EXECUTE, WRITE, READ = 1, 2, 4
GLOBAL_FUNCTION, GLOBAL_UNKNOWN = 0x12, 0x10
PROGBITS, STRTAB, RELA, HASH, DYNAMIC_SECTION, DYNSYM = 1, 3, 4, 5, 6, 11
NEEDED_TAG, HASH_TAG, STRTAB_TAG, SYMTAB_TAG, RELA_TAG = 1, 4, 5, 6, 7
RELASZ_TAG, RELAENT_TAG, STRSZ_TAG, SYMENT_TAG, SONAME_TAG, RUNPATH_TAG = 8, 9, 10, 11, 14, 29


@dataclass(frozen=True)
class Architecture:
    """The number of a processor in ELF, and its relocations: a symbol's address, and the library's plus an offset."""

    machine: int
    symbol_address: int
    own_address: int


ARCHITECTURES = {"x86_64": Architecture(62, 6, 8), "aarch64": Architecture(183, 1025, 1027)}


@dataclass(frozen=True)
class Piece:
    """A section: its bytes and where they are, with its entry in the table of sections."""

    name: str
    kind: int
    flags: int
    place: int
    data: bytes
    link: int = 0
    info: int = 0
    alignment: int = 8
    entry_size: int = 0

    @property
    def end(self) -> int:
        return self.place + len(self.data)


def shared_object(image: Image, architecture: str, exported: Sequence[str], soname: str) -> bytes:
    """The library of an image whose table is writable (`link`), with the functions that programs may call."""
    return _Writer(image, ARCHITECTURES[architecture], tuple(exported), soname).library()


class _Names:
    """A table of texts, each found by its offset."""

    def __init__(self, names: Iterable[str]) -> None:
        self.data = b"\0"
        self.offsets: dict[str, int] = {}
        for name in names:
            self.offsets[name] = len(self.data)
            self.data += name.encode() + b"\0"


class _Writer:
    """State of one library: where the image went, and the pieces around it."""

    def __init__(self, image: Image, architecture: Architecture, exported: tuple[str, ...], soname: str) -> None:
        self.image, self.architecture = image, architecture
        self.exported, self.soname = exported, soname
        self.symbols = (*exported, *image.imports)
        self.names = _Names((*self.symbols, *NEEDED, soname, RUNPATH))

    def library(self) -> bytes:
        start = HEADER.size + SEGMENTS * SEGMENT.size
        # How long the tables are does not depend on where the image is.
        base = _aligned(self._tables(start, 0)[-1].end, PAGE)
        tables = self._tables(start, base)
        split = self.image.writable_from
        code = Piece(".text", PROGBITS, 2 | 4, base, self.image.code[:split], alignment=PAGE)
        data = Piece(".data", PROGBITS, 2 | 1, _aligned(code.end, PAGE), self.image.code[split:], alignment=PAGE)
        assert data.place == base + split
        dynamic = self._dynamic(_aligned(data.end, 8), tables)
        pieces = [*tables, code, data, dynamic]
        return self._file(pieces, self._segments(tables, code, data, dynamic))

    def _tables(self, start: int, base: int) -> list[Piece]:
        """Symbols, their names, a hash table of them, and relocations; sections are numbered from 1."""
        symbols = Piece(".dynsym", DYNSYM, 2, start, self._symbols(base), link=2, info=1, entry_size=SYMBOL.size)
        names = Piece(".dynstr", STRTAB, 2, symbols.end, self.names.data, alignment=1)
        hashes = Piece(".hash", HASH, 2, _aligned(names.end, 8), self._hashes(), link=1, entry_size=WORD.size)
        place = _aligned(hashes.end, 8)
        moved = Piece(".rela.dyn", RELA, 2, place, self._relocations(base), link=1, entry_size=RELOCATION.size)
        return [symbols, names, hashes, moved]

    def _symbols(self, base: int) -> bytes:
        text_section = 5
        entries = [SYMBOL.pack(0, 0, 0, 0, 0, 0)]
        for name in self.exported:
            place = base + self.image.exports[name]
            entries.append(SYMBOL.pack(self.names.offsets[name], GLOBAL_FUNCTION, 0, text_section, place, 0))
        for name in self.image.imports:
            entries.append(SYMBOL.pack(self.names.offsets[name], GLOBAL_UNKNOWN, 0, 0, 0, 0))
        return b"".join(entries)

    def _hashes(self) -> bytes:
        """One chain of all symbols: a library of a few needs no better."""
        count = len(self.symbols) + 1
        chain = [0, *range(2, count), 0]
        return b"".join(map(WORD.pack, (1, count, 1, *chain)))

    def _relocations(self, base: int) -> bytes:
        known = self.architecture
        entries = [
            RELOCATION.pack(base + place, self._number(name) << 32 | known.symbol_address, 0)
            for name, place in self.image.imports.items()
        ]
        entries += [
            RELOCATION.pack(base + place, known.own_address, base + offset) for place, offset in self.image.absolutes
        ]
        return b"".join(entries)

    def _number(self, name: str) -> int:
        return self.symbols.index(name) + 1

    def _dynamic(self, place: int, tables: Sequence[Piece]) -> Piece:
        symbols, names, hashes, moved = tables
        entries = [
            *((NEEDED_TAG, self.names.offsets[name]) for name in NEEDED),
            (SONAME_TAG, self.names.offsets[self.soname]),
            (RUNPATH_TAG, self.names.offsets[RUNPATH]),
            (HASH_TAG, hashes.place),
            (STRTAB_TAG, names.place),
            (STRSZ_TAG, len(names.data)),
            (SYMTAB_TAG, symbols.place),
            (SYMENT_TAG, SYMBOL.size),
            (RELA_TAG, moved.place),
            (RELASZ_TAG, len(moved.data)),
            (RELAENT_TAG, RELOCATION.size),
            (0, 0),
        ]
        data = b"".join(DYNAMIC.pack(*entry) for entry in entries)
        return Piece(".dynamic", DYNAMIC_SECTION, 2 | 1, place, data, link=2, entry_size=DYNAMIC.size)

    def _segments(self, tables: Sequence[Piece], code: Piece, data: Piece, dynamic: Piece) -> list[bytes]:
        return [
            _segment(LOAD, READ, 0, tables[-1].end, PAGE),
            _segment(LOAD, READ | EXECUTE, code.place, code.end, PAGE),
            _segment(LOAD, READ | WRITE, data.place, dynamic.end, PAGE),
            _segment(DYNAMIC_SEGMENT, READ | WRITE, dynamic.place, dynamic.end, 8),
            _segment(STACK, READ | WRITE, 0, 0, 16),
        ]

    def _file(self, pieces: Sequence[Piece], segments: Sequence[bytes]) -> bytes:
        titles = _Names((*(piece.name for piece in pieces), OWN_NAMES))
        title_place = pieces[-1].end
        table_place = _aligned(title_place + len(titles.data), 8)
        own = Piece(OWN_NAMES, STRTAB, 0, title_place, titles.data, alignment=1)
        sections = [bytes(SECTION.size), *(_section(titles.offsets[piece.name], piece) for piece in (*pieces, own))]
        identity = b"\x7fELF\x02\x01\x01" + bytes(9)
        sizes = (HEADER.size, SEGMENT.size, len(segments), SECTION.size, len(sections), len(sections) - 1)
        header = HEADER.pack(
            identity, SHARED, self.architecture.machine, CURRENT, 0, HEADER.size, table_place, 0, *sizes
        )
        file = bytearray(table_place)
        for place, data in ((0, header + b"".join(segments)), (title_place, titles.data)):
            file[place : place + len(data)] = data
        for piece in pieces:
            file[piece.place : piece.end] = piece.data
        return bytes(file) + b"".join(sections)


def _aligned(place: int, alignment: int) -> int:
    return place + -place % alignment


def _segment(kind: int, flags: int, start: int, end: int, alignment: int) -> bytes:
    return SEGMENT.pack(kind, flags, start, start, start, end - start, end - start, alignment)


def _section(name: int, piece: Piece) -> bytes:
    address = piece.place if piece.flags & ALLOCATED else 0
    extent = address, piece.place, len(piece.data)
    return SECTION.pack(
        name, piece.kind, piece.flags, *extent, piece.link, piece.info, piece.alignment, piece.entry_size
    )
