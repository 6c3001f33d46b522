#include "executor/threads.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::executor {

namespace {

/// Measured: a thread that yields twice is mostly back when what it waits for is there, and then nobody has to put it
/// to sleep and wake it (64 ranks on 2 cores: 0.23 instead of 0.32 ms for six exchanges); more yields gain nothing.
/// Where every rank has a core, three thousand pauses are some tens of microseconds, longer than waking somebody takes:
/// else who has woken another falls asleep while that one comes, and so on by turns (11 instead of 0.3 us for 16 KiB).
constexpr Patience a_core_each{.spins = 3000, .yields = 2}, crowded{.spins = 0, .yields = 2};

/// Messages this long are worth the sender's help, in pieces that take some microseconds each.
constexpr Bytes joint_bytes = Bytes{256} << 10, joint_piece = Bytes{64} << 10;

/// What a rank can wait for, once for each message: messages are numbered over all ranks.
enum class Event : std::uint64_t { arrival = 1, taking, opening, helping };
std::uint64_t key(std::uint64_t message, Event event) { return message << 3 | static_cast<std::uint64_t>(event); }

void cut_up(const program::Copy& copy, Bytes most, std::vector<program::Copy>& pieces) {
  program::cut_up(copy, most, pieces);
}
void cut_up(const program::Combining& combining, Bytes most, std::vector<program::Combining>& pieces) {
  std::vector<program::Strided<3>> places;
  program::cut_up(combining.at, most, places);
  for (const auto& at : places) pieces.push_back({combining.incoming, at});
}

}  // namespace

ThreadExchange::ThreadExchange(const std::vector<program::Program>& programs, int cores, const operators::Operator& op)
    : programs_(programs),
      places_(programs.size()),
      gathering_(static_cast<std::int64_t>(programs.size())),
      operator_(op),
      kernel_(operators::kernel(op)),
      core_each_(programs.size() <= static_cast<std::size_t>(cores)),
      patience_(core_each_ ? a_core_each : crowded) {
  std::vector<std::size_t> paired(programs.size(), 0);
  std::uint64_t number = 0;
  for (const program::Program& p : programs) {
    Place& mine = place(p.rank);
    mine.number = number;
    number += p.sends.size();
    mine.taken = std::make_unique<Counter[]>(p.watched);
    pair_receives(mine, p, paired);
  }
  for (const program::Program& p : programs) {
    if (paired[static_cast<std::size_t>(p.rank)] == p.sends.size()) continue;
    for (const program::Message& m : p.sends) {
      const auto& others = program(m.peer).receives;
      if (std::none_of(others.begin(), others.end(),
                       [&](const program::Message& o) { return o.round == m.round && o.peer == p.rank; }))
        throw Error(Error::Kind::transport,
                    fmt::format("round {}: rank {} sends {} B to rank {}, which receives nothing from it", m.round,
                                p.rank, m.bytes, m.peer));
    }
  }
}

void ThreadExchange::pair_receives(Place& mine, const program::Program& p, std::vector<std::size_t>& paired) {
  mine.pairs.reserve(p.receives.size());
  for (const program::Message& m : p.receives) {
    const program::Program& sender = program(m.peer);
    const program::Message* const sent = find_send(sender, m, p.rank);
    if (sent == nullptr || sent->bytes != m.bytes)
      throw Error(Error::Kind::transport,
                  fmt::format("round {}: rank {} receives {} B from rank {}, which sends it {}", m.round, p.rank,
                              m.bytes, m.peer, sent == nullptr ? "nothing" : fmt::format("{} B", sent->bytes)));
    const auto send = static_cast<std::size_t>(sent - sender.sends.data());
    const bool combines = m.combines();
    const std::size_t first = combines ? mine.combinings.size() : mine.copies.size();
    if (combines)
      program::combine_up(sender.bytes_of(*sent), p.uses_of(m), p.extents, mine.combinings);
    else
      program::pair_up(sender.bytes_of(*sent), p.bytes_of(m), mine.copies);
    Joint* const joint = m.in_turn  ? nullptr
                         : combines ? join(mine, mine.combinings, first, m.bytes)
                                    : join(mine, mine.copies, first, m.bytes);
    if (joint != nullptr) place(m.peer).helps.push_back({p.rank, mine.pairs.size()});
    const std::size_t last = combines ? mine.combinings.size() : mine.copies.size();
    mine.pairs.push_back({m.peer, send, first, last, send < sender.watched, joint, combines});
    ++paired[static_cast<std::size_t>(m.peer)];
  }
}

/// Cuts what is done with a message, `list` from `first` on, in pieces of whole elements to be shared out; null when
/// that is not worth it.
template <class Entry>
Joint* ThreadExchange::join(Place& mine, std::vector<Entry>& list, std::size_t first, Bytes bytes) const {
  if (!core_each_ || bytes < joint_bytes) return nullptr;
  const Bytes most = joint_piece / operators::element(operator_) * operators::element(operator_);
  std::vector<Entry> pieces;
  for (std::size_t i = first; i < list.size(); ++i) cut_up(list[i], most, pieces);
  if (static_cast<Bytes>(pieces.size()) > 8 * bytes / joint_piece) return nullptr;
  list.resize(first);
  list.insert(list.end(), pieces.begin(), pieces.end());
  return &mine.joints.emplace_back(pieces.size());
}

