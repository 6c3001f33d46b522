"""Plans over the ranks of an mpi4py communicator, by the library that was built for mpi4py's MPI.

    from mpi4py import MPI
    import numpy, quadrille.mpi

    ranks = quadrille.mpi.Communicator(MPI.COMM_WORLD, "torus:2x2")
    plan = ranks.plan("allgather", 8)
    mine, all = numpy.full(1, ranks.rank, float), numpy.empty(ranks.size)
    plan.run(mine, all)

Creating, planning and freeing are collective: all ranks do them in the same order. Errors are quadrille.Error, the same
on all ranks. Import mpi4py first; this module loads it only to look at what it is given.
"""

import ctypes as _c
import hashlib as _hashlib
import os as _os
import sysconfig as _sysconfig
import tempfile as _tempfile
from typing import Any, Callable, Optional, Tuple, Type, Union

from . import Error, Schedule, __version__

__all__ = ["Communicator", "Plan"]

_KINDS = ["argument", "illegal", "format", "budget", "transport", "internal"]
_REDUCTIONS = ("reduce", "allreduce", "reduce_scatter", "scan", "exscan")
_LIBRARIES = {"Open MPI": "openmpi", "MPICH": "mpich"}


def _refusal(kind: str, text: str) -> Error:
    error = Error(text)
    error.kind = kind
    return error


def _places(name: str) -> list:
    """Where the library may be: a named folder, beside the package or its prefix, or where the loader looks."""
    given = _os.environ.get("QUADRILLE_LIBRARIES")
    if given:
        return [_os.path.join(given, name)]
    folders, folder = [], _os.path.dirname(_os.path.abspath(__file__))
    for _ in range(5):
        folder = _os.path.dirname(folder)
        for inner in ("", "lib", _os.path.join("lib", _sysconfig.get_config_var("MULTIARCH") or ""), "lib64"):
            folders.append(_os.path.join(folder, inner, name))
    return [path for path in folders if _os.path.exists(path)] + [name]


class _Library:
    """The functions of quadrille/quadrille.h, of the library for one MPI."""

    def __init__(self, vendor: str) -> None:
        if vendor not in _LIBRARIES:
            raise _refusal("illegal", f"mpi4py has '{vendor}'; expected " + " or ".join(_LIBRARIES))
        name = f"libquadrille-mpi-{_LIBRARIES[vendor]}.so." + ".".join(__version__.split(".")[:2])
        for place in _places(name):
            try:
                self._functions = _c.CDLL(place)
                break
            except OSError as error:
                failure = error
        else:
            raise _refusal("illegal", f"mpi4py has {vendor}, and {name} cannot be loaded: {failure}; QUADRILLE_LIBRARIES "
                                      "may name its folder")
        for function, result in (("version", _c.c_char_p), ("error_text", _c.c_char_p), ("plan_algorithm", _c.c_char_p),
                                 ("plan_predicted", _c.c_double), ("plan_bound", _c.c_double),
                                 ("plan_free", None), ("communicator_free", None)):
            getattr(self._functions, "quadrille_" + function).restype = result
        theirs = self.ask("version").decode()
        if theirs != __version__:
            raise _refusal("illegal", f"{self._functions._name} is version {theirs}; expected {__version__}")

    def ask(self, function: str, *arguments: Any) -> Any:
        """What a function answers."""
        return getattr(self._functions, "quadrille_" + function)(*arguments)

    def do(self, function: str, *arguments: Any) -> None:
        """Raises Error where the function's status is another than QUADRILLE_OK."""
        status = self.ask(function, *arguments)
        if status != 0:
            raise _refusal(_KINDS[status - 1], self.ask("error_text").decode())


def _handle(mpi: Any, thing: Any, kind: Type) -> Any:
    """The handle in C of an object of mpi4py: a pointer or a number, as the MPI has it."""
    if not isinstance(thing, kind):
        raise TypeError(f"expected a {kind.__name__} of mpi4py, not a {type(thing).__name__}")
    if mpi._sizeof(thing) == _c.sizeof(_c.c_int):
        return _c.c_int.from_address(mpi._addressof(thing))
    return _c.c_void_p.from_address(mpi._addressof(thing))


