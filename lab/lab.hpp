// A lab that exists: made, looked at, changed and removed. What it is made of is in its folder before it is made, so
// that whatever happens, `down` can remove it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "blueprint.hpp"

namespace quadrille::lab {

struct Lab {
  std::filesystem::path folder;  ///< lab.json, hosts, names, rsh
  std::string prefix;            ///< of all its namespaces
  bool finished = false;         ///< false: an `up` is at work, or died at it
  Blueprint blueprint;

  std::string hosts_file() const { return folder / "hosts"; }  ///< one name a line, as mpirun reads them
  std::string names_file() const { return folder / "names"; }  ///< as /etc/hosts
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

/// Changes the rate of the wire between two nodes, both ways.
void set_rate(Lab& lab, int a, int b, Rate rate);

/// What has gone through one direction of a wire, or through the bus.
struct Traffic {
  std::string link;  ///< "0->1", "the bus"
  Rate rate = 0;
  std::int64_t bytes = 0, packets = 0, drops = 0, queued = 0;  ///< queued: bytes that wait now
};
std::vector<Traffic> traffic(const Lab& lab);

}  // namespace quadrille::lab
