// Schedules in Python: those of algorithms, and one's own.
#include <pybind11/stl.h>

#include "formats/table.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/run.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/verify.hpp"
#include "rounds.hpp"

namespace quadrille::python {

namespace {

/// The least that a question demands of any schedule.
Claims least_claims(const Spec& spec) {
  const bool same_bits = spec.collective == Collective::allreduce && spec.identical;
  return {.once = false,
          .contention_free = false,
          .exact = false,
          .port_free = false,
          .in_order = combines(spec) && spec.operands == Operands::ordered,
          .identical = same_bits ? Identical::commutatively : Identical::no,
          .canonical = spec.canonical};
}

Answer own(const py::object& question, const py::iterable& rounds, Slot pieces, Slot scratch) {
  const Spec spec = spec_of(question);
  return {spec, schedule::of_table(table_of_rounds(spec, rounds, pieces, scratch)), least_claims(spec), ""};
}

Answer built(const py::object& question, const std::string& choice, const py::object& on) {
  const Spec spec = spec_of(question);
  const Machine machine = machine_of(on, *spec.topology);
  const py::gil_scoped_release release;
  const Built b = build(spec, machine, parse_choice(choice));
  return {spec, b.schedule, b.claims, to_text(*b.choice.algorithm, b.choice.params)};
}

py::dict price(const Answer& a, const py::object& on) {
  const Machine machine = machine_of(on, *a.spec.topology);
  const Traffic traffic = count(a.spec, machine, *a.schedule);
  py::dict result;
  result["time"] = seconds(traffic.cost, machine, *a.spec.topology);
  result["counts"] = counts_of(traffic.cost);
  result["parts"] = parts_of(traffic.cost, machine, *a.spec.topology);
  result["messages"] = traffic.messages;
  result["contention"] = traffic.contention;
  result["busiest_link_bytes"] = traffic.busiest_link;
  return result;
}

Timeline simulated(const Answer& a, const py::object& on, const std::string& network, const std::string& order) {
  const Machine machine = machine_of(on, *a.spec.topology);
  const SimulateOptions options{.order = named(simulated_orders(), order, "order"),
                                .network = named(simulated_networks(), network, "network")};
  const py::gil_scoped_release release;
  return simulate(a.spec, machine, *a.schedule, options);
}

RunResult run(const Answer& a, int repetitions) {
  const py::gil_scoped_release release;
  return run_threads(a.spec, *a.schedule, {.repetitions = repetitions});
}

/// The schedule in the form of another tool, as the command `export` writes it.
std::string exported(const Answer& a, const std::string& form) {
  const formats::Format format = formats::by_name(formats::Content::schedule, form);
  if (!std::holds_alternative<formats::ScheduleWriter>(format.writer))
    throw Error(Error::Kind::argument, form + " has a file for each rank; expected the command 'quadrille export " +
                                           form + " ... -o NAME', which writes them");
  std::string text;
  const py::gil_scoped_release release;
  std::get<formats::ScheduleWriter>(format.writer)({a.spec, *a.schedule, Order::eager, a.name},
                                                   [&text](std::string_view some) { text += some; });
  return text;
}

/// A line for each form that export() knows.
std::string forms_text() {
  std::string text;
  for (const formats::Format& f : formats::formats_of(formats::Content::schedule))
    text += "\n" + std::string(f.name) + ": " + std::string(f.what);
  return text;
}

/// What a rank does, as messages in Python: kind, peer, buffer, slots.
py::list steps(const Answer& a, Round round, Rank rank) {
  const Shape& shape = a.schedule->shape();
  if (round < 0 || round >= shape.rounds || rank < 0 || rank >= a.spec.topology->nodes())
    throw Error(Error::Kind::argument, "no such rank and round; expected rounds 0 to " +
                                           std::to_string(shape.rounds - 1) + ", ranks 0 to " +
                                           std::to_string(a.spec.topology->nodes() - 1));
  constexpr const char* buffers[] = {"in", "out", "tmp"};
  py::list all;
  Collected collected;
  for (const Transfer& x : collected.all(*a.schedule, round, rank)) {
    std::vector<Slot> slots;
    for_each_slot(x.slots, [&](Slot slot) { slots.push_back(slot); });
    all.append(py::make_tuple(x.kind == Kind::send ? "send" : "recv", x.peer,
                              buffers[static_cast<std::size_t>(x.buffer)], slots));
  }
  return all;
}

}  // namespace

void add_schedules(py::module_& m) {
  m.attr("IN") = 0;
  m.attr("OUT") = 1;
  m.attr("TMP") = 2;
  py::class_<Answer>(
      m, "Schedule",
      "Who sends which slots to whom, in which round: Schedule(spec, rounds).\n\n"
      "rounds: an iterable, such as a generator, of rounds. A round is an iterable of Message or of\n"
      "(source, target, slots), or an integer array of shape (messages, 3): source, target, slot of\n"
      "'out'; or (messages, 6): source, target, buffer, slot, buffer and slot at the target.\n"
      "pieces: each block is cut in so many; piece p of block b of a buffer of n blocks is slot p * n + b.\n"
      "scratch: blocks of 'tmp' at every rank.\n\nRaises Error for ranks and slots that do not exist. Whether\n"
      "it is right, verify() says.")
      .def(py::init(&own), py::arg("spec"), py::arg("rounds"), py::kw_only(), py::arg("pieces") = 1,
           py::arg("scratch") = 0)
      .def_readonly("spec", &Answer::spec)
      .def_readonly("name", &Answer::name, "The algorithm with its parameters; empty for one's own.")
      .def_property_readonly("rounds", [](const Answer& a) { return a.schedule->shape().rounds; })
      .def_property_readonly("pieces", [](const Answer& a) { return a.schedule->shape().cut.parts; })
      .def_property_readonly("scratch", [](const Answer& a) { return a.schedule->shape().tmp; })
      .def("steps", &steps, py::arg("round"), py::arg("rank"),
           "What a rank does in a round: tuples of 'send' or 'recv', the peer, the buffer and its slots.")
      .def(
          "verify",
          [](const Answer& a, const py::object& on) {
            const Machine machine = machine_of(on, *a.spec.topology);
            const py::gil_scoped_release release;
            return verify(a.spec, machine, *a.schedule, a.claims);
          },
          py::arg("machine") = py::none(), "Proves that every rank ends with what it must have; else says why not.")
      .def("price", &price, py::arg("machine") = py::none(),
           "Counted message by message: 'time' in seconds, its 'parts', 'counts', 'messages', 'contention'.")
      .def("simulate", &simulated, py::arg("machine") = py::none(), py::kw_only(), py::arg("network") = "cut-through",
           py::arg("order") = "dataflow", "Plays it message by message.")
      .def("export", &exported, py::arg("form") = "json",
           ("Text for a file, which build() and the command take as algorithm where it is read back.\n" + forms_text())
               .c_str())
      .def("run", &run, py::kw_only(), py::arg("repetitions") = 3,
           "Runs it between threads on random data. Raises Error where a byte arrives wrong.")
      .def("__repr__", [](const Answer& a) {
        return "<Schedule of " + to_text(a.spec) + ", " + std::to_string(a.schedule->shape().rounds) + " rounds>";
      });
  m.def("build", &built, py::arg("spec"), py::arg("algorithm"), py::arg("machine") = py::none(),
        "The schedule of an algorithm: build('alltoall torus:4x4 1KiB', 'alltoall_ways:chunks=2').");
}

}  // namespace quadrille::python
