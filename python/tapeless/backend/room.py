"""When the files of the cache are counted: not for every entry, because that takes longer the more there are."""

from __future__ import annotations

from tapeless.dataclasses_on_use import dataclass

# Processes that share a folder do not know of each other: each counts again after this share of what it may hold.
SHARE = 16


@dataclass
class Room:
    """How many bytes a cache, named by its folder and its size, takes before its files are counted again."""

    cache: object = None
    size: int = 0

    def holds(self, cache: object, size: int) -> bool:
        """Whether an entry of a size fits without counting; its bytes are taken then."""
        if cache != self.cache or size > self.size:
            return False
        self.size -= size
        return True

    def counted(self, cache: object, used: int, limit: int) -> None:
        """Starts again from the bytes that are used."""
        self.cache, self.size = cache, min(limit - used, limit // SHARE)
