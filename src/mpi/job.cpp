#include "mpi/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <vector>

namespace quadrille::mpi {

namespace {

using Clock = std::chrono::steady_clock;
Seconds since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr Bytes small = 64, middle = 16 << 10, large = 128 << 10;
constexpr int in_a_burst = 16;
constexpr Seconds least_start = 1e-9;
constexpr Seconds patience = 2e-3;  ///< for each figure, once it was taken three times

/// Messages between two ranks; all others wait for what comes of it.
class Pair {
 public:
  Pair(const Peers& peers, int first, int second)
      : peers_(peers),
        other_(peers.rank() == first ? second : first),
        first_(peers.rank() == first),
        one_of_them_(first_ || peers.rank() == second) {}
  bool is_one_of_them() const { return one_of_them_; }

  /// Half a round trip, the least of some.
  Seconds one_way(Bytes bytes) {
    return least(
        [&] {
          const auto begin = Clock::now();
          send(bytes, 1);
          receive(bytes, 1);
          return since(begin) / 2;
        },
        [&] {
          receive(bytes, 1);
          send(bytes, 1);
        });
  }
  /// Of so many messages, each: what it takes to send them, and until the other has them.
  Seconds sending(int messages) { return burst(messages, false); }
  Seconds until_there(int messages) { return burst(messages, true); }

 private:
  Seconds burst(int messages, bool with_answer) {
    return least(
        [&] {
          const auto begin = Clock::now();
          post(messages);
          const Seconds posted = since(begin);
          wait();
          receive(small, 1);
          return (with_answer ? since(begin) : posted) / messages;
        },
        [&] {
          receive(small, messages);
          send(small, 1);
        });
  }
  /// The first measures, as often as its patience lasts, and tells the other whether it goes on.
  template <class Measure, class Answer>
  Seconds least(Measure measure, Answer answer) {
    constexpr int fewest = 3, most = 20;
    Seconds best = 0;
    const auto begin = Clock::now();
    for (int i = 0;; ++i) {
      if (first_) {
        const Seconds took = measure();
        best = i == 0 ? took : std::min(best, took);
      } else {
        answer();
      }
      data_[0] = first_ && i + 1 < most && (i + 1 < fewest || since(begin) < patience) ? 1 : 0;
      first_ ? send(1, 1) : receive(1, 1);
      if (data_[0] == 0) return best;
    }
  }
  void post(int messages) {
    for (int i = 0; i < messages; ++i)
      check(MPI_Isend(data_.data(), static_cast<int>(small), MPI_BYTE, other_, 0, peers_.comm(),
                      &requests_.emplace_back(MPI_REQUEST_NULL)),
            "measuring");
  }
  void send(Bytes bytes, int messages) {
    for (int i = 0; i < messages; ++i)
      check(MPI_Isend(data_.data(), static_cast<int>(bytes), MPI_BYTE, other_, 0, peers_.comm(),
                      &requests_.emplace_back(MPI_REQUEST_NULL)),
            "measuring");
    wait();
  }
  void receive(Bytes bytes, int messages) {
    for (int i = 0; i < messages; ++i)
      check(MPI_Irecv(data_.data() + i * bytes, static_cast<int>(bytes), MPI_BYTE, other_, 0, peers_.comm(),
                      &requests_.emplace_back(MPI_REQUEST_NULL)),
            "measuring");
    wait();
  }
  void wait() {
    wait_until([&] { return all_done(requests_, 0, requests_.size()); });
    requests_.clear();
  }

