#include "simulator/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/text.hpp"
#include "simulator/divided.hpp"
#include "simulator/networks/router.hpp"
#include "traffic/bundles.hpp"

namespace quadrille::simulator {

namespace {

constexpr Bytes most_bytes = Bytes{1} << 30;
constexpr std::int64_t most_slots = std::int64_t{1} << 30;  // a minute or two

/// Whether a message's bytes have to be packed, or unpacked: they are not in one place.
bool apart(const program::Program& program, const program::Message& m) {
  const auto extents = program.bytes_of(m);
  const auto uses = program.uses_of(m);
  if (uses.size() == 1) {
    const auto results = std::span(program.extents).subspan(uses[0].result, uses[0].operand - uses[0].result);
    return results.size() > 1 || (results.size() == 1 && results.front().count > 1);
  }
  return uses.size() > 1 || extents.size() > 1 || (extents.size() == 1 && extents.front().count > 1);
}

/// Bytes of results that are computed from a message.
Bytes combined_of(const program::Program& program, const program::Message& m) {
  Bytes bytes = 0;
  for (const program::Use& use : program.uses_of(m))
    if (use.incoming != Combine::Incoming::stored)
      bytes += program::total_bytes(std::span(program.extents).subspan(use.result, use.operand - use.result));
  return bytes;
}

}  // namespace

/// Writes one rank's part after the other.
class Script::Writer {
 public:
  Writer(Script& script, const Spec& spec, const Machine& machine, const Schedule& schedule)
      : script_(script),
        spec_(spec),
        schedule_(schedule),
        compiler_(spec, schedule),
        bundler_(spec, machine, schedule),
        divided_(*spec.topology),
        router_(*spec.topology),
        one_by_one_(machine.ports == Ports::one || spec.topology->shared_medium()),
        to_each_(!spec.topology->contended() || spec.topology->structure().per_node > 0) {}

  void write(Rank rank) {
    const program::Program program = compiler_.compile(rank, true, most_bytes);
    channel_.clear();
    write_steps(program);
    write_bundles(program);
    check_room();
    check_slots();
    script_.parts_.push_back({script_.steps_.size(), script_.bundles_.size(),
                              script_.parts_.back().reused + static_cast<std::uint32_t>(program.watched)});
  }

 private:
  /// Ranks whose parts are as long as what is written: where all do the same, the first one tells.
  Rank written_for() const {
    const bool first = script_.parts_.size() == 1;
    return first && schedule_.symmetry().group != Group::none ? spec_.topology->nodes() : 1;
  }

  /// Each member may become a message under way.
  void check_room() const {
    constexpr std::size_t under_way = 64;
    const std::size_t used = script_.steps_.size() * sizeof(Step) + script_.bundles_.size() * sizeof(Bundle) +
                             script_.members_.size() * (sizeof(Member) + under_way);
    if (static_cast<Bytes>(used) > most_bytes / written_for())
      throw Error(Error::Kind::budget,
                  fmt::format("order eager keeps all messages, and those of {} ranks do not fit in {}; use order "
                              "dataflow, fewer ranks or larger packets",
                              spec_.topology->nodes(), base::format_bytes(most_bytes)));
  }

  void check_slots() const {
    const Rank ranks = spec_.topology->nodes();
    if (compiler_.slots() * written_for() > most_slots)
      throw Error(Error::Kind::budget,
                  fmt::format("order eager looks at every block that is sent or received, and {} ranks have more than "
                              "{} of them in this schedule; use order dataflow, fewer ranks or another algorithm",
                              ranks, most_slots));
  }

  void write_steps(const program::Program& program) {
    std::size_t move = 0, combining = 0, receive = 0;
    for (const program::Step& s : program.steps) {
      Step step{.round = static_cast<std::uint32_t>(s.round),
                .receives = static_cast<std::uint32_t>(s.receives - receive),
                .settle = static_cast<std::uint32_t>(s.settle),
                .barrier = s.barrier};
      for (; move < s.moves; ++move) step.copied += program.moves[move].length * program.moves[move].count;
      for (; combining < s.combinings; ++combining)
        if (const program::Combining& c = program.combinings[combining]; c.incoming != Combine::Incoming::stored)
          step.combined += c.at.length * c.at.count;
      for (; receive < s.receives; ++receive) {
        const program::Message& m = program.receives[receive];
        step.combined += combined_of(program, m);
        if (program.rank < spec_.ranks() && apart(program, m)) step.copied += m.bytes;
      }
      script_.steps_.push_back(step);
    }
  }

