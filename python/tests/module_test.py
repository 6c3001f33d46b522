"""Tests of the module `quadrille`. Usage: module_test.py [the command quadrille]"""

import doctest
import json
import os
import subprocess
import sys
import tempfile
import unittest

import quadrille

command = None


def ring(ranks):
    """All-gather on a ring: every round, each rank passes on what it got."""
    for t in range(ranks - 1):
        yield [(r, (r + 1) % ranks, [(r - t) % ranks]) for r in range(ranks)]


def exchange(ranks):
    """Complete exchange by exclusive or; what a rank has for itself it moves."""
    yield [quadrille.Message(r, r, r, "in", r, "out") for r in range(ranks)]
    for t in range(1, ranks):
        yield [quadrille.Message(r, r ^ t, r ^ t, "in", r, "out") for r in range(ranks)]


def messages_of(schedule):
    """A schedule's rounds again, of what its ranks do."""
    ranks = len(schedule.spec.topology)
    for t in range(schedule.rounds):
        sent, received = {}, {}
        for r in range(ranks):
            for kind, peer, buffer, slots in schedule.steps(t, r):
                key = (r, peer) if kind == "send" else (peer, r)
                (sent if kind == "send" else received).setdefault(key, []).extend((buffer, slot) for slot in slots)
        yield [quadrille.Message(*key, slot, buffer, to, to_buffer)
               for key in sent for (buffer, slot), (to_buffer, to) in zip(sent[key], received[key])]


class Own(unittest.TestCase):
    def test_a_right_schedule_is_proven_and_runs(self):
        for question, rounds in ("allgather ring:7 100", ring(7)), ("alltoall hypercube:4 33", exchange(16)):
            schedule = quadrille.Schedule(question, rounds)
            proof = schedule.verify()
            self.assertTrue(proof, proof)
            self.assertIsNone(proof.counterexample)
            result = schedule.run(repetitions=2)
            self.assertGreater(result.checked, 0)
            self.assertEqual(len(result.times), 2)

    def test_64_ranks_generated_and_proven(self):
        proof = quadrille.Schedule("alltoall hypercube:6 1KiB", exchange(64)).verify()
        self.assertTrue(proof, proof)
        self.assertEqual(proof.rounds, 63)  # with a message: what a rank has for itself is in place
        self.assertEqual(proof.messages, 64 * 63)

    def test_no_message_can_be_left_out(self):
        whole = [list(messages) for messages in ring(5)]
        for t, messages in enumerate(whole):
            for i in range(len(messages)):
                mutant = whole[:t] + [messages[:i] + messages[i + 1:]] + whole[t + 1:]
                proof = quadrille.Schedule("allgather ring:5 8", mutant).verify()
                self.assertFalse(proof)
                self.assertGreater(len(proof.counterexample.text), 10)

    def test_reductions_combine(self):
        def chain(ranks):
            for r in range(ranks - 1, 0, -1):
                buffer = "in" if r == ranks - 1 else "tmp"
                yield [quadrille.Message(r, r - 1, 0, buffer, 0, "tmp" if r > 1 else "out", "right", 0, "in")]

        proof = quadrille.Schedule("reduce mesh:5 40", chain(5), scratch=1).verify()
        self.assertTrue(proof, proof)
        self.assertTrue(proof.in_order)
        self.assertEqual(proof.depth, 4)
        twice = [[quadrille.Message(1, 0, 0, "in", 0, "out", "right", 0, "in")] for _ in range(2)]
        self.assertFalse(quadrille.Schedule("reduce mesh:3 8", twice).verify())

    def test_every_allgather_can_be_written_again(self):
        names = set()
        for network in "hypercube:3", "torus:4x4", "ring:6":
            for candidate in quadrille.plan(f"allgather {network} 1KiB", "cluster").candidates:
                theirs = candidate.schedule()
                if "out_blocks" in json.loads(theirs.export("json")):
                    continue  # its slots are named after other blocks
                ours = quadrille.Schedule(theirs.spec, messages_of(theirs), pieces=theirs.pieces, scratch=theirs.scratch)
                proof = ours.verify("cluster")
                self.assertTrue(proof, f"{candidate.name}: {proof}")
                self.assertAlmostEqual(ours.price("cluster")["time"], theirs.price("cluster")["time"])
                names.add(candidate.algorithm)
        self.assertGreater(len(names), 5, names)

    def test_pieces_and_scratch(self):
        def by_scratch():
            yield [(0, 1, [0, 2, 4], "in", [0, 1, 2], "tmp")]
            yield [(1, 1, [0, 1, 2], "tmp", [0, 1, 2], "out"), (0, 0, [0, 1, 2], "in", [0, 1, 2], "out")]

        with self.assertRaisesRegex(quadrille.Error, "slot"):
            quadrille.Schedule("bcast ring:2 8", by_scratch(), pieces=3, scratch=1)

    def test_what_is_refused(self):
        def refused(message, rounds, **others):
            with self.assertRaisesRegex(quadrille.Error, message) as caught:
                quadrille.Schedule("allgather ring:4 8", rounds, **others)
            self.assertIsInstance(caught.exception, ValueError)
            self.assertTrue(caught.exception.kind)

        refused("round 0: rank 4 does not exist; expected 0 to 3", [[(0, 4, [0])]])
        refused("round 0: rank -1 does not exist", [[(-1, 2, [0])]])
        refused("round 1: .*expected .source, target, slots.", [[], [(0, 1)]])
        refused("round 0: buffer 'up': expected 'in', 'out' or 'tmp'", [[(0, 1, [0], "up")]])
        refused("round 0: 2 slots are sent and 1 received", [[(0, 1, [0, 1], "out", [0])]])
        refused("round 0: expected messages", [[("a", 1, [0])]])
        refused("round 0: expected messages", [3])
        refused("slot", [[(0, 1, [99])]])
        refused("combine 'up': expected 'left' or 'right'", [[(0, 1, 0, "in", 0, "out", "up")]])
        refused("pieces: expected at least 1", [], pieces=0)
        refused("scratch: expected at least 0", [], scratch=-1)

    def test_errors_of_a_generator_pass_through(self):
        def broken():
            yield []
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            quadrille.Schedule("allgather ring:4 8", broken())


