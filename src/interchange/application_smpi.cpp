// Time-independent traces of SMPI: messages one by one, computing in floating-point operations, and sleeps.
#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <map>

#include "base/text.hpp"
#include "interchange/application_collectives.hpp"

namespace quadrille::interchange {

namespace {

using Type = Application::Type;
constexpr Rank most_trace_ranks = Rank{1} << 20;
constexpr std::int64_t most_tag = (std::int64_t{1} << 31) - 1;

class SmpiApplication {
 public:
  SmpiApplication(std::string_view text, const std::string& file, const ReadApplication& how)
      : rest_(text), builder_(file), how_(how) {}

  Application read() {
    Rank ranks = 0;
    while (!rest_.empty()) {
      ++line_;
      const auto end = std::min(rest_.find('\n'), rest_.size());
      ranks = std::max(ranks, action(rest_.substr(0, end)));
      rest_ = rest_.substr(std::min(end + 1, rest_.size()));
    }
    if (ranks == 0) refuse("no action; expected lines such as 0 init");
    close_barriers(ranks);
    if (how_.schedule_of) perform_collectives(collectives_, how_.schedule_of, builder_);
    for (const auto& [rank, state] : states_)
      if (!state.finalized) refuse(fmt::format("rank {} does not end with finalize", rank));
    return builder_.finish(ranks);
  }

 private:
  struct Request {
    Rank from, to;
    std::int64_t tag;
    std::uint32_t op;
  };
  struct State {
    std::uint32_t last = Application::none;  ///< its latest action
    bool blocks = true;                      ///< the next one waits for its end
    std::int64_t type = 6;                   ///< of what has no type: bytes, or doubles after "init any"
    std::deque<Request> open = {};
    std::vector<std::uint32_t> barriers = {};
    bool began = false, finalized = false;
  };

  [[noreturn]] void refuse(const std::string& why) const { builder_.refuse(line_, why); }

  static std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    constexpr std::string_view blanks = " \t\r";
    for (auto at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
      const auto end = std::min(line.find_first_of(blanks, at), line.size());
      words.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(blanks, end);
    }
    return words;
  }
  std::int64_t number(std::string_view word, std::int64_t low, std::int64_t high, std::string_view what) const {
    try {
      return base::parse_integer(word, low, high, what);
    } catch (const Error& error) {
      refuse(error.what());
    }
  }
  std::int64_t nanoseconds(std::string_view word, double unit, std::string_view what) const {
    double value = -1;
    try {
      value = base::parse_number(word, what);
    } catch (const Error& error) {
      refuse(error.what());
    }
    const double time = value * unit * 1e9;
    if (!(time >= 0 && time < 0x1p53))
      refuse(fmt::format("{} {}: expected a time that is not negative", what, base::quoted(word, 40)));
    return std::llround(time);
  }

  /// An operation behind the rank's latest one.
  std::uint32_t put(State& state, const Application::Op& op, std::int64_t tag, bool blocks) {
    const std::uint32_t made = builder_.add(op, tag, line_);
    if (state.last != Application::none) builder_.order(state.last, made, !state.blocks);
    state.last = made, state.blocks = blocks;
    return made;
  }
  std::uint32_t pause(State& state, Rank rank, std::int64_t time) {
    return put(state, {static_cast<std::uint32_t>(rank), 0, time, Type::work}, 0, true);
  }

  /// The rank's number and one.
  Rank action(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty() || words[0].starts_with("#")) return 0;
    const Rank rank = number(words[0], 0, most_trace_ranks - 1, "rank");
    if (words.size() < 2) refuse("a rank without an action");
    State& state = states_[rank];
    const std::string_view what = words[1];
    if (state.finalized) refuse(fmt::format("rank {} goes on after finalize", rank));
    if (what == "init") {
      collectives_[rank];
      if (state.began) refuse(fmt::format("rank {} begins twice", rank));
      state.began = true;
      if (words.size() > 2) state.type = 0;
      return rank + 1;
    }
    if (!state.began) refuse(fmt::format("rank {} has not begun; expected {} init", rank, rank));
    if (what == "finalize")
      state.finalized = true;
    else if (what == "isend" || what == "send" || what == "irecv" || what == "recv")
      message(state, rank, words);
    else
      other(state, rank, words);
    return rank + 1;
  }

  void message(State& state, Rank rank, const std::vector<std::string_view>& words) {
    if (words.size() < 5 || words.size() > 6) refuse("expected RANK isend PEER TAG COUNT [TYPE]");
    const bool sends = words[1].ends_with("send"), blocks = words[1][0] != 'i';
    const Rank peer = number(words[2], 0, most_trace_ranks - 1, "peer");
    const std::int64_t tag = number(words[3], 0, most_tag, "tag");
    const std::int64_t type =
        words.size() == 6 ? number(words[5], 0, std::ssize(smpi_type_bytes) - 1, "type") : state.type;
    const std::int64_t count = number(words[4], 0, most_smpi_count, "count");
    if (peer == rank) refuse("a message to the rank itself; expected another");
    const std::uint32_t made =
        put(state,
            {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(peer),
             count * smpi_type_bytes[static_cast<std::size_t>(type)], sends ? Type::send : Type::recv},
            tag, blocks);
    if (!blocks) state.open.push_back({sends ? rank : peer, sends ? peer : rank, tag, made});
  }

