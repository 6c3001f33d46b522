// What a machine charges and allows: everything the five source papers price, in SI units.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille {

enum class Ports { one, all };                ///< messages a rank may send (and receive) at once: one, or one per link
enum class Duplex { half, full, node_half };  ///< both directions of a wire at once? node_half: a node reads or writes
enum class Switching { store_and_forward, circuit, wormhole };  ///< only neighbours talk, or messages cross nodes
enum class CircuitCost { average, exact };  ///< per hop: half the diameter for every message, or the hops crossed
enum class Honesty { text, elsewhere, recalled, measured, unit };  ///< where a constant comes from

/// What links of one kind cost where that is not what the machine's other constants say; less than 0: as they say.
struct LinkCost {
  std::string kind;     ///< one of Topology::kinds()
  Seconds alpha = -1;   ///< start-up of a message whose links are all of kinds with such; the longest counts
  double beta = -1;     ///< seconds per byte on a link of width 1
  Seconds latency = 0;  ///< beside per_hop, for each link crossed
  bool operator==(const LinkCost&) const = default;
};

/// T(message of m bytes over h hops) = overhead_send + alpha + per_hop * h + beta * m + overhead_receive, in seconds.
/// Overheads are the ranks' processors' (o of LogP): one message after the other, whatever the ports. Without them
/// alpha is the start-up of the source papers: it keeps one port busy, at both ends. With them it is latency, which
/// many messages of a rank pass at once.
struct Machine {
  std::string name = "unit";
  std::string description;
  Seconds alpha = 1;                                ///< start-up of one message
  Seconds overhead_send = 0, overhead_receive = 0;  ///< of a rank's processor, for each message it sends, receives
  Seconds per_hop = 0;                              ///< set-up of a circuit, per link crossed
  double beta = 1;                                  ///< seconds per byte on a wire
  double gamma = 0;                                 ///< seconds per byte of local reduction
  double rho = 0;                                   ///< seconds per byte of local permutation
  Seconds barrier = 0;                              ///< barrier of all ranks, constant part
  Seconds barrier_log2 = 0;                         ///< ... plus this times ceil(log2 ranks)
  Seconds burst = 0;  ///< wire time that a link saves up while it is idle, and lets through at once; simulated only
  /// Where there are overheads: shorter messages are buffered, as MPIs do it. They are done at their sender once its
  /// processor has handed them over, and cost their receiver its overhead. Longer ones are done when their bytes have
  /// left, and go straight to their place. Only simulations tell them apart; prices charge overheads for all.
  Bytes eager_limit = 16384;
  Ports ports = Ports::all;
  Duplex duplex = Duplex::full;
  Switching switching = Switching::store_and_forward;
  CircuitCost circuit = CircuitCost::average;
  bool multicast = false;   ///< the same data to several neighbours counts as one message at the sender's port
  std::int64_t shared = 1;  ///< k*: accesses a bus or shared memory serves at once

  std::vector<LinkCost> links;  ///< of kinds that differ; those that a network does not have do not matter

  bool has_overhead() const { return overhead_send > 0 || overhead_receive > 0; }
  /// Whether alpha keeps a rank's port busy, so that its messages' start-ups follow one another.
  bool startup_in_port() const { return ports == Ports::one && !has_overhead(); }

  struct Origin {  ///< where a constant comes from
    std::string key, source;
    Honesty honesty;
  };
  std::vector<Origin> origins;  ///< one per constant read from a file, in file order
};

/// A preset name ("ipsc860") or a path to a TOML file. Errors name the file, the key and what is accepted.
Machine load_machine(const std::string& name_or_path);
/// The same from text; `where` names it in errors.
Machine parse_machine(std::string_view toml, const std::string& where);
/// "alpha=2.5e-6", "ports=one"; throws Error(argument) naming the known keys.
void set_parameter(Machine& machine, std::string_view assignment);
/// TOML that parse_machine reads back to the same machine.
std::string to_text(const Machine& machine);
/// Names of the built-in presets, sorted.
std::vector<std::string> machine_presets();
/// Throws Error(argument) when a constant is negative or not finite, or k* < 1.
void check(const Machine& machine);

std::string_view to_string(Ports);
std::string_view to_string(Duplex);
std::string_view to_string(Switching);
std::string_view to_string(CircuitCost);
std::string_view to_string(Honesty);

}  // namespace quadrille
