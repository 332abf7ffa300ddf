"""What compiled procedures are kept under depends on everything that they call, also on what is defined later."""

import linecache

import tapeless as tl

TEXT = """
@decorate
def first(y):
    second(y)

@decorate
def second(y):
    third(y)

@decorate
def third(y):
    y += {amount}
"""


def fingerprint(decorate, amount, returned=""):
    text = TEXT.format(amount=amount)
    if returned:
        text = text.replace("    second", "    return second").replace("    third", "    return third")
        text = text.replace("y += ", "return y + ")
    linecache.cache["<chain>"] = (len(text), None, text.splitlines(keepends=True), "<chain>")
    names = {"decorate": decorate}
    exec(compile(text, "<chain>", "exec"), names)
    return names["first"].source.fingerprint()


def test_procedures_depend_on_those_defined_later():
    assert fingerprint(tl.reversible, 1.0) == fingerprint(tl.reversible, 1.0)
    assert fingerprint(tl.reversible, 1.0) != fingerprint(tl.reversible, 2.0)


def test_functions_depend_on_those_defined_later():
    assert fingerprint(tl.function, 1.0, "return") == fingerprint(tl.function, 1.0, "return")
    assert fingerprint(tl.function, 1.0, "return") != fingerprint(tl.function, 2.0, "return")


def test_inverses_and_modes_count():
    @tl.reversible
    def add(y, x):
        y += x

    @tl.reversible
    def add_read(y, x: tl.In):
        y += x

    assert add.source.fingerprint() != (~add).source.fingerprint()
    assert add.source.fingerprint() != add_read.source.fingerprint()
