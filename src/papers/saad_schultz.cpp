#include "papers/saad_schultz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace quadrille::papers {

namespace saad_schultz {

namespace {

using Cell = Reproduction::Cell;
using Claim = Reproduction::Claim;
using Table = Reproduction::Table;

Cell number(double x) {
  const bool whole = x >= 1000 || x == std::floor(x);
  return {whole && x < 1e15 ? base::format_count(std::llround(x)) : fmt::format("{:.4g}", x), x};
}

/// Lists left out: "sendrecv_multipath:packets=34", which leaves its lengths to be found again.
Cell choice_cell(const Candidate& c) {
  Params single;
  for (const auto& [name, values] : c.params.values())
    if (values.size() == 1) single.set(name, values);
  return {to_text(*c.algorithm, single)};
}

Cell net_cell(Net net) { return {std::string(name(net))}; }

Table machine_table(const Setting& setting) {
  Table table{.key = "machines",
              .title = "The machines",
              .columns = {{"machine", "machine"},
                          {"topology", "network"},
                          {"preset", "preset"},
                          {"ports", "ports"},
                          {"duplex", "duplex"},
                          {"ask", "ask further with"}},
              .rows = {}};
  for (const Net net : nets) {
    const Machine m = machine(net, setting);
    const std::string network = question(Collective::bcast, net, setting).topology->text();
    std::string ask = fmt::format("quadrille plan bcast {} --machine {} --set alpha={} --set beta={} --bytes {}",
                                  network, preset(net), m.alpha, m.beta, setting.words);
    if (net == Net::memory) ask += fmt::format(" --set shared={}", m.shared);
    table.rows.push_back({net_cell(net),
                          {network},
                          {std::string(preset(net))},
                          {std::string(to_string(m.ports))},
                          {std::string(to_string(m.duplex))},
                          {ask}});
  }
  return table;
}

Table entry_table(Collective operation, const Setting& setting) {
  Table table{.key = fmt::format("{}_printed", to_string(operation)),
              .title = fmt::format("{} ({}), the paper's entries", name(operation), to_string(operation)),
              .columns = {{"machine", "machine"},
                          {"printed", "printed"},
                          {"printed_s", "value", true},
                          {"corrected", "corrected"},
                          {"corrected_s", "value", true},
                          {"errata", "errata"}},
              .rows = {}};
  for (const Entry& e : entries()) {
    if (e.operation != operation) continue;
    const bool right = e.errata.empty();
    table.rows.push_back({net_cell(e.net),
                          {std::string(e.printed)},
                          number(e.printed_value(setting)),
                          {right ? "as printed" : std::string(e.corrected)},
                          number(e.value(setting)),
                          {right ? "-" : std::string(e.errata)}});
  }
  return table;
}

Table answer_table(Collective operation, const std::vector<Answer>& answers) {
  Table table{.key = std::string(to_string(operation)),
              .title = fmt::format("{} ({}), what schedules cost", name(operation), to_string(operation)),
              .columns = {{"machine", "machine"},
                          {"paper_algorithm", "the paper's best"},
                          {"paper_algorithm_s", "cost", true},
                          {"algorithm", "best"},
                          {"algorithm_s", "cost", true},
                          {"bound_s", "bound", true},
                          {"ratio", "ratio", true}},
              .rows = {}};
  for (const Answer& a : answers)
    if (a.entry->operation == operation)
      table.rows.push_back({net_cell(a.entry->net),
                            choice_cell(a.paper),
                            number(a.paper.time),
                            choice_cell(a.plan.best()),
                            number(a.plan.best().time),
                            number(a.plan.bound.time),
                            {base::format_ratio(a.plan.gap()), a.plan.gap()}});
  return table;
}

formats::Chart chart_of(Collective operation, const Setting& setting) {
  formats::Chart chart;
  chart.title = fmt::format("{}: the best schedule on each machine", name(operation));
  chart.subtitle = fmt::format("k = {}, tau = {}, b = {}, k* = {}", setting.k, setting.tau, setting.b, setting.shared);
  chart.x = {"N, words in all", formats::Chart::Scale::log2, {}, {}};
  chart.y = {"time, thousands", formats::Chart::Scale::log10, {}, {}};
  for (const Net net : nets) {
    formats::Chart::Series series{net == Net::memory ? "memory" : std::string(name(net)), {}, false};
    Setting at = setting;
    for (at.words = setting.k * setting.k; at.words <= setting.k * setting.k * 4096; at.words *= 4)
      series.points.emplace_back(
          static_cast<double>(at.words),
          plan(question(operation, net, at), machine(net, setting), {.proof = 0}).best().time / 1000);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string key_of(const Entry& e) {
  std::string key = fmt::format("{}.{}", to_string(e.operation), name(e.net));
  std::replace(key.begin(), key.end(), ' ', '_');
  return key;
}

/// The entries that are wrong, one by one.
std::vector<Claim> wrong_entries(const Setting& setting) {
  std::vector<Claim> claims;
  for (const Entry& e : entries()) {
    if (e.errata.empty()) continue;
    Claim c{.key = key_of(e),
            .text = fmt::format("{} on the {}: {}", name(e.operation), name(e.net), e.printed),
            .unit = "s",
            .paper = number(e.printed_value(setting)),
            .ours = {number(e.value(setting))},
            .holds = false,
            .why = fmt::format("{}: {}. Corrected: {}", e.errata, e.why, e.corrected)};
    claims.push_back(std::move(c));
  }
  return claims;
}

/// The tables promise upper bounds for the paper's algorithms: whether those that are right are, or the others
/// corrected.
Claim bounds(const std::vector<Answer>& answers, const Setting& setting, bool right) {
  std::int64_t all = 0;
  std::vector<std::string> above;
  for (const Answer& a : answers) {
    if (a.entry->errata.empty() != right) continue;
    ++all;
    const double limit = a.entry->value(setting);
    if (a.paper.time > limit * (1 + 1e-12))
      above.push_back(fmt::format("{} on the {} costs {}, {:.1f} % more", name(a.entry->operation), name(a.entry->net),
                                  number(a.paper.time).text, 100 * (a.paper.time / limit - 1)));
  }
  const auto text = [&](std::int64_t n) { return fmt::format("{} of {}", n, all); };
  Claim c{.key = right ? "bounds.printed" : "bounds.corrected",
          .text = right ? "entries without an erratum are upper bounds for the paper's best algorithm"
                        : "... and so are the others when corrected",
          .unit = "",
          .paper = {text(all)},
          .ours = {{text(all - std::ssize(above))}},
          .holds = above.empty(),
          .why = ""};
  if (!c.holds)
    c.why =
        base::join(above, "; ") + ". The forms are for real numbers of packets and waves; both are whole (E-15, E-23)";
  return c;
}

/// Counts schedules message by message where that is quick; whether they cost what the closed forms say.
void count_all(const std::vector<Answer>& answers, Reproduction& out) {
  const CountBudget quick{.visits = 1 << 22};
  int counted = 0, all = 0;
  for (const Answer& a : answers)
    for (const Candidate* c : {&a.paper, &a.plan.best()}) {
      if (!c->exact || (c != &a.paper && c->algorithm == a.paper.algorithm)) continue;
      ++all;
      try {
        const Built built = build(a.plan.spec, a.plan.machine, {c->algorithm, c->params});
        const Traffic traffic = count(a.plan.spec, a.plan.machine, *built.schedule, nullptr, quick);
        out.consistent = out.consistent && traffic.cost == c->cost;
        ++counted;
      } catch (const Error& error) {
        if (error.kind() != Error::Kind::budget) throw;
      }
    }
  out.counted =
      fmt::format("Counted message by message, {} of {} schedules (those that are quick to count)", counted, all);
}

}  // namespace

}  // namespace saad_schultz

Reproduction reproduce_saad_schultz(const Values& values) {
  using namespace saad_schultz;
  const Setting setting = read_setting(values);
  Reproduction out;
  out.name = "saad-schultz";
  out.title = fmt::format("Five operations on six machines: k = {}, N = {}, tau = {}, b = {}, k* = {}", setting.k,
                          base::format_count(setting.words), setting.tau, setting.b, setting.shared);
  out.source =
      "Y. Saad, M. H. Schultz, Data Communication in Parallel Architectures, Yale RR-461, 1986, tables 1 and 2";
  out.machine = machine(Net::ring, setting);
  out.machine.name = "saad-schultz-1986";
  out.machine.description = "all ports and half-duplex wires, store and forward; on bus, memory and switch one port";
  out.open =
      "N words in all: the message of one to one and one to all, k blocks of N/k words, or k^2 of N/k^2. n = log2 k, "
      "s = sqrt(k); k/k* stands for max(1, k/k*). In one to one the farthest rank receives.";
  out.readings = {
      {"exact", "exact", "algorithms at their best whole number of packets, priced exactly; own blocks do not move"}};
  std::vector<Answer> answers;
  for (const Entry& e : entries()) answers.push_back(answer(e, setting));
  out.tables.push_back(machine_table(setting));
  for (const Collective operation : operations) {
    out.tables.push_back(entry_table(operation, setting));
    out.tables.push_back(answer_table(operation, answers));
    out.figures.push_back({fmt::format("saad-schultz-{}.svg", to_string(operation)), chart_of(operation, setting)});
  }
  out.claims = wrong_entries(setting);
  out.claims.push_back(bounds(answers, setting, true));
  out.claims.push_back(bounds(answers, setting, false));
  count_all(answers, out);
  return out;
}

}  // namespace quadrille::papers
