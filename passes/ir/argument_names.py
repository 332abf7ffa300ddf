"""The names of the arguments of a function, by which callers know them."""

from __future__ import annotations

from tapeless._mlir import ir


def argument_names(function: ir.Operation) -> list[str]:
    """The names of arguments by their locations, if each has another name; else `arg0`, `arg1`, ..."""
    places = [argument.location for argument in function.regions[0].blocks[0].arguments]
    names = [place.name_str if isinstance(place, ir.NameLoc) else "" for place in places]
    are_names = len(set(names)) == len(names) and all(each.isidentifier() for each in names)
    return names if are_names else [f"arg{position}" for position in range(len(places))]
