// The planner: every legal algorithm with every sensible parameter, priced or simulated, ranked and explained.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/price.hpp"
#include "quadrille/run.hpp"
#include "quadrille/simulate.hpp"

namespace quadrille {

class Wisdom;

/// By which clock candidates are ranked, the cheapest first. Every clock ranks the same candidates.
enum class Effort {
  estimate,  ///< by price alone: closed forms
  simulate,  ///< by playing them on the network, cheapest first, as far as they can still win
  measure    ///< by performing the best few of those in turns, where they are to run: medians
};

/// What the clock of an effort beyond estimate said of a candidate.
struct Timing {
  enum class How {
    none,       ///< it was not asked
    timed,      ///< it takes `time`
    stopped,    ///< given up at `time`, when it could not win any more
    hopeless,   ///< not begun: it takes at least `time`, and another takes no longer
    too_large,  ///< more messages than allowed: the price is all that is known
    impossible  ///< it never ends, and `why` says who waits for whom
  };
  How how = How::none;
  Seconds time = 0;
  std::string why = {};
  Order order = Order::dataflow;  ///< in which it was simulated
};

/// What is known of whether a candidate does its work, and at its price.
struct Assurance {
  enum class How {
    none,       ///< nobody asked
    proven,     ///< every rank ends with what it must have, and nobody waits for ever
    too_large,  ///< not decided: the proof takes more than `visits`
    stops,      ///< it does its work, but not here: messages that hold their links may wait for each other in a circle
    wrong       ///< the algorithm has a mistake: its schedule fails the proof, or its price is not what is counted
  };
  How how = How::none;
  std::int64_t visits = 0;  ///< that the proof might take
  bool counted = false;     ///< the closed form equals the count, message by message
  std::string why = {};     ///< what fails, of what stops or is wrong
  std::string result = {};  ///< proven reductions: what results are made of
  bool fails() const { return how == How::stops || how == How::wrong; }
};

struct Candidate {
  const Algorithm* algorithm = nullptr;
  Params params;
  Cost cost;
  Seconds time = 0;      ///< the price
  bool exact = true;     ///< the closed form equals the counted price
  Timing timing = {};    ///< simulated
  Timing measured = {};  ///< timed or none
  Assurance assurance = {};
  /// The best that is known of how long it takes: what was measured, else what was simulated, else the price.
  Seconds known() const {
    return measured.how == Timing::How::timed ? measured.time : timing.how == Timing::How::timed ? timing.time : time;
  }
};

struct Refusal {
  const Algorithm* algorithm = nullptr;
  std::string reason;
  bool undecided = false;  ///< it may run: to find out takes more work than a plan does
};

/// A candidate that was left out because its algorithm has a mistake: ours, and to be reported.
struct Mistake {
  const Algorithm* algorithm = nullptr;
  Params params;
  std::string why;
};

struct PlanOptions {
  Effort effort = Effort::estimate;
  /// Of simulations. Default usual_order(); where ranks' processors take time for messages, each candidate is played in
  /// the order of data and in that of rounds, and executors' choice of both counts.
  std::optional<Order> order = {};
  std::optional<Network> network = {};            ///< of simulations; default usual_network()
  std::int64_t messages = std::int64_t{1} << 24;  ///< that simulations may play in all; some seconds
  /// Of simulations: only what is priced at up to so many times the cheapest is played, and up to so many times the
  /// best; times within a simulation's error are alike then, and the price decides. Without it the fastest of all is
  /// found.
  std::optional<double> within = {};
  std::size_t cheapest = std::numeric_limits<std::size_t>::max();  ///< of simulations: so many of the lowest price
  std::function<void(const Candidate&)> begun = {};  ///< if any, is told which candidate is about to be timed
  /// Of Effort::measure: performs a schedule where it is to run, all ranks of it together; default run_threads().
  std::function<RunResult(const Built&, const RunOptions&)> run = {};
  std::string place = "threads";   ///< what that runs on, one of measured_places()
  Seconds seconds = 10;            ///< after which no further turn of measurements is begun
  const Wisdom* wisdom = nullptr;  ///< answers of earlier plans; one that is proven again is taken
  /// Of VerifyBudget: the proof of what is recommended, or measured, may take so many; 2^20 are some ten milliseconds.
  /// What fails is left out. 0: nothing is proven.
  std::int64_t proof = std::int64_t{1} << 20;
  /// A first answer: no schedules are searched for, and what takes long to count is left out, unless nothing else can
  /// run. The best of all may be among what is left out.
  bool quick = false;
  const std::vector<Algorithm>* algorithms = nullptr;  ///< to choose from; default all there are
};

struct Plan {
  Spec spec;
  Machine machine;
  /// Best first: every variant that was priced. Those whose time is known by the clock, or by nothing but their price,
  /// come before those that the clock gave up; ties by price, then fewer start-ups, then name.
  std::vector<Candidate> candidates;
  std::vector<Refusal> refused;
  std::vector<Mistake> mistakes;  ///< found by proofs; all candidates of these algorithms are left out
  Bound bound;                    ///< of prices; beyond Effort::estimate of simulated times
  Effort effort = Effort::estimate;
  Order order = Order::dataflow;
  Network network = Network::cut_through;                ///< that simulations were played on
  std::string place = {};                                ///< where candidates were measured; empty: nowhere
  bool recalled = false;                                 ///< the best one and its time are from wisdom
  std::string not_recalled = {};                         ///< why wisdom has no answer, or one that cannot be used
  bool possible() const { return !candidates.empty(); }  ///< the others below ask for a best candidate
  /// Nothing is proposed, but something that was left out may run.
  bool undecided() const {
    return !possible() && std::any_of(refused.begin(), refused.end(), [](const Refusal& r) { return r.undecided; });
  }
  const Candidate& best() const { return candidates.front(); }
  double gap() const { return bound.time > 0 ? best().known() / bound.time : 1; }
  /// The best candidate of another algorithm, if any.
  const Candidate* runner_up() const;
};

/// When no algorithm is legal there are no candidates, and `refused` says why.
Plan plan(const Spec& spec, const Machine& machine, const PlanOptions& options = {});

/// How to choose what is performed at once, in milliseconds, or up to a second where levels are tried: by price, except
/// where prices do not know what links do (burst) or what ranks do meanwhile (overheads). There candidates that are
/// priced near the cheapest, without a burst 16 at most, are played as they are going to be performed; on machines with
/// overheads in the order that executors take.
PlanOptions to_perform(const Machine& machine);

/// In which order executors send what a choice sends, and how that was found.
struct Sending {
  Order order = Order::eager;  ///< or dataflow: a rank's messages of later rounds wait for those of earlier ones
  Network network = Network::cut_through;  ///< that both were played on
  Timing eager = {}, dataflow = {};        ///< stopped: it takes longer than what was chosen
};

/// The order of data, unless that of rounds is more than 2 % faster: where messages of later rounds would take the
/// links that others wait for. On machines with overheads rounds win ties, too. Both are simulated, as far as
/// `messages` allow; what is larger is sent in the order of data, but by rounds where these were searched for
/// [decision 52]. Without `network`: on network_to_perform(). The same question has the same answer everywhere.
Sending order_to_perform(const Spec& spec, const Machine& machine, const Choice& choice,
                         std::optional<Network> network = {}, std::int64_t messages = std::int64_t{1} << 14);
/// Fluid where switches pass messages on piece by piece: there those that meet share the link. Else usual_network().
Network network_to_perform(const Machine& machine, const Topology& topology);

/// Eager, as executors do it, where prices do not know what links do (burst), else dataflow.
Order usual_order(const Machine& machine);
/// The network that switches as the machine does: store-and-forward between ranks that are wired to each other,
/// circuit, else cut-through; a medium that all share has no circuits. Fluid where ranks share nodes, whose messages
/// share the node's links.
Network usual_network(const Machine& machine, const Topology& topology);
/// All there are, the simplest first.
const std::vector<Network>& simulated_networks();

/// A time that no schedule of this collective beats when it is simulated on this network model, in any order. What
/// lower_bound() says of prices need not hold there, as rounds overlap.
Bound limit(const Spec& spec, const Machine& machine, Network network);

/// Where schedules can be measured: "threads", "openmpi", "mpich".
const std::vector<std::string>& measured_places();

/// Plays one candidate, at most until `deadline`. Of `messages`, which may be played, it takes what it needed.
Timing simulated(const Spec& spec, const Machine& machine, const Choice& choice, const SimulateOptions& options,
                 std::int64_t& messages);

/// Proves a choice and compares its price with the count, each within so many visits. Where messages hold links while
/// they wait for more, and that is cheap, it is simulated in that order too, to see that it ends.
Assurance assure(const Spec& spec, const Machine& machine, const Choice& choice, std::int64_t visits, Order order,
                 Network network);
/// In the usual order, on the usual network.
Assurance assure(const Spec& spec, const Machine& machine, const Choice& choice, std::int64_t visits);

std::string_view to_string(Assurance::How);
std::string_view to_string(Effort);
std::string_view to_string(Timing::How);

}  // namespace quadrille
