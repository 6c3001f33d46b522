// A lab that exists: made, looked at, changed and removed. What it is made of is in its folder before it is made, so
// that whatever happens, `down` can remove it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "blueprint.hpp"

namespace quadrille::lab {

struct Lab {
  std::filesystem::path folder;  ///< lab.json, hosts, names, topology, rsh
  std::string prefix;            ///< of all its namespaces
  bool finished = false;         ///< false: an `up` is at work, or died at it
  Blueprint blueprint;

  std::string hosts_file() const { return folder / "hosts"; }  ///< one name a line, as mpirun reads them
  std::string names_file() const { return folder / "names"; }  ///< as /etc/hosts
  /// The topology of what has not failed, in a line: what programs that plan look at.
  std::string topology_file() const { return folder / "topology"; }
  std::string rsh() const { return folder / "rsh"; }  ///< this program, as the agent that mpirun starts others by
};

/// /run/quadrille-lab/NAME; letters, digits, '-' and '_' only, or Error(argument).
std::filesystem::path folder_of(const std::string& name);

/// Makes the network; when anything fails, what was made is removed before the error is passed on.
Lab up(const std::filesystem::path& folder, const Wiring& wiring, const Options& options);
/// Removes the lab and what an unfinished one left. Processes in it are ended. Returns the namespaces removed; throws
/// Error(illegal) when there is no lab.
std::vector<std::string> down(const std::filesystem::path& folder);
/// The lab in this folder; nothing when there is none.
std::optional<Lab> find(const std::filesystem::path& folder);
/// The same; throws Error(illegal) when there is none that is finished.
Lab open(const std::filesystem::path& folder);
/// Labs under /run/quadrille-lab.
std::vector<std::string> names();

/// Changes the rate of the wires between two nodes, both ways. Throws Error(argument) where there is none.
void set_rate(Lab& lab, int a, int b, Rate rate);

/// A wire by the names of its nodes: "0-1", "s0-s1#2" for the second of several; without a number all of them. Throws
/// Error(argument).
std::set<int> wires_named(const Blueprint& blueprint, std::string_view text);
/// Nothing passes these wires any more, and what waits at them is lost. Routes lead around all that has failed, as
/// those of the topology of what is left do; or, with `keep_routes`, stay as they are. Throws Error(illegal), and
/// changes nothing, where routes would be needed that there are not.
void fail(Lab& lab, const std::set<int>& wires, bool keep_routes);
/// They carry messages again.
void restore(Lab& lab, const std::set<int>& wires);

/// What has gone through one direction of a wire, or through the bus.
struct Traffic {
  std::string link;  ///< "0->1", "the bus"
  Rate rate = 0;
  std::int64_t bytes = 0, packets = 0, drops = 0, queued = 0;  ///< queued: bytes that wait now
  bool failed = false;
};
std::vector<Traffic> traffic(const Lab& lab);

}  // namespace quadrille::lab
