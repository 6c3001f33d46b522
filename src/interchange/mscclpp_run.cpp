#include "interchange/mscclpp_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "interchange/ranking.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::size_t most_plan_work = std::size_t{1} << 28, most_plan_cells = std::size_t{1} << 24;

using Known = std::vector<std::uint32_t>;  ///< of every block, how many of its steps are over

/// A chunk, or this share of it: who touched it last.
struct PlanPlace {
  struct Touch {
    std::size_t block = 0, step = 0, op = 0, phase = 0;
  };
  std::vector<Touch> writes, reads;  ///< writes: at most one
};

class PlanPerformance {
 public:
  explicit PlanPerformance(const PlanText& plan) : plan_(plan), state_(plan.blocks.size()) {
    std::size_t cells = 0, steps = 0;
    for (const PlanGpuText& gpu : plan.gpus)
      cells += static_cast<std::size_t>((gpu.in + gpu.out + gpu.scratch) * plan.shares);
    for (const PlanThreads& block : plan.blocks) steps += block.steps.size();
    if (cells > most_plan_cells || steps * plan.blocks.size() > most_plan_work)
      throw Error(Error::Kind::budget, fmt::format("{} operations of {} thread blocks on {} chunks: more than can be "
                                                   "performed",
                                                   steps, plan.blocks.size(), cells));
    for (State& s : state_) s.known.assign(plan.blocks.size(), 0);
    for (const PlanGpuText& gpu : plan.gpus) {
      releases_.emplace_back(gpu.semaphores.size());
      for (std::size_t i = 0; i < gpu.semaphores.size(); ++i)
        releases_.back()[i].assign(static_cast<std::size_t>(gpu.semaphores[i]), Known(plan.blocks.size(), 0));
    }
    pair_channels();
  }

