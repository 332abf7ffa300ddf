"""Runs the tools of FileCheck tests in forks of one process, which has imported them once for all.

A request is one line of JSON with three open files: standard input, output and error. The answer is the exit status.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
from collections.abc import Callable

MAINS = {"tapeless-opt": "tapeless.cli.opt", "filecheck": "filecheck.main"}
# What the tools import when they run.
USED = ("tapeless.cli.opt_listing", "tapeless.cli.opt_settings", "tapeless.optimizer.driver", "tapeless.passes")
STREAMS = 3


def serve(address: str) -> None:
    """Answers requests until standard input ends, which is when lit does."""
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as waiting:
        listener.bind(address)
        listener.listen(64)
        print("ready", flush=True)
        mains = {tool: importlib.import_module(module).main for tool, module in MAINS.items()}
        for module in USED:
            importlib.import_module(module)
        gc.freeze()
        signal.signal(signal.SIGCHLD, wait_for_ended)
        for source in (listener, sys.stdin):
            waiting.register(source, selectors.EVENT_READ)
        while all(key.fileobj is listener for key, _ in waiting.select()):
            connection, _ = listener.accept()
            if os.fork() == 0:
                os._exit(answer(connection, mains))
            connection.close()


def wait_for_ended(*_: object) -> None:
    """Takes note of children that have ended, so that their processor time counts as that of this process."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def answer(connection: socket.socket, mains: dict[str, Callable[[], None]]) -> int:
    """Runs the tool that a request asks for, as if it had been started where the request comes from."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    line, streams, _, _ = socket.recv_fds(connection, 1 << 20, STREAMS)
    while not line.endswith(b"\n"):
        line += connection.recv(1 << 20)
    request = json.loads(line)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # The streams of the server remember whether its own files could seek.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = request["arguments"]
    status = exit_status(mains[os.path.basename(sys.argv[0])])
    connection.sendall(bytes([status]))
    return status


def exit_status(main: Callable[[], None]) -> int:
    """The status that a program gives to exit, as the interpreter would understand it."""
    try:
        code = main()
    except SystemExit as end:
        code = end.code
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    if code is None or isinstance(code, int):
        return int(code or 0)
    print(code, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    serve(sys.argv[1])
