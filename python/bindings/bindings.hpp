// The parts of the Python module, and what they share. Python sees what include/quadrille/ has, by the same names.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "quadrille/algorithm.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/cost.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/price.hpp"

namespace quadrille::python {

namespace py = pybind11;

/// A schedule with the question that it answers.
struct Answer {
  Spec spec;
  SchedulePtr schedule;
  Claims claims;
  std::string name;  ///< the algorithm with its parameters; empty: somebody's own
};

void add_networks(py::module_& m);
void add_questions(py::module_& m);
void add_results(py::module_& m);
void add_schedules(py::module_& m);
void add_plans(py::module_& m);

/// What Python may name instead: "torus:4x4", "cluster", "64KiB", "bcast torus:4x4 64KiB".
TopologyPtr topology_of(const py::object& given);
/// None: as the commands choose it, `cluster` for networks with switches or several ranks a node, else `localhost`.
Machine machine_of(const py::object& given, const Topology& network);
Bytes bytes_of(const py::object& given);
Spec spec_of(const py::object& given);

/// As the type that Python must give. Raises TypeError, which says what was expected.
template <class Type>
Type given_as(const py::object& given, const char* expected) {
  if (!py::isinstance<Type>(given)) throw py::type_error(std::string("expected ") + expected);
  return given.cast<Type>();
}

/// The value that has this name. Throws Error(argument), which `what` opens, naming those there are.
template <class Values>
auto named(const Values& values, std::string_view name, const std::string& what) {
  std::string known;
  for (const auto& value : values) {
    if (to_string(value) == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(to_string(value));
  }
  throw Error(Error::Kind::argument, what + " '" + std::string(name) + "': unknown name; known: " + known);
}

py::dict counts_of(const Cost& cost);
py::dict parts_of(const Cost& cost, const Machine& machine, const Topology& topology);

}  // namespace quadrille::python