class Answers(unittest.TestCase):
    def test_plans_are_those_of_the_command(self):
        if command is None:
            self.skipTest("no command was built")
        for question in "bcast torus:4x4 64KiB", "alltoall hypercube:4 100", "allreduce fattree:4*4 1MiB":
            collective, topology, size = question.split()
            said = subprocess.run([command, "plan", collective, topology, "--bytes", size, "--json"], check=True,
                                  capture_output=True, text=True, env={**os.environ, "QUADRILLE_WISDOM": ""}).stdout
            theirs, ours = json.loads(said), quadrille.plan(question)
            self.assertEqual(ours.best.algorithm, theirs["candidates"][0]["algorithm"])
            self.assertAlmostEqual(ours.bound.time * 1e6, theirs["bound"]["time_s"] * 1e6)
            self.assertGreaterEqual(ours.gap, 0.999)
            self.assertAlmostEqual(sum(ours.best.parts.values()), ours.best.price)

    def test_refusals_have_the_text_of_the_command(self):
        if command is None:
            self.skipTest("no command was built")
        said = subprocess.run([command, "plan", "bcast", "torus:0x4"], capture_output=True, text=True).stderr
        with self.assertRaises(quadrille.Error) as caught:
            quadrille.plan("bcast torus:0x4 1KiB")
        self.assertIn(str(caught.exception), said)

    def test_wrong_types_and_names(self):
        for call in (lambda: quadrille.plan(3), lambda: quadrille.plan("bcast ring:4 8", 3),
                     lambda: quadrille.Spec("bcast", 3, 8), lambda: quadrille.Spec("bcast", "ring:4", 1.5)):
            with self.assertRaisesRegex(TypeError, "expected"):
                call()
        for call in (lambda: quadrille.Topology("doughnut:3"), lambda: quadrille.Machine("abacus"),
                     lambda: quadrille.Spec("shout", "ring:4", 8), lambda: quadrille.Spec("bcast", "ring:4", 8, root=4),
                     lambda: quadrille.plan("bcast ring:4 8", effort="some"),
                     lambda: quadrille.build("bcast ring:4 8", "bcast_nothing"),
                     lambda: quadrille.sweep("bcast", [], [8]), lambda: quadrille.Topology("ring:4").distance(0, 4),
                     lambda: quadrille.build("bcast ring:4 8", "bcast_chain").steps(99, 0)):
            with self.assertRaises(quadrille.Error) as caught:
                call()
            self.assertGreater(len(str(caught.exception)), 10)

    def test_topologies_and_machines(self):
        t = quadrille.Topology("torus:4x4")
        self.assertEqual((len(t), t.links, t.diameter, t.degree, str(t)), (16, 64, 4, 4, "torus:4x4"))
        self.assertEqual(len(t.route(0, 10)), t.distance(0, 10))
        machine = quadrille.Machine("cluster")
        machine.alpha = 2e-6
        machine.set("ports=one")
        self.assertEqual((machine.alpha, machine.ports), (2e-6, "one"))
        machine.ports = "all"
        with self.assertRaisesRegex(quadrille.Error, "known: one, all"):
            machine.ports = "some"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(machine.toml)
            self.assertEqual(quadrille.Machine(path).toml, machine.toml)
        self.assertIn("cluster", quadrille.machine_presets())
        slow, fast = quadrille.Machine(), quadrille.Machine()
        slow.beta *= 10
        self.assertGreater(quadrille.bound("bcast ring:4 1MiB", slow).time, quadrille.bound("bcast ring:4 1MiB", fast).time)

    def test_questions(self):
        spec = quadrille.Spec("scatter", quadrille.Topology("mesh:3x3"), "2KiB", root=4)
        self.assertEqual((spec.collective, spec.bytes, spec.root, spec.ranks), ("scatter", 2048, 4, 9))
        self.assertEqual(quadrille.Spec(spec.text).text, spec.text)
        self.assertEqual(spec.blocks("in"), [0] * 4 + [9] + [0] * 4)
        self.assertTrue(quadrille.Spec("allreduce ring:4 64").combines)
        self.assertEqual(set(quadrille.collectives()), {a["collective"] for a in quadrille.algorithms()})

    def test_demands(self):
        matrix = [[0, 64, 0], [0, 0, 128], [32, 0, 9]]  # what a rank has for itself is left out
        spec = quadrille.Spec("alltoallv", "ring:3", 1, demands=matrix)
        self.assertEqual(spec.demands, [(0, 1, 64), (1, 2, 128), (2, 0, 32)])
        self.assertEqual(quadrille.Spec("alltoallv", "ring:3", 1, demands="0-1:64,1-2:128,2-0:32").demands, spec.demands)
        self.assertEqual(quadrille.Spec(spec.text).demands, spec.demands)
        plan = quadrille.plan(spec, "cluster")
        self.assertGreaterEqual(plan.best.time, plan.bound.time)
        words = {(r, to): bytes // spec.word for r, to, bytes in spec.demands}
        straight = [[quadrille.Message(r, to, list(range(words[r, to])), "in", list(range(words[r, to])), "out") for r, to in words]]
        self.assertTrue(quadrille.Schedule(spec, straight).verify())
        for wrong in [[0, 1], [1, 0]], [[0, -1, 0]] * 3, "halo(2x2)":
            with self.assertRaises(quadrille.Error):
                quadrille.Spec("alltoallv", "ring:3", 1, demands=wrong)

    def test_simulations_and_prices_agree_where_nothing_waits(self):
        schedule = quadrille.build("bcast hypercube:4 64KiB", "bcast_binomial")
        times = schedule.simulate(network="free").makespan, schedule.price()["time"]
        self.assertAlmostEqual(times[0] * 1e6, times[1] * 1e6, places=2)
        with self.assertRaisesRegex(quadrille.Error, "known: free"):
            schedule.simulate(network="pigeon")

    def test_sweeps(self):
        rows = quadrille.sweep("allgather", ["ring:4", quadrille.Topology("hypercube:3")], [64, "1KiB"],
                               algorithms=["allgather_daisy", "allgather_linear"])
        self.assertEqual(len(rows), 8)
        self.assertEqual({(r["topology"], r["bytes"]) for r in rows},
                         {(t, b) for t in ("ring:4", "hypercube:3") for b in (64, 1024)})
        self.assertGreater(len(quadrille.sweep("bcast", ["ring:4"], [64])), 5)

    def test_reports(self):
        plan = quadrille.plan("bcast ring:4 1KiB")
        self.assertIs(type(plan.best.schedule().export()), str)
        with self.assertRaisesRegex(quadrille.Error, "goal") as refused:
            plan.best.schedule().export("knitting")
        forms = str(refused.exception).split("known: ")[1].split(", ")
        self.assertGreater(len(forms), 3)
        for form in forms:  # help, too, has every form of the table
            self.assertIn(f"\n{form}: ", quadrille.Schedule.export.__doc__)
        page = quadrille.report(quadrille.plan("bcast ring:4 1KiB"))
        self.assertIn("bcast_", page.html)
        self.assertTrue(page._repr_html_().startswith("<iframe"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.html")
            page.save(path)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), page.html)

    def test_docstrings(self):
        self.assertEqual(doctest.testmod(quadrille).failed, 0)
        self.assertGreater(doctest.testmod(quadrille).attempted, 8)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        command = sys.argv.pop(1)
    unittest.main()
