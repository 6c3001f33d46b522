// GOAL, read: from its comments the schedule that was written, or from its operations alone who sends how much to whom.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json_members.hpp"
#include "base/text.hpp"
#include "interchange/goal.hpp"
#include "interchange/goal_parse.hpp"
#include "interchange/json_parts.hpp"
#include "interchange/xml_tree.hpp"

namespace quadrille::interchange {

namespace {

// With the comments.

using Totals = std::map<std::tuple<Rank, Rank, Round, bool>, Bytes>;

/// The operations must be what the comments say, or somebody has changed one of both.
void compare_with_ops(const GoalText& text, const Schedule& schedule, std::string_view file) {
  Totals totals;
  Summary summary;
  for (Rank r = 0; r < text.ranks; ++r) {
    const Schedule::Rounds active = schedule.active(r);
    for (Round t = active.first; t < active.end; ++t)
      for (const Summary::Message& m : summary.of(schedule, t, r))
        if (m.peer != r) totals[{r, m.peer, t, m.kind == Kind::send}] += m.bytes;
  }
  for (const GoalOp& op : text.ops) {
    if (op.type == GoalOp::Type::calc) continue;
    const auto found = totals.find({op.rank, op.peer, op.tag, op.type == GoalOp::Type::send});
    if (found == totals.end() || found->second != op.bytes)
      refuse_line(file, op.line,
                  fmt::format("the comments say {} bytes of this message in round {}; expected comments and operations "
                              "that agree, or no comments",
                              found == totals.end() ? 0 : found->second, op.tag));
    totals.erase(found);
  }
  if (!totals.empty())
    throw Error(Error::Kind::format,
                fmt::format("{}: the comments have {} messages that no operation sends or receives; expected both to "
                            "agree, or no comments",
                            base::quoted(file, 200), totals.size()));
}

ScheduleFile from_comments(const GoalText& text, const std::string& file) {
  ScheduleFile out;
  try {
    out = head_from_json(Json::parse(text.head));
  } catch (const Json::exception&) {
    throw Error(Error::Kind::format, fmt::format("{}: the comment '// quadrille' is no JSON", base::quoted(file, 200)));
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}, comment '// quadrille': {}", base::quoted(file, 200), error.what()));
  }
  out.form = "GOAL";
  if (out.ranks != text.ranks)
    throw Error(Error::Kind::format, fmt::format("{}: num_ranks is {}, and the comment '// quadrille' says {}",
                                                 base::quoted(file, 200), text.ranks, out.ranks));
  out.table.ranks.resize(static_cast<std::size_t>(text.ranks));
  for (const GoalText::Said& said : text.said) {
    std::vector<schedule::Entry>& entries = out.table.ranks[static_cast<std::size_t>(said.rank)];
    if (entries.empty() || entries.back().round != said.round) entries.push_back({said.round, {}});
    try {
      entries.back().transfers.push_back(transfer_from_json(Json::parse(said.transfer)));
    } catch (const Json::exception&) {
      refuse_line(file, said.line, "the comment is no JSON; expected a round and an object, or another comment");
    } catch (const Error& error) {
      refuse_line(file, said.line, error.what());
    }
  }
  out.table = schedule::checked(std::move(out.table));
  compare_with_ops(text, *schedule_of(out, *out.spec), file);
  return out;
}

// Without comments.

using Way = std::tuple<Rank, Rank, std::int64_t>;

/// Operations of each pair and tag, in the order of the file: the k-th send meets the k-th receive.
std::map<Way, std::vector<std::size_t>> by_way(const GoalText& text, GoalOp::Type type) {
  std::map<Way, std::vector<std::size_t>> ways;
  for (std::size_t i = 0; i < text.ops.size(); ++i) {
    const GoalOp& op = text.ops[i];
    if (op.type != type) continue;
    const bool sends = type == GoalOp::Type::send;
    ways[{sends ? op.rank : op.peer, sends ? op.peer : op.rank, op.tag}].push_back(i);
  }
  return ways;
}

/// Adds that both ends of a message are in one round, and no two messages of a pair. Returns the pairs.
std::vector<std::pair<std::size_t, std::size_t>> match(GoalText& text, std::string_view file) {
  const auto sends = by_way(text, GoalOp::Type::send), receives = by_way(text, GoalOp::Type::recv);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto* ways : {&sends, &receives})
    for (const auto& [way, list] : *ways) {
      const auto& others = ways == &sends ? receives : sends;
      const auto other = others.find(way);
      if (other != others.end() && other->second.size() == list.size()) continue;
      refuse_line(file, text.ops[list.front()].line,
                  fmt::format("{} sends {} times to {} with tag {}, which receives {} times; expected as many",
                              std::get<0>(way),
                              ways == &sends          ? list.size()
                              : other == others.end() ? 0
                                                      : other->second.size(),
                              std::get<1>(way), std::get<2>(way),
                              ways == &receives       ? list.size()
                              : other == others.end() ? 0
                                                      : other->second.size()));
    }
  std::map<std::pair<Rank, Rank>, std::size_t> latest;
  for (const auto& [way, list] : sends)
    for (std::size_t i = 0; i < list.size(); ++i) pairs.emplace_back(list[i], receives.at(way)[i]);
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [send, receive] : pairs) {
    if (text.ops[send].bytes != text.ops[receive].bytes)
      refuse_line(file, text.ops[receive].line,
                  fmt::format("{} bytes; line {} sends {}", text.ops[receive].bytes, text.ops[send].line,
                              text.ops[send].bytes));
    text.order.push_back({send, receive, 0});
    text.order.push_back({receive, send, 0});
    const auto [before, first] = latest.try_emplace({text.ops[send].rank, text.ops[send].peer}, send);
    if (!first) text.order.push_back({before->second, send, 1});
    before->second = send;
  }
  return pairs;
}

