# ruff: noqa: RUF001 (factors are written with a sign of multiplication)
"""The report of small files of results: what it shows, in which order, and that it refers to nothing outside."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from report import __main__ as report
from report import comparing, manual, measured
from report.page import page
from report.reading import BrokenResults, Results, parsed, read, read_all, told_apart
from report.results_page import results_page
from report.row import Row
from report.sections import SECTIONS
from report.units import duration, size, times

MACHINE = {"architecture": "aarch64", "processor": "Neoverse-N1", "processors": 2, "gpu": None}
PLACE = {"field": "control", "quantity": "gradient", "dtype": "f64", "size": "small", "target": "cpu", "threads": 1}


def row(program: str, contestant: str, seconds: float | None, **more: Any) -> dict[str, Any]:
    return {**PLACE, "program": program, "contestant": contestant, "seconds_min": seconds, **more}


ROWS = [
    row("filter", "jax", 1e-4, compile_seconds=0.2, peak_bytes=4096),
    row("filter", "tapeless", 4e-4, spelling="loops", method="redundant", compile_seconds=0.5, peak_bytes=8192)
    | {"code_bytes": 2048},
    row("filter", "tapeless", 2e-4, spelling="maps", method="redundant"),
    row("filter", "tapeless", 3e-4, spelling="maps", method="reversible", peak_bytes=1024),
    row("filter", "jax", 1e-3, size="middle"),
    row("filter", "tapeless", 5e-4, size="middle", spelling="maps", method="redundant"),
    row("filter", "tapeless", 3e-4, size="middle", spelling="maps", method="redundant", threads=2),
    row("chain <&>", "jax", 1e-3, field="physics"),
    row("chain <&>", "tapeless", 1e-4, field="physics", spelling="loops", method="redundant"),
    row("knot", "tapeless", None, spelling="loops", method="redundant", refused="FrontendError: a </script> in it"),
    row("twist", "tapeless", 1e-4, spelling="loops", method="redundant", agrees=False, deviation=0.25),
    row("thin", "tapeless", 1e-4, spelling="loops", agrees=False, deviation=0.5, excused="digits are few"),
]
HARNESS = {"benchmark": "primal", "program": "saxpy", "size": "n=1000", "target": "cpu", "threads": 1, "method": None}
RECORDS = [
    {**HARNESS, "contestant": "tapeless", "metric": "primal_s", "value": 3e-5, "unit": "s", "minimum": 1.8e-5},
    {**HARNESS, "contestant": "c", "metric": "primal_s", "value": 1e-5, "unit": "s"},
    {**HARNESS, "contestant": "threads=2", "metric": "primal_s", "value": 1.5e-5, "unit": "s"},
    {**HARNESS, "contestant": "reversible", "metric": "peak_bytes", "value": 100, "unit": "bytes"},
    {**HARNESS, "contestant": "jax", "metric": "peak_bytes", "value": 2048, "unit": "bytes"},
    {
        **HARNESS,
        "contestant": "tapeless",
        "metric": "ratio_to_c",
        "value": 2.0,
        "unit": "",
        "bar": {"at_most": 1.1, "met": False},
    },
]
GPU = [
    {
        "problem": "lattice",
        "row": "gradient",
        "gpu_ms": 2.5,
        "call_ms": 3.0,
        "jax_ms": 1.0,
        "megabytes": 5.0,
        "torch_failed": "RuntimeError: none",
    }
]
GATE = [{"row": "heat, redundant", "word": "slower", "ratio": 3.0}, {"row": "waves", "word": "fine", "ratio": 1.0}]


def results(when: str, **content: Any) -> Results:
    return parsed("untuned", {"when": when, "machine": MACHINE, "versions": {"jax": "0.10.2"}, **content})


NOW = results("2026-02-01T10:00:00+00:00", rows=ROWS, records=RECORDS, gpu=GPU, gate=GATE, left_out=["knot", "tie"])
BEFORE = results(
    "2026-01-01T10:00:00+00:00",
    rows=[{**each, "seconds_min": each["seconds_min"] and each["seconds_min"] / 2} for each in ROWS[:4]] + ROWS[4:],
    gate=[{**GATE[0], "ratio": 2.0}],
)


class Reader(HTMLParser):
    """Takes a page apart: sections with their texts, attributes that could load something, tags left open."""

    VOID = frozenset({"meta", "input", "line", "rect", "circle", "polyline", "polygon"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.sections: dict[str, str] = {}
        self.references: list[str] = []
        self.open: list[str] = []
        self.rows = 0
        self.section = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "section":
            self.section = given["id"] or ""
        self.rows += tag == "tr"
        self.references += [value or "" for name, value in attributes if name in ("src", "href", "action", "srcset")]

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in self.VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "section":
            self.section = ""

    def handle_data(self, data: str) -> None:
        self.sections[self.section] = self.sections.get(self.section, "") + data


@pytest.fixture(scope="module")
def text() -> str:
    return page([NOW], [BEFORE], ["broken.json: no JSON"])


def test_programs_left_out_are_told(text):
    assert "left out for lack of time: 2 of untuned (knot, \u2026)" in text


@pytest.fixture(scope="module")
def reader(text: str) -> Reader:
    return Reader(text)


def test_the_page_is_whole_and_refers_to_nothing_outside(text, reader):
    assert reader.open == []
    assert {each for each in reader.references if not each.startswith("#")} == set()
    assert {each[1:] for each in reader.references} == set(reader.sections) - {""}
    for word in ("http:", "https:", "//cdn", "@import", "url("):
        assert word not in text


def test_the_page_has_all_sections(reader):
    assert set(reader.sections) - {""} == set(SECTIONS)


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("worst", ("filter", "2.00×", "0.100×", "chain <&>", "saxpy", "lattice", "jax", "maps, redundant")),
        ("slower", ("filter", "2.00×", "200 µs", "400 µs", "2026-01-01 10:00")),
        ("spellings", ("loops", "maps", "400 µs")),
        ("methods", ("redundant", "reversible", "300 µs")),
        ("compile", ("500 ms", "200 ms")),
        ("memory", ("8.00 KiB", "1.00 KiB", "4.00 KiB")),
        ("sizes", ("small", "middle", "filter")),
        ("threads", ("1", "2")),
        ("history", ("filter", "2.00×")),
        ("gate", ("heat, redundant", "slower", "1.50×")),
        ("bars", ("ratio_to_c", "<= 1.1", "0 of 1 limits")),
        ("wrong", ("a </script> in it", "differs by 2.5e-01", "RuntimeError: none")),
        ("", ("Neoverse-N1 (aarch64, 2 processors)", "jax 0.10.2", "not read: broken.json")),
    ],
)
def test_what_a_section_shows(reader, section, words):
    assert [word for word in words if word not in reader.sections[section]] == []


def test_what_comes_from_files_is_escaped(text):
    assert "chain <&>" not in text and "chain &lt;&amp;&gt;" in text
    assert text.count("</script>") == 1


def test_worst_rows_come_first():
    found = comparing.worst_first(NOW.rows)
    assert [each.place.program for each in found] == ["lattice", "filter", "saxpy", "filter", "chain <&>"]
    assert [each.ratio for each in found] == pytest.approx([2.5, 2.0, 1.8, 0.5, 0.1])
    assert found[1].ours.spelling == "maps" and found[1].ours.method == "redundant"


def test_machines_are_told_apart_where_there_are_several():
    other = Results(**{**vars(NOW), "machine": {**MACHINE, "processor": "Xeon"}})
    both = page([NOW, other])
    assert 'data-machine="Xeon x2"' in both and "jax on cpu of Neoverse-N1 x2" in both
    assert 'data-machine=""' in page([NOW]) and 'data-machine="Neo' not in page([NOW])
    now = told_apart([NOW, other], several=True)
    found = comparing.worst_first([row for each in now for row in each.rows])
    assert len(found) == 2 * len(comparing.worst_first(NOW.rows))


def test_rows_that_got_slower_are_found_on_the_same_machine_only():
    found = comparing.slower(comparing.changes([NOW], [BEFORE]))
    assert {each.row.spelling for each in found} == {"loops", "maps"}
    assert [each.factor for each in found] == pytest.approx([2.0, 2.0, 2.0])
    elsewhere = Results(**{**vars(BEFORE), "machine": {**MACHINE, "processor": "another"}})
    assert comparing.changes([NOW], [elsewhere]) == []
    assert comparing.changes([BEFORE], [NOW]) == []


def test_the_last_earlier_file_is_compared_with():
    older = results(
        "2025-01-01T10:00:00+00:00", rows=[row("filter", "tapeless", 9.0, spelling="maps", method="redundant")]
    )
    assert comparing.changes([NOW], [older])[0].when == older.when
    assert {each.when for each in comparing.changes([NOW], [BEFORE, older])} == {BEFORE.when}


def test_a_course_has_a_row_once():
    found = list(comparing.courses([BEFORE, NOW], []))
    assert len({row.key for row, _ in found}) == len(found)
    assert all([when for when, _ in course] == [BEFORE.when, NOW.when] for _, course in found)
    assert list(comparing.courses([NOW], [])) == []


def test_no_rows_make_a_page_that_says_so():
    reader = Reader(page([]))
    assert "Run make bench" in reader.sections[""] and reader.rows == 0


def test_layouts_of_all_benchmarks_become_rows():
    found = {each.key: each for each in NOW.rows}
    saxpy = [each for each in found.values() if each.program == "saxpy" and each.seconds]
    assert [(each.contestant, each.threads, each.seconds) for each in saxpy] == [
        ("tapeless", 1, 1.8e-5),
        ("c", 1, 1e-5),
        ("tapeless", 2, 1.5e-5),
    ]
    held = next(each for each in found.values() if each.program == "saxpy" and each.peak_bytes)
    assert (held.contestant, held.method) == ("tapeless", "reversible")
    ours, jax, torch = (each for each in found.values() if each.target == "cuda")
    assert (ours.seconds, jax.seconds, torch.refused) == (2.5e-3, 1e-3, "RuntimeError: none")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("jax", ("jax", None, None, 1)),
        ("jax, in strips", ("jax, in strips", None, None, 1)),
        ("torch.compile", ("torch.compile", None, None, 1)),
        ("c", ("c", None, None, 1)),
        ("tapeless", ("tapeless", None, None, 1)),
        ("coarsened", ("tapeless", "coarsened", None, 1)),
        ("strips", ("tapeless", None, "strips", 1)),
        ("threads=2", ("tapeless", None, None, 2)),
    ],
)
def test_names_of_contestants(name, found):
    record = {**RECORDS[1], "contestant": name}
    (row,) = results("", records=[record]).rows
    assert (row.contestant, row.method, row.spelling, row.threads) == found


def test_a_single_processor_is_timed_by_processor_time():
    single, double = (
        results("", rows=[row("f", "jax", 2.0, processor_seconds_min=1.0, threads=threads)]).rows[0]
        for threads in (1, 2)
    )
    assert (single.seconds, double.seconds) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "Expecting property name"),
        ("[]", "names no machine"),
        ('{"rows": []}', "names no machine"),
        ('{"machine": {}, "rows": [{"contestant": "jax"}]}', "a row is not as benchmarks write it"),
        ('{"machine": {}, "records": [{"metric": "primal_s"}]}', "a row is not as benchmarks write it"),
        ('{"machine": {}, "rows": [{"program": "f", "contestant": "jax", "seconds": NaN}]}', "seconds of 'f' is nan"),
        ('{"machine": {}, "rows": 3}', "a row is not as benchmarks write it"),
    ],
)
def test_broken_files_are_named(tmp_path, content, message):
    path = tmp_path / "broken.json"
    path.write_text(content)
    with pytest.raises(BrokenResults, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)
    (tmp_path / "good.json").write_text(json.dumps({"machine": MACHINE, "rows": ROWS}))
    found, wrong = read_all(tmp_path.glob("*.json"))
    assert [each.name for each in found] == ["good"] and wrong == [str(caught.value)]


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0 ns"), (1.5, "1.50 s"), (0.0123, "12.3 ms"), (4.567e-6, "4.57 µs"), (0.9999e-3, "1.00 ms")],
)
def test_durations(value, text):
    assert duration(value) == text


def test_sizes_and_factors():
    assert (size(1536), size(12), times(12.34), times(0.0456)) == ("1.50 KiB", "12.0 B", "12.3×", "0.0456×")


def test_sizes_are_ordered():
    given = ["large", "small", "middle"]
    assert sorted(given, key=comparing.size_order) == ["small", "middle", "large"]
    assert sorted(["n=1_000", "n=20", "3x4"], key=comparing.size_order) == ["3x4", "n=20", "n=1_000"]
    assert sorted(["128x512", "128x16392", "128x16"], key=comparing.size_order) == ["128x16", "128x512", "128x16392"]


def test_ways_to_run_one_size_are_no_curve():
    def rows(*sizes):
        return [Row("p", "tapeless", size=size, seconds=1.0) for size in sizes]

    assert comparing.scaling(rows("10 free", "10 deterministic"), "size") == []
    assert len(comparing.scaling(rows("10 free", "20 free"), "size")) == 1


def dated(results: Results) -> dict[Any, Row]:
    """Rows by what they are found again by, with the date that files of machines keep."""
    return {each.key: replace(each, when=results.when) for each in results.rows}


def test_rows_of_a_machine_are_kept_and_replaced(tmp_path):
    taken = measured.take(BEFORE, tmp_path)
    assert taken.path.name == "aarch64-neoverse-n1.json"
    assert (taken.new, taken.replaced, taken.older, taken.kept) == (len(BEFORE.rows), 0, 0, 0)
    assert {each.key: each for each in read(taken.path).rows} == dated(BEFORE)
    assert taken.path in [each.path for each in measured.take_all([NOW, BEFORE], tmp_path)]
    newest = {each.key: each for each in read(taken.path).rows}
    assert [key for key, row in dated(NOW).items() if row.target == "cpu" and newest[key] != row] == []
    assert Row(program="f", contestant="jax").as_json() == {"program": "f", "contestant": "jax"}


def test_part_of_a_benchmark_replaces_what_it_has_and_nothing_else(tmp_path):
    path = measured.take(NOW, tmp_path).path
    before = {each.key: each for each in read(path).rows}
    part = results("2026-03-01T10:00:00+00:00", rows=[ROWS[0] | {"seconds_min": 7.0}, row("new", "jax", 1.0)])
    taken = measured.take(part, tmp_path)
    assert (taken.new, taken.replaced, taken.older, taken.kept) == (1, 1, 0, len(before) - 1)
    found = read(path)
    assert found.when == part.when and len(found.rows) == len(before) + 1
    changed = {each.key for each in found.rows if before.get(each.key) != each}
    assert changed == {each.key for each in part.rows}


def test_older_rows_do_not_replace_newer_ones(tmp_path, capsys, monkeypatch):
    path = measured.take(NOW, tmp_path).path
    kept = path.read_text()
    (tmp_path / "parts").mkdir()
    file = tmp_path / "parts" / "old.json"
    file.write_text(json.dumps({"when": BEFORE.when, "machine": MACHINE, "rows": ROWS[:2]}))
    monkeypatch.setattr(sys, "argv", ["measured", str(file), "--into", str(tmp_path)])
    measured.main()
    assert path.read_text() == kept
    assert f"0 rows new, 0 replaced, {len(NOW.rows)} kept, 2 older than those there" in capsys.readouterr().out


def test_a_planted_slow_down_is_what_the_report_of_two_files_shows(tmp_path, monkeypatch):
    rows = [row(name, "tapeless", 1e-4, spelling="loops", method="redundant") for name in ("even", "planted", "other")]
    slow = [
        each | {"seconds_min": 1.5 * each["seconds_min"]} if each["program"] == "planted" else each for each in rows
    ]
    for folder, month, content in (("history", 1, rows), (".", 2, slow)):
        (tmp_path / folder).mkdir(exist_ok=True)
        file = {"when": f"2026-0{month}-01T10:00:00+00:00", "machine": MACHINE, "rows": content}
        (tmp_path / folder / "untuned.json").write_text(json.dumps(file))
    given = [str(tmp_path / "untuned.json"), "--history", str(tmp_path / "history"), "--output", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["report", *given])
    report.main()
    found = Reader((tmp_path / "out").read_text()).sections["slower"]
    assert "planted" in found and "1.50×" in found
    assert "even" not in found.replace("seven", "") and "other" not in found


def test_records_of_the_harness_keep_the_mode_of_floats():
    (row,) = results("", records=[{**RECORDS[0], "denormals": "flush"}]).rows
    assert row.denormals == "flush" and NOW.rows[0].denormals is None


def test_how_many_rows_had_the_mode_of_floats_of_jax_is_told():
    flushed = results("2026-03-01T10:00:00+00:00", rows=[each | {"denormals": "flush"} for each in ROWS[:2]] + ROWS[2:])
    timed = sum(each.target == "cpu" for each in flushed.rows)
    assert f"zeros for all contestants in 2 of {timed} rows" in results_page([flushed])
    assert "Denormal" not in results_page([NOW])


def test_rows_of_a_gpu_have_a_file_of_their_own(tmp_path):
    machine = {**MACHINE, "architecture": "x86_64", "processor": "Xeon", "gpu": "NVIDIA H200, 580.1"}
    found = Results(**{**vars(NOW), "machine": machine})
    names = [taken.path.name for taken in measured.take_all([found], tmp_path)]
    assert names == ["x86-64-xeon.json", "nvidia-h200.json"]
    page = manual.texts(tmp_path)["results.md"]
    assert "## Xeon (x86_64, 2 processors)\n" in page
    assert "## Xeon (x86_64, 2 processors), NVIDIA H200, 580.1\n" in page
    assert "is of aarch64." in page
    assert measured.take_all([results("", gate=GATE)], tmp_path) == []


def test_pages_of_the_manual_are_made_from_files(tmp_path):
    measured.take(NOW, tmp_path)
    pages = manual.texts(tmp_path)
    assert "## Neoverse-N1 (aarch64, 2 processors)" in pages["results.md"]
    assert "| filter, gradient, f64, small, cpu | 2.00× | 200 µs |" in pages["results.md"]
    assert "| f64, small, cpu | 0.447× | 1 | 2 | 0.928× | 2 | 3 |" in pages["results.md"]
    assert (
        "- thin, gradient, f64, small, cpu, tapeless (loops): differs by 5.0e-01, since digits are few"
        in pages["results.md"]
    )
    assert "1 differ from the reference; of 1 more it is known" in pages["results.md"]
    assert "2 of 4 spellings; last measured " in pages["slower.md"]
    assert "| filter, gradient, f64, small, cpu | loops | 4.00× | 400 µs | 100 µs | jax |" in pages["slower.md"]
    assert "- refused: knot: `FrontendError: a </script> in it`" in pages["results.md"]
    assert "is of x86_64." in pages["results.md"]
    assert "is of x86_64 or of an NVIDIA GPU." in results_page([BEFORE])
    assert "`redundant` is the fastest or within 5% of it in 1." in pages["which-method.md"]
    assert "1.50× in the mean of 1 places: faster in 0, equal in 0, slower in 1." in pages["which-method.md"]
    assert "| filter, gradient, f64, small, cpu | 8.00 KiB | 1.00 KiB |" in pages["which-method.md"]
    assert "| saxpy, n=1000 | 100 B | 2.00 KiB |" in pages["which-method.md"]


@pytest.mark.parametrize("name", manual.PAGES)
def test_pages_of_the_manual_are_as_made(name):
    """Who changes a page changes the module in `report` that makes it, or the files, and runs make results."""
    assert (manual.DOCS / name).read_text() == manual.texts()[name]


def test_every_spelling_is_beside_the_fastest_peer():
    def row(contestant, seconds, spelling=None, method=None):
        return Row("p", contestant, seconds=seconds, spelling=spelling, method=method)

    rows = [row("jax", 2.0), row("torch", 4.0), row("tapeless", 1.0, "maps", "redundant")]
    rows += [row("tapeless", 9.0, "loops", "redundant"), row("tapeless", 6.0, "loops", "coarsened")]
    found = [(ratio, ours.spelling, ours.method, peer.contestant) for ratio, ours, peer in comparing.behind(rows)]
    assert found == [(3.0, "loops", "coarsened", "jax"), (0.5, "maps", "redundant", "jax")]
