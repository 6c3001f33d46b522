// What the fuzz targets and the corpus test do with one hostile text: it either parses, and then its own text form
// parses back to the same, or quadrille::Error says why in one printable line. Anything else is a finding.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "fuzz/foreign_entries.hpp"
#include "planner/wisdom_line.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/demands.hpp"
#include "quadrille/machine_file.hpp"
#include "quadrille/placement.hpp"
#include "quadrille/sources.hpp"
#include "quadrille/topology.hpp"
#include "quadrille/wisdom.hpp"
#include "report/answers.hpp"
#include "topology/file/build.hpp"
#include "topology/graph/graph.hpp"
#include "topology/hosts/slurm.hpp"

namespace quadrille::fuzz {

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

/// Pairs or a pattern on a small mesh; a matrix of four ranks.
inline bool demands(std::string_view text) {
  const bool parsed = accepted([&] {
    const TopologyPtr mesh = parse_topology("mesh:12x10");
    const DemandsPtr found = parse_demands(text, *mesh, 100);
    const std::string form = to_text(*found, 100);
    require(parse_demands(form, *mesh, 100)->pairs == found->pairs,
            "demands: " + base::quoted(text) + " gives " + base::quoted(form));
    const Spec spec = checked({.collective = Collective::alltoallv, .topology = mesh, .demands = found});
    for (Rank r = 0; r < spec.ranks(); ++r)
      require(buffer_bytes(spec, Buffer::in, r) >= 0 && buffer_bytes(spec, Buffer::out, r) >= 0, "demands: bytes");
  });
  return accepted([&] { read_demands(text, 4); }) || parsed;
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

struct Entry {
  std::string_view name;
  bool (*run)(std::string_view text);
};
inline constexpr std::array<Entry, 16> entries{{{"topology", topology},
                                                {"bytes", bytes},
                                                {"choice", choice},
                                                {"machine", machine},
                                                {"parameter", parameter},
                                                {"sources", sources},
                                                {"demands", demands},
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