  std::vector<PlanMove> perform() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t b = 0; b < state_.size(); ++b)
        while (step(b)) moved = true;
    }
    for (std::size_t b = 0; b < state_.size(); ++b)
      if (state_[b].next < plan_.blocks[b].steps.size())
        plan_.refuse(plan_.blocks[b], state_[b].next,
                     "it waits for ever; expected signals and releases for all that wait");
    for (const auto& [end, queue] : signals_)
      if (!queue.empty())
        throw Error(Error::Kind::format,
                    fmt::format("gpu {}: {} signals on a channel are left over; expected a wait for "
                                "each",
                                end.first, queue.size()));
    give_rounds();
    check_shares();
    std::vector<PlanMove> all;
    for (const Op& op : ops_)
      if (op.move.step->share == 0) all.push_back(op.move);
    return all;
  }

 private:
  struct State {
    std::size_t next = 0;
    Known known;
    bool data = false, waited = false;  ///< since its threads met
    std::size_t phase = 0;              ///< how often they have met
    std::optional<Known> passed = {};   ///< a barrier, and what is known behind it
  };
  struct Op {
    PlanMove move;
    std::size_t block, step, phase;
  };
  using End = std::pair<Rank, PlanChannel>;

  /// The n-th channel of a GPU to another one is the n-th of that to this.
  void pair_channels() {
    for (std::size_t r = 0; r < plan_.gpus.size(); ++r)
      for (const bool port : {false, true}) {
        const std::vector<Rank>& peers = plan_.gpus[r].peers[port];
        std::map<Rank, std::size_t> seen;
        for (std::size_t i = 0; i < peers.size(); ++i) {
          std::size_t left = seen[peers[i]]++;
          const std::vector<Rank>& theirs = plan_.gpus[static_cast<std::size_t>(peers[i])].peers[port];
          const auto found = std::find_if(theirs.begin(), theirs.end(),
                                          [&](Rank back) { return back == static_cast<Rank>(r) && left-- == 0; });
          if (found == theirs.end())
            throw Error(Error::Kind::format,
                        fmt::format("gpu {}: a channel to gpu {} has no other end there; expected as "
                                    "many each way",
                                    r, peers[i]));
          other_end_[{static_cast<Rank>(r), {port, i}}] = {peers[i],
                                                           {port, static_cast<std::size_t>(found - theirs.begin())}};
        }
      }
  }

  static void join(Known& into, const Known& other) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
  }
  /// False where the block is at its end or has to wait.
  bool step(std::size_t b) {
    State& state = state_[b];
    const PlanThreads& block = plan_.blocks[b];
    if (state.next == block.steps.size()) return false;
    const PlanStep& s = block.steps[state.next];
    if (s.name == "barrier" && !meet(b, s)) return false;
    if (s.name.ends_with("wait") && !take_all(
                                        b, s.channels, [&](const PlanChannel& c) -> auto& {
                                          return signals_[{block.gpu, c}];
                                        }))
      return false;
    auto& releases = releases_[static_cast<std::size_t>(block.gpu)];
    if (s.name == "sem_acquire" && !take_all(
                                       b, s.semaphores, [&](std::size_t i) -> auto& { return releases[i]; }))
      return false;
    ++state.known[b];
    const bool tells = !s.fused && (s.name == "signal" || s.name == "sem_release");
    if ((tells && (state.data || state.waited)) || (s.moves() && state.waited))
      plan_.refuse(block, state.next, fmt::format("{} before the threads meet; expected a nop", s.name));
    if (s.name == "nop" || s.name == "barrier") state.data = state.waited = false, ++state.phase;
    if (s.name.ends_with("signal"))  // a relaxed one says nothing of memory
      for (const PlanChannel& c : s.channels)
        signals_[other_end_.at({block.gpu, c})].push_back(s.name == "signal" ? state.known : Known(state_.size(), 0));
    if (s.name == "sem_release")
      for (const std::size_t i : s.semaphores) releases[i].push_back(state.known);
    if (s.name.ends_with("wait") || s.name == "sem_acquire" || s.name == "flush") state.waited = true;
    if (s.moves()) move(b, s);
    ++state.next;
    return true;
  }
  /// Whether the block has passed the barrier: when as many as it says have come.
  bool meet(std::size_t b, const PlanStep& s) {
    State& state = state_[b];
    if (!state.passed) {
      std::vector<std::size_t>& there = barriers_[{plan_.blocks[b].gpu, s.barrier}];
      if (std::find(there.begin(), there.end(), b) == there.end()) there.push_back(b);
      if (there.size() < s.blocks) return false;
      Known all(state_.size(), 0);
      for (const std::size_t one : there) join(all, state_[one].known);
      for (const std::size_t one : there) state_[one].passed = all;
      there.clear();
    }
    join(state.known, *state.passed);
    state.passed.reset();
    return true;
  }
  template <class Ids, class QueueOf>
  bool take_all(std::size_t b, const Ids& ids, const QueueOf& queue_of) {
    for (const auto& id : ids)
      if (queue_of(id).size() < static_cast<std::size_t>(std::count(ids.begin(), ids.end(), id))) return false;
    for (const auto& id : ids) {
      join(state_[b].known, queue_of(id).front());
      queue_of(id).pop_front();
    }
    return true;
  }

  void move(std::size_t b, const PlanStep& s) {
    state_[b].data = true;
    for (std::size_t i = 0; i < s.targets.size(); ++i) {
      const std::size_t op = ops_.size();
      ops_.push_back({{&s, plan_.blocks[b].gpu, i, s.round}, b, state_[b].next, state_[b].phase});
      touch(op, ops_[op].move.from(), false);
      if (const PlanRef* operand = ops_[op].move.operand()) touch(op, *operand, false);
      touch(op, s.targets[i], true);
    }
  }

  /// The places of a run: of shares each has its own, which is the same one where runs are equal.
  void touch(std::size_t op, const PlanRef& run, bool writes) {
    const PlanStep& s = *ops_[op].move.step;
    if (s.shares > 1) {
      if (unit_ == 0) unit_ = run.count;
      if (run.count != unit_ || run.chunk.at % unit_ != 0)
        plan_.refuse(plan_.blocks[ops_[op].block], ops_[op].step,
                     "a share of a run of another length or place; expected runs of one length, and multiples of it");
    }
    for (Slot i = 0; i < run.count; ++i)
      for (Slot part = 0; part < plan_.shares; ++part)
        if (s.shares == 1 || part == s.share) use(op, {run.rank, {run.chunk.buffer, run.chunk.at + i}, part}, writes);
  }
  void use(std::size_t op, const PlanRef& place, bool writes) {
    PlanPlace& p = places_[place];
    for (const auto& before : p.writes) require_order(before, op, false);
    if (writes)
      for (const auto& before : p.reads)
        if (before.op != op) require_order(before, op, true);
    const PlanPlace::Touch now{ops_[op].block, ops_[op].step, op, ops_[op].phase};
    if (!writes) return p.reads.push_back(now);
    p.reads.clear();
    p.writes.assign(1, now);
  }

  void require_order(const PlanPlace::Touch& before, std::size_t op, bool was_read) {
    const Op& now = ops_[op];
    const bool same_operation =
        plan_.blocks[before.block].steps[before.step].operation == plan_.blocks[now.block].steps[now.step].operation;
    const bool known = before.block == now.block ? before.phase != now.phase || same_operation
                                                 : state_[now.block].known[before.block] > before.step;
    if (!known)
      plan_.refuse(plan_.blocks[now.block], now.step,
                   "nothing orders it behind another that touches the same chunk; expected a signal and a wait, a "
                   "release and an acquire, or a nop");
    if (before.op != op) order_.push_back({before.op, op, was_read || !together(ops_[before.op], now) ? 1 : 0});
  }
  /// What came into scratch in a round is combined in it, and several are combined one after the other.
  bool together(const Op& before, const Op& now) const {
    if (!now.move.step->says_round || now.move.step->name == "put") return false;
    const bool landed = before.move.step->name == "put" && before.move.to().chunk.buffer == 's';
    const bool in_turn =
        before.move.operand() != nullptr && now.move.operand() != nullptr && *now.move.operand() == now.move.to();
    return landed || in_turn;
  }

  void give_rounds() {
    const auto said = std::count_if(ops_.begin(), ops_.end(), [](const Op& op) { return op.move.step->says_round; });
    if (said != 0 && said != std::ssize(ops_))
      throw Error(Error::Kind::format, "some moves have a round and some have none; expected all or none");
    if (said == 0) {
      const auto rounds = earliest_rounds(ops_.size(), order_);
      for (std::size_t i = 0; rounds && i < ops_.size(); ++i) ops_[i].move.round = (*rounds)[i];
      return;
    }
    for (const Precedes& p : order_)
      if (ops_[p.to].move.round < ops_[p.from].move.round + p.gap)
        plan_.refuse(plan_.blocks[ops_[p.to].block], ops_[p.to].step,
                     fmt::format("round {} is not after round {} of a move that comes before; expected it later",
                                 ops_[p.to].move.round, ops_[p.from].move.round));
  }

  /// Every move is made by all shares, or as a whole.
  void check_shares() const {
    using Key = std::tuple<Rank, std::string, PlanRef, PlanRef, PlanRef, Round, bool>;
    std::map<Key, std::vector<std::size_t>> made;
    for (const Op& op : ops_) {
      const PlanMove& m = op.move;
      if (m.step->shares == 1) continue;
      std::vector<std::size_t>& times =
          made[{m.gpu, m.step->name, m.from(), m.to(), m.operand() == nullptr ? PlanRef{} : *m.operand(), m.round,
                m.step->left}];
      times.resize(static_cast<std::size_t>(m.step->shares));
      ++times[static_cast<std::size_t>(m.step->share)];
    }
    for (const auto& [key, times] : made)
      if (std::count(times.begin(), times.end(), times[0]) != std::ssize(times))
        throw Error(Error::Kind::format,
                    fmt::format("gpu {}: a {} in round {} is not made by all of its shares; expected "
                                "the same in each thread block of a group",
                                std::get<0>(key), std::get<1>(key), std::get<5>(key)));
  }

  const PlanText& plan_;
  std::vector<State> state_;
  std::map<End, End> other_end_;
  std::map<std::pair<Rank, std::int64_t>, std::vector<std::size_t>> barriers_;  ///< who has come to one
  std::map<End, std::deque<Known>> signals_;                                    ///< that came in
  std::vector<std::vector<std::deque<Known>>> releases_;                        ///< by gpu and semaphore
  std::map<PlanRef, PlanPlace> places_;                                         ///< count: the share
  std::vector<Op> ops_;
  std::vector<Precedes> order_;
  Slot unit_ = 0;
};

}  // namespace

std::vector<PlanMove> run_plan(const PlanText& plan) { return PlanPerformance(plan).perform(); }

}  // namespace quadrille::interchange
