// Questions in Python: a collective on a network, and how much is moved.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <limits>

#include "bindings.hpp"
#include "quadrille/demands.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::python {

namespace {

Collective collective_of(const std::string& name) {
  if (const auto found = find_collective(name)) return *found;
  return named(collectives(), name, "collective");
}

/// Text, or a matrix of bytes: a line for each rank.
DemandsPtr demands_of(const py::object& given, const Spec& spec) {
  if (py::isinstance<py::str>(given)) return parse_demands(given.cast<std::string>(), *spec.topology, spec.bytes);
  const auto matrix = given.cast<std::vector<std::vector<Bytes>>>();
  if (std::ssize(matrix) != spec.ranks())
    throw Error(Error::Kind::argument,
                "demands: " + std::to_string(matrix.size()) + " lines; expected " + std::to_string(spec.ranks()));
  std::vector<Demand> pairs;
  for (Rank from = 0; from < spec.ranks(); ++from) {
    const std::vector<Bytes>& line = matrix[static_cast<std::size_t>(from)];
    if (std::ssize(line) != spec.ranks())
      throw Error(Error::Kind::argument, "demands: line " + std::to_string(from) + " has " +
                                             std::to_string(line.size()) + " numbers; expected " +
                                             std::to_string(spec.ranks()));
    for (Rank to = 0; to < spec.ranks(); ++to)
      if (line[static_cast<std::size_t>(to)] != 0) pairs.push_back({from, to, line[static_cast<std::size_t>(to)]});
  }
  return make_demands(spec.ranks(), std::move(pairs));
}

Spec make(const std::string& collective, const py::object& topology, const py::object& bytes, Rank root,
          const py::object& target, const py::object& sources, const py::object& demands, Bytes element, bool ordered,
          bool canonical) {
  Spec spec{.collective = collective_of(collective), .topology = topology_of(topology), .bytes = bytes_of(bytes)};
  spec.root = root;
  spec.element = element;
  spec.operands = ordered ? Operands::ordered : Operands::commutative;
  spec.canonical = canonical;
  if (!target.is_none()) spec.target = target.cast<Rank>();
  if (!sources.is_none()) spec.sources = parse_sources(sources.cast<std::string>(), *spec.topology, spec.bytes);
  if (!demands.is_none()) spec.demands = demands_of(demands, spec);
  return checked(std::move(spec));
}

}  // namespace

Spec spec_of(const py::object& given) {
  if (py::isinstance<py::str>(given)) return parse_spec(given.cast<std::string>());
  return given_as<Spec>(given, "a quadrille.Spec or text: 'bcast torus:4x4 64KiB'");
}

void add_questions(py::module_& m) {
  py::class_<Spec>(m, "Spec",
                   "A question: Spec('bcast torus:4x4 64KiB'), or Spec('bcast', 'torus:4x4', 65536, root=3).\n\n"
                   "bytes: of a block, or of the whole vector of a reduction; a number, or text such as '64KiB'.\n"
                   "demands: of an alltoallv, text such as 'halo(4x4)' or '0-1:64KiB,2-0', or a matrix of bytes.")
      .def(py::init([](const std::string& text) { return parse_spec(text); }), py::arg("text"))
      .def(py::init(&make), py::arg("collective"), py::arg("topology"), py::arg("bytes"), py::kw_only(),
           py::arg("root") = 0, py::arg("target") = py::none(), py::arg("sources") = py::none(),
           py::arg("demands") = py::none(), py::arg("element") = 1, py::arg("ordered") = false,
           py::arg("canonical") = false)
      .def_property_readonly("collective", [](const Spec& s) { return std::string(to_string(s.collective)); })
      .def_property_readonly("topology", [](const Spec& s) { return std::const_pointer_cast<Topology>(s.topology); })
      .def_readonly("bytes", &Spec::bytes)
      .def_property_readonly(
          "demands",
          [](const Spec& s) {
            std::vector<std::tuple<Rank, Rank, Bytes>> pairs;
            if (!s.demands) return pairs;
            for (const Demand& pair : s.demands->pairs) pairs.emplace_back(pair.from, pair.to, pair.bytes);
            return pairs;
          },
          "Of an alltoallv: (from, to, bytes), by sender, then receiver.")
      .def_property_readonly(
          "word", [](const Spec& s) { return s.demands ? s.demands->word : 0; },
          "Of an alltoallv: bytes of a slot in a schedule; every length is a whole number of them.")
      .def_readonly("root", &Spec::root)
      .def_readonly("element", &Spec::element, "Bytes that an operator takes as one.")
      .def_property_readonly("ranks", &Spec::ranks)
      .def_property_readonly(
          "combines", [](const Spec& s) { return combines(s); }, "Whether it is a reduction.")
      .def_property_readonly(
          "text", [](const Spec& s) { return to_text(s); }, "The text that reads back.")
      .def(
          "blocks",
          [](const Spec& s, const std::string& buffer) {
            if (buffer != "in" && buffer != "out")
              throw Error(Error::Kind::argument, "buffer '" + buffer + "': expected 'in' or 'out'");
            std::vector<Slot> all;
            for (Rank r = 0; r < s.ranks(); ++r) all.push_back(blocks(s, buffer == "in" ? Buffer::in : Buffer::out, r));
            return all;
          },
          py::arg("buffer"), "Blocks of every rank in its buffer 'in' or 'out'.")
      .def("__repr__", [](const Spec& s) { return "Spec('" + to_text(s) + "')"; });
  m.def(
      "collectives",
      [] {
        std::vector<std::string> names;
        for (const Collective c : collectives()) names.emplace_back(to_string(c));
        return names;
      },
      "Names of all collectives.");
}

}  // namespace quadrille::python
