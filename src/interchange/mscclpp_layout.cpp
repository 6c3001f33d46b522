#include "interchange/mscclpp_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interchange/mscclpp_rank.hpp"

namespace quadrille::interchange {

namespace {

/// Lists every rank's operations, round after round.
class PlanPlacing {
 public:
  PlanPlacing(const Written& w, Slot most)
      : w_(w),
        most_(most),
        places_(w, "MSCCL++"),
        kinds_(w.spec.topology->kinds()),
        ranks_(static_cast<std::size_t>(w.spec.ranks())) {}

  void lay_out() {
    for (Rank r = 0; r < w_.spec.ranks(); ++r)
      if (const auto own = places_.own(r)) copy_own(*own, r);
    if (w_.spec.ranks() == 1 && combines(w_.spec))  // the result is the only contribution
      copy_own({.from = {'i', 0}, .to = {'o', 0}, .count = places_.chunks('o')}, 0);
    for (Round t = 0; t < w_.schedule.shape().rounds; ++t) {
      collect(t);
      for (Rank r = 0; r < w_.spec.ranks(); ++r) round(t, r);
    }
  }
  PlanLayout take() {
    PlanLayout layout{.ranks = {},
                      .in = places_.chunks('i'),
                      .out = places_.chunks('o'),
                      .scratch = places_.chunks('s') + landing_,
                      .messages = messages_};
    for (PlanRank& rank : ranks_) layout.ranks.push_back(rank.take());
    return layout;
  }

 private:
  struct Message {
    Rank from, to;
    std::vector<ChunkRun> runs;
    bool port = false;   ///< between nodes
    bool lands = false;  ///< in scratch, to be combined
    Slot at = 0;         ///< where in scratch
  };

  /// The round's messages, by receiver in the order in which it lists them.
  void collect(Round t) {
    messages_of_.assign(ranks_.size(), {});
    Collected collected;
    for (Rank r = 0; r < w_.spec.ranks(); ++r) {
      Slot landing = places_.chunks('s');
      std::vector<Rank> senders;
      for (const Transfer& x : collected.all(w_.schedule, t, r))
        if (x.kind == Kind::recv && std::find(senders.begin(), senders.end(), x.peer) == senders.end())
          senders.push_back(x.peer);
      for (const Rank sender : senders) {
        Message m{sender, r, places_.message(t, sender, r, most_)};
        m.port = between_nodes(sender, r);
        m.lands = sender != r && std::any_of(m.runs.begin(), m.runs.end(), [](const ChunkRun& run) {
                    return run.again || run.incoming != Combine::Incoming::stored;
                  });
        m.at = landing;
        if (m.lands)
          for (const ChunkRun& run : m.runs) landing += run.again ? 0 : run.count;
        messages_ += sender != r;
        messages_of_[static_cast<std::size_t>(r)].push_back(std::move(m));
      }
      landing_ = std::max(landing_, landing - places_.chunks('s'));
    }
  }

  PlanRank& rank(Rank r) { return ranks_[static_cast<std::size_t>(r)]; }

  /// Between nodes a message goes through a port: where its route crosses a network card or leaves a node of several
  /// ranks.
  bool between_nodes(Rank from, Rank to) {
    if (from == to) return false;
    const Topology& topology = *w_.spec.topology;
    if (const Rank per_node = topology.structure().per_node; per_node > 0) return from / per_node != to / per_node;
    if (topology.links_alike()) return false;
    route_.clear();
    topology.route(from, to, route_);
    return std::any_of(route_.begin(), route_.end(), [&](Link link) {
      const std::string& kind = kinds_[static_cast<std::size_t>(topology.facts(link).kind)];
      return kind == "nic" || kind == "network";
    });
  }