def _text(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else str(text).encode()


class Plan:
    """A collective that is planned and compiled: performed as often as you like. Communicator.plan() makes it."""

    def __init__(self, ranks: "Communicator", handle: _c.c_void_p, sizes: Tuple[Optional[int], Optional[int]],
                 in_place: bool) -> None:
        self._ranks, self._handle = ranks, handle
        self._sizes, self._in_place = sizes, in_place
        self._kept: Any = None
        self._active = False

    @property
    def algorithm(self) -> str:
        """'alltoall_mce:phases=2,1'."""
        return self._ranks._library.ask("plan_algorithm", self._alive()).decode()

    @property
    def predicted(self) -> float:
        """Seconds by the machine's constants."""
        return self._ranks._library.ask("plan_predicted", self._alive())

    @property
    def bound(self) -> float:
        """Seconds that no schedule beats on this machine."""
        return self._ranks._library.ask("plan_bound", self._alive())

    def start(self, send: Any, receive: Any) -> None:
        """Begins it on buffers such as arrays of numpy, which mean what they mean in MPI.

        send: None where the rank gives nothing, or its own block, or vector, is in place in `receive` already. receive:
        None where the rank gets nothing. They are kept until it is over, and must not be touched before.
        """
        taken = self._buffer(send, "send", self._sizes[0], False), self._buffer(receive, "receive", self._sizes[1], True)
        self._ranks._library.do("start", self._alive(), *(None if b is None else _c.c_void_p(b.address) for b in taken))
        self._kept, self._active = (send, receive, taken), True

    def test(self) -> bool:
        """Whether it is over, and the buffers may be used."""
        done = _c.c_int(0)
        self._ranks._library.do("test", self._alive(), _c.byref(done))
        if done.value:
            self._kept, self._active = None, False
        return bool(done.value)

    def wait(self) -> None:
        """Until it is over for this rank. Other threads of Python run meanwhile."""
        self._ranks._library.do("wait", self._alive())
        self._kept, self._active = None, False

    def run(self, send: Any, receive: Any) -> None:
        """start() and wait()."""
        self.start(send, receive)
        self.wait()

    def free(self) -> None:
        """Gives back what it holds, on all ranks, before MPI is finalized."""
        if self._active:
            raise _refusal("argument", "a plan is freed while it is active; call wait() first")
        if self._handle:
            self._ranks._library.ask("plan_free", self._handle)
            self._handle = _c.c_void_p()

    def __enter__(self) -> "Plan":
        return self

    def __exit__(self, *_: Any) -> None:
        self.free()

    def _alive(self) -> _c.c_void_p:
        if not self._handle:
            raise _refusal("argument", "the plan was freed")
        return self._handle

    def _buffer(self, given: Any, name: str, bytes: Optional[int], written: bool) -> Any:
        """Its address, after a look at its length."""
        if given is None:
            if bytes is not None and not (name == "send" and self._in_place):
                raise _refusal("argument", f"{name}: expected a buffer of {bytes} bytes, not None")
            return None
        memory = self._ranks._mpi.memory.frombuffer(given, readonly=not written)
        if bytes is not None and memory.nbytes < bytes:
            raise _refusal("argument", f"{name}: {memory.nbytes} bytes; expected {bytes}")
        return memory


class Communicator:
    """The ranks of a communicator of mpi4py, 2 or more, on a network. It works on a duplicate of its own.

    topology: 'torus:4x4'; None: what MPI says of hosts. machine: a preset or a file; None: measured, in some 10 ms.
    """

    def __init__(self, comm: Any, topology: Optional[str] = None, machine: Optional[str] = None) -> None:
        from mpi4py import MPI

        self._mpi, self._comm = MPI, comm
        handle = _handle(MPI, comm, MPI.Comm)
        self._library = _Library(MPI.get_vendor()[0])
        self._handle = _c.c_void_p()
        self._library.do("communicator_create", handle, _text(topology), _text(machine), _c.byref(self._handle))
        self.rank, self.size = comm.Get_rank(), comm.Get_size()

    def plan(self, collective: Union[str, Schedule], bytes: int = 0, *, root: int = 0,
             algorithm: Optional[str] = None) -> Plan:
        """A plan for 'bcast', 'allgather', 'scatter', 'gather', 'alltoall', 'transpose' or 'barrier' of blocks of so many
        bytes.

        algorithm: 'alltoall_mce:phases=2,1'; None: the one with the best predicted time. In place of a collective's
        name, a Schedule of one's own, which is performed once every rank has proven it.
        """
        if isinstance(collective, Schedule):
            spec, path = collective.spec, self._written(collective)
            try:
                return self.plan(spec.collective, spec.bytes, root=spec.root, algorithm="file:" + path)
            finally:
                self._forget(path)
        name = collective
        return self._created(name, bytes, root, lambda out: self._library.do(
            "plan_create", self._alive(), _text(name), _c.c_int64(bytes), _c.c_int64(root), _text(algorithm), out))

    def reduction(self, collective: Union[str, Schedule], count: int, type: Any, op: Any, *, root: int = 0,
                  algorithm: Optional[str] = None) -> Plan:
        """A plan for 'reduce', 'allreduce', 'reduce_scatter', 'scan' or 'exscan' of `count` elements, such as MPI.DOUBLE
        by MPI.SUM. Of reduce_scatter: of each rank's block. A Schedule as in plan()."""
        if isinstance(collective, Schedule):
            spec, path = collective.spec, self._written(collective)
            try:
                return self.reduction(spec.collective, count, type, op, root=spec.root, algorithm="file:" + path)
            finally:
                self._forget(path)
        name = collective
        kinds = _handle(self._mpi, type, self._mpi.Datatype), _handle(self._mpi, op, self._mpi.Op)
        return self._created(name, count * type.Get_size(), root, lambda out: self._library.do(
            "plan_create_reduction", self._alive(), _text(name), _c.c_int64(count), *kinds, _c.c_int64(root),
            _text(algorithm), out))

    def change_network(self, topology: str) -> None:
        """From now on plans are made for this network, such as 'torus:2x2!0-1' once a link has failed."""
        self._library.do("communicator_change_network", self._alive(), _text(topology))

    def free(self) -> None:
        """On all ranks, before MPI is finalized; plans may outlive it."""
        if self._handle:
            self._library.ask("communicator_free", self._handle)
            self._handle = _c.c_void_p()

    def __enter__(self) -> "Communicator":
        return self

    def __exit__(self, *_: Any) -> None:
        self.free()

    def _alive(self) -> _c.c_void_p:
        if not self._handle:
            raise _refusal("argument", "the communicator was freed")
        return self._handle

    def _created(self, collective: str, bytes: int, root: int, create: Callable[[Any], None]) -> Plan:
        handle = _c.c_void_p()
        create(_c.byref(handle))
        in_place = collective in _REDUCTIONS or collective in ("bcast", "allgather", "gather")
        return Plan(self, handle, self._lengths(collective, bytes, root), in_place)

    def _lengths(self, collective: str, bytes: int, root: int) -> Tuple[Optional[int], Optional[int]]:
        """Bytes of both buffers on this rank; None: the buffer is not looked at."""
        all, at_root = self.size * bytes, self.rank == root
        return {
            "barrier": (None, None), "bcast": (None, bytes), "allgather": (bytes, all), "alltoall": (all, all), "transpose": (bytes, bytes),
            "scatter": (all if at_root else None, bytes), "gather": (bytes, all if at_root else None),
            "reduce": (bytes, bytes if at_root else None), "reduce_scatter": (all, bytes)
        }.get(collective, (bytes, bytes))

    def _written(self, schedule: Schedule) -> str:
        """The name of a file with the schedule, once all ranks have proven the same one."""
        proof = schedule.verify()
        text = schedule.export("json").encode() if proof else b""
        said = self._comm.allgather((_hashlib.sha256(text).hexdigest(), proof.counterexample and proof.counterexample.text))
        for _, refusal in said:
            if refusal:
                raise _refusal("illegal", f"the schedule is not proven: {refusal}")
        if len(set(said)) > 1:
            raise _refusal("argument", "ranks ask for different schedules; expected the same on all")
        path = _os.path.join(_own_folder(), said[0][0] + ".json")
        with _tempfile.NamedTemporaryFile(dir=_os.path.dirname(path), delete=False) as file:
            file.write(text)
        _os.replace(file.name, path)
        return path

    def _forget(self, path: str) -> None:
        """Other ranks of a host have read it, and may have removed it."""
        self._comm.Barrier()
        try:
            _os.unlink(path)
        except FileNotFoundError:
            pass


def _own_folder() -> str:
    """Nobody else can put a file there."""
    path = _os.path.join(_tempfile.gettempdir(), f"quadrille-{_os.getuid()}")
    _os.makedirs(path, mode=0o700, exist_ok=True)
    found = _os.stat(path, follow_symlinks=False)
    if found.st_uid != _os.getuid() or found.st_mode & 0o077:
        raise _refusal("argument", f"'{path}' belongs to somebody else, or others may write to it; remove it")
    return path