  void write_bundles(const program::Program& program) {
    const std::size_t begin = script_.bundles_.size();
    for (std::size_t i = 0, j = 0; i < program.sends.size(); i = j) {
      while (j < program.sends.size() && program.sends[j].round == program.sends[i].round) ++j;
      write_round(program, i, j);
    }
    std::stable_sort(script_.bundles_.begin() + static_cast<std::ptrdiff_t>(begin), script_.bundles_.end(),
                     [](const Bundle& a, const Bundle& b) { return a.after < b.after; });
  }

  /// Sends first .. last-1, which are all of a round.
  void write_round(const program::Program& program, std::size_t first, std::size_t last) {
    const Round round = program.sends[first].round;
    if (!bundler_.bundles()) {
      for (std::size_t i = first; i < last; ++i) write_alone(program, i);
      return;
    }
    bundler_.each(round, program.rank, summary_.of(schedule_, round, program.rank),
                  [&](std::span<const Rank> peers, Bytes bytes) {
                    const auto send_to = [&](Rank peer) {
                      std::size_t i = first;
                      while (program.sends[i].peer != peer) ++i;
                      return i;
                    };
                    if (peers.size() == 1) return write_alone(program, send_to(peers.front()));
                    open(program, peers.front(), round, bytes);
                    for (const Rank peer : peers) add(program, send_to(peer));
                  });
  }

  /// A message to one rank; where it is divided, each of its parts goes to its channel.
  void write_alone(const program::Program& program, std::size_t send) {
    const program::Message& m = program.sends[send];
    const auto ways =
        divided_.ways(static_cast<std::uint32_t>(program.rank), static_cast<std::uint32_t>(m.peer), m.bytes);
    open(program, m.peer, m.round, m.bytes);
    add(program, send);
    for (std::uint32_t way = 1; way < ways.size(); ++way) {
      if (channel(program.rank, m.peer, way) != script_.bundles_.back().channel) {
        open(program, m.peer, m.round, m.bytes, way);
        script_.bundles_.back().after = static_cast<std::uint32_t>(m.after);
      }
      Member part = script_.members_.back();
      part.way = way;
      script_.members_.push_back(part);
      ++script_.bundles_.back().count;
    }
  }

  void open(const program::Program& program, Rank peer, Round round, Bytes bytes, std::uint32_t way = 0) {
    script_.bundles_.push_back({.first = static_cast<std::uint32_t>(script_.members_.size()),
                                .round = static_cast<std::uint32_t>(round),
                                .channel = channel(program.rank, peer, way),
                                .bytes = bytes});
  }
  void add(const program::Program& program, std::size_t send) {
    const program::Message& m = program.sends[send];
    Bundle& bundle = script_.bundles_.back();
    ++bundle.count;
    bundle.after = std::max(bundle.after, static_cast<std::uint32_t>(m.after));
    if (program.rank < spec_.ranks() && apart(program, m)) bundle.packed += m.bytes;
    const bool reused = send < program.watched;
    script_.members_.push_back(
        {.peer = static_cast<std::uint32_t>(m.peer),
         .reused = reused ? script_.parts_.back().reused + static_cast<std::uint32_t>(send) : none});
  }

  /// A rank has one for each link that leaves it, or a single one. A node's memory takes messages to several at once.
  std::uint32_t channel(Rank from, Rank to, std::uint32_t number) {
    const auto a = static_cast<std::uint32_t>(from), b = static_cast<std::uint32_t>(to);
    const std::uint32_t way = one_by_one_ ? 0 : to_each_ ? b : router_.first(a, b, number).lane;
    const auto [known, fresh] = channel_.try_emplace(way, script_.channels_);
    if (fresh) ++script_.channels_;
    return known->second;
  }

  Script& script_;
  const Spec& spec_;
  const Schedule& schedule_;
  program::Compiler compiler_;
  traffic::Bundler bundler_;
  Divided divided_;
  Router router_;
  Summary summary_;
  bool one_by_one_, to_each_;
  std::unordered_map<std::uint32_t, std::uint32_t> channel_;  ///< of the rank in hand
};

Script::Script(const Spec& spec, const Machine& machine, const Schedule& schedule,
               const std::function<void(Seconds now, std::int64_t messages)>& progress) {
  Writer writer(*this, spec, machine, schedule);
  for (Rank r = 0; r < spec.topology->nodes(); ++r) {
    writer.write(r);
    if (progress && (r % 64 == 0)) progress(0, static_cast<std::int64_t>(members_.size()));
  }
}

}  // namespace quadrille::simulator
