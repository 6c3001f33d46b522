#include "report/trace.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <unordered_map>

#include "base/integer.hpp"
#include "report/combining.hpp"
#include "report/trace_routes.hpp"
#include "traffic/traffic.hpp"
#include "verifier/symbols.hpp"

namespace quadrille::report {

namespace {

/// Thrown to itself when the budget is spent.
struct Spent {};

/// A message with what it carries, as indices into the round's list of places.
struct Sent {
  Rank to;
  Bytes bytes;
  std::vector<Item> carried;  ///< piece and block, in list order
};

class Tracer {
 public:
  Tracer(const Spec& spec, const Schedule& schedule, bool with_items, const TraceBudget& budget)
      : spec_(spec),
        schedule_(schedule),
        budget_(budget),
        nodes_(spec.topology->nodes()),
        group_(schedule.symmetry().group),
        blocks_(collective::traits(spec).names(spec)),
        trace_(Naming(*spec.topology, group_), with_items),
        routes_(*spec.topology, trace_.naming),
        alike_(trace_.naming.follows(group_) && !(with_items && combines(spec))),
        sent_(static_cast<std::size_t>(nodes_)) {}

  Trace run() {
    const Round rounds = schedule_.shape().rounds;
    const Cut& cut = schedule_.shape().cut;
    trace_.pieces_move = cut.pieces() > cut.parts || cut.packet_bytes > 0;
    trace_.items.number({});
    trace_.actions.number({});
    spend_steps(nodes_ * std::max<Round>(1, alike_ ? rounds / 16 : rounds));
    std::vector<std::int64_t> now(static_cast<std::size_t>(nodes_), 0), before(now);
    const auto next = [&](Round t) {
      round(t, now);
      trace_.steps.push_back(changes(now, before));
      count(static_cast<std::int64_t>(trace_.steps.back().size()) + 1);
      if (trace_.items.size() + trace_.sets.size() + trace_.actions.size() + numbers_ > budget_.numbers) throw Spent{};
      before = now;
    };
    if (trace_.with_items && combines(spec_)) {
      contributions(next);
    } else {
      follow_blocks();
      for (Round t = 0; t < rounds; ++t) next(t);
    }
    routes_.take(trace_);
    return std::move(trace_);
  }

 private:
  /// Prepares the buffers of blocks, where blocks are told.
  void follow_blocks() {
    trace_.blocks = blocks_;
    if (!trace_.with_items) return;
    ends();
    spend((alike_ ? 2 : nodes_) * (schedule_.shape().slots(Buffer::out) + schedule_.shape().slots(Buffer::tmp)));
    contents_ = std::make_unique<verifier::Contents>(spec_, schedule_, group_, false);
  }

  /// The same for reductions: executes them, and calls next(t) at the end of every round.
  template <class Next>
  void contributions(const Next& next) {
    const Shape& shape = schedule_.shape();
    spend(nodes_ * (shape.slots(Buffer::in) + shape.slots(Buffer::out) + shape.slots(Buffer::tmp)));
    combining_ =
        std::make_unique<Combining>(spec_, schedule_, trace_.naming, trace_.items, trace_.sets, trace_.pieces_move);
    trace_.blocks = combining_->blocks();
    std::vector<std::int64_t> now(static_cast<std::size_t>(nodes_), 0), before(now);
    const std::vector<std::int64_t> none = now;
    const auto each = [&](auto&& value) {
      for (Rank r = 0; r < nodes_; ++r) now[static_cast<std::size_t>(r)] = value(r);
    };
    each([&](Rank r) { return combining_->initial(r); });
    trace_.initial = changes(now, none);
    each([&](Rank r) { return combining_->wanted(r); });
    trace_.wanted = changes(now, none);
    const bool right = combining_->run([&](Round t) {
      next(t);
      each([&](Rank r) { return combining_->made(t, r); });
      trace_.made.push_back(changes(now, before));
      count(static_cast<std::int64_t>(trace_.made.back().size()) + 1);
      before = now;
    });
    if (!right) throw Spent{};
  }

