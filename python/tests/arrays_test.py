"""Tests of rounds that are arrays of numpy. Exit status 77 where numpy is missing."""

import sys
import unittest

import quadrille

try:
    import numpy
except ImportError:
    print("SKIPPED: numpy is not installed (Debian: apt-get install python3-numpy)")
    sys.exit(77)


def as_lists(ranks):
    for t in range(1, ranks):
        yield [(r, r ^ t, [r ^ t], "in", [r], "out") for r in range(ranks)]


def as_arrays(ranks, dtype):
    r = numpy.arange(ranks)
    for t in range(1, ranks):
        buffers = numpy.full(ranks, quadrille.IN), numpy.full(ranks, quadrille.OUT)
        yield numpy.stack([r, r ^ t, buffers[0], r ^ t, buffers[1], r], axis=1).astype(dtype)


class Arrays(unittest.TestCase):
    def test_they_are_the_same_as_lists(self):
        theirs = quadrille.Schedule("alltoall hypercube:3 8", as_lists(8))
        for dtype in numpy.int64, numpy.int32, numpy.uint16:
            ours = quadrille.Schedule("alltoall hypercube:3 8", as_arrays(8, dtype))
            for t in range(7):
                for r in range(8):
                    self.assertEqual(ours.steps(t, r), theirs.steps(t, r))

    def test_three_columns_are_of_out(self):
        r = numpy.arange(6)
        rounds = [numpy.stack([r, (r + 1) % 6, (r - t) % 6], axis=1) for t in range(5)]
        self.assertTrue(quadrille.Schedule("allgather ring:6 8", rounds).verify())
        self.assertTrue(quadrille.Schedule("allgather ring:6 8", [numpy.asfortranarray(a) for a in rounds]).verify())

    def test_what_is_refused(self):
        for array, why in ((numpy.zeros((2, 4), int), "another shape"), (numpy.zeros(3, int), "another shape"),
                           (numpy.zeros((2, 3)), "whole numbers"), (numpy.array([["a"] * 3]), "whole numbers"),
                           (numpy.array([[0, 1, 3, 0, 1, 0]]), "buffer 3; expected IN, OUT or TMP"),
                           (numpy.array([[0, 2**40, 0]]), "does not exist")):
            with self.assertRaisesRegex(quadrille.Error, why):
                quadrille.Schedule("allgather ring:4 8", [array])


if __name__ == "__main__":
    unittest.main()
