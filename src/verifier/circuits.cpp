#include "verifier/circuits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/division.hpp"

namespace quadrille::verifier {

CircuitRound::CircuitRound(const Spec& spec, const Machine& machine, schedule::Meter& meter)
    : topology_(*spec.topology),
      meter_(meter),
      half_(machine.duplex != Duplex::full),
      one_port_(machine.ports == Ports::one) {}

CircuitRound::Index CircuitRound::number(Link link) {
  if (half_) link = std::min(link, topology_.reverse(link));
  const auto [found, fresh] = numbers_.try_emplace(link, static_cast<Index>(names_.size()));
  if (fresh) names_.push_back(link), uses_.emplace_back();
  return found->second;
}

/// Ways of a message that is divided are circuits of their own.
void CircuitRound::add(Rank from, Rank to, Bytes bytes) {
  const auto ways = bytes > 0 ? topology_.divided(from, to).size() : 0;
  for (std::size_t way = 0; way < std::max<std::size_t>(1, ways); ++way)
    add_way(from, to, static_cast<std::uint32_t>(way));
}

void CircuitRound::add_way(Rank from, Rank to, std::uint32_t way) {
  path_.clear();
  topology::add_way(topology_, from, to, way, path_);
  meter_.spend(16 * static_cast<std::int64_t>(path_.size()));
  const auto message = static_cast<Index>(messages_.size());
  const auto first = static_cast<Index>(links_.size());
  for (const Link l : path_) {
    const Index n = number(l);
    uses_[n].push_back({message, static_cast<Index>(links_.size()) - first});
    links_.push_back(n);
  }
  messages_.push_back({from, to, first, static_cast<Index>(links_.size())});
}

void CircuitRound::peel() {
  core_.assign(names_.size(), true);
  std::vector<std::int64_t> in(names_.size(), 0), out(names_.size(), 0);
  for (const Message& m : messages_)
    for (Index i = m.first; i + 1 < m.last; ++i) ++out[links_[i]], ++in[links_[i + 1]];
  std::vector<Index> bare;
  const auto drop = [&](Index l) {
    if (core_[l] && (in[l] == 0 || out[l] == 0)) core_[l] = false, bare.push_back(l);
  };
  for (Index l = 0; l < names_.size(); ++l) drop(l);
  while (!bare.empty()) {
    const Index l = bare.back();
    bare.pop_back();
    for (const Use& u : uses_[l]) {
      const Message& m = messages_[u.message];
      const Index i = m.first + u.at;
      if (i > m.first && core_[links_[i - 1]]) --out[links_[i - 1]], drop(links_[i - 1]);
      if (i + 1 < m.last && core_[links_[i + 1]]) --in[links_[i + 1]], drop(links_[i + 1]);
    }
  }
}

bool CircuitRound::holds(const Waiting& w, Index link) const {
  const auto begin = links_.begin() + messages_[w.message].first;
  return std::find(begin, begin + w.waits, link) != begin + w.waits;
}

/// Whether the message can hold what it does beside those of the chain.
bool CircuitRound::apart(const Waiting& w) const {
  const Message& m = messages_[w.message];
  return std::none_of(chain_.begin(), chain_.end(), [&](const Waiting& other) {
    if (one_port_ && messages_[other.message].from == m.from) return true;
    for (Index i = 0; i < w.waits; ++i)
      if (holds(other, links_[m.first + i])) return true;
    return other.message == w.message;
  });
}

/// Goes on from the last of the chain to whoever may hold what it waits for, until the first one does.
bool CircuitRound::extend() {
  const Index wanted = link(chain_.back());
  if (chain_.size() > 1 && holds(chain_.front(), wanted)) return true;
  for (const Use& u : uses_[wanted])
    for (Index waits = u.at + 1; waits < length(u.message); ++waits) {
      meter_.spend(static_cast<std::int64_t>(chain_.size()) + waits);
      const Waiting next{u.message, waits};
      if (!core_[links_[messages_[u.message].first + waits]] || !apart(next)) continue;
      chain_.push_back(next);
      if (extend()) return true;
      chain_.pop_back();
    }
  return false;
}

std::optional<Counterexample> CircuitRound::circle(Round t) {
  peel();
  for (Index m = 0; m < messages_.size(); ++m)
    for (Index waits = 1; waits < length(m); ++waits) {
      if (!core_[links_[messages_[m].first + waits]]) continue;
      chain_.assign(1, {m, waits});
      if (extend()) return describe(t);
    }
  return {};
}

Counterexample CircuitRound::describe(Round t) const {
  constexpr std::size_t most = 6;
  const auto name = [&](Index l) { return topology_.name(names_[l]); };
  std::string text;
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    const std::size_t left = chain_.size() - i;
    if (i + 1 >= most && left > 1) {
      text += fmt::format("; and so on round the circle over {} more messages", left - 1);
      i = chain_.size() - 1;
    }
    const Message& m = messages_[chain_[i].message];
    const Index held = links_[m.first + chain_[i].waits - 1];
    text += fmt::format("{}the message {}->{} holds {} {} and waits for {}", i == 0 ? "" : "; ", m.from, m.to,
                        half_ ? "wire" : "link", name(held), name(link(chain_[i])));
  }
  return {Counterexample::Kind::circuits, t, messages_[chain_.front().message].from,
          text + ", which the first one holds: circuits that wait for each other in a circle never end"};
}

}  // namespace quadrille::verifier