  void spend(std::int64_t visits) {
    if ((visits_ += visits) > budget_.visits) throw Spent{};
  }
  void spend_steps(std::int64_t steps) const {
    if (steps > budget_.steps) throw Spent{};
  }
  void count(std::int64_t numbers) {
    if ((numbers_ += numbers) > budget_.numbers) throw Spent{};
  }

  bool speaks(Rank r) const { return !alike_ || representative_rank(r, group_) == r; }

  void round(Round t, std::vector<std::int64_t>& actions) {
    for (Rank r = 0; r < nodes_; ++r)
      if (speaks(r)) actions[static_cast<std::size_t>(r)] = action(t, r);
    if (alike_)
      for (Rank r = 0; r < nodes_; ++r)
        actions[static_cast<std::size_t>(r)] = actions[static_cast<std::size_t>(representative_rank(r, group_))];
    if (contents_ != nullptr) receive(t);
  }

  /// Everything rank r sends, by receiver.
  void collect(Round t, Rank r, std::vector<Sent>& out, Rank only = -1) {
    out.clear();
    const std::vector<Transfer>& list =
        only < 0 ? collected_.all(schedule_, t, r) : collected_.one(schedule_, t, r, Kind::send, only);
    verifier::Contents::View view;
    for (const Transfer& x : list) {
      if (x.kind != Kind::send || (only >= 0 && x.peer != only)) continue;
      auto at = out.begin();
      while (at != out.end() && at->to != x.peer) ++at;
      if (at == out.end()) at = out.insert(at, Sent{x.peer, 0, {}});
      at->bytes += schedule_.bytes(x.buffer, x.slots);
      if (contents_ == nullptr) continue;
      spend(x.slots.size);
      contents_->look(t, r, x, view);
      const Slot blocks = schedule_.shape().blocks(x.buffer);
      for_each_slot(x.slots, [&](Slot s) { at->carried.push_back({s / blocks, contents_->read(view, s)}); });
    }
  }

  std::int64_t action(Round t, Rank r) {
    std::vector<Sent>& sent = sent_[static_cast<std::size_t>(r)];
    collect(t, r, sent);
    std::sort(sent.begin(), sent.end(), [](const Sent& a, const Sent& b) { return a.to < b.to; });
    std::vector<std::array<std::int64_t, 3>> rows;
    for (const Sent& s : sent) {
      if (s.to == r) continue;
      note_route(r, s.to);
      rows.push_back({trace_.naming.name(s.to, r), s.bytes, carried(t, r, s)});
    }
    std::sort(rows.begin(), rows.end());
    Numbers flat;
    for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
    return trace_.actions.number(flat);
  }

  /// Where representatives speak for ranks whose ways differ, everyone's way to the same name.
  void note_route(Rank from, Rank to) {
    const Topology& topology = *spec_.topology;
    if (!alike_ || (topology.invariant(group_) && (topology.direct() || levels_renamed_alike(topology))))
      return routes_.note(from, to);
    for (Rank r = 0; r < nodes_; ++r)
      if (representative_rank(r, group_) == from)
        routes_.note(r, group_ == Group::rotate ? base::wrap(to - from + r, nodes_) : to ^ from ^ r);
  }

  std::int64_t carried(Round t, Rank r, const Sent& sent) {
    if (combining_ != nullptr) return combining_->carried(t, r, sent.to);
    if (contents_ == nullptr) return 0;
    scratch_.clear();
    for (const Item& i : sent.carried)
      if (i.block != no_block)
        scratch_.push_back({trace_.pieces_move ? i.piece - t : i.piece,
                            block_name(trace_.naming, blocks_, i.block, spec_.ranks(), r)});
    return trace_.items.number(packed(scratch_));
  }

