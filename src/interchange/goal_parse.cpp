#include "interchange/goal_parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/text.hpp"
#include "interchange/schedule_file.hpp"
#include "interchange/xml_tree.hpp"

namespace quadrille::interchange {

namespace {

class GoalParser {
 public:
  GoalParser(const std::string& text, std::string_view file) : rest_(text), file_(file) {}

  GoalText parse() {
    while (!rest_.empty()) {
      ++line_;
      const auto end = rest_.find('\n');
      statement(base::trimmed(rest_.substr(0, end)));
      rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    }
    if (in_comment_) refuse("a comment that does not end; expected */");
    if (in_rank_) refuse("the last rank does not end; expected }");
    if (text_.ranks == 0) refuse("no ranks; expected num_ranks 8 first");
    return std::move(text_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { refuse_line(file_, line_, why); }

  std::int64_t number(std::string_view word, std::int64_t low, std::int64_t high, std::string_view what) const {
    try {
      return base::parse_integer(word, low, high, what);
    } catch (const Error& error) {
      refuse(error.what());
    }
  }

  static std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    constexpr std::string_view blanks = " \t";
    for (auto at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
      const auto end = std::min(line.find_first_of(blanks, at), line.size());
      words.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(blanks, end);
    }
    return words;
  }

  void statement(std::string_view line) {
    if (in_comment_ || line.starts_with("/*")) {
      in_comment_ = line.find("*/") == std::string_view::npos;
      return;
    }
    if (line.starts_with("//")) return comment(base::trimmed(line.substr(2)));
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) return;
    if (words[0] == "num_ranks") {
      if (text_.ranks != 0 || words.size() != 2) refuse("expected num_ranks and a number, once");
      text_.ranks = number(words[1], 1, most_schedule_ranks, "num_ranks");
    } else if (words[0] == "rank") {
      begin_rank(words);
    } else if (line == "}") {
      if (!in_rank_) refuse("} without a rank");
      in_rank_ = false;
    } else {
      if (!in_rank_) refuse(fmt::format("{}; expected rank NUMBER {{ before it", base::quoted(line)));
      operation(words);
    }
  }

  void begin_rank(const std::vector<std::string_view>& words) {
    if (in_rank_ || words.size() != 3 || words[2] != "{")
      refuse("expected rank NUMBER {, after the } of the one before");
    if (text_.ranks == 0) refuse("expected num_ranks first");
    rank_ = number(words[1], 0, text_.ranks - 1, "rank");
    if (!seen_.insert(rank_).second) refuse(fmt::format("rank {} comes twice; expected it once", rank_));
    in_rank_ = true;
    labels_.clear();
  }

  /// What Quadrille keeps in comments; others say nothing.
  void comment(std::string_view text) {
    if (text.starts_with("quadrille {")) {
      text_.head = text.substr(text.find('{'));
      return;
    }
    const auto space = text.find(' ');
    if (!in_rank_ || space == std::string_view::npos || !text.substr(space + 1).starts_with("{")) return;
    const std::string_view round = text.substr(0, space);
    if (round.find_first_not_of("0123456789") != std::string_view::npos) return;
    text_.said.push_back({rank_, number(round, 0, most_rounds, "round"), std::string(text.substr(space + 1)), line_});
  }

  std::size_t label(std::string_view name) const {
    const auto found = labels_.find(std::string(name));
    if (found == labels_.end())
      refuse(fmt::format("label {} is not known yet; expected one that an operation of this rank has",
                         base::quoted(name)));
    return found->second;
  }

  void operation(const std::vector<std::string_view>& words) {
    if (words.size() == 3 && (words[1] == "requires" || words[1] == "irequires")) {
      text_.order.push_back({label(words[2]), label(words[0]), words[1] == "requires" ? 1 : 0});
      return;
    }
    std::size_t at = 0;
    if (words[0].ends_with(":")) {
      const std::string name(words[0].substr(0, words[0].size() - 1));
      if (!labels_.emplace(name, text_.ops.size()).second)
        refuse(fmt::format("label {} comes twice", base::quoted(name)));
      at = 1;
    }
    const std::vector<std::string_view> rest(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    if (std::ssize(text_.ops) >= most_transfers) throw Error(Error::Kind::budget, "more operations than can be read");
    GoalOp op{.rank = rank_, .line = line_};
    if (rest.size() >= 2 && rest[0] == "calc")
      read_calc(rest);
    else
      read_message(rest, op);
    text_.ops.push_back(op);
  }

  void read_calc(const std::vector<std::string_view>& words) const {
    if (number(words[1], 0, most_goal_bytes, "calc") != 0)
      refuse("a time of computing, which a schedule has not; expected calc 0");
  }

  void read_message(const std::vector<std::string_view>& words, GoalOp& op) const {
    const bool sends = !words.empty() && words[0] == "send";
    const bool whole = words.size() >= 4 && (sends || words[0] == "recv") && words[2] == (sends ? "to" : "from") &&
                       words[1].ends_with("b");
    if (!whole) refuse("expected send 64b to 3, recv 64b from 3, calc 0, or a requires b");
    op.type = sends ? GoalOp::Type::send : GoalOp::Type::recv;
    op.bytes = number(words[1].substr(0, words[1].size() - 1), 0, most_goal_bytes, "bytes");
    if (words[3] == "-1") refuse("a receive from any rank, whose sender is not known; expected a rank");
    op.peer = number(words[3], 0, text_.ranks - 1, "peer");
    if (op.peer == op.rank) refuse("a message to the rank itself; expected another");
    for (std::size_t i = 4; i < words.size(); i += 2) {
      if (i + 1 == words.size() || (words[i] != "tag" && words[i] != "cpu" && words[i] != "nic"))
        refuse(fmt::format("{}; expected tag, cpu or nic and a number", base::quoted(words[i])));
      const std::int64_t value = number(words[i + 1], 0, std::int64_t{1} << 62, words[i]);
      if (words[i] == "tag") op.tag = value;
    }
  }

  std::string_view rest_;
  std::string_view file_;
  GoalText text_;
  std::int64_t line_ = 0;
  Rank rank_ = 0;
  bool in_rank_ = false, in_comment_ = false;
  std::set<Rank> seen_;
  std::unordered_map<std::string, std::size_t> labels_;
};

}  // namespace

GoalText parse_goal(const std::string& text, const std::string& file) { return GoalParser(text, file).parse(); }

}  // namespace quadrille::interchange
