// What is said of schedules, in Python: proofs, prices, bounds, simulations and runs.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "quadrille/run.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/verify.hpp"

namespace quadrille::python {

py::dict counts_of(const Cost& cost) {
  py::dict counts;
  counts["startups"] = cost.startups;
  counts["hops"] = cost.hops;
  counts["bytes"] = cost.bytes;
  counts["permuted_bytes"] = cost.permuted;
  counts["packed_bytes"] = cost.packed;
  counts["combined_bytes"] = cost.combined;
  counts["further"] = cost.further;
  counts["barriers"] = cost.barriers;
  return counts;
}

py::dict parts_of(const Cost& cost, const Machine& machine, const Topology& topology) {
  const CostParts all = parts(cost, machine, topology);
  py::dict seconds;
  seconds["startup"] = all.startup;
  seconds["overhead"] = all.overhead;
  seconds["circuit"] = all.circuit;
  seconds["wire"] = all.wire;
  seconds["permute"] = all.permute;
  seconds["combine"] = all.combine;
  seconds["barrier"] = all.barrier;
  return seconds;
}

namespace {

void add_proof(py::module_& m) {
  py::class_<Counterexample>(m, "Counterexample", "What went wrong first.")
      .def_property_readonly("kind", [](const Counterexample& c) { return std::string(to_string(c.kind)); })
      .def_readonly("round", &Counterexample::round, "-1: after the last.")
      .def_readonly("rank", &Counterexample::rank)
      .def_readonly("text", &Counterexample::text, "A sentence or two.")
      .def("__str__", [](const Counterexample& c) { return c.text; });
  py::class_<Proof>(m, "Proof", "Whether a schedule does its work; true where it does.")
      .def_readonly("holds", &Proof::holds)
      .def_readonly("counterexample", &Proof::counterexample, "None where it holds.")
      .def_readonly("statements", &Proof::statements, "What was shown, a sentence each.")
      .def_readonly("rounds", &Proof::rounds)
      .def_readonly("messages", &Proof::messages)
      .def_readonly("link_messages", &Proof::link_messages, "Most messages on a link in a round.")
      .def_readonly("scratch", &Proof::scratch, "Bytes of scratch memory of a rank.")
      .def_readonly("in_order", &Proof::in_order, "Reductions: contributions are taken in the order of ranks.")
      .def_readonly("depth", &Proof::depth, "Reductions: most operations from a contribution to a result.")
      .def("__bool__", [](const Proof& p) { return p.holds; })
      .def("__repr__", [](const Proof& p) {
        return p.holds ? std::string("<Proof: it holds>") : "<Proof: " + p.counterexample->text + ">";
      });
}

void add_bound(py::module_& m) {
  py::class_<Bound::Part>(m, "BoundPart", "An argument why no schedule is faster.")
      .def_readonly("name", &Bound::Part::name)
      .def_readonly("why", &Bound::Part::why, "One sentence with numbers.")
      .def_readonly("time", &Bound::Part::time, "Seconds.")
      .def_readonly("rounds", &Bound::Part::rounds)
      .def_readonly("bytes", &Bound::Part::bytes)
      .def("__repr__", [](const Bound::Part& p) { return "<BoundPart " + p.name + ": " + p.why + ">"; });
  py::class_<Bound>(m, "Bound", "A time that no schedule beats, and why.")
      .def_readonly("time", &Bound::time, "Seconds.")
      .def_readonly("binding", &Bound::binding, "The name of the part that it is mostly made of.")
      .def_readonly("parts", &Bound::parts)
      .def("__float__", [](const Bound& b) { return b.time; });
  m.def(
      "bound",
      [](const py::object& spec, const py::object& machine) {
        const Spec s = spec_of(spec);
        const Machine on = machine_of(machine, *s.topology);
        const py::gil_scoped_release release;
        return lower_bound(s, on);
      },
      py::arg("spec"), py::arg("machine") = py::none(), "The lower bound of a question on a machine.");
}

void add_timeline(py::module_& m) {
  py::class_<Timeline>(m, "Timeline", "What a simulation found.")
      .def_readonly("makespan", &Timeline::makespan, "Seconds until the last rank is done.")
      .def_readonly("messages", &Timeline::messages)
      .def_readonly("hops", &Timeline::hops)
      .def_readonly("queued", &Timeline::queued, "Seconds that messages waited, added up.")
      .def("__float__", [](const Timeline& t) { return t.makespan; });
  py::class_<RunResult>(m, "RunResult", "What a run between threads took.")
      .def_readonly("median", &RunResult::median, "Seconds of the slowest rank.")
      .def_readonly("least", &RunResult::least)
      .def_readonly("most", &RunResult::most)
      .def_readonly("times", &RunResult::times, "Of all repetitions, the shortest first.")
      .def_readonly("messages", &RunResult::messages)
      .def_readonly("moved", &RunResult::moved, "Bytes from rank to rank.")
      .def_readonly("checked", &RunResult::checked, "Bytes compared with the reference.");
}

}  // namespace

void add_results(py::module_& m) {
  add_proof(m);
  add_bound(m);
  add_timeline(m);
}

}  // namespace quadrille::python
