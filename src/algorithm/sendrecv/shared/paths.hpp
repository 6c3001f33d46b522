// One message from rank to rank over one path or over several that share no wire: the paths of each topology, and the
// schedule along them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithm/kit/shares.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::sendrecv {

/// Ranks from the source to the target of a sendrecv, neighbour after neighbour; a function, so that it takes no memory
/// on a large ring.
struct Path {
  std::int64_t length = 0;                     ///< links
  std::function<Rank(std::int64_t)> at;        ///< 0 <= position <= length
  std::function<std::int64_t(Rank)> position;  ///< -1 when the path does not visit the rank
};

/// The path that visits these ranks, each once.
Path path_through(const std::vector<Rank>& ranks);
/// The way the topology itself sends a message.
Path route_path(const Spec& spec);

/// Paths that share no wire, shortest first.
using PathSet = std::vector<Path>;
kit::Lengths lengths_of(const PathSet& paths);
/// The sets of such paths that are known from the source to the target, no two of the same lengths; one of a single
/// path where nothing better is known. Ring: both ways round [Saad & Schultz 1986, sec. 3.1]; hypercube: as many as
/// dimensions [1986, Prop. 3.2]; crossbar of up to 1024 ranks: straight there and by way of every other rank; mesh and
/// torus: see grid_path_sets().
std::vector<PathSet> path_sets(const Spec& spec);
/// What a set must have as little as possible of.
enum class Least { longest, total };
/// The set whose lengths are the parameter "lengths", or without it the one with the least longest path (of those with
/// the least total length), or the other way round.
PathSet chosen_paths(const Spec& spec, const Params& params, Least least);
inline kit::Lengths chosen_lengths(const Spec& spec, const Params& params, Least least) {
  return lengths_of(chosen_paths(spec, params, least));
}
Parameter lengths_parameter();
/// Parameters for every set of paths, with the set's lengths where several are known; sets left out of which no path is
/// shorter than its like in another set, unless it counts where messages meet.
std::vector<Params> path_variants(const Spec& spec, const Machine& machine,
                                  const std::function<Params(const PathSet&)>& best);
/// The same for a single parameter `name`.
std::vector<Params> path_variants(const Spec& spec, const Machine& machine, std::string_view name,
                                  const std::function<std::int64_t(const PathSet&)>& best);
/// Not on paths too long to look for ranks where they meet.
Claims path_claims(const Spec& spec, const Machine&, const Params&);
/// Why a message cannot go over several paths at once here; empty when it can.
std::string needs_paths(const Spec& spec, const Machine& machine, const Params& params);

/// The piece that is packet `index` of path number `path`, or -1 when the path has no such packet.
using Deal = std::function<Slot(std::size_t path, std::int64_t index)>;
/// Packet i of every path enters its h-th link in round i * interval + h, counted from 1; relays keep packets in tmp.
SchedulePtr path_schedule(const Spec& spec, std::vector<Path> paths, Deal deal, Round rounds, const Cut& cut,
                          Round interval = 1);

}  // namespace quadrille::algorithm::sendrecv
