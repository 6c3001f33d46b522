// The machine at hand, measured: a dozen probes between ranks, what they say of its network, and its constants as
// planners price them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/machine_file.hpp"
#include "quadrille/run.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

/// What was measured, and how sure that is.
struct Sample {
  Bytes bytes = 0;      ///< of one message; what else was handled
  Seconds time = 0;     ///< the least: neither a network nor an idle machine is faster than it is
  double spread = 0;    ///< interquartile range of the repetitions, as a part of their median
  int repetitions = 0;  ///< 0: not told
};
/// Of times in any order, each the duration of `parts` equal parts in a row.
Sample summarised(Bytes bytes, std::vector<Seconds> times, int parts = 1);

/// Half a round trip between two ranks.
struct PairSample {
  Rank a = 0, b = 0;
  Seconds small = 0, large = 0;
};

/// Of n ranks, rank i mod n sends to to[i], at once, and nothing where that is itself. Every rank has as many messages
/// to send, one or two, as it gets.
struct PatternSample {
  std::vector<Rank> to;
  Seconds time = 0;  ///< until all are there
};
/// What tells networks apart by which messages share links: to the k-th next rank, to the rank as far from the last as
/// this is from the first, and some in disorder, the same every time. Of four ranks or more, also to two at once: those
/// beside it, and, of multiples of four, those whose numbers differ in one of the lowest two bits.
std::vector<std::vector<Rank>> patterns(Rank ranks);

/// Measured between neighbours and across the network.
struct Samples {
  using Point = Sample;
  std::vector<Point> one_way;   ///< half a round trip between two neighbours while all others are idle
  std::vector<Point> all_ways;  ///< every rank exchanges with all its neighbours at once
  Point two_way{};              ///< both directions between two neighbours at once
  Point fan{};                  ///< one rank to all its neighbours at once
  Point far{};                  ///< half a round trip between ranks as far apart as they get
  int fan_out = 1;              ///< neighbours of that rank
  int far_hops = 1;             ///< links between those
  // The rest is left out of the constants where it was not measured (bytes, ranks or messages of 0).
  /// Short messages that one rank handles back to back, round after round: how long a round of few takes, and of many.
  struct Crowd {
    int few = 0, many = 0;  ///< messages of a round
    Point of_few{}, of_many{};
  };
  Crowd sent{}, received{};  ///< one rank to as many others; as many others to one
  // Of nodes with several ranks: between two ranks of one, as one_way. One after the other without an answer: from one
  // rank to one of another node, from as many as there are to others of another node, from one of each other node to
  // one.
  std::vector<Point> within{};
  Point alone{}, leaving{}, incast{};
  int leaving_ranks = 0, incast_senders = 0;
  Point permute{};  ///< every rank moves so many bytes in pieces of 256 to places apart
  Point reduce{};   ///< one rank adds so many bytes of doubles to others
  Point barrier{};  ///< of all ranks
  Rank barrier_ranks = 0;
};

/// How many of them say no more than an order of magnitude: their repetitions differ by more than their median.
int uncertain(const Samples& samples);

/// Constants as the planner prices them. Ports and duplex are decided by what the samples are nearer to. Every constant
/// has its source: what was measured, and how much the repetitions differ. Needs two points of one_way and all_ways.
/// Overheads are what a further message of a round takes longer, where that is clearly more than repetitions differ;
/// then alpha is the rest of half a round trip.
Machine fit(const Samples& samples, std::string_view where);
/// Of nodes with several ranks: how many of their messages a node's links carry at once, each as fast as one alone. 1,
/// too, where repetitions differ too much to tell.
std::int64_t rails(const Samples& samples);
/// A fitted machine as a file that says what it was measured on, today.
MachineFile file_of(Machine machine, MeasuredOn measured);

/// What the pairs say of the network between so many ranks.
struct Revealed {
  std::string topology;  ///< that explains their times best: "ring:8"; "crossbar:8" when they are alike
  double explained = 0;  ///< the part of the variance of times that its distances explain, 0 to 1
  std::vector<std::vector<Rank>> groups;  ///< ranks near each other and far from all others; empty when there are none
  std::string text;                       ///< a sentence
};
Revealed revealed(Rank ranks, const std::vector<PairSample>& pairs);
/// The same of pairs that were measured twice: a crossbar unless both say the same. `second` may be cut short, and then
/// says nothing.
Revealed revealed(Rank ranks, const std::vector<PairSample>& first, const std::vector<PairSample>& second);
/// What patterns say of it: the network whose busiest links explain their times best; a crossbar when none does.
Revealed revealed_at_once(Rank ranks, const std::vector<PatternSample>& patterns);
/// The lesser of both times of every pair.
std::vector<PairSample> least(std::vector<PairSample> first, const std::vector<PairSample>& second);

/// Performs a schedule on the ranks at hand, threads or processes. Its times are the same on all of them.
using Perform = std::function<RunResult(const Spec& spec, const Schedule& schedule, const RunOptions& options)>;

struct TuneOptions {
  Rank ranks = 2;                ///< at hand, 2 or more
  TopologyPtr topology = {};     ///< of theirs; null: what the pairs reveal
  std::vector<Rank> nodes = {};  ///< there, of ranks 0, 1, ...; empty: rank r is on node r
  /// Of ranks 0, 1, ...: where each runs, any numbers, equal on one host; empty: that is not known.
  std::vector<std::int64_t> hosts = {};
  Seconds seconds = 20;  ///< about how long it may take; beyond it fewer repetitions and pairs
  Perform perform = {};
  std::function<Seconds()> elapsed = {};             ///< since some start, the same on all ranks
  std::function<void(std::string_view)> begun = {};  ///< if any, is told what is about to be measured
};

struct Tuned {
  Machine machine;
  TopologyPtr topology;
  std::vector<Rank> nodes;  ///< there, of ranks 0, 1, ...; empty: rank r is on node r
  Samples samples;
  std::vector<PairSample> pairs;
  std::vector<PatternSample> patterns;
  Revealed network;
  bool hurried = false;  ///< time was over before all pairs and repetitions were measured
};

/// Measures and fits. Called on all ranks alike; all find the same but for the cost of a reduction, which is each
/// rank's own. Throws Error(argument) for fewer than 2 ranks, or a topology with another number of ranks or with
/// relays.
Tuned tune(const TuneOptions& options, const std::string& where);

}  // namespace quadrille