  /// Places are free, then filled, then combined.
  void round(Round t, Rank r) {
    const std::vector<Message>& incoming = messages_of_[static_cast<std::size_t>(r)];
    std::vector<const Message*> outgoing;
    for (const Rank peer : receivers_of(collected_.all(w_.schedule, t, r)))
      if (peer != r)
        for (const Message& m : messages_of_[static_cast<std::size_t>(peer)])
          if (m.from == r) outgoing.push_back(&m);
    for (const bool port : {false, true}) rank(r).tell("signal", peers(incoming, r, port), port, t);
    for (const bool port : {false, true}) rank(r).tell("wait", peers(outgoing, port), port, t);
    for (const Message* m : outgoing) put(*m, t);
    for (const bool port : {false, true}) rank(r).tell("signal", peers(outgoing, port), port, t);
    rank(r).tell("flush", peers(outgoing, true), true, t);
    for (const bool port : {false, true}) rank(r).tell("wait", peers(incoming, r, port), port, t);
    for (const Message& m : incoming) finish(m, t);
  }
  static std::vector<Rank> peers(const std::vector<Message>& incoming, Rank self, bool port) {
    std::vector<Rank> all;
    for (const Message& m : incoming)
      if (m.from != self && m.port == port) all.push_back(m.from);
    return all;
  }
  static std::vector<Rank> peers(const std::vector<const Message*>& outgoing, bool port) {
    std::vector<Rank> all;
    for (const Message* m : outgoing)
      if (m->port == port) all.push_back(m->to);
    return all;
  }

  /// One operation for up to eight runs of one buffer.
  void put(const Message& m, Round t) {
    PlanOp op{.name = "put", .port = m.port, .round = t};
    const auto flush = [&] {
      if (!op.sources.empty()) rank(m.from).put(op);
      op.sources.clear(), op.targets.clear(), op.peers.clear();
    };
    for (const ChunkRun& run : m.runs) {
      if (run.again) continue;
      if (!op.sources.empty() &&
          (op.sources.size() == plan_channels_at_once || op.sources.back().chunk.buffer != run.from.buffer))
        flush();
      op.sources.push_back({run.from, run.count});
      op.targets.push_back({m.lands ? Chunk{'s', m.at + run.first} : run.to, run.count, m.to});
      if (m.port) op.peers.push_back(m.to);
    }
    flush();
  }

  /// What came in goes where it belongs, combined or not; so does what a rank moves within its own memory.
  void finish(const Message& m, Round t) {
    if (!m.lands && m.from != m.to) return;
    for (ChunkRun run : m.runs) {
      if (m.lands) run.from = {'s', m.at + run.first};
      local(run, m.to, t);
    }
  }
  void copy_own(ChunkRun run, Rank r) {
    for (Slot left = run.count; left > 0; left -= run.count) {
      run.count = std::min(left, most_);
      local(run, r, -1);
      run.from.at += run.count, run.to.at += run.count;
    }
  }
  void local(const ChunkRun& run, Rank r, Round t) {
    PlanOp op{.name = "copy", .round = t};
    op.targets.push_back({run.to, run.count});
    op.sources.push_back({run.from, run.count});
    if (run.incoming != Combine::Incoming::stored) {
      op.name = "re";
      op.left = run.incoming == Combine::Incoming::left;
      op.sources.insert(op.sources.begin(), {run.with, run.count});
    }
    rank(r).put(std::move(op));
  }

  const Written& w_;
  Slot most_;
  ChunkPlaces places_;
  std::vector<std::string> kinds_;
  std::vector<PlanRank> ranks_;
  std::vector<std::vector<Message>> messages_of_;  ///< by receiver
  std::vector<Link> route_;
  Collected collected_;
  Slot landing_ = 0;
  std::int64_t messages_ = 0;
};

template <class Visit>
void for_each_run(const PlanLayout& layout, const Visit& visit) {
  for (const std::vector<PlanBlock>& blocks : layout.ranks)
    for (const PlanBlock& block : blocks)
      for (const PlanOp& op : block.ops) {
        for (const PlanBuffer& b : op.sources) visit(b);
        for (const PlanBuffer& b : op.targets) visit(b);
      }
}

}  // namespace

void refuse_plan(const std::string& why) { throw Error(Error::Kind::illegal, fmt::format("MSCCL++: {}", why)); }

PlanLayout plan_layout(const Written& written, Slot most) {
  PlanPlacing placing(written, most);
  placing.lay_out();
  return placing.take();
}

Slot common_unit(const PlanLayout& layout) {
  Slot unit = 0;
  for_each_run(layout, [&](const PlanBuffer& b) { unit = std::gcd(unit, std::gcd(b.count, b.chunk.at)); });
  return std::max<Slot>(1, unit);
}

bool all_runs_are(const PlanLayout& layout, Slot count) {
  bool all = true;
  for_each_run(layout, [&](const PlanBuffer& b) { all &= b.count == count; });
  return all;
}

}  // namespace quadrille::interchange
