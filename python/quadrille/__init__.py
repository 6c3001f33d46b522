"""Collective communication that is planned, proven, priced, simulated and run.

A question is a collective on a network; a plan answers it:

>>> import quadrille
>>> plan = quadrille.plan("bcast torus:4x4 64KiB")
>>> plan.best.name.startswith("bcast_")
True
>>> plan.best.time >= plan.bound.time
True

A schedule of your own is a generator of rounds, and a proof says whether it is right:

>>> def ring(ranks):
...     for t in range(ranks - 1):
...         yield [(r, (r + 1) % ranks, [(r - t) % ranks]) for r in range(ranks)]
>>> schedule = quadrille.Schedule("allgather ring:6 1KiB", ring(6))
>>> bool(schedule.verify())
True
>>> schedule.rounds
5
"""

from typing import NamedTuple as _NamedTuple
from typing import Optional as _Optional
from typing import Sequence as _Sequence
from typing import Union as _Union

from ._quadrille import (IN, OUT, TMP, Bound, BoundPart, Candidate, Counterexample, Error, Machine, Plan, Proof,
                         RunResult, Schedule, Spec, Timeline, Topology, __version__, algorithms, bound, build,
                         collectives, load_plugin, machine_presets, plan, sweep)

__all__ = ["IN", "OUT", "TMP", "Bound", "BoundPart", "Candidate", "Counterexample", "Error", "Machine", "Message",
           "Plan", "Proof", "Report", "RunResult", "Schedule", "Spec", "Timeline", "Topology", "algorithms", "bound",
           "build", "collectives", "load_plugin", "machine_presets", "plan", "report", "sweep"]


class Message(_NamedTuple):
    """Slots that go from one rank to another in a round; to itself, it moves them.

    slots: of the source's buffer. to: slots at the target, as many; None: the same.
    combine: 'left' or 'right' makes a result of what comes in, as that operand, and of `operand`, slots of
    `operand_buffer` of the target (None: the slots `to` of 'in').

    >>> Message(0, 1, [3], buffer="in", to=[0], to_buffer="out").target
    1
    """

    source: int
    target: int
    slots: _Union[int, _Sequence[int]]
    buffer: str = "out"
    to: _Union[None, int, _Sequence[int]] = None
    to_buffer: _Optional[str] = None
    combine: _Optional[str] = None
    operand: _Union[None, int, _Sequence[int]] = None
    operand_buffer: _Optional[str] = None


class Report:
    """A plan as a page; a notebook shows it in place.

    >>> page = report(plan("bcast ring:4 1KiB"))
    >>> page.html.startswith("<!")
    True
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str) -> None:
        """Writes the page, which opens from disk."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        import html

        return ('<iframe style="width: 100%; height: 42em; border: 0" srcdoc="' + html.escape(self.html, quote=True) +
                '"></iframe>')


def report(plan: Plan) -> Report:
    """The report of a plan."""
    return Report(plan.report_html())
