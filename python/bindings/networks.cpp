// Networks and machines in Python.
#include <pybind11/stl.h>

#include "base/text.hpp"
#include "bindings.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::python {

TopologyPtr topology_of(const py::object& given) {
  if (py::isinstance<py::str>(given)) return parse_topology(given.cast<std::string>());
  if (!py::isinstance<Topology>(given)) throw py::type_error("expected a quadrille.Topology or text: 'torus:4x4'");
  return given.cast<std::shared_ptr<Topology>>();
}

Machine machine_of(const py::object& given, const Topology& network) {
  if (given.is_none()) return load_machine(network.structure().routed ? "cluster" : "localhost");
  if (py::isinstance<py::str>(given)) return load_machine(given.cast<std::string>());
  return given_as<Machine>(given, "a quadrille.Machine or text: 'cluster'");
}

Bytes bytes_of(const py::object& given) {
  if (py::isinstance<py::str>(given)) return base::parse_bytes(given.cast<std::string>());
  if (PyIndex_Check(given.ptr()) == 0) throw py::type_error("expected a number of bytes or text: '64KiB'");
  return given.cast<Bytes>();
}

namespace {

Rank checked_rank(const Topology& t, Rank r) {
  if (r < 0 || r >= t.nodes())
    throw Error(Error::Kind::argument,
                "rank " + std::to_string(r) + " does not exist; expected 0 to " + std::to_string(t.nodes() - 1));
  return r;
}

void add_topology(py::module_& m) {
  py::class_<Topology, std::shared_ptr<Topology>>(
      m, "Topology", "A network of ranks: 'torus:8x8', 'fattree:16*32', 'graph:FILE'.\n\nRaises Error for other text.")
      .def(py::init([](const std::string& text) { return std::const_pointer_cast<Topology>(parse_topology(text)); }),
           py::arg("text"))
      .def_property_readonly("text", &Topology::text, "The text that names this network.")
      .def_property_readonly("description", &Topology::describe)
      .def_property_readonly("ranks", &Topology::ranks)
      .def_property_readonly("links", &Topology::links, "Directed links.")
      .def_property_readonly("diameter", &Topology::diameter, "Links on the longest route.")
      .def_property_readonly("degree", &Topology::degree, "Links that leave a rank, at most.")
      .def(
          "distance",
          [](const Topology& t, Rank from, Rank to) { return t.distance(checked_rank(t, from), checked_rank(t, to)); },
          py::arg("source"), py::arg("target"), "Links on the route.")
      .def(
          "route",
          [](const Topology& t, Rank from, Rank to) {
            std::vector<Link> links;
            t.route(checked_rank(t, from), checked_rank(t, to), links);
            std::vector<std::string> names;
            for (const Link link : links) names.push_back(t.name(link));
            return names;
          },
          py::arg("source"), py::arg("target"), "Names of the links that a message crosses, in order.")
      .def("__len__", &Topology::ranks)
      .def("__str__", &Topology::text)
      .def("__repr__", [](const Topology& t) { return "Topology('" + t.text() + "')"; });
}

template <class Value, class Values>
void add_choice(py::class_<Machine>& c, const char* name, Value Machine::*field, Values values, const char* doc) {
  c.def_property(
      name, [field](const Machine& machine) { return std::string(to_string(machine.*field)); },
      [=](Machine& machine, const std::string& text) { machine.*field = named(values, text, name); }, doc);
}

void add_machine(py::module_& m) {
  py::class_<Machine> c(m, "Machine",
                        "What messages cost: the name of a preset ('cluster') or a TOML file.\n\n"
                        "Times are in seconds, beta, gamma and rho in seconds per byte.");
  c.def(py::init([](const std::string& name) { return load_machine(name); }), py::arg("name") = "localhost")
      .def_readonly("name", &Machine::name)
      .def_readonly("description", &Machine::description)
      .def_readwrite("alpha", &Machine::alpha, "Start-up of a message, seconds.")
      .def_readwrite("beta", &Machine::beta, "Seconds per byte on a wire.")
      .def_readwrite("gamma", &Machine::gamma, "Seconds per byte that is combined.")
      .def_readwrite("rho", &Machine::rho, "Seconds per byte that is moved locally.")
      .def_readwrite("per_hop", &Machine::per_hop, "Seconds per link crossed.")
      .def_readwrite("overhead_send", &Machine::overhead_send, "Of a rank's processor for each message, seconds.")
      .def_readwrite("overhead_receive", &Machine::overhead_receive, "Of a rank's processor for each message, seconds.")
      .def_readwrite("multicast", &Machine::multicast, "Whether the same data to several neighbours is one message.")
      .def("set", &set_parameter, py::arg("assignment"),
           "'alpha=2us', 'beta=12.5GB/s', 'ports=one', as --set of the command.")
      .def_property_readonly("toml", [](const Machine& machine) { return to_text(machine); })
      .def("__repr__", [](const Machine& machine) { return "Machine('" + machine.name + "')"; });
  add_choice(c, "ports", &Machine::ports, std::vector{Ports::one, Ports::all}, "'one' or 'all'.");
  add_choice(c, "duplex", &Machine::duplex, std::vector{Duplex::half, Duplex::full, Duplex::node_half},
             "'half', 'full' or 'node-half'.");
  add_choice(c, "switching", &Machine::switching,
             std::vector{Switching::store_and_forward, Switching::circuit, Switching::wormhole},
             "How messages cross ranks between their ends.");
}

}  // namespace

void add_networks(py::module_& m) {
  add_topology(m);
  add_machine(m);
  m.def("machine_presets", &machine_presets, "Names that Machine() takes, besides files.");
}

}  // namespace quadrille::python
