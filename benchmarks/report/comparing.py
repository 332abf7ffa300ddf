"""Comparisons of rows: ratios to peers, spellings, sizes, threads, methods, earlier files."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from report.reading import GateRow, Results
from report.row import Place, Row

SIZES = ("tiny", "small", "middle", "large")
# Times of the same code on the same machine differ by less.
SLOWER = 1.2


@dataclass(frozen=True)
class Comparison:
    """All contestants at one place that were timed."""

    place: Place
    rows: tuple[Row, ...]

    @property
    def ours(self) -> Row | None:
        """The fastest of our spellings and methods."""
        return _fastest(row for row in self.rows if row.is_ours)

    @property
    def peers(self) -> dict[str, Row]:
        """The fastest row of each other contestant."""
        found = _by(self.rows, lambda row: row.contestant)
        return {name: _fastest(rows) for name, rows in sorted(found.items()) if not rows[0].is_ours}

    @property
    def best_peer(self) -> Row | None:
        return _fastest(self.peers.values())

    @property
    def ratio(self) -> float | None:
        """Our time over that of the fastest peer; more than 1 is a loss."""
        if self.ours is None or self.best_peer is None:
            return None
        return self.ours.seconds / self.best_peer.seconds


def _fastest(rows: Iterable[Row]) -> Row | None:
    return min(rows, key=lambda row: row.seconds, default=None)


def _by(rows, key):
    """Rows by what a function gives for them."""
    found = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def comparisons(rows: Sequence[Row]) -> list[Comparison]:
    """One for each place with a time."""
    timed = _by((row for row in rows if row.seconds), lambda row: row.place)
    return [Comparison(place, tuple(found)) for place, found in timed.items()]


def worst_first(rows: Sequence[Row]) -> list[Comparison]:
    """Places that have a peer, those where we lose most first."""
    found = [each for each in comparisons(rows) if each.ratio is not None]
    return sorted(found, key=lambda each: -each.ratio)


def mean(ratios: Iterable[float]) -> float:
    """The geometric mean."""
    found = [math.log(each) for each in ratios]
    return math.exp(sum(found) / len(found))


@dataclass(frozen=True)
class Summary:
    """A peer against us, on one target of one machine: the mean of ratios, how many, and how many we lose."""

    machine: str
    target: str
    peer: str
    mean: float
    places: int
    slower: int


def summaries(rows: Sequence[Row]) -> list[Summary]:
    """For each machine, target and peer, over the places where both were timed; ours is the fastest of all."""
    found = defaultdict(list)
    for each in comparisons(rows):
        for name, row in each.peers.items():
            if each.ours is not None:
                found[each.place.machine, each.place.target, name].append(each.ours.seconds / row.seconds)
    return [
        Summary(*key, mean(ratios), len(ratios), sum(ratio > 1 for ratio in ratios))
        for key, ratios in sorted(found.items())
    ]


@dataclass(frozen=True)
class Group:
    """The places of one target, number of threads, dtype and size: ratios to the fastest peer at each.

    First those of our fastest spelling, then those of every spelling, each by its fastest method.
    """

    target: str
    threads: int
    dtype: str
    size: str
    ratios: tuple[tuple[float, ...], tuple[float, ...]]


def groups(rows: Sequence[Row]) -> list[Group]:
    """All of them; sizes of other benchmarks than those of whole programs have no names, and are one."""
    by_fastest, by_spelling = defaultdict(list), defaultdict(list)
    for each in worst_first(rows):
        by_fastest[_group(each.place)].append(each.ratio)
    for ratio, row, _ in behind(rows):
        by_spelling[_group(row.place)].append(ratio)
    ordered = sorted(by_fastest, key=lambda key: (*key[:3], size_order(key[3])))
    return [Group(*key, (tuple(by_fastest[key]), tuple(by_spelling[key]))) for key in ordered]


def _group(place: Place) -> tuple[str, int, str, str]:
    return place.target, place.threads, place.dtype, place.size if place.size in SIZES else ""


def spellings(rows: Sequence[Row]) -> list[tuple[Place, dict[str, Row]]]:
    """Places with several spellings by their fastest method, where these are furthest apart first."""
    found = []
    for each in comparisons([row for row in rows if row.is_ours and row.spelling]):
        by_spelling = {name: _fastest(group) for name, group in _by(each.rows, lambda row: row.spelling).items()}
        if len(by_spelling) > 1:
            found.append((each.place, by_spelling))
    return sorted(found, key=lambda each: -spread(each[1].values()))


def behind(rows: Sequence[Row]) -> list[tuple[float, Row, Row]]:
    """Every spelling by its fastest method beside the fastest peer, with the ratio; the slowest first."""
    found = []
    for each in comparisons(rows):
        ours = _by((row for row in each.rows if row.is_ours and row.spelling), lambda row: row.spelling)
        if peer := each.best_peer:
            fastest = map(_fastest, ours.values())
            found += [(row.seconds / peer.seconds, row, peer) for row in fastest]
    return sorted(found, key=lambda each: -each[0])


def spread(rows: Iterable[Row]) -> float:
    """The slowest over the fastest."""
    seconds = [row.seconds for row in rows]
    return max(seconds) / min(seconds)


def methods(rows: Sequence[Row], value: str) -> list[tuple[Place, dict[str, float]]]:
    """The least of a value (`seconds`, `peak_bytes`) by each method, and by each peer, at places with a method."""
    found = []
    for place, group in _by((row for row in rows if getattr(row, value) is not None), lambda row: row.place).items():
        names = _by(group, lambda row: row.method or "" if row.is_ours else row.contestant)
        values = {name: min(getattr(row, value) for row in each) for name, each in names.items() if name}
        if any(row.method for row in group):
            found.append((place, values))
    return found


def size_order(size: str) -> tuple[tuple[float, ...], str]:
    """Sizes by their names, else by the numbers in them."""
    if size in SIZES:
        return (float(SIZES.index(size)),), size
    numbers = re.findall(r"\d[\d_]*(?:\.\d+)?(?:e\d+)?", size)
    return tuple(float(each.replace("_", "")) for each in numbers), size


@dataclass(frozen=True)
class Curve:
    """Times of one contestant at growing sizes, or with growing numbers of threads."""

    name: str
    points: tuple[tuple[str, float], ...]


def scaling(rows: Sequence[Row], along: str) -> list[tuple[Place, list[Curve]]]:
    """For everything that was measured at several sizes (or threads): a curve per contestant, ours the fastest."""
    groups = defaultdict(lambda: defaultdict(dict))
    for each in comparisons(rows):
        rest = replace(each.place, size="") if along == "size" else replace(each.place, threads=1)
        at = each.place.size if along == "size" else str(each.place.threads)
        timed = {**each.peers, **({"tapeless": each.ours} if each.ours else {})}
        for name, row in timed.items():
            groups[rest][name][at] = row.seconds
    found = []
    for place, curves in groups.items():
        several = {name: points for name, points in curves.items() if len(points) > 1}
        at = {size_order(name)[0] for points in several.values() for name in points}
        if "tapeless" in several and len(at) > 1:
            found.append((place, [_curve(name, several[name]) for name in sorted(several, key=_ours_first)]))
    return found


def _ours_first(name: str) -> tuple[bool, str]:
    return name != "tapeless", name


def _curve(name: str, points: Mapping[str, float]) -> Curve:
    return Curve(name, tuple(sorted(points.items(), key=lambda point: size_order(point[0]))))


@dataclass(frozen=True)
class Change:
    """A row now and the last time on the same machine."""

    row: Row
    before: float
    when: str

    @property
    def factor(self) -> float:
        return self.row.seconds / self.before


def changes(now: Sequence[Results], history: Sequence[Results]) -> list[Change]:
    """Our rows that were measured before on the same machine, with the last time they were; most slowed ones first."""
    found = []
    for results in now:
        before = _last_times(results, history)
        for row in results.rows:
            if row.is_ours and row.seconds and row.key in before:
                found.append(Change(row, *before[row.key]))
    return sorted(found, key=lambda each: -each.factor)


def _last_times(results: Results, history: Sequence[Results]) -> dict:
    """Seconds and date by row, of the last earlier file that has it."""
    return {
        row.key: (row.seconds, each.when)
        for each in sorted(history, key=lambda each: each.when)
        if each.when < results.when and each.machine_words == results.machine_words
        for row in each.rows
        if row.seconds
    }


def slower(found: Sequence[Change], factor: float = SLOWER) -> list[Change]:
    return [each for each in found if each.factor > factor]


def courses(now: Sequence[Results], history: Sequence[Results]) -> Iterator[tuple[Row, list[tuple[str, float]]]]:
    """Our rows with all times of theirs on the same machine, for those with at least two."""
    times, rows = defaultdict(dict), {}
    for each in sorted((*history, *now), key=lambda each: each.when):
        for row in each.rows:
            if row.is_ours and row.seconds:
                times[each.machine_words, row.key][each.when] = row.seconds
                rows[each.machine_words, row.key] = row
    present = {(each.machine_words, row.key) for each in now for row in each.rows}
    for name, course in times.items():
        if name in present and len(course) > 1:
            yield rows[name], list(course.items())


def gate_changes(now: Sequence[Results], history: Sequence[Results]) -> list[tuple[GateRow, float | None]]:
    """Rows of the gate, with the ratio of the last earlier run on the same machine."""
    found = []
    for results in now:
        before = {
            row.row: row.ratio
            for each in sorted(history, key=lambda each: each.when)
            if each.when < results.when and each.machine_words == results.machine_words
            for row in each.gate
        }
        found += [(row, before.get(row.row)) for row in results.gate]
    return sorted(found, key=lambda each: -(each[0].ratio / each[1] if each[1] else 1.0))
