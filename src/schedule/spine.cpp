// For every node and piece the rounds in which the schedule between nodes first needs it and last brings some of it.
#include "schedule/spine.hpp"

#include <algorithm>

#include "base/integer.hpp"
#include "schedule/lots.hpp"

namespace quadrille::schedule {

namespace {

constexpr Round unused = -1;

struct Use {
  Round first = unused;    ///< sent or received
  Round brought = unused;  ///< the last round in which some of it is received
  Round last = unused;     ///< sent or received
};
using OfNode = std::vector<Use>;  ///< by piece

OfNode uses_of(const Phase& spine, Rank node, const std::vector<Piece>& pieces) {
  OfNode all(pieces.size());
  const Schedule& schedule = *spine.inner;
  const Lots lots(spine, {});
  Collected collected;
  const Schedule::Rounds active = schedule.active(node);
  for (Round t = active.first; t < active.end; ++t)
    for (const Transfer& x : collected.all(schedule, t, node))
      lots.each_range(x.buffer, x.slots, [&](Bytes begin, Bytes end) {
        auto piece = std::partition_point(pieces.begin(), pieces.end(), [&](const Piece& p) { return p.end <= begin; });
        for (; piece != pieces.end() && piece->begin < end; ++piece) {
          Use& it = all[static_cast<std::size_t>(piece - pieces.begin())];
          if (it.first == unused) it.first = t;
          if (x.kind == Kind::recv) it.brought = t;
          it.last = t;
        }
      });
  return all;
}

Round rounds_of(const std::vector<Phase>& phases) {
  Round all = 0;
  for (const Phase& phase : phases) all = base::checked_add(all, phase.inner->shape().rounds, "rounds");
  return all;
}

void refuse_barriers(const std::vector<Phase>& phases) {
  for (const Phase& phase : phases)
    for (Round t = 0; t < phase.inner->shape().rounds; ++t)
      if (phase.inner->barrier(t))
        throw Error(Error::Kind::illegal,
                    "a level waits for all ranks, which are at different pieces; leave out pieces, or take another");
}

bool takes_part(const Phase& phase, Rank node) {
  if (phase.among == Among::one_node) return node == phase.chosen;
  return phase.among != Among::node || node >= phase.first;
}

/// Appends the phases of a piece, which follow each other.
void append(const std::vector<Phase>& phases, std::size_t number, Rank node, Round start, bool after,
            std::vector<Run>& runs) {
  for (const Phase& phase : phases) {
    const Round end = start + phase.inner->shape().rounds;
    if (takes_part(phase, node) && end > start) runs.push_back({start, end, number, after});
    start = end, ++number;
  }
}

}  // namespace

std::vector<Bytes> cuts_of(const SchedulePtr& schedule, Bytes unit) {
  const Phase phase{.inner = schedule, .place = {}, .vector = true, .unit = unit};
  const Bytes end = Lots::extent(phase);
  std::vector<Bytes> edges{0, end};
  Lots::append_edges(phase, end, edges);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

Pipeline pipeline(Phase spine, std::vector<Piece> pieces, Follows follows) {
  const Rank nodes = spine.inner->shape().ranks;
  std::vector<OfNode> when;
  for (Rank node = 0; node < nodes; ++node) when.push_back(uses_of(spine, node, pieces));
  Round lead = 0;
  for (const OfNode& of_node : when)
    for (std::size_t i = 0; i < pieces.size(); ++i)
      lead = std::max(lead, rounds_of(pieces[i].before) - std::max<Round>(of_node[i].first, 0));
  Pipeline made;
  made.runs.resize(static_cast<std::size_t>(nodes));
  made.spine = {lead, lead + spine.inner->shape().rounds, 0};
  made.phases.push_back(std::move(spine));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Piece& piece = pieces[i];
    refuse_barriers(piece.before), refuse_barriers(piece.after);
    const std::size_t number = made.phases.size();
    for (Rank node = 0; node < nodes; ++node) {
      const Use& it = when[static_cast<std::size_t>(node)][i];
      std::vector<Run>& runs = made.runs[static_cast<std::size_t>(node)];
      const Round needed = lead + std::max<Round>(it.first, 0);
      append(piece.before, number, node, needed - rounds_of(piece.before), false, runs);
      const Round over = follows == Follows::what_came ? it.brought : it.last;
      append(piece.after, number + piece.before.size(), node, over == unused ? needed : lead + over + 1, true, runs);
    }
    std::move(piece.before.begin(), piece.before.end(), std::back_inserter(made.phases));
    std::move(piece.after.begin(), piece.after.end(), std::back_inserter(made.phases));
  }
  for (std::vector<Run>& runs : made.runs)
    std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.start < b.start; });
  return made;
}

}  // namespace quadrille::schedule
