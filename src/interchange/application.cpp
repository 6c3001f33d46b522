#include "interchange/application.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "interchange/application_meet.hpp"
#include "interchange/xml_tree.hpp"

namespace quadrille::interchange {

void ApplicationBuilder::refuse(std::int64_t line, const std::string& why) const { refuse_line(file_, line, why); }

void ApplicationBuilder::refuse_operation(std::int64_t tag, std::int64_t line) const {
  if (std::ssize(app_.ops) >= most_operations)
    throw Error(Error::Kind::budget, fmt::format("more than {} operations", most_operations));
  refuse(line, fmt::format("tag {}; expected 0 to 2^32 - 2", tag));
}

/// Edges are sorted by the earlier operation; those of one stay in the order in which they were said.
void ApplicationBuilder::settle() {
  const std::size_t begin = settled_, end = app_.ops.size(), told = app_.next.size();
  app_.first.resize(end + 1, 0);
  const auto of = [](const Edge& e) { return std::size_t{e.earlier & ~Application::at_start}; };
  for (const Edge& e : edges_) ++app_.first[of(e) + 1];
  ends_.resize(end - begin);
  auto until = static_cast<std::uint32_t>(told);
  for (std::size_t i = begin; i < end; ++i) {
    ends_[i - begin] = until;
    until = app_.first[i + 1] += until;
  }
  app_.next.resize(told + edges_.size());
  for (const Edge& e : edges_) app_.next[ends_[of(e) - begin]++] = e.later | (e.earlier & Application::at_start);
  edges_.clear();
  settled_ = static_cast<std::uint32_t>(end);
}

Application ApplicationBuilder::finish(Rank ranks) {
  app_.ranks = ranks;
  settle();
  edges_ = {}, ends_ = {};
  const auto line = [&](std::uint32_t op) { return line_of_ ? line_of_(op) : std::int64_t{lines_[op]}; };
  Meeting(app_, [&](std::uint32_t op, const std::string& why) { refuse(line(op), why); }).meet();
  return std::move(app_);
}

Application read_application(std::string_view text, const std::string& name, const ReadApplication& how) {
  std::string_view begin = base::trimmed(text.substr(0, 65536));
  const bool goal = begin.starts_with("num_ranks") || begin.starts_with("//") || begin.starts_with("/*");
  if (goal) return read_goal_application(text, name);
  if (!begin.empty() && (begin[0] == '#' || (begin[0] >= '0' && begin[0] <= '9')))
    return read_smpi_application(text, name, how);
  throw Error(Error::Kind::format,
              fmt::format("{}: begins with {}; expected GOAL, which begins with num_ranks, or a trace of SMPI, whose "
                          "lines begin with a rank",
                          base::quoted(name, 200), base::quoted(begin.substr(0, 20))));
}

}  // namespace quadrille::interchange
