// GOAL with computing times, read in one go. Lines as programs write them are taken apart first; all others, and all
// that is wrong, are read word by word.
#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <unordered_map>

#include "base/text.hpp"
#include "interchange/application.hpp"
#include "interchange/goal_line.hpp"
#include "interchange/goal_parse.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::int64_t most_time = std::int64_t{1} << 53;
constexpr Rank most_goal_ranks = Rank{1} << 20;

class GoalApplication {
 public:
  GoalApplication(std::string_view text, const std::string& file)
      : at_(text.data()),
        end_(at_ + text.size()),
        builder_(file, text.size(), [=](std::uint32_t op) { return GoalApplication(text, file).line_of(op); }) {}

  Application read() {
    while (at_ < end_) read_line();
    if (comment_) refuse("a comment that does not end; expected */");
    if (inside_) refuse("the last rank does not end; expected }");
    if (ranks_ == 0) refuse("no ranks; expected num_ranks 8 first");
    return builder_.finish(ranks_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { builder_.refuse(line_, why); }
  void read_line() {
    ++line_;
    if (inside_ && !comment_ && usual_line()) return;
    statement();
    next_line();
  }
  /// Of an operation, found by reading all before it once more.
  std::int64_t line_of(std::uint32_t op) {
    while (builder_.size() <= op) read_line();
    return line_;
  }
  void next_line() {
    const auto* found = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    at_ = found == nullptr ? end_ : found + 1;
  }
  bool at_end() const { return at_ == end_ || *at_ == '\n'; }
  void blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  /// Up to the next blank; empty at the end of the line.
  std::string_view word() {
    blanks();
    const char* begin = at_;
    while (at_ < end_ && *at_ != ' ' && *at_ != '\t' && *at_ != '\r' && *at_ != '\n') ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  std::int64_t number(std::string_view text, std::int64_t low, std::int64_t high, std::string_view what) const {
    std::int64_t value = -1;
    const auto [stop, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (bad != std::errc() || stop != text.data() + text.size() || value < low || value > high)
      refuse(fmt::format("{} {}: expected a whole number from {} to {}", what, base::quoted(text, 40), low, high));
    return value;
  }
  void rest_is_empty() {
    if (const std::string_view more = word(); !more.empty() && !more.starts_with("//"))
      refuse(fmt::format("{} at the end of the line; expected nothing more", base::quoted(more, 40)));
  }

  /// Reads a line as programs write it. False: it is another, or there is something wrong with it, and nothing has been
  /// done.
  bool usual_line() {
    if (end_ - at_ < GoalLineScanner::longest) return false;
    GoalLine line;
    const char* const next = GoalLineScanner::scan(at_, line);
    if (next == nullptr || line.label >= numbered_.size()) return false;
    using What = GoalLine::What;
    if (line.what == What::needs_end || line.what == What::needs_begin) {
      if (line.other >= numbered_.size()) return false;
      const std::uint32_t later = numbered_[line.label], earlier = numbered_[line.other];
      if (later == Application::none || earlier == Application::none || later == earlier) return false;
      builder_.order(earlier, later, line.what == What::needs_begin);
    } else {
      if (numbered_[line.label] != Application::none || !usual_operation(line)) return false;
      numbered_[line.label] = builder_.size() - 1;
    }
    at_ = next;
    return true;
  }
  bool usual_operation(const GoalLine& line) {
    const bool calc = line.what == GoalLine::What::calc;
    if (line.amount > static_cast<std::uint64_t>(calc ? most_time : most_goal_bytes)) return false;
    const auto rank = static_cast<std::uint32_t>(rank_);
    const auto amount = static_cast<std::int64_t>(line.amount);
    if (calc) {
      builder_.add({rank, 0, amount, Application::Type::work}, 0, line_);
      return true;
    }
    if (line.other >= static_cast<std::uint64_t>(ranks_) || line.other == rank) return false;
    const bool sends = line.what == GoalLine::What::send;
    builder_.add({rank, static_cast<std::uint32_t>(line.other), amount,
                  sends ? Application::Type::send : Application::Type::recv},
                 static_cast<std::int64_t>(line.tag), line_);
    return true;
  }

  void statement() {
    const char* begin = at_;
    if (comment_) return end_comment(begin);
    const std::string_view first = word();
    if (first.empty() || first.starts_with("//")) return;
    if (first.starts_with("/*")) return end_comment(begin);
    if (first == "num_ranks") {
      if (ranks_ != 0) refuse("num_ranks comes twice");
      ranks_ = number(word(), 1, most_goal_ranks, "num_ranks");
      seen_.assign(static_cast<std::size_t>(ranks_), false);
    } else if (first == "rank") {
      begin_rank();
    } else if (first == "}") {
      if (!inside_) refuse("} without a rank");
      inside_ = false;
      builder_.settle();
    } else {
      if (!inside_) refuse(fmt::format("{}; expected rank NUMBER {{ before it", base::quoted(first, 40)));
      operation(first);
    }
    rest_is_empty();
  }
  void end_comment(const char* begin) {
    next_line();
    const std::string_view all(begin, static_cast<std::size_t>(at_ - begin));
    comment_ = all.find("*/") == std::string_view::npos;
    if (at_ > begin && at_[-1] == '\n') --at_;
  }

  void begin_rank() {
    if (ranks_ == 0) refuse("expected num_ranks first");
    if (inside_) refuse("a rank within another; expected } before");
    rank_ = number(word(), 0, ranks_ - 1, "rank");
    if (word() != "{") refuse("expected rank NUMBER {");
    if (seen_[static_cast<std::size_t>(rank_)]) refuse(fmt::format("rank {} comes twice; expected it once", rank_));
    seen_[static_cast<std::size_t>(rank_)] = true;
    inside_ = true;
    labels_.clear();
    numbered_.clear();
  }

  /// Labels are mostly l1, l2, ... in order: those are places in a list.
  bool in_list(std::string_view label, std::size_t& place) const {
    if (label.size() < 2 || label.size() > 10 || label[0] != 'l' || label[1] == '0') return false;
    const auto [stop, bad] = std::from_chars(label.data() + 1, label.data() + label.size(), place);
    return bad == std::errc() && stop == label.data() + label.size() && place <= 2 * numbered_.size() + 1024;
  }
  void name(std::string_view label) {
    std::size_t place = 0;
    if (in_list(label, place)) {
      if (place >= numbered_.size())
        numbered_.resize(std::max<std::size_t>({place + 1, numbered_.size() * 2, 64}), Application::none);
      if (numbered_[place] != Application::none) refuse(fmt::format("label {} comes twice", base::quoted(label, 40)));
      numbered_[place] = builder_.size();
    } else if (!labels_.emplace(label, builder_.size()).second) {
      refuse(fmt::format("label {} comes twice", base::quoted(label, 40)));
    }
  }
  std::uint32_t find(std::string_view label) const {
    std::size_t place = 0;
    if (in_list(label, place) && place < numbered_.size() && numbered_[place] != Application::none)
      return numbered_[place];
    if (const auto found = labels_.find(std::string(label)); found != labels_.end()) return found->second;
    refuse(fmt::format("label {} is not known yet; expected one that an operation of this rank has",
                       base::quoted(label, 40)));
  }

  void operation(std::string_view first) {
    if (first.ends_with(":")) {
      name(first.substr(0, first.size() - 1));
      first = word();
    }
    if (first == "calc") return calc();
    if (first == "send" || first == "recv") return message(first == "send");
    const std::string_view how = word();
    if (how != "requires" && how != "irequires")
      refuse("expected send 64b to 3, recv 64b from 3, calc 1000, or a requires b");
    const std::uint32_t later = find(first), earlier = find(word());
    if (later == earlier) refuse("an operation that requires itself; expected another");
    builder_.order(earlier, later, how == "irequires");
  }
  void calc() {
    const std::int64_t time = number(word(), 0, most_time, "calc");
    stream();
    builder_.add({static_cast<std::uint32_t>(rank_), 0, time, Application::Type::work}, 0, line_);
  }
  void message(bool sends) {
    std::string_view size = word();
    if (!size.ends_with("b")) refuse("expected bytes such as 64b");
    size.remove_suffix(1);
    const std::int64_t bytes = number(size, 0, most_goal_bytes, "bytes");
    if (word() != (sends ? "to" : "from")) refuse(sends ? "expected send 64b to 3" : "expected recv 64b from 3");
    const std::string_view peer_text = word();
    if (peer_text == "-1") refuse("a receive from any rank, whose sender is not known; expected a rank");
    const std::int64_t peer = number(peer_text, 0, ranks_ - 1, "peer");
    if (peer == rank_) refuse("a message to the rank itself; expected another");
    const std::int64_t tag = stream();
    builder_.add({static_cast<std::uint32_t>(rank_), static_cast<std::uint32_t>(peer), bytes,
                  sends ? Application::Type::send : Application::Type::recv},
                 tag, line_);
  }
  /// tag, cpu and nic: all processors of a rank are one here, and so are its ports.
  std::int64_t stream() {
    std::int64_t tag = 0;
    for (blanks(); !at_end() && *at_ != '/'; blanks()) {
      const std::string_view key = word(), value = word();
      if (key != "tag" && key != "cpu" && key != "nic")
        refuse(fmt::format("{}; expected tag, cpu or nic and a number", base::quoted(key, 40)));
      const std::int64_t got = number(value, 0, Application::none - 1, key);
      if (key == "tag") tag = got;
    }
    return tag;
  }

  const char* at_;
  const char* end_;
  ApplicationBuilder builder_;
  Rank ranks_ = 0, rank_ = 0;
  std::int64_t line_ = 0;
  bool inside_ = false, comment_ = false;
  std::vector<bool> seen_;
  std::vector<std::uint32_t> numbered_;
  std::unordered_map<std::string, std::uint32_t> labels_;
};

}  // namespace

Application read_goal_application(std::string_view text, const std::string& name) {
  return GoalApplication(text, name).read();
}

}  // namespace quadrille::interchange
