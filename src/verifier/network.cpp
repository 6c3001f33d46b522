#include "verifier/network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "traffic/bundles.hpp"
#include "traffic/traffic.hpp"
#include "verifier/circuits.hpp"

namespace quadrille::verifier {

namespace {

using What = Counterexample::Kind;
using Found = std::optional<Counterexample>;

class NetworkCheck {
 public:
  NetworkCheck(const Spec& spec, const Machine& machine, const Schedule& schedule, const Claims& claims,
               const VerifyBudget& budget, schedule::Meter& meter)
      : spec_(spec),
        machine_(machine),
        schedule_(schedule),
        claims_(claims),
        budget_(budget),
        meter_(meter),
        counter_(spec, machine, schedule, budget.use_symmetry, &meter),
        bundler_(spec, machine, schedule) {}

  NetworkProof run() {
    NetworkProof proof;
    for (Round t = 0; t < schedule_.shape().rounds && !proof.wrong; ++t) {
      const traffic::RoundLoads loads = counter_.round(t, [&](Rank r, const std::vector<Summary::Message>& messages) {
        proof.wrong = check_ports(t, r, messages);
        return !proof.wrong;
      });
      if (proof.wrong) break;
      proof.rounds += loads.messages > 0;
      proof.messages += loads.messages;
      proof.link_messages =
          std::max(proof.link_messages, machine_.duplex == Duplex::full ? loads.link_messages : loads.wire_messages);
      proof.wrong = check_links(t, loads);
      if (!proof.wrong) proof.wrong = check_circuits(t, loads);
      if (budget_.progress)  // the second half of a proof
        budget_.progress((1 + static_cast<double>(t + 1) / static_cast<double>(schedule_.shape().rounds)) / 2);
    }
    return proof;
  }

 private:
  Found check_ports(Round t, Rank r, const std::vector<Summary::Message>& messages) {
    if (r >= spec_.ranks()) return {};  // what a shared memory serves is up to the medium
    Rank to = -1, from = -1;
    std::int64_t sends = 0, receives = 0;
    const bool heard_by_all = spec_.topology->shared_medium();
    for (const Summary::Message& m : messages) {
      if (m.peer == r) continue;
      const bool sending = m.kind == Kind::send;
      if (spec_.topology->nodes() > spec_.ranks() && m.peer < spec_.ranks())
        return Counterexample{What::adjacency, t, r,
                              fmt::format("rank {} {} rank {}, and on {} all goes through the memory", r,
                                          sending ? "sends to" : "receives from", m.peer, spec_.topology->text()),
                              sending ? std::pair(r, m.peer) : std::pair(m.peer, r)};
      if (sending && machine_.switching == Switching::store_and_forward && !spec_.topology->adjacent(r, m.peer))
        return Counterexample{
            What::adjacency, t, r,
            fmt::format("rank {} sends to rank {}, {} links away, and the machine stores and forwards", r, m.peer,
                        spec_.topology->distance(r, m.peer)),
            std::pair(r, m.peer)};
      const bool as_one = sending && sends > 0 &&
                          (heard_by_all || (machine_.multicast && traffic::same_data(schedule_, t, r, to, m.peer)));
      if (!as_one) ++(sending ? sends : receives);
      if (machine_.ports == Ports::one && (sending ? sends : receives) > 1 && claims_.port_free)
        return Counterexample{
            What::ports, t, r,
            sending
                ? fmt::format("rank {} sends to ranks {} and {} at once, and it has one port", r, to, m.peer)
                : fmt::format("rank {} receives from ranks {} and {} at once, and it has one port", r, from, m.peer),
            sending ? std::pair(r, m.peer) : std::pair(m.peer, r)};
      (sending ? to : from) = m.peer;
    }
    if (machine_.ports == Ports::all && claims_.port_free && std::max(sends, receives) > spec_.topology->degree())
      return Counterexample{
          What::ports, t, r,
          fmt::format("rank {} {} {} messages at once, and it has {} links", r, sends > receives ? "sends" : "receives",
                      std::max(sends, receives), spec_.topology->degree())};
    const bool either =
        machine_.duplex == Duplex::node_half || (machine_.duplex == Duplex::half && machine_.ports == Ports::one);
    if (either && sends > 0 && receives > 0)
      return Counterexample{What::duplex, t, r,
                            fmt::format("rank {} sends to rank {} and receives from rank {} at once, and a "
                                        "rank of this machine does one or the other",
                                        r, to, from),
                            std::pair(r, to)};
    return {};
  }

  Found check_links(Round t, const traffic::RoundLoads& loads) const {
    const Topology& topology = *spec_.topology;
    if (topology.shared_medium()) return claims_.contention_free ? check_medium(t, loads) : Found{};
    if (claims_.contention_free && loads.link_messages > 1)
      return Counterexample{What::contention, t, topology.tail(loads.link),
                            fmt::format("{} messages cross link {} in one round, and the algorithm promises one",
                                        loads.link_messages, topology.name(loads.link))};
    const bool shared = machine_.duplex != Duplex::full && topology.direct() && loads.wire_messages > 1;
    if (shared && (claims_.contention_free || machine_.switching == Switching::store_and_forward))
      return Counterexample{What::duplex, t, topology.tail(loads.wire),
                            fmt::format("the half-duplex wire {} carries {} messages in one round",
                                        topology.name(loads.wire), loads.wire_messages)};
    return {};
  }

  /// Where no two messages of a round want the same link none of them waits for one.
  Found check_circuits(Round t, const traffic::RoundLoads& loads) {
    const std::int64_t most = machine_.duplex == Duplex::full ? loads.link_messages : loads.wire_messages;
    if (machine_.switching != Switching::circuit || spec_.topology->shared_medium() || most < 2) return {};
    CircuitRound round(spec_, machine_, meter_);
    for (Rank r = 0; r < spec_.topology->nodes(); ++r)
      bundler_.each(t, r, summary_.of(schedule_, t, r), [&](std::span<const Rank> peers, Bytes bytes) {
        for (const Rank peer : peers) round.add(r, peer, peers.size() == 1 ? bytes : 0);  // several hear it on one way
      });
    return round.circle(t);
  }

  Found check_medium(Round t, const traffic::RoundLoads& loads) const {
    const std::int64_t most = loads.heard_by_many ? 1 : machine_.shared;
    if (loads.transactions <= most) return {};
    return Counterexample{
        What::contention, t, 0,
        fmt::format("{} transactions in one round, and the medium serves {}", loads.transactions,
                    loads.heard_by_many ? "one alone when several ranks hear it" : fmt::format("{} at once", most))};
  }

  const Spec& spec_;
  const Machine& machine_;
  const Schedule& schedule_;
  const Claims& claims_;
  const VerifyBudget& budget_;
  schedule::Meter& meter_;
  traffic::TrafficCounter counter_;
  traffic::Bundler bundler_;
  Summary summary_;
};

}  // namespace

NetworkProof check_network(const Spec& spec, const Machine& machine, const Schedule& schedule, const Claims& claims,
                           const VerifyBudget& budget, schedule::Meter& meter) {
  return NetworkCheck(spec, machine, schedule::Metered(schedule, meter), claims, budget, meter).run();
}

}  // namespace quadrille::verifier
