// Finds rounds for the messages of a schedule on a network, and writes the schedule down.
#include "schedule/routed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "schedule/table.hpp"
#include "schedule/timetable.hpp"

namespace quadrille::schedule {

namespace {

/// When a slot was last read, and written; and in which round of the base the latter was to be.
struct Touched {
  Round read = -1, written = -1, meant = -1;
};

struct Message {
  Rank from, to;
  std::vector<Transfer> sent, received;
  std::vector<Hop> hops;
  std::vector<Round> rounds;              ///< of the hops; of a message to itself the one in which it is
  std::vector<std::vector<Slot>> places;  ///< at every rank on its way, slots of scratch, of its slots in order
};

class Router {
 public:
  Router(const Schedule& base, const Topology& network, const Sharing& sharing, std::int64_t most)
      : base_(base), shape_(base.shape()), timetable_(network, sharing), most_(most), waiting_(shape_.cut.pieces()) {
    for (const Buffer b : {Buffer::in, Buffer::out, Buffer::tmp})
      touched_[static_cast<std::size_t>(b)].resize(static_cast<std::size_t>(shape_.ranks * shape_.slots(b)));
  }

  SchedulePtr run() {
    for (Round t = 0; t < shape_.rounds; ++t) {
      std::vector<Message> messages = messages_of(t);
      for (Message& m : messages) find_rounds(m, t);
      std::move(messages.begin(), messages.end(), std::back_inserter(all_));
    }
    for (Message& m : all_) find_places(m);
    return written();
  }

 private:
  /// In the order in which receivers list them.
  std::vector<Message> messages_of(Round t) {
    std::vector<Message> messages;
    std::unordered_map<std::int64_t, std::vector<Transfer>> sent;
    for (Rank r = 0; r < shape_.ranks; ++r) {
      if (!base_.active(r).contains(t)) continue;
      for (const Transfer& x : collected_.all(base_, t, r)) {
        if (x.kind == Kind::send) {
          sent[r * shape_.ranks + x.peer].push_back(x);
          continue;
        }
        const auto same = std::find_if(messages.rbegin(), messages.rend(),
                                       [&](const Message& m) { return m.to != r || m.from == x.peer; });
        if (same == messages.rend() || same->to != r)
          messages.push_back({x.peer, r, {}, {x}, timetable_.way(x.peer, r), {}, {}});
        else
          same->received.push_back(x);
      }
    }
    for (Message& m : messages) m.sent = std::move(sent[m.from * shape_.ranks + m.to]);
    return messages;
  }

  Touched& touched(Rank r, Buffer b, Slot slot) {
    return touched_[static_cast<std::size_t>(b)][static_cast<std::size_t>(r * shape_.slots(b) + slot)];
  }
  static bool in_place(const Transfer& x) {
    return x.combine.combines() && x.combine.buffer == x.buffer && x.combine.with == x.slots.first;
  }

  void find_rounds(Message& m, Round t) {
    Round ready = 0, arrival = 0;
    for (const Transfer& x : m.sent)
      for_each_slot(x.slots, [&](Slot s) { ready = std::max(ready, touched(m.from, x.buffer, s).written + 1); });
    for (const Transfer& x : m.received) arrival = std::max(arrival, first_arrival(m.to, x, t));
    if (m.hops.empty()) m.rounds.push_back(std::max(ready, arrival));
    for (const Hop& hop : m.hops) {
      if (++hops_ > most_)
        throw Error(Error::Kind::budget,
                    fmt::format("more than {} links are crossed; expected fewer ranks or packets", most_));
      ready = timetable_.take(hop, &hop == &m.hops.back() ? std::max(ready, arrival) : ready) + 1;
      m.rounds.push_back(ready - 1);
    }
    touch(m, t);
  }

  /// Where several are combined into a slot in one round of the base, their order is kept.
  Round first_arrival(Rank r, const Transfer& x, Round t) {
    Round arrival = 0;
    for_each_slot(x.slots, [&](Slot s) {
      const Touched& slot = touched(r, x.buffer, s);
      arrival = std::max({arrival, slot.read + 1, slot.written + (slot.meant == t && in_place(x) ? 0 : 1)});
    });
    if (x.combine.combines() && !in_place(x))
      for_each_slot(x.operand(),
                    [&](Slot s) { arrival = std::max(arrival, touched(r, x.combine.buffer, s).written + 1); });
    return arrival;
  }

  void touch(const Message& m, Round t) {
    const Round first = m.rounds.front(), last = m.rounds.back();
    rounds_ = std::max(rounds_, last + 1);
    for (const Transfer& x : m.sent)
      for_each_slot(x.slots, [&](Slot s) {
        Round& read = touched(m.from, x.buffer, s).read;
        read = std::max(read, first);
      });
    for (const Transfer& x : m.received) {
      if (x.combine.combines() && !in_place(x))
        for_each_slot(x.operand(), [&](Slot s) {
          Round& read = touched(m.to, x.combine.buffer, s).read;
          read = std::max(read, last);
        });
      for_each_slot(x.slots, [&](Slot s) {
        Touched& slot = touched(m.to, x.buffer, s);
        slot.written = last, slot.meant = t;
      });
    }
  }