  /// Puts what came into the representatives' buffers, after all of it was read.
  void receive(Round t) {
    struct Write {
      Rank rank;
      Buffer buffer;
      Slot slot, block;
    };
    std::vector<Write> writes;
    std::vector<Sent> other;
    std::unordered_map<Rank, std::pair<const std::vector<Item>*, std::size_t>> messages;
    for (Rank r = 0; r < traffic::representatives(group_, nodes_); ++r) {
      messages.clear();
      const std::vector<Transfer> list = collected_.all(schedule_, t, r);
      std::deque<std::vector<Item>> kept;
      for (const Transfer& x : list) {
        if (x.kind != Kind::recv) continue;
        auto found = messages.find(x.peer);
        if (found == messages.end())
          found = messages.emplace(x.peer, std::pair{message(t, x.peer, r, other, kept), std::size_t{0}}).first;
        auto& [carried, next] = found->second;
        for_each_slot(x.slots, [&, &carried = carried, &next = next](Slot s) {
          if (carried == nullptr || next >= carried->size()) return;
          writes.push_back({r, x.buffer, s, (*carried)[next++].block});
        });
      }
    }
    for (const Write& w : writes) contents_->write(w.rank, w.buffer, w.slot, w.block);
  }

  const std::vector<Item>* message(Round t, Rank from, Rank to, std::vector<Sent>& other,
                                   std::deque<std::vector<Item>>& kept) {
    if (!alike_) {
      const std::vector<Sent>& sent = sent_[static_cast<std::size_t>(from)];
      const auto at = std::lower_bound(sent.begin(), sent.end(), to, [](const Sent& s, Rank r) { return s.to < r; });
      return at != sent.end() && at->to == to ? &at->carried : nullptr;
    }
    collect(t, from, other, to);
    if (other.empty()) return nullptr;
    kept.push_back(std::move(other.front().carried));
    return &kept.back();
  }

  /// What every rank has before and must have after.
  void ends() {
    const Slot pieces = schedule_.shape().cut.pieces();
    std::vector<std::int64_t> held(static_cast<std::size_t>(nodes_)), wanted(held);
    const auto set = [&](Rank r, auto&& visit) {
      scratch_.clear();
      visit([&](Slot block) {
        if (block != no_block) scratch_.push_back({0, block_name(trace_.naming, blocks_, block, spec_.ranks(), r)});
      });
      Numbers list = packed(scratch_);
      if (!list.empty()) list[1] = pieces;
      return trace_.items.number(list);
    };
    for (Rank r = 0; r < nodes_; ++r) {
      held[static_cast<std::size_t>(r)] = set(r, [&](auto add) {
        for (const Buffer b : {Buffer::in, Buffer::out})
          for (Slot i = 0; i < blocks(spec_, b, r); ++i) add(held_before(spec_, b, r, i));
      });
      wanted[static_cast<std::size_t>(r)] = set(r, [&](auto add) {
        for (Slot i = 0; i < blocks(spec_, Buffer::out, r); ++i) add(wanted_after(spec_, r, i));
      });
    }
    const std::vector<std::int64_t> none(static_cast<std::size_t>(nodes_), 0);
    trace_.initial = changes(held, none);
    trace_.wanted = changes(wanted, none);
  }

  static Runs changes(const std::vector<std::int64_t>& now, const std::vector<std::int64_t>& before) {
    Runs runs;
    for (std::size_t i = 0; i < now.size();) {
      if (now[i] == before[i]) {
        ++i;
        continue;
      }
      std::size_t j = i + 1;
      while (j < now.size() && now[j] == now[i]) ++j;
      runs.insert(runs.end(), {static_cast<std::int64_t>(i), static_cast<std::int64_t>(j - i), now[i]});
      i = j;
    }
    return runs;
  }

  const Spec& spec_;
  const Schedule& schedule_;
  TraceBudget budget_;
  Rank nodes_;
  Group group_;
  BlockNames blocks_;
  Trace trace_;
  Routes routes_;
  bool alike_;  ///< representatives speak for all
  Collected collected_;
  std::unique_ptr<verifier::Contents> contents_;  ///< where blocks are told
  std::unique_ptr<Combining> combining_;          ///< where contributions are
  std::vector<std::vector<Sent>> sent_;
  std::vector<Item> scratch_;
  std::int64_t visits_ = 0, numbers_ = 0;
};

}  // namespace

std::optional<Trace> trace(const Spec& spec, const Schedule& schedule, bool with_items, const TraceBudget& budget) {
  try {
    return Tracer(on_ways_of(spec, schedule), schedule, with_items, budget).run();
  } catch (const Spent&) {
    return std::nullopt;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return std::nullopt;
  }
}

}  // namespace quadrille::report
