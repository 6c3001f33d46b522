// What the fuzz targets and the corpus test do with one hostile text: it either parses, and then its own text form
// parses back to the same, or quadrille::Error says why in one printable line. Anything else is a finding.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "incumbents/explained.hpp"
#include "interchange/application.hpp"
#include "interchange/machines/imported.hpp"
#include "interchange/schedule_file.hpp"
#include "planner/wisdom_line.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/machine_file.hpp"
#include "quadrille/placement.hpp"
#include "quadrille/price.hpp"
#include "quadrille/sources.hpp"
#include "quadrille/topology.hpp"
#include "quadrille/verify.hpp"
#include "quadrille/wisdom.hpp"
#include "report/answers.hpp"
#include "simulator/replay.hpp"
#include "topology/file/build.hpp"
#include "topology/graph/graph.hpp"
#include "topology/hosts/slurm.hpp"

namespace quadrille::fuzz {

/// Thrown for what must not happen: not a quadrille::Error, so that nobody takes it for a refusal.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& what) {
  if (!holds) throw Finding(what);
}

inline bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 32 && c < 127; });
}

/// True when `parse` accepted; a refusal must be a message that can be shown.
template <class Parse>
bool accepted(const Parse& parse) {
  try {
    parse();
    return true;
  } catch (const Error& error) {
    const std::string_view message = error.what();
    require(!message.empty() && message.size() < 16384, "a message of " + std::to_string(message.size()) + " bytes");
    require(printable(message), "an unprintable message: " + base::quoted(message, 500));
    require(error.kind() != Error::Kind::internal, "blames itself: " + std::string(message));
    return false;
  }
}

inline bool topology(std::string_view text) {
  return accepted([&] {
    const TopologyPtr parsed = parse_topology(text);
    const std::string form = parsed->text();
    require(parse_topology(form)->text() == form, "topology: " + base::quoted(text) + " gives " + base::quoted(form));
    require(parsed->ranks() >= 1 && parsed->links() >= 0, "topology: " + base::quoted(text) + " has no ranks");
  });
}

inline bool bytes(std::string_view text) {
  return accepted([&] {
    const Bytes parsed = base::parse_bytes(text);
    require(parsed >= 0 && parsed <= Bytes{1} << 62, "bytes: " + base::quoted(text) + " out of range");
    require(base::parse_bytes(std::to_string(parsed)) == parsed,
            "bytes: " + base::quoted(text) + " does not read back");
    require(!base::format_bytes(parsed).empty(), "bytes: no text");
  });
}

inline bool choice(std::string_view text) {
  return accepted([&] {
    const Choice parsed = parse_choice(text);
    const std::string form = to_text(*parsed.algorithm, parsed.params);
    const Choice again = parse_choice(form);
    require(again.algorithm == parsed.algorithm && again.params == parsed.params,
            "choice: " + base::quoted(text) + " gives " + base::quoted(form));
  });
}

/// A machine's text holds all of it, so equal texts are equal machines.
inline void stable(const Machine& machine, std::string_view text) {
  check(machine);
  const std::string form = to_text(machine);
  require(to_text(parse_machine(form, "again.toml")) == form,
          "machine: " + base::quoted(text, 500) + " gives " + base::quoted(form, 2000));
}

inline bool machine(std::string_view text) {
  return accepted([&] {
    const MachineFile file = parse_machine_file(text, "fuzz.toml");
    stable(file.machine, text);
    const std::string form = to_text(file);
    require(to_text(parse_machine_file(form, "again.toml")) == form,
            "machine file: " + base::quoted(text, 500) + " gives " + base::quoted(form, 2000));
    used_elsewhere(file, {"mpi", "ring:8", 2, 8});
    implausible(file.machine);
  });
}

inline bool parameter(std::string_view text) {
  return accepted([&] {
    Machine changed = load_machine("ipsc860");
    set_parameter(changed, text);
    stable(changed, text);
  });
}

/// A distribution or a list on a small mesh.
inline bool sources(std::string_view text) {
  return accepted([&] {
    const TopologyPtr mesh = parse_topology("mesh:12x10");
    const SourcesPtr parsed = parse_sources(text, *mesh, 100);
    const std::string form = to_text(*parsed, 100);
    const SourcesPtr again = parse_sources(form, *mesh, 100);
    require(again->ranks == parsed->ranks && again->offset == parsed->offset,
            "sources: " + base::quoted(text) + " gives " + base::quoted(form));
    if (text.find('(') == std::string_view::npos) return;
    const Distribution distribution = parse_distribution(text);
    require(parse_distribution(to_text(distribution)) == distribution,
            "distribution: " + base::quoted(text) + " gives " + base::quoted(to_text(distribution)));
  });
}

