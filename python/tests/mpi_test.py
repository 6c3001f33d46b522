"""Tests of plans over mpi4py's communicators, on 4 ranks. Exit status 77 where mpi4py or numpy is missing."""

import sys
import unittest

import quadrille

try:
    import numpy
    from mpi4py import MPI
except ImportError as missing:
    print(f"SKIPPED: {missing} (Debian: apt-get install python3-mpi4py python3-numpy)")
    sys.exit(77)

import quadrille.mpi

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()


def around(ranks):
    """All-gather: rank r sends to r + 1, then to r + 2, and so on."""
    for t in range(1, ranks):
        yield [(r, (r + t) % ranks, r) for r in range(ranks)]


def chain(ranks):
    for r in range(ranks - 1, 0, -1):
        buffer = "in" if r == ranks - 1 else "tmp"
        yield [quadrille.Message(r, r - 1, 0, buffer, 0, "tmp" if r > 1 else "out", "right", 0, "in")]


class Plans(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ranks = quadrille.mpi.Communicator(world, "ring:4", "cluster")

    @classmethod
    def tearDownClass(cls):
        cls.ranks.free()

    def compare(self, got, expected):
        self.assertTrue(numpy.array_equal(got, expected), f"rank {rank}: {got}, expected {expected}")

    def test_data_arrive(self):
        block = numpy.arange(5.0) + 100 * rank
        everyone = numpy.concatenate([numpy.arange(5.0) + 100 * r for r in range(size)])
        with self.ranks.plan("allgather", block.nbytes) as plan:
            self.assertTrue(plan.algorithm.startswith("allgather_"))
            self.assertGreaterEqual(plan.predicted, plan.bound)
            for _ in range(3):
                got = numpy.zeros(20)
                plan.run(block, got)
                self.compare(got, everyone)
        with self.ranks.plan("alltoall", 8) as plan:
            got = numpy.zeros(size)
            plan.run(numpy.arange(size) + 10.0 * rank, got)
            self.compare(got, 10.0 * numpy.arange(size) + rank)
        with self.ranks.plan("bcast", 24, root=2) as plan:
            got = numpy.arange(3.0) if rank == 2 else numpy.zeros(3)
            plan.start(None, got)
            while not plan.test():
                pass
            self.compare(got, numpy.arange(3.0))
        with self.ranks.plan("scatter", 8, root=1) as plan:
            got = numpy.zeros(1)
            plan.run(numpy.arange(4.0) if rank == 1 else None, got)
            self.compare(got, [float(rank)])
        with self.ranks.plan("gather", 8, root=3) as plan:
            got = numpy.zeros(4) if rank == 3 else None
            plan.run(numpy.full(1, float(rank)), got)
            if rank == 3:
                self.compare(got, numpy.arange(4.0))

    def test_reductions(self):
        with self.ranks.reduction("allreduce", 6, MPI.DOUBLE, MPI.SUM) as plan:
            got = numpy.arange(6.0) * (rank + 1)
            plan.run(None, got)
            self.compare(got, numpy.arange(6.0) * 10)
        with self.ranks.reduction("reduce_scatter", 2, MPI.INT64_T, MPI.MAX) as plan:
            got = numpy.zeros(2, numpy.int64)
            plan.run(numpy.arange(8) * (rank + 1), got)
            self.compare(got, numpy.arange(8)[2 * rank:2 * rank + 2] * 4)

    def test_own_schedules_run(self):
        schedule = quadrille.Schedule("allgather ring:4 16", around(4))
        with self.ranks.plan(schedule) as plan:
            self.assertTrue(plan.algorithm.startswith("file:"))
            got = numpy.zeros(8)
            plan.run(numpy.full(2, float(rank)), got)
            self.compare(got, numpy.repeat(numpy.arange(4.0), 2))
        schedule = quadrille.Schedule(quadrille.Spec("reduce", "ring:4", 24, element=8), chain(4), scratch=1)
        with self.ranks.reduction(schedule, 3, MPI.DOUBLE, MPI.SUM) as plan:
            got = numpy.zeros(3)
            plan.run(numpy.full(3, rank + 1.0), got)
            if rank == 0:
                self.compare(got, numpy.full(3, 10.0))

    def test_what_is_refused(self):
        wrong = quadrille.Schedule("allgather ring:4 16", list(around(4))[:-1])
        other = quadrille.Schedule("allgather ring:4 8", list(around(4)) + ([[]] if rank else []))
        for why, call in (("not proven", lambda: self.ranks.plan(wrong)),
                          ("different schedules", lambda: self.ranks.plan(other)),
                          ("'shout': expected one of bcast", lambda: self.ranks.plan("shout", 8)),
                          ("4 MPI processes", lambda: quadrille.mpi.Communicator(world, "ring:5")),
                          ("different", lambda: self.ranks.plan("allgather", 8 + rank))):
            with self.assertRaisesRegex(quadrille.Error, why) as caught:
                call()
            self.assertTrue(caught.exception.kind)
        with self.ranks.plan("allgather", 8) as plan:
            for why, send, receive in (("expected 32", numpy.zeros(1), numpy.zeros(3)),
                                       ("expected 8", numpy.zeros(3, numpy.int8), numpy.zeros(4)),
                                       ("not None", numpy.zeros(1), None)):
                with self.assertRaisesRegex(quadrille.Error, why):
                    plan.run(send, receive)
            fixed = numpy.zeros(4)
            fixed.flags.writeable = False
            with self.assertRaises((BufferError, ValueError)):
                plan.run(numpy.zeros(1), fixed)
        with self.assertRaisesRegex(quadrille.Error, "freed"):
            plan.run(numpy.zeros(1), numpy.zeros(4))
        with self.assertRaisesRegex(TypeError, "Comm of mpi4py"):
            quadrille.mpi.Communicator(3)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    sys.exit(0 if result.wasSuccessful() else 1)