ScheduleFile from_operations(GoalText& text, const std::string& file) {
  const auto pairs = match(text, file);
  const auto rounds = earliest_rounds(text.ops.size(), text.order);
  if (!rounds)
    throw Error(Error::Kind::format,
                fmt::format("{}: operations wait for each other in a circle; expected an order in which all come to an "
                            "end",
                            base::quoted(file, 200)));
  ScheduleFile out{.form = "GOAL", .ranks = text.ranks, .any_size = false, .says_contents = false};
  Shape& shape = out.table.shape;
  shape.ranks = text.ranks;
  shape.out = static_cast<Slot>(pairs.size());
  auto offsets = std::make_shared<std::vector<Bytes>>(1, 0);
  out.table.ranks.resize(static_cast<std::size_t>(text.ranks));
  std::vector<std::map<Round, std::vector<Transfer>>> steps(out.table.ranks.size());
  for (const auto& [send, receive] : pairs) {
    const Slot slot = std::ssize(*offsets) - 1;
    const GoalOp &from = text.ops[send], &to = text.ops[receive];
    offsets->push_back(offsets->back() + from.bytes);
    const Round t = (*rounds)[send];
    shape.rounds = std::max(shape.rounds, t + 1);
    steps[static_cast<std::size_t>(from.rank)][t].push_back(
        {Kind::send, Buffer::out, to.rank, contiguous(slot, 1), {}});
    steps[static_cast<std::size_t>(to.rank)][t].push_back(
        {Kind::recv, Buffer::out, from.rank, contiguous(slot, 1), {}});
  }
  for (std::size_t r = 0; r < steps.size(); ++r)
    for (auto& [t, transfers] : steps[r]) out.table.ranks[r].push_back({t, std::move(transfers)});
  shape.cut.bytes = offsets->back();
  shape.offsets = std::move(offsets);
  out.table = schedule::checked(std::move(out.table));
  return out;
}

}  // namespace

ScheduleFile read_goal(const std::string& text, const std::string& name) {
  GoalText parsed = parse_goal(text, name);
  return parsed.head.empty() ? from_operations(parsed, name) : from_comments(parsed, name);
}

}  // namespace quadrille::interchange
