// Files of other programs: schedules, machines, rules and traces.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "fuzz/finding.hpp"
#include "incumbents/explained.hpp"
#include "interchange/application.hpp"
#include "interchange/machines/imported.hpp"
#include "interchange/schedule_file.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/price.hpp"
#include "quadrille/sources.hpp"
#include "quadrille/topology.hpp"
#include "quadrille/verify.hpp"
#include "simulator/replay.hpp"
#include "topology/file/build.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::fuzz {

/// A schedule in any form: proven or not, and written and read again it is the same.
inline bool schedule(std::string_view text) {
  return accepted([&] {
    const interchange::ScheduleFile file = interchange::read_schedule(std::string(text), "fuzz");
    if (file.ranks > 64 || file.table.shape.rounds > 1000) return;
    Spec spec;
    spec.collective = file.collective.value_or(Collective::bcast);
    if (file.spec) spec = *file.spec;
    spec.topology = parse_topology("crossbar:" + std::to_string(file.ranks));
    if (!file.spec) spec.bytes = 64, spec.sources = make_sources({{0, 64}});
    if (!file.spec) accepted([&] { spec = checked(spec); });
    require(interchange::mismatch(file, spec).empty(), "schedule: it does not answer its own question");
    const SchedulePtr read = interchange::schedule_of(file, spec);
    const Machine machine = load_machine("unit");
    accepted([&] { verify(spec, machine, *read, {}, {.slots = 1 << 16, .visits = 1 << 16}); });
    accepted([&] { count(spec, machine, *read, nullptr, {.visits = 1 << 16}); });
    if (!file.spec) return;
    std::string again;
    interchange::write_schedule_json({spec, *read, ""}, [&](std::string_view part) { again += part; });
    std::string third;
    interchange::write_schedule_json(
        {spec, *interchange::schedule_of(interchange::read_schedule(again, "again"), spec), ""},
        [&](std::string_view part) { third += part; });
    require(third == again, "schedule: " + base::quoted(again, 2000) + " is read as another");
  });
}

/// Another program's file of a machine: what is accepted is a network.
inline bool imported(std::string_view text) {
  return accepted([&] {
    const interchange::ImportedNetwork network = interchange::import_network(std::string(text), "fuzz");
    require(network.topology.empty() != network.text.empty(), "imported: neither or both of a family and a file");
    if (!network.topology.empty()) require(parse_topology(network.topology)->ranks() >= 1, "imported: no ranks");
    if (!network.text.empty()) topology::check(topology::parse_network(network.text, "made.net"), "imported");
  });
}

/// A rules file of an MPI: what is said of it can be shown.
inline bool rules(std::string_view text) {
  return accepted([&] {
    const incumbents::Explained said = incumbents::explain(std::string(text));
    for (const std::string& line : said.remarks) require(printable(line), "rules: an unprintable remark");
    if (!said.mistakes.empty()) throw Error(Error::Kind::format, said.mistakes.front());
  });
}

/// The simplest algorithm that can run a collective of a trace.
inline SchedulePtr some_schedule(const interchange::CalledCollective& call) {
  if (call.ranks > 16 || call.bytes > (1 << 20) || !call.counts.empty())
    throw Error(Error::Kind::budget, "more than is tried here");
  Spec spec{.collective = call.collective, .topology = parse_topology("crossbar:" + std::to_string(call.ranks))};
  spec.bytes = call.bytes, spec.root = call.root, spec.element = call.element;
  spec = checked(spec);
  const Machine machine = load_machine("unit");
  for (const Algorithm& a : algorithms())
    if (a.collective == call.collective && a.illegal(spec, machine, {}).empty())
      return build(spec, machine, {&a, a.variants(spec, machine).front()}).schedule;
  throw Error(Error::Kind::illegal, "no algorithm");
}

/// An application's trace: what is read ends, or somebody waits for ever.
inline bool application(std::string_view text) {
  return accepted([&] {
    const interchange::Application read = interchange::read_application(text, "fuzz", {.schedule_of = some_schedule});
    const TopologyPtr network = parse_topology("crossbar:" + std::to_string(std::min<Rank>(read.ranks, 64)));
    const auto line = simulator::replay(read, network, load_machine("unit"), {.network = Network::fluid}).line;
    require(line.messages == read.messages && line.makespan >= 0, "application: not all was played");
  });
}

}  // namespace quadrille::fuzz