  void find_places(Message& m) {
    if (m.hops.size() < 2) return;
    if (shape_.offsets)
      throw Error(Error::Kind::illegal, "blocks of different lengths cannot wait at ranks on their way");
    for (std::size_t hop = 0; hop + 1 < m.hops.size(); ++hop) {
      std::vector<Slot>& places = m.places.emplace_back();
      for (const Transfer& x : m.sent)
        for_each_slot(x.slots, [&](Slot s) {
          places.push_back(shape_.tmp +
                           waiting_.place(m.hops[hop].to, base_.piece(x.buffer, s), m.rounds[hop], m.rounds[hop + 1]));
        });
    }
  }

  Slot scratch() const { return shape_.tmp + waiting_.blocks(); }
  Slot renamed(Buffer b, Slot slot) const {
    return b == Buffer::tmp ? slot / shape_.tmp * scratch() + slot % shape_.tmp : slot;
  }

  std::vector<Transfer>& entry(Table& table, Rank r, Round t) const {
    std::vector<Entry>& entries = table.ranks[static_cast<std::size_t>(r)];
    const auto at = std::lower_bound(entries.begin(), entries.end(), t,
                                     [](const Entry& e, Round round) { return e.round < round; });
    if (at != entries.end() && at->round == t) return at->transfers;
    return entries.insert(at, {t, {}})->transfers;
  }

  /// Slots that follow each other are one segment.
  static bool follows(const Transfer& last, const Transfer& x) {
    return last.kind == x.kind && last.buffer == x.buffer && last.peer == x.peer &&
           last.slots.first + last.slots.size == x.slots.first && last.combine.incoming == x.combine.incoming &&
           last.combine.buffer == x.combine.buffer && !last.combine.again &&
           (!x.combine.combines() || last.combine.with + last.slots.size == x.combine.with);
  }
  Transfer slot_of(const Transfer& x, Slot i, Rank peer) const {
    Transfer one = x;
    one.peer = peer;
    one.slots = contiguous(renamed(x.buffer, x.slots[i]), 1);
    if (x.combine.combines()) one.combine.with = renamed(x.combine.buffer, x.operand()[i]);
    return one;
  }
  /// A segment, and those behind it that take the same again, slot by slot.
  void append(std::vector<Transfer>& list, const std::vector<Transfer>& segments, Rank peer) const {
    const std::size_t begin = list.size();
    for (auto x = segments.begin(), next = x; x != segments.end(); x = next) {
      while (++next != segments.end() && next->combine.again) {
      }
      for (Slot i = 0; i < x->slots.size; ++i) {
        Transfer one = slot_of(*x, i, peer);
        if (next == x + 1 && list.size() > begin && follows(list.back(), one))
          list.back().slots = contiguous(list.back().slots.first, list.back().slots.size + 1);
        else
          list.push_back(one);
        for (auto again = x + 1; again != next; ++again) list.push_back(slot_of(*again, i, peer));
      }
    }
  }
  /// What a rank on the way keeps: it gets it in one round, and sends it in a later one.
  std::vector<Transfer> kept(const Message& m, std::size_t hop, Kind kind, Rank peer) const {
    std::vector<Transfer> list;
    std::size_t i = 0;
    for (const Transfer& x : m.sent)
      for_each_slot(x.slots, [&](Slot s) {
        const Slot place = m.places[hop][i++];
        const Transfer one{kind, Buffer::tmp, peer, contiguous(base_.piece(x.buffer, s) * scratch() + place, 1), {}};
        if (!list.empty() && follows(list.back(), one))
          list.back().slots = contiguous(list.back().slots.first, list.back().slots.size + 1);
        else
          list.push_back(one);
      });
    return list;
  }

  void write(Table& table, const Message& m) const {
    const std::size_t hops = m.hops.size();
    append(entry(table, m.from, m.rounds.front()), m.sent, hops == 0 ? m.to : m.hops.front().to);
    for (std::size_t hop = 0; hop + 1 < hops; ++hop) {
      const Rank r = m.hops[hop].to;
      const auto add = [&](Round t, const std::vector<Transfer>& list) {
        std::vector<Transfer>& all = entry(table, r, t);
        all.insert(all.end(), list.begin(), list.end());
      };
      add(m.rounds[hop], kept(m, hop, Kind::recv, m.hops[hop].from));
      add(m.rounds[hop + 1], kept(m, hop, Kind::send, m.hops[hop + 1].to));
    }
    append(entry(table, m.to, m.rounds.back()), m.received, hops == 0 ? m.from : m.hops.back().from);
  }

  SchedulePtr written() const {
    Table table{.shape = shape_, .ranks = {}};
    table.shape.rounds = rounds_;
    table.shape.tmp = scratch();
    table.ranks.resize(static_cast<std::size_t>(shape_.ranks));
    for (const Message& m : all_) write(table, m);
    table.in = block_names(base_, Buffer::in);
    table.out = block_names(base_, Buffer::out);
    return of_table(checked(std::move(table)));
  }

  const Schedule& base_;
  Shape shape_;
  Timetable timetable_;
  std::int64_t most_, hops_ = 0;
  Waiting waiting_;
  std::array<std::vector<Touched>, 3> touched_;
  std::vector<Message> all_;
  Collected collected_;
  Round rounds_ = 0;
};

}  // namespace

SchedulePtr routed(const Schedule& base, const Topology& network, const Sharing& sharing, std::int64_t most) {
  return Router(base, network, sharing, most).run();
}

}  // namespace quadrille::schedule
