// What happens when: a schedule played message by message on a network whose links and ports are busy while they are
// used.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/order.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille {

class Observer;  // quadrille/timeline.hpp

/// What messages wait for, besides their ranks' ports.
enum class Network {
  free,               ///< nothing: every message has the network to itself
  store_and_forward,  ///< a whole message crosses one link after the other; first come, first served at each
  cut_through,        ///< the head goes on as soon as the next link is free, the rest follows; links serve in order
  circuit,            ///< all links of the way at once, taken one after the other and kept to the end
  wormhole,           ///< all links of the way and both ports at once; alpha is spent at both ends, one by one
  fluid,              ///< nothing: messages that share links or ports share their bandwidth, max-min fairly
  fluid_latency       ///< nothing: so, but a message's share is in inverse proportion to its latency, as TCP's
};
/// Whether messages on a link are on it side by side.
constexpr bool is_fluid(Network network) { return network == Network::fluid || network == Network::fluid_latency; }

/// What is wrong with a network, or not sure.
struct Faults {
  std::vector<std::pair<Link, double>> slow = {};  ///< a byte takes so many times as long there, >= 1
  std::vector<Link> failed = {};                   ///< whose route needs one of them cannot be sent: Error(illegal)
  double jitter =
      0;  ///< start-up and bytes (wormhole: bytes) of each message take up to this share longer, evenly spread
  Seconds skew = 0;  ///< each rank begins up to this late, evenly spread
  std::uint64_t seed = 1;
  bool none() const { return slow.empty() && failed.empty() && jitter == 0 && skew == 0; }
};

struct SimulateOptions {
  Order order = Order::dataflow;
  Network network = Network::cut_through;
  /// The simulation stops once time passes it: enough to know that a schedule takes longer.
  Seconds deadline = std::numeric_limits<Seconds>::infinity();
  /// Of the fluid network, 0 to 0.1: rates are left as they are while what a link carries is off by less than this part
  /// of its bandwidth, and a message may end sooner by this part of its duration. 0 is exact; 0.001 is many times
  /// faster where a hundred thousand messages of different sizes flow at once.
  double tolerance = 0;
  /// If any, is told now and then how far it is. Order eager lays out all messages first, with `now` at 0.
  std::function<void(Seconds now, std::int64_t messages)> progress = {};
  Faults faults = {};
  Observer* observer = nullptr;  ///< if any, is told everything; the run then takes some times as long
};

struct Timeline {
  Seconds makespan = 0;  ///< when the last rank is done; of an incomplete run: a time that is surely less than that
  bool complete = true;  ///< not stopped at the deadline
  std::int64_t messages = 0;
  std::int64_t hops = 0;    ///< links crossed by all messages
  std::int64_t events = 0;  ///< that the simulation took
  Seconds queued = 0;       ///< time that messages waited for ports and links, added up
};

/// Throws Error(budget) for more ranks or links than the simulator can number, or more messages or blocks than order
/// eager can lay out; Error(illegal) naming who waits for whom when the schedule never ends.
Timeline simulate(const Spec& spec, const Machine& machine, const Schedule& schedule,
                  const SimulateOptions& options = {});

/// The usual one first.
const std::vector<Order>& simulated_orders();
std::string_view to_string(Order);
std::string_view to_string(Network);

}  // namespace quadrille
