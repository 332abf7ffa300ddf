"""Why a run of the interpreter has no result."""


class CheckFailed(Exception):
    """A run-time check says that a statement cannot be undone."""


class Unclear(Exception):
    """The outcome hangs on roundings, or values leave the moderate range."""


class NotUnderstood(Exception):
    """The text is no procedure of the language."""
