#include "run/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace quadrille {

namespace {

/// Measured: a thread that yields twice is mostly back when what it waits for is there, and then nobody has to put it
/// to sleep and wake it (64 ranks on 2 cores: 0.23 instead of 0.32 ms for six exchanges); more yields gain nothing. A
/// hundred pauses are about a microsecond; more would be lost whenever two ranks share a core after all.
constexpr Patience a_core_each{.spins = 100, .yields = 2}, crowded{.spins = 0, .yields = 2};

/// What a rank can wait for: the bytes of a message, or that a message was taken. Messages are numbered over all ranks.
std::uint64_t arrival_of(std::uint64_t message) { return 2 * message + 1; }
std::uint64_t taking_of(std::uint64_t message) { return 2 * message + 2; }

}  // namespace

void yield_core() { std::this_thread::yield(); }

ThreadExchange::ThreadExchange(const std::vector<Program>& programs, int cores)
    : programs_(programs),
      places_(programs.size()),
      gathering_(static_cast<std::int64_t>(programs.size())),
      patience_(programs.size() <= static_cast<std::size_t>(cores) ? a_core_each : crowded) {
  std::vector<std::size_t> paired(programs.size(), 0);
  std::uint64_t number = 0;
  for (const Program& p : programs) {
    Place& mine = place(p.rank);
    mine.number = number;
    number += p.sends.size();
    mine.taken = std::make_unique<Counter[]>(p.watched);
    pair_receives(mine, p, paired);
  }
  for (const Program& p : programs) {
    if (paired[static_cast<std::size_t>(p.rank)] == p.sends.size()) continue;
    for (const Message& m : p.sends) {
      const auto& others = program(m.peer).receives;
      if (std::none_of(others.begin(), others.end(),
                       [&](const Message& o) { return o.round == m.round && o.peer == p.rank; }))
        throw Error(Error::Kind::transport,
                    fmt::format("round {}: rank {} sends {} B to rank {}, which receives nothing from it", m.round,
                                p.rank, m.bytes, m.peer));
    }
  }
}

void ThreadExchange::pair_receives(Place& mine, const Program& p, std::vector<std::size_t>& paired) {
  mine.pairs.reserve(p.receives.size());
  for (const Message& m : p.receives) {
    const Program& sender = program(m.peer);
    const Message* const sent = find_send(sender, m, p.rank);
    if (sent == nullptr || sent->bytes != m.bytes)
      throw Error(Error::Kind::transport,
                  fmt::format("round {}: rank {} receives {} B from rank {}, which sends it {}", m.round, p.rank,
                              m.bytes, m.peer, sent == nullptr ? "nothing" : fmt::format("{} B", sent->bytes)));
    const auto send = static_cast<std::size_t>(sent - sender.sends.data());
    const std::size_t first = mine.copies.size();
    pair_up(sender.bytes_of(*sent), p.bytes_of(m), mine.copies);
    mine.pairs.push_back({m.peer, send, first, mine.copies.size(), send < sender.watched});
    ++paired[static_cast<std::size_t>(m.peer)];
  }
}

const Message* ThreadExchange::find_send(const Program& sender, const Message& receive, Rank receiver) const {
  const auto ranks = static_cast<Rank>(programs_.size());
  const auto key = [&](const Message& m) { return std::pair(m.round, ahead(sender.rank, m.peer, ranks)); };
  const std::pair wanted(receive.round, ahead(sender.rank, receiver, ranks));
  const auto found = std::lower_bound(sender.sends.begin(), sender.sends.end(), wanted,
                                      [&](const Message& m, const auto& w) { return key(m) < w; });
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
    bytes += sizeof(Place) + p.pairs.capacity() * sizeof(Pair) + p.copies.capacity() * sizeof(Copy);
  return static_cast<Bytes>(bytes);
}

ThreadExchange::End::End(ThreadExchange& exchange, Rank rank, const Bases& bases)
    : exchange_(exchange), program_(exchange.program(rank)), bases_(bases) {
  exchange_.place(rank).bases = bases;
}

void ThreadExchange::End::begin() {
  ++run_;
  settled_ = 0;
}

void ThreadExchange::End::offer(std::size_t done) {
  if (done == 0) return;  // nobody waits for what is there from the start
  const auto sends = program_.offered(done);
  if (sends.empty()) return;
  Place& mine = exchange_.place(program_.rank);
  mine.done.store(std::uint64_t{run_} << 32 | done);
  for (const std::size_t send : sends)
    exchange_.place(program_.sends[send].peer).bed.wake(arrival_of(mine.number + send));
}

void ThreadExchange::End::settle(std::size_t sends) {
  Place& mine = exchange_.place(program_.rank);
  for (; settled_ < sends; ++settled_) {
    const Counter& taken = mine.taken[settled_];
    mine.bed.wait(taking_of(mine.number + settled_), exchange_.patience_, exchange_.cancelled_,
                  [&] { return taken.load() == run_; });
  }
}

void ThreadExchange::End::receive(std::size_t n) {
  Place& mine = exchange_.place(program_.rank);
  const Pair& pair = mine.pairs[n];
  Place& sender = exchange_.place(pair.from);
  const std::uint64_t message = sender.number + pair.send;
  if (const std::size_t after = exchange_.program(pair.from).sends[pair.send].after; after > 0)
    mine.bed.wait(arrival_of(message), exchange_.patience_, exchange_.cancelled_,
                  [&] { return sender.done.load() >= (std::uint64_t{run_} << 32 | after); });
  perform(std::span(mine.copies).subspan(pair.first, pair.last - pair.first), sender.bases, bases_);
  if (!pair.watched) return;
  sender.taken[pair.send].store(run_);
  sender.bed.wake(taking_of(message));
}

void ThreadExchange::End::move(std::size_t first, std::size_t last) {
  perform(std::span(program_.moves).subspan(first, last - first), bases_, bases_);
}

void ThreadExchange::End::barrier() { exchange_.gathering_.arrive(exchange_.patience_, exchange_.cancelled_); }

}  // namespace quadrille