  const Peers& peers_;
  const int other_;
  const bool first_, one_of_them_;
  std::vector<MPI_Request> requests_;
  std::vector<char> data_ = std::vector<char>(static_cast<std::size_t>(large), 1);
};

/// Seconds of a byte that is moved in pieces of 256 to places apart.
double moving() {
  constexpr std::size_t piece = 256, side = 16;
  std::vector<char> from(piece * side * side, 1), to(from.size());
  Seconds best = 1;
  for (int turn = 0; turn < 5; ++turn) {
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < side; ++i)
      for (std::size_t j = 0; j < side; ++j)
        std::copy_n(&from[(i * side + j) * piece], piece, &to[(j * side + i) * piece]);
    best = std::min(best, since(begin));
    from.swap(to);
  }
  return best / static_cast<double>(from.size());
}

/// Of a message between the two: a short one's time, what a byte more takes, and how much sooner than by these a longer
/// one is there, as a link that was idle lets its first bytes through at once.
struct Line {
  Seconds short_one;
  double per_byte;
  Seconds ahead;
};
Line line(Pair& pair) {
  const Seconds short_one = pair.one_way(small), early = pair.one_way(middle), late = pair.one_way(large);
  const double slope = (late - early) / static_cast<double>(large - middle);
  if (!(slope > 0)) return {short_one, late / static_cast<double>(large), 0};
  return {short_one, slope, std::max(0.0, short_one + slope * static_cast<double>(middle - small) - early)};
}

Machine fitted(Pair& pair, bool between_hosts) {
  Machine m = load_machine("localhost");
  m.origins.clear();
  m.description = "What two processes of a job measured in some milliseconds";
  const auto [short_one, per_byte, ahead] = line(pair);
  m.beta = per_byte;
  m.burst = between_hosts ? ahead : 0;
  m.overhead_send = pair.sending(in_a_burst);
  // Messages in a row come as fast as the slower end lets them.
  const Seconds one = pair.until_there(1), each = (in_a_burst * pair.until_there(in_a_burst) - one) / (in_a_burst - 1);
  m.overhead_receive = std::max(each, 0.0);
  const Seconds both = m.overhead_send + m.overhead_receive;
  if (both > short_one) {  // a row of them has taken longer than one alone does: neither can take more than that
    m.overhead_send *= short_one / both;
    m.overhead_receive *= short_one / both;
  }
  m.alpha = std::max(short_one - m.overhead_send - m.overhead_receive, least_start);
  m.per_hop = m.barrier = 0;
  m.barrier_log2 = short_one;
  m.rho = moving();
  return m;
}

}  // namespace

std::string library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string_view all(text.data(), static_cast<std::size_t>(length));
  std::string words(all.substr(0, all.find_first_of(",\n")));
  std::replace(words.begin(), words.end(), '\t', ' ');
  return words;
}

namespace {

/// The machine of rank `from` on all ranks.
Machine shared_by(const Peers& peers, const Machine& machine, int from, const std::string& name) {
  const std::string text = peers.broadcast(peers.rank() == from ? to_text(machine) : "", from);
  Machine same = parse_machine(text, name);
  same.name = name;
  return same;
}

/// What is beside the overheads in a memory: they are the same for all messages of a rank.
LinkCost memory(Pair& pair, const Machine& m) {
  const auto [short_one, per_byte, ahead] = line(pair);
  return {.kind = "memory",
          .alpha = std::max(short_one - m.overhead_send - m.overhead_receive, least_start),
          .beta = per_byte};
}

}  // namespace

Machine measured_job(const Peers& peers, const topology::Hosts& hosts) {
  int other = 1;
  for (int r = peers.ranks() - 1; r > 0; --r)
    if (hosts.host(r) != hosts.host(0)) other = r;
  const std::string name = fmt::format("measured on this job ({}, {} ranks on {} host{})", library_name(),
                                       peers.ranks(), hosts.count(), hosts.count() == 1 ? "" : "s");
  Machine machine;
  Pair between(peers, 0, other);
  if (between.is_one_of_them()) machine = fitted(between, hosts.count() > 1);
  machine = shared_by(peers, machine, 0, name);
  if (!hosts.shared()) return machine;
  Rank host = 0;
  while (hosts.ranks_of(host).size() < 2) ++host;
  const int first = static_cast<int>(hosts.ranks_of(host)[0]), second = static_cast<int>(hosts.ranks_of(host)[1]);
  Pair within(peers, first, second);
  if (within.is_one_of_them()) machine.links = {memory(within, machine)};
  return shared_by(peers, machine, first, name);
}

}  // namespace quadrille::mpi