/// Entries first .. last-1 of what is done with a message.
void ThreadExchange::perform(const Place& receiver, const Pair& pair, std::size_t first, std::size_t last,
                             const program::Bases& from, const program::Bases& to) const {
  const auto part = [&](const auto& list) { return std::span(list).subspan(pair.first + first, last - first); };
  if (pair.combines)
    program::perform(part(receiver.combinings), kernel_, from, to);
  else
    program::perform(part(receiver.copies), from, to);
}

const program::Message* ThreadExchange::find_send(const program::Program& sender, const program::Message& receive,
                                                  Rank receiver) const {
  const auto ranks = static_cast<Rank>(programs_.size());
  const auto key = [&](const program::Message& m) {
    return std::pair(m.round, program::ahead(sender.rank, m.peer, ranks));
  };
  const std::pair wanted(receive.round, program::ahead(sender.rank, receiver, ranks));
  const auto found = std::lower_bound(sender.sends.begin(), sender.sends.end(), wanted,
                                      [&](const program::Message& m, const auto& w) { return key(m) < w; });
  return found != sender.sends.end() && key(*found) == wanted ? &*found : nullptr;
}

void ThreadExchange::cancel() {
  cancelled_.store(true);
  for (Place& p : places_) p.bed.ring();
  gathering_.release();
}

Bytes ThreadExchange::memory() const {
  std::size_t bytes = 0;
  for (const Place& p : places_)
    bytes += sizeof(Place) + p.pairs.capacity() * sizeof(Pair) + p.copies.capacity() * sizeof(program::Copy) +
             p.combinings.capacity() * sizeof(program::Combining);
  return static_cast<Bytes>(bytes);
}

ThreadExchange::End::End(ThreadExchange& exchange, Rank rank, const program::Bases& bases)
    : exchange_(exchange), program_(exchange.program(rank)), place_(exchange.place(rank)), bases_(bases) {
  place_.bases = bases;
}

void ThreadExchange::End::begin() {
  ++run_;
  settled_ = 0;
}

template <class Ready>
void ThreadExchange::End::wait(std::uint64_t what, Ready ready) {
  place_.bed.wait(what, exchange_.patience_, exchange_.cancelled_, ready);
}

void ThreadExchange::End::offer(std::size_t done) {
  if (done == 0) return;  // nobody waits for what is there from the start
  const auto sends = program_.offered(done);
  if (sends.empty()) return;
  place_.done.store(std::uint64_t{run_} << 32 | done);
  for (const std::size_t send : sends)
    exchange_.place(program_.sends[send].peer).bed.wake(key(place_.number + send, Event::arrival));
}

void ThreadExchange::End::settle(std::size_t sends) {
  for (; settled_ < sends; ++settled_) {
    const Counter& taken = place_.taken[settled_];
    wait(key(place_.number + settled_, Event::taking), [&] { return taken.load() == run_; });
  }
}

void ThreadExchange::End::receive(std::size_t n) {
  const Pair& pair = place_.pairs[n];
  Place& sender = exchange_.place(pair.from);
  const std::uint64_t message = sender.number + pair.send;
  if (const std::size_t after = exchange_.program(pair.from).sends[pair.send].after; after > 0)
    wait(key(message, Event::arrival), [&] { return sender.done.load() >= (std::uint64_t{run_} << 32 | after); });
  take(pair, message);
  if (!pair.watched) return;
  sender.taken[pair.send].store(run_);
  sender.bed.wake(key(message, Event::taking));
}

void ThreadExchange::End::take(const Pair& pair, std::uint64_t message) {
  Place& sender = exchange_.place(pair.from);
  if (pair.joint == nullptr) {
    exchange_.perform(place_, pair, 0, pair.last - pair.first, sender.bases, bases_);
    return;
  }
  pair.joint->open(run_);
  sender.bed.wake(key(message, Event::opening));
  pair.joint->work([&](std::size_t i) { exchange_.perform(place_, pair, i, i + 1, sender.bases, bases_); });
  wait(key(message, Event::helping), [&] { return pair.joint->is_done(run_); });
}

void ThreadExchange::End::finish() {
  for (const Help& help : place_.helps) {
    Place& receiver = exchange_.place(help.receiver);
    const Pair& pair = receiver.pairs[help.receive];
    const std::uint64_t message = place_.number + pair.send;
    wait(key(message, Event::opening), [&] { return pair.joint->is_open(run_); });
    pair.joint->work([&](std::size_t i) { exchange_.perform(receiver, pair, i, i + 1, bases_, receiver.bases); });
    receiver.bed.wake(key(message, Event::helping));
  }
}

void ThreadExchange::End::move(std::size_t first, std::size_t last) {
  program::perform(std::span<const program::Copy>(program_.moves).subspan(first, last - first), bases_, bases_);
}

void ThreadExchange::End::combine(std::size_t first, std::size_t last) {
  const auto own = std::span<const program::Combining>(program_.combinings).subspan(first, last - first);
  program::perform(own, exchange_.kernel_, bases_, bases_);
}

void ThreadExchange::End::barrier() { exchange_.gathering_.arrive(exchange_.patience_, exchange_.cancelled_); }

}  // namespace quadrille::executor
