#include "interchange/application_collectives.hpp"

#include <fmt/format.h>

#include "interchange/smpi_lines.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::int64_t first_collective_tag = std::int64_t{1} << 31;  // behind those of a program, which are ints

/// Puts the messages of one collective between what every rank did before it and what it does after it.
class Performance {
 public:
  Performance(const std::map<Rank, std::vector<SmpiAction>>& by_rank, std::size_t which, ApplicationBuilder& builder)
      : builder_(builder), latest_(by_rank.size()), ends_(by_rank.size()) {
    for (const auto& [rank, actions] : by_rank) {
      latest_[static_cast<std::size_t>(rank)] = actions[which].begin;
      ends_[static_cast<std::size_t>(rank)] = actions[which].begin + 1;
    }
    line_ = by_rank.begin()->second[which].line;
  }

  void play(const Schedule& schedule) {
    const Shape& shape = schedule.shape();
    if (shape.rounds >= first_collective_tag / 2)
      builder_.refuse(line_, "a schedule of more than 2^30 rounds; expected fewer packets");
    Summary summary;
    for (Round t = 0; t < shape.rounds; ++t) {
      if (schedule.barrier(t)) meet();
      for (Rank r = 0; r < shape.ranks; ++r) {
        if (!schedule.active(r).contains(t)) continue;
        std::vector<std::uint32_t> made;
        const std::vector<Summary::Message>& all = summary.of(schedule, t, r);
        for (const Kind kind : {Kind::recv, Kind::send})
          for (const Summary::Message& m : all)
            if (m.kind == kind && m.peer != r) made.push_back(message(r, m.peer, m.bytes, kind, t));
        over(r, made);
      }
    }
    finish();
  }

  /// Each message by itself: what a rank sends to each.
  void play_straight(const std::vector<Called>& calls) {
    const auto ranks = static_cast<Rank>(calls.size());
    const auto bytes = [&](Rank from, Rank to) {
      const Called& c = calls[static_cast<std::size_t>(from)];
      const bool from_root = c.call.collective == Collective::scatter && from != c.call.root;
      return from_root ? 0 : c.sent[static_cast<std::size_t>(to)];
    };
    for (Rank r = 0; r < ranks; ++r) {
      std::vector<std::uint32_t> made;
      for (Rank k = 1; k < ranks; ++k)
        if (const Rank from = (r + ranks - k) % ranks; bytes(from, r) > 0)
          made.push_back(message(r, from, bytes(from, r), Kind::recv, 0));
      for (Rank k = 1; k < ranks; ++k)
        if (const Rank to = (r + k) % ranks; bytes(r, to) > 0)
          made.push_back(message(r, to, bytes(r, to), Kind::send, 0));
      over(r, made);
    }
    finish();
  }

 private:
  std::uint32_t message(Rank r, Rank peer, Bytes bytes, Kind kind, Round t) {
    const std::uint32_t made = builder_.add({static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(peer), bytes,
                                             kind == Kind::send ? Application::Type::send : Application::Type::recv},
                                            first_collective_tag + t, line_);
    builder_.order(latest_[static_cast<std::size_t>(r)], made, false);
    return made;
  }
  /// The rank goes on when these are over.
  void over(Rank r, const std::vector<std::uint32_t>& made) {
    if (made.empty()) return;
    const std::uint32_t joint = builder_.add({static_cast<std::uint32_t>(r), 0, 0, Application::Type::work}, 0, line_);
    for (const std::uint32_t op : made) builder_.order(op, joint, false);
    latest_[static_cast<std::size_t>(r)] = joint;
  }
  void meet() {
    const std::uint32_t all = builder_.add({0, 0, 0, Application::Type::work}, 0, line_);
    for (std::uint32_t& latest : latest_) builder_.order(latest, all, false), latest = all;
  }
  void finish() {
    for (std::size_t r = 0; r < ends_.size(); ++r) builder_.order(latest_[r], ends_[r], false);
  }

  ApplicationBuilder& builder_;
  std::vector<std::uint32_t> latest_, ends_;
  std::int64_t line_ = 0;
};

}  // namespace

void perform_collectives(const std::map<Rank, std::vector<SmpiAction>>& by_rank, const ScheduleOf& schedule_of,
                         ApplicationBuilder& builder) {
  const auto& [first, actions] = *by_rank.begin();
  for (const auto& [rank, theirs] : by_rank)
    if (theirs.size() != actions.size())
      builder.refuse(
          theirs.empty() ? actions.back().line : theirs.back().line,
          fmt::format("rank {} has {} collectives, and rank {} has {}", rank, theirs.size(), first, actions.size()));
  const auto ranks = static_cast<Rank>(by_rank.size());
  for (std::size_t n = 0; n < actions.size(); ++n) {
    std::vector<Called> calls;
    for (const auto& [rank, theirs] : by_rank) {
      const SmpiAction& action = theirs[n];
      calls.push_back(read_call(action, ranks, builder));
      if (!calls.back().alike(calls.front()) || calls.back().sent.size() != calls.front().sent.size())
        builder.refuse(action.line, fmt::format("collective {} of rank {} is {}, and that of rank {} {}", n + 1, rank,
                                                calls.back().text(), first, calls.front().text()));
    }
    Performance performance(by_rank, n, builder);
    if (!calls.front().sent.empty())
      performance.play_straight(calls);
    else
      performance.play(*schedule_of(calls.front().call));
  }
}

}  // namespace quadrille::interchange