/// Lines with the header and the last line that belong to them, so that hostile lines get past the checksum.
inline std::string sealed(std::string_view lines) {
  const std::string all = "quadrille wisdom 1\n" + std::string(lines);
  const auto count = std::count(lines.begin(), lines.end(), '\n');
  std::string sum = "0000000000000000";
  std::uint64_t rest = planner::checksum(all);
  for (std::size_t i = 16; i-- > 0; rest /= 16) sum[i] = "0123456789abcdef"[rest % 16];
  return all + "end " + std::to_string(count) + " " + sum + "\n";
}

/// A wisdom file, and the same text as the lines of a file that is whole.
inline bool wisdom(std::string_view text) {
  const auto stable_wisdom = [](const std::string& whole) {
    return accepted([&] {
      const Wisdom parsed = Wisdom::parse(whole, "fuzz.wisdom");
      require(parsed.text() == whole, "wisdom: " + base::quoted(whole, 2000) + " is not as it is written");
      for (const auto& [key, result] : parsed.trials()) {
        require(parsed.find(result.trial) != nullptr, "wisdom: a trial is not found: " + base::quoted(key, 500));
        prove(result, {.visits = 1 << 10});
      }
    });
  };
  const bool as_it_is = stable_wisdom(std::string(text));
  return as_it_is || (!text.empty() && stable_wisdom(sealed(text)));
}

/// Ranks on nodes, as text and as a file.
inline bool placement(std::string_view text) {
  const auto stable_placement = [](const Placement& parsed) {
    if (parsed.hosts.empty())
      require(parse_placement(parsed.text()).nodes == parsed.nodes, "placement: " + base::quoted(parsed.text()));
    else
      accepted([&] { resolved(parsed, std::vector<std::string>(parsed.hosts.size(), parsed.hosts.front())); });
  };
  const bool as_text = accepted([&] { stable_placement(parse_placement(text)); });
  return accepted([&] { stable_placement(parse_placement_file(text, "fuzz.toml")); }) || as_text;
}

/// A job as three of SLURM's variables have it, one a line.
inline bool slurm(std::string_view text) {
  return accepted([&] {
    std::array<std::string, 3> lines;
    for (std::string& line : lines) {
      const auto end = std::min(text.find('\n'), text.size());
      line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    const topology::Hosts hosts = topology::slurm_hosts({lines[0], lines[1], lines[2]});
    require(hosts.ranks() >= hosts.count() && hosts.count() >= 1, "slurm: a job without ranks");
    if (hosts.count() * hosts.most() > 4096) return;  // a network of more takes its time
    const Placement placement = parse_placement(hosts.star());
    require(placement.topology->ranks() == hosts.ranks() && placement.text() == hosts.star(),
            "slurm: " + hosts.star() + " gives " + placement.text());
  });
}

/// A finished answer, and the one question it is about.
inline bool answers(std::string_view text) {
  return accepted([&] {
    const report::FinishedFile file = report::parse_answers(text, "fuzz");
    require(!file.answers.empty(), "answers: none in " + base::quoted(text, 500));
    for (const report::FinishedAnswer& a : file.answers) {
      require(!a.time || (*a.time >= 0 && *a.time < 1e300), "answers: a time of " + base::quoted(text, 500));
      require(a.spec.topology != nullptr && a.spec.bytes >= 0, "answers: no request in " + base::quoted(text, 500));
      require(printable(a.label), "answers: a label");
    }
    if (file.machine) check(*file.machine);
    report::question_of({file}, {}, false);
  });
}

/// A network file in either form.
inline bool network(std::string_view text) {
  const auto reads = [&](const std::string& name) {
    return accepted([&] {
      topology::Network parsed = topology::parse_network(std::string(text), name);
      const std::string hash = topology::fingerprint(parsed);
      require(topology::fingerprint(topology::parse_network(std::string(text), name)) == hash, "network: two hashes");
      const TopologyPtr made = topology::make_graph(std::move(parsed), {"graph", "graph:fuzz", "a network"});
      require(made->ranks() >= 1 && made->vertices() >= made->ranks(), "network: no ranks");
      std::vector<Link> path;
      made->route(0, made->ranks() - 1, path);
      require(path.empty() == (made->ranks() == 1), "network: no route");
    });
  };
  return reads("fuzz.net") + reads("fuzz.toml") > 0;
}

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

struct Entry {
  std::string_view name;
  bool (*run)(std::string_view text);
};
inline constexpr std::array<Entry, 15> entries{{{"topology", topology},
                                                {"bytes", bytes},
                                                {"choice", choice},
                                                {"machine", machine},
                                                {"parameter", parameter},
                                                {"sources", sources},
                                                {"placement", placement},
                                                {"wisdom", wisdom},
                                                {"answers", answers},
                                                {"network", network},
                                                {"schedule", schedule},
                                                {"imported", imported},
                                                {"slurm", slurm},
                                                {"rules", rules},
                                                {"application", application}}};

}  // namespace quadrille::fuzz
