"""The callables behind a kernel on a GPU: arguments to it, the launch plan carried out, results back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final
from weakref import finalize

from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TargetError
from tapeless.runtime.calling.calls import Call, build
from tapeless.runtime.calling.numbers import NO_ORIGINS, Origins
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda.device import Device
from tapeless.runtime.cuda.driver import driver
from tapeless.runtime.cuda.identities import Identities, Identity
from tapeless.runtime.cuda.image import DeviceImage, bound_names, returned_ranks
from tapeless.runtime.cuda.loaded import Loaded, LoadingGpu
from tapeless.runtime.cuda.one_call import OneCall, Placed
from tapeless.runtime.cuda.rehearsal import rehearsed
from tapeless.runtime.cuda.reports import DeviceBook
from tapeless.runtime.cuda.sources import CAPTURED, Sources, in_order
from tapeless.runtime.cuda.steps import program
from tapeless.runtime.cuda.streams import handle_of
from tapeless.runtime.cuda.taken import check_shapes, taken
from tapeless.runtime.xla_frames import Exchanged

MOST_KNOWN: Final = 256
MOST_MISSES: Final = 8
# A call of more launches than this costs so much without a recording that its results come from the pool at once.
MANY_LAUNCHES: Final = 64


@dataclass(slots=True)
class Known:
    """A call that came before: where its arguments are, the library that they belong to, and misses of recordings.

    A recording is for results in given places. A library that puts them elsewhere again and again has `misses` of it;
    then they come from the pool, which gives the same memory to the same call.
    """

    placed: Placed
    library: str | None
    misses: int = 0


class CudaCalls:
    """Makes the callables of one kernel. A call has its turn at the GPU until its results are there.

    Nothing is loaded before the first call, so that kernels can be compiled and saved where there is no GPU. Arguments
    that lie where those of an earlier call lay are not looked at again.
    """

    def __init__(
        self,
        code: CompiledCode,
        names: Sequence[str],
        origin: str,
        gpu: LoadingGpu | None = None,
        book: DeviceBook | None = None,
    ) -> None:
        assert isinstance(code.image, DeviceImage)
        self._code, self.abi, self.names, self.origin = code, code.abi, tuple(names), origin
        self._run = program(code.image.plan, bound_names(code.abi), returned_ranks(code.abi))
        self._plan = json.loads(code.image.plan)
        self._given, self._book = gpu, book
        self._identities = Identities()
        self._known: dict[Identity, Known] = {}

    @computed_once
    def _gpu(self) -> LoadingGpu:
        return self._given or driver()

    @computed_once
    def _loaded(self) -> Loaded:
        loaded = Loaded(self._gpu, self._code, self._plan)
        leaving = finalize(self, self._gpu.turns.soon, loaded.give_back)
        leaving.atexit = False
        try:
            loaded.upload(self._plan.get("constants", ()))
        except BaseException:
            leaving()
            raise
        return loaded

    def general(self, *arguments: Any) -> Any:
        """Takes arrays of numpy and of libraries for GPUs, in any mixture; results are of the kind of the latter."""
        identity = self._identities.of(arguments)
        known = None if identity is None else self._known.get(identity)
        if known is None:
            return self._checked(None, arguments, identity)
        gpu = self._gpu
        with gpu.turns:
            home = in_order(gpu, known.library)
            from_pool = known.misses > MOST_MISSES
            with OneCall(gpu, self._loaded, known.library, home, self._book, from_pool) as call:
                results = call.results(self.abi, known.placed, self.carried_out)
            graphs = self._loaded.graphs
            known.misses += graphs is not None and not graphs.has_replayed
        return build(self._code.structure, results)

    def on_stream(self, stream: Any, arguments: Sequence[Any]) -> Any:
        """A call that comes after the work queued on a stream of the caller, too."""
        return self._checked(handle_of(stream), arguments, None)

    def _checked(self, stream: int | None, arguments: Sequence[Any], identity: Identity | None) -> Any:
        gpu = self._gpu
        with gpu.turns:
            sources = Sources(arguments, self.abi, self.names, gpu, stream)
            with OneCall(gpu, self._loaded, sources.library, sources.home, self._book) as call:
                placed = call.placed(sources.values, self.abi, self.origin)
                results = call.results(self.abi, placed, self.carried_out)
        if identity is not None and not placed.is_copied and sources.is_of_one_library:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            is_long = call.device.launches > MANY_LAUNCHES
            self._known[identity] = Known(placed, sources.library, MOST_MISSES + 1 if is_long else 0)
        return build(self._code.structure, results)

    def into(self, stream: int, operands: Sequence[Exchanged], results: Sequence[Exchanged]) -> None:
        """A call on memory of a program that works on a stream; results are in its memory when the call returns."""
        gpu = self._gpu
        with gpu.turns:
            home = handle_of(stream)
            if gpu.is_recording(home):
                raise TargetError(CAPTURED)
            gpu.wait_for(home)
            values = taken(gpu, operands)
            with OneCall(gpu, self._loaded, None, home, self._book) as call:
                placed = call.placed(values, self.abi, self.origin)
                check_shapes(self.abi, placed.shapes, results, self.origin)
                call.into(self.abi, placed, [each.address for each in results], self.carried_out)

    def recorded(self) -> Any:
        """The latest call as a graph, for measurements; None if it was not recorded."""
        return self._loaded.graphs.latest() if self._loaded.graphs is not None else None

    def carried_out(self, device: Device, flat: Sequence[Any], identity: Identity) -> list[Any]:
        """Has the plan carried out and tells where its results are."""
        values, graphs = device.values, self._loaded.graphs
        device.foresee = lambda: rehearsed(self._run, flat, values)
        if graphs is None:
            return self._run(device, *flat)
        return graphs.run(identity, lambda each: self._run(each, *flat), device, self._gpu.pool)

    def fast(self, fallback: Call, origins: Origins = NO_ORIGINS) -> Call:
        """There is one way to call."""
        return fallback