  void other(State& state, Rank rank, const std::vector<std::string_view>& words) {
    const std::string_view what = words[1];
    if (what == "compute" || what == "sleep") {
      if (words.size() != 3) refuse(fmt::format("expected RANK {} NUMBER", what));
      pause(state, rank, nanoseconds(words[2], what == "sleep" ? 1 : how_.per_flop, what));
    } else if (what == "waitall") {
      const std::uint32_t made = pause(state, rank, 0);
      for (const Request& r : state.open) builder_.order(r.op, made, false);
      state.open.clear();
    } else if (what == "wait") {
      wait(state, rank, words);
    } else if (what == "barrier") {
      state.barriers.push_back(pause(state, rank, 0));
      pause(state, rank, 0);
    } else if (what == "sendRecv") {
      send_and_receive(state, rank, words);
    } else if (how_.schedule_of && is_smpi_collective(what)) {
      collective(state, rank, words);
    } else if (what != "location" && what != "test" && !what.starts_with("comm_")) {
      refuse(
          fmt::format("action {}; expected init, isend, send, irecv, recv, sendRecv, wait, waitall, compute, sleep, "
                      "barrier, another collective of MPI or finalize",
                      base::quoted(what, 40)));
    }
  }
  void send_and_receive(State& state, Rank rank, const std::vector<std::string_view>& words) {
    if (words.size() != 6 && words.size() != 8) refuse("expected RANK sendRecv SENT TO RECEIVED FROM [TYPE TYPE]");
    std::uint32_t made[2];
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {  // the receive first
      const std::int64_t type =
          words.size() == 8 ? number(words[6 + i], 0, std::ssize(smpi_type_bytes) - 1, "type") : state.type;
      const Rank peer = number(words[3 + 2 * i], 0, most_trace_ranks - 1, "peer");
      if (peer == rank) refuse("a message to the rank itself; expected another");
      made[i] =
          put(state,
              {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(peer),
               number(words[2 + 2 * i], 0, most_smpi_count, "count") * smpi_type_bytes[static_cast<std::size_t>(type)],
               i == 0 ? Type::send : Type::recv},
              0, false);
    }
    const std::uint32_t joint = pause(state, rank, 0);
    for (const std::uint32_t op : made) builder_.order(op, joint, false);
  }
  /// The messages are put between two operations when the whole trace is known.
  void collective(State& state, Rank rank, const std::vector<std::string_view>& words) {
    SmpiAction action{words, line_, state.type, pause(state, rank, 0)};
    pause(state, rank, 0);
    if (const double flops = smpi_flops(action, builder_); flops > 0)
      pause(state, rank, std::llround(flops * how_.per_flop * 1e9));
    collectives_[rank].push_back(std::move(action));
  }
  /// As SMPI: a wait for what is not open does nothing.
  void wait(State& state, Rank rank, const std::vector<std::string_view>& words) {
    if (words.size() != 5) refuse("expected RANK wait SOURCE DESTINATION TAG");
    const Rank from = number(words[2], 0, most_trace_ranks - 1, "source"),
               to = number(words[3], 0, most_trace_ranks - 1, "destination");
    const std::int64_t tag = number(words[4], 0, most_tag, "tag");
    for (auto r = state.open.begin(); r != state.open.end(); ++r)
      if (r->from == from && r->to == to && r->tag == tag) {
        const std::uint32_t made = pause(state, rank, 0);
        builder_.order(r->op, made, false);
        state.open.erase(r);
        return;
      }
  }

  /// All ranks' n-th barriers end together: what they come to is one operation of rank 0.
  void close_barriers(Rank ranks) {
    if (std::ssize(states_) != ranks)
      refuse(fmt::format("{} of {} ranks have actions; expected all", states_.size(), ranks));
    const std::size_t count = states_.begin()->second.barriers.size();
    for (const auto& [rank, state] : states_)
      if (state.barriers.size() != count)
        refuse(fmt::format("rank {} has {} barriers, and rank 0 has {}", rank, state.barriers.size(), count));
    for (std::size_t b = 0; b < count; ++b) {
      const std::uint32_t all = builder_.add({0, 0, 0, Type::work}, 0, line_);
      for (const auto& [rank, state] : states_) {
        builder_.order(state.barriers[b], all, false);
        builder_.order(all, state.barriers[b] + 1, false);
      }
    }
  }

  std::string_view rest_;
  ApplicationBuilder builder_;
  const ReadApplication& how_;
  std::map<Rank, std::vector<SmpiAction>> collectives_;
  std::map<Rank, State> states_;
  std::int64_t line_ = 0;
};

}  // namespace

Application read_smpi_application(std::string_view text, const std::string& name, const ReadApplication& how) {
  return SmpiApplication(text, name, how).read();
}

}  // namespace quadrille::interchange
