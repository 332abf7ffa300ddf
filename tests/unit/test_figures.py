"""The figures of the passes, and how large they may be."""

from __future__ import annotations

import ast

import pytest

from figures import compiled, sources


@pytest.mark.parametrize(
    "sentence, free",
    [
        ("What a loop stores", True),
        ("Stores of a loop, and what reads them", True),
        ("Stores of a loop, and their readers somewhat later", False),
    ],
)
def test_free_relatives_are_told_from_other_sentences(sentence, free):
    assert sources.is_free_relative(sentence) == free


@pytest.mark.parametrize(
    "name, number, of_hardware",
    [
        ("BLOCKS", 132, True),
        ("BLOCKS", 131, False),
        ("MOST_SHARED", 48 << 10, True),
        ("MOST_BYTES", 1024, False),
        ("MOST_ROWS", 48 << 10, False),
    ],
)
def test_hardware_numbers_are_told_from_other_constants(name, number, of_hardware):
    assert sources._is_of_hardware(name, number) == of_hardware


def test_numbers_are_literals_and_arithmetic_of_them():
    numbers = ("48 << 10", "-1", "1e3", "True", "OTHER + 1", "'text'")
    found = [sources._number(ast.parse(each, mode="eval").body) for each in numbers]
    assert found == [48 << 10, -1, 1e3, None, None, None]


def test_folders_in_a_circle_are_found(monkeypatch):
    root = "tapeless.passes.lower"
    imports = {f"{root}.a.x": {f"{root}.b.y"}, f"{root}.b.y": {f"{root}.a.z"}, f"{root}.c.x": {f"{root}.a.x"}}
    monkeypatch.setattr(sources.structure, "imports", lambda: imports)
    assert sources.circles("lower") == [{"a", "b"}]


def test_rounds_of_a_compilation_are_counted():
    ran = compiled.rounds("redundant", "cpu")
    assert ran["ad-expand"] == ran["lower-to-llvm"] == 1
    assert ran["canonicalize"] >= 1


def test_numbers_of_hardware_stand_in_the_machine_record():
    assert sources.hardware_numbers() == []


def test_no_name_of_a_file_is_used_too_often():
    assert sources.repeated_stems() == {}


def test_no_file_is_too_long():
    assert max(sources.sizes()) <= sources.LONGEST


def test_files_are_of_readable_size():
    lines = sources.sizes()
    assert sum(each < sources.SHORT for each in lines) <= sources.MOST_SHORT


def test_nests_of_loops_are_told_apart_by_their_names():
    assert sources.classes_called("Nest") == []


def test_a_first_gradient_loads_few_modules():
    """Rules, forms, procedures and the passes of GPUs stay unloaded until a program needs them."""
    assert compiled.modules_loaded() <= compiled.MOST_LOADED
