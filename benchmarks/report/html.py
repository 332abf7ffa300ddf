"""Pieces of HTML that all sections of the report use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from report.row import Place

# What the form at the top of the page chooses by.
FILTERS = ("machine", "field", "target", "dtype", "quantity")


@dataclass(frozen=True)
class Cell:
    """A cell of a table; `html` is markup, whatever comes from files is escaped before."""

    html: str
    style: str = ""


def text(value: object) -> Cell:
    return Cell(escape(str(value)))


def number(value: str, style: str = "") -> Cell:
    """To the right, so that digits stand below each other."""
    return Cell(escape(value), f"n {style}".strip())


def place_cell(place: Place) -> Cell:
    """The program, and below it what, on what, where."""
    threads = f", {place.threads} threads" if place.threads != 1 else ""
    parts = (place.quantity, place.dtype, place.size, place.target + threads, place.machine)
    about = ", ".join(each for each in parts if each)
    field = f"{escape(place.field)}: " if place.field else ""
    return Cell(f"{escape(place.program)}<small>{field}{escape(about)}</small>")


def data_of(place: Place) -> str:
    """The attributes that the form at the top filters by."""
    values = {name: getattr(place, name) for name in FILTERS}
    return "".join(f' data-{name}="{escape(value, quote=True)}"' for name, value in values.items())


def table(name: str, titles: Sequence[str], rows: Iterable[tuple[Place | None, Iterable[Cell]]]) -> str:
    """A table that scrolls by itself where it is too wide, with its first rows shown until one asks for more."""
    made = [(place, list(cells)) for place, cells in rows]
    styles = [_alignment(cell) for cell in made[0][1]] if made else [""] * len(titles)
    head = "".join(_cell("th", Cell(escape(title), style)) for title, style in zip(titles, styles, strict=True))
    body = "".join(_row(place, cells) for place, cells in made)
    inner = f'<thead><tr>{head}</tr></thead><tbody data-list="{name}">{body}</tbody>'
    return f'<div class="scroll"><table>{inner}</table></div>{more(name)}'


def _alignment(cell: Cell) -> str:
    """The style of a title, after that of the cells below it."""
    return next((each for each in cell.style.split() if each in ("n", "wide")), "")


def _cell(tag: str, cell: Cell) -> str:
    return f'<{tag} class="{cell.style}">{cell.html}</{tag}>' if cell.style else f"<{tag}>{cell.html}</{tag}>"


def _row(place: Place | None, cells: Sequence[Cell]) -> str:
    written = "".join(_cell("td", each) for each in cells)
    return f"<tr{data_of(place) if place is not None else ''}>{written}</tr>"


def more(name: str) -> str:
    """The button below a list, and what is said when nothing fits; the script shows them."""
    return (
        f'<p><button data-more="{name}" hidden>show all</button><span data-none="{name}" hidden>nothing fits</span></p>'
    )


def section(anchor: str, title: str, about: str, content: str) -> str:
    return f'<section id="{anchor}"><h2>{escape(title)}</h2><p class="soft">{escape(about)}</p>{content}</section>'
