// Plans, sweeps and reports in Python.
#include <pybind11/stl.h>

#include <atomic>

#include "bindings.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/plugin.hpp"
#include "quadrille/report.hpp"
#include "quadrille/sweep.hpp"

namespace quadrille::python {

namespace {

constexpr Effort efforts[] = {Effort::estimate, Effort::simulate, Effort::measure};

/// A candidate with the plan that it is of.
struct Choosable {
  std::shared_ptr<const Plan> plan;
  std::size_t place;
  const Candidate& candidate() const { return plan->candidates[place]; }
  std::string name() const { return to_text(*candidate().algorithm, candidate().params); }
};

std::shared_ptr<const Plan> planned(const py::object& spec, const py::object& machine, const std::string& effort) {
  const Spec question = spec_of(spec);
  const Machine on = machine_of(machine, *question.topology);
  const PlanOptions options{.effort = named(efforts, effort, "effort")};
  const py::gil_scoped_release release;
  return std::make_shared<const Plan>(plan(question, on, options));
}

Answer schedule_of(const Choosable& c) {
  const py::gil_scoped_release release;
  const Built b = build(c.plan->spec, c.plan->machine, {c.candidate().algorithm, c.candidate().params});
  return {c.plan->spec, b.schedule, b.claims, c.name()};
}

py::dict row_of(const SweepRow& row) {
  py::dict d;
  d["topology"] = row.topology;
  d["ranks"] = row.ranks;
  d["bytes"] = row.bytes;
  d["algorithm"] = row.algorithm;
  d["params"] = row.params;
  d["price_s"] = row.price;
  d["simulated_s"] = row.simulated;
  d["bound_s"] = row.bound;
  d["ratio"] = row.ratio();
  d["best"] = row.best;
  d["note"] = row.note;
  return d;
}

std::vector<Spec> points_of(const std::string& collective, const py::iterable& topologies, const py::iterable& sizes) {
  std::vector<Spec> points;
  for (const py::handle topology : topologies)
    for (const py::handle size : sizes) {
      const TopologyPtr t = topology_of(py::reinterpret_borrow<py::object>(topology));
      const Bytes bytes = bytes_of(py::reinterpret_borrow<py::object>(size));
      points.push_back(parse_spec(collective + " " + t->text() + " bytes=" + std::to_string(bytes)));
    }
  return points;
}

py::list swept(const std::string& collective, const py::iterable& topologies, const py::iterable& sizes,
               const py::object& machine, const std::vector<std::string>& algorithms, const std::string& effort) {
  SweepQuestion question;
  question.points = points_of(collective, topologies, sizes);
  question.effort = named(efforts, effort, "effort");
  for (const std::string& text : algorithms) question.choices.push_back(parse_choice(text));
  if (question.points.empty()) throw Error(Error::Kind::argument, "nothing to sweep: expected a network and a size");
  question.machine = machine_of(machine, *question.points.front().topology);
  if (question.choices.empty())
    for (const Algorithm& a : quadrille::algorithms())
      if (a.collective == question.points.front().collective) question.choices.push_back({&a, {}});
  std::vector<SweepRow> rows;
  {
    const py::gil_scoped_release release;
    sweep(question, 0, 1, [&](std::vector<SweepRow> some) { rows.insert(rows.end(), some.begin(), some.end()); });
  }
  py::list table;
  for (const SweepRow& row : rows) table.append(row_of(row));
  return table;
}

py::list described(const std::string& collective) {
  py::list all;
  for (const Algorithm& a : algorithms()) {
    if (!collective.empty() && to_string(a.collective) != collective) continue;
    py::list parameters;
    for (const Parameter& p : a.parameters)
      parameters.append(py::make_tuple(std::string(p.name), std::string(p.meaning)));
    py::dict d;
    d["name"] = std::string(a.name);
    d["collective"] = std::string(to_string(a.collective));
    d["summary"] = std::string(a.summary);
    d["source"] = std::string(a.source);
    d["parameters"] = parameters;
    all.append(d);
  }
  return all;
}

void add_candidate(py::module_& m) {
  py::class_<Choosable>(m, "Candidate", "An algorithm with its parameters, priced.")
      .def_property_readonly("name", &Choosable::name, "'bcast_chain:packets=4'.")
      .def_property_readonly("algorithm", [](const Choosable& c) { return std::string(c.candidate().algorithm->name); })
      .def_property_readonly(
          "time", [](const Choosable& c) { return c.candidate().known(); },
          "Seconds: measured, else simulated, else the price.")
      .def_property_readonly(
          "price", [](const Choosable& c) { return c.candidate().time; }, "Seconds.")
      .def_property_readonly("counts", [](const Choosable& c) { return counts_of(c.candidate().cost); })
      .def_property_readonly(
          "parts",
          [](const Choosable& c) { return parts_of(c.candidate().cost, c.plan->machine, *c.plan->spec.topology); },
          "Seconds by what they are spent on.")
      .def_property_readonly(
          "assurance", [](const Choosable& c) { return std::string(to_string(c.candidate().assurance.how)); },
          "'proven' where the plan proved it.")
      .def("schedule", &schedule_of)
      .def("__repr__", [](const Choosable& c) { return "<Candidate " + c.name() + ">"; });
}

void add_plan(py::module_& m) {
  py::class_<Plan, std::shared_ptr<Plan>>(m, "Plan", "Every legal algorithm, priced, the best first.")
      .def_readonly("spec", &Plan::spec)
      .def_readonly("machine", &Plan::machine)
      .def_readonly("bound", &Plan::bound)
      .def_property_readonly("candidates",
                             [](const std::shared_ptr<Plan>& p) {
                               std::vector<Choosable> all;
                               for (std::size_t i = 0; i < p->candidates.size(); ++i) all.push_back({p, i});
                               return all;
                             })
      .def_property_readonly("best",
                             [](const std::shared_ptr<Plan>& p) {
                               if (!p->possible())
                                 throw Error(Error::Kind::illegal, "no algorithm runs here; `refused` says why");
                               return Choosable{p, 0};
                             })
      .def_property_readonly(
          "gap", [](const Plan& p) { return p.possible() ? py::object(py::float_(p.gap())) : py::none(); },
          "The best time divided by the bound.")
      .def_property_readonly(
          "refused",
          [](const Plan& p) {
            py::dict all;
            for (const Refusal& r : p.refused) all[py::str(std::string(r.algorithm->name))] = r.reason;
            return all;
          },
          "Why other algorithms do not run here, by name.")
      .def(
          "report_html",
          [](const Plan& p) {
            const py::gil_scoped_release release;
            return report_page(report_document(p, {}));
          },
          "One HTML page that shows the plan.");
  m.def(
      "plan",
      [](const py::object& s, const py::object& on, const std::string& effort) {
        return std::const_pointer_cast<Plan>(planned(s, on, effort));
      },
      py::arg("spec"), py::arg("machine") = py::none(), py::kw_only(), py::arg("effort") = "estimate",
      "Every legal algorithm with every sensible parameter. effort: 'estimate', 'simulate' or 'measure'.");
}

}  // namespace

void add_plans(py::module_& m) {
  add_candidate(m);
  add_plan(m);
  m.def("sweep", &swept, py::arg("collective"), py::arg("topologies"), py::arg("sizes"),
        py::arg("machine") = py::none(), py::kw_only(), py::arg("algorithms") = std::vector<std::string>{},
        py::arg("effort") = "estimate",
        "A list of rows, each a dict, for pandas.DataFrame: every algorithm on every network at every size.");
  m.def("load_plugin", &load_plugin, py::arg("path"),
        "Loads a shared library with algorithms and topologies of your own (quadrille/plugin.hpp). Before anything is\n"
        "asked.");
  m.def("algorithms", &described, py::arg("collective") = "", "What algorithms there are: a list of dicts.");
}

}  // namespace quadrille::python
