#include "mpi/between_hosts.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "quadrille/tune.hpp"

namespace quadrille::mpi {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Rank fewest_hosts = 4, most_hosts = 64;
constexpr std::size_t sent_first = 5;  ///< patterns, about
/// Messages share links where a pattern takes so many times as long as another.
constexpr double differ = 1.3;
/// What a rank sends in a pattern takes so long, but has no more bytes and messages than these.
constexpr Seconds long_enough = 5e-3;
constexpr Bytes shortest = Bytes{16} << 10, longest = Bytes{64} << 10;
constexpr double most_messages = 16;
constexpr int most_passes = 5;
constexpr std::size_t most_targets = 2;  ///< ranks that a pattern has each send to

/// Two messages on links of their own take less than so many times as long as one.
constexpr double alike = 1.5;

std::vector<Rank> first_ranks(const topology::Hosts& hosts) {
  std::vector<Rank> first;
  for (Rank host = 0; host < hosts.count(); ++host) first.push_back(hosts.ranks_of(host).front());
  return first;
}

/// Ranks that send in patterns, such as the first of every host, which speaks for it.
class Speakers {
 public:
  Speakers(const Peers& peers, std::vector<Rank> ranks, const Machine& machine)
      : peers_(peers), ranks_(std::move(ranks)) {
    const auto own = std::find(ranks_.begin(), ranks_.end(), peers.rank());
    if (own != ranks_.end()) host_ = own - ranks_.begin();
    const double bytes = long_enough / std::max(machine.beta, 1e-12);
    bytes_ = std::clamp(static_cast<Bytes>(std::min(bytes, static_cast<double>(longest))), shortest, longest);
    messages_ = static_cast<std::size_t>(std::clamp(bytes / static_cast<double>(bytes_), 1.0, most_messages));
    if (host_ >= 0) data_.resize(static_cast<std::size_t>(bytes_) * (most_targets * messages_ + 1));
  }

  /// Until the last has all: the same on all ranks.
  PatternSample sample(std::vector<Rank> to) {
    peers_.barrier();
    const auto begin = Clock::now();
    if (host_ >= 0) exchange(to);
    std::vector<double> took{std::chrono::duration<double>(Clock::now() - begin).count()};
    peers_.reduce_to_all(took, MPI_MAX);
    return {std::move(to), took.front()};
  }

 private:
  void exchange(const std::vector<Rank>& to) {
    char* room = data_.data() + bytes_;  // behind what is sent
    for (std::size_t i = 0; i < to.size(); ++i) {
      const Rank from = static_cast<Rank>(i % ranks_.size()), target = to[i];
      if (from == target) continue;
      if (target == host_)
        for (std::size_t n = 0; n < messages_; ++n, room += bytes_) receive(room, from);
      if (from == host_)
        for (std::size_t n = 0; n < messages_; ++n) send(target);
    }
    wait_until([&] { return all_done(requests_, 0, requests_.size()); });
    requests_.clear();
  }
  void receive(char* into, Rank from) {
    check(MPI_Irecv(into, static_cast<int>(bytes_), MPI_BYTE, rank_of(from), 0, peers_.comm(), next()), "measuring");
  }
  void send(Rank target) {
    check(MPI_Isend(data_.data(), static_cast<int>(bytes_), MPI_BYTE, rank_of(target), 0, peers_.comm(), next()),
          "measuring");
  }
  MPI_Request* next() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
  int rank_of(Rank host) const { return static_cast<int>(ranks_[static_cast<std::size_t>(host)]); }

  const Peers& peers_;
  std::vector<Rank> ranks_;
  Rank host_ = -1;  ///< this rank speaks for; -1: for none
  Bytes bytes_ = 0;
  std::size_t messages_ = 1;
  std::vector<char> data_;  ///< what is sent, and behind it what comes
  std::vector<MPI_Request> requests_;
};

/// Whether some of these patterns take clearly longer than others for a message that a host sends.
bool share_links(Speakers& speakers, const std::vector<std::vector<Rank>>& all, Rank hosts) {
  speakers.sample(all.front());  // connections are made in it
  Seconds least = 0, most = 0;
  for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(all.size() / sent_first, 1)) {
    const std::vector<Rank>& to = all[all.size() - 1 - i];
    const auto each = static_cast<double>(std::ssize(to) / hosts);
    const Seconds took = std::min(speakers.sample(to).time, speakers.sample(to).time) / each;
    least = least == 0 ? took : std::min(least, took);
    most = std::max(most, took);
  }
  return most > differ * least;
}

/// Sends all, and keeps the lesser times.
void sample_again(Speakers& speakers, std::vector<PatternSample>& least) {
  for (PatternSample& sample : least) sample.time = std::min(sample.time, speakers.sample(sample.to).time);
}

std::string found_in(const std::vector<PatternSample>& samples) {
  const Revealed network = revealed_at_once(std::ssize(samples.front().to), samples);
  return network.explained > 0 ? network.topology : "";
}

/// Whether the quickest of patterns with two messages of each host takes less than half as long again as that with one.
bool two_as_one(const std::vector<PatternSample>& samples, Rank hosts) {
  Seconds one = std::numeric_limits<Seconds>::infinity(), two = one;
  for (const PatternSample& sample : samples) {
    Seconds& least = std::ssize(sample.to) == hosts ? one : two;
    least = std::min(least, sample.time);
  }
  return two < alike * one;
}

/// A rank, and two on other hosts that it reaches over links of their own.
struct Fork {
  Rank from = 0, first = 0, second = 0;
};

/// Of the placed ranks the first that has two such others, the nearest; none where each rank has one link.
std::optional<Fork> fork_in(const Placement& placement, const topology::Hosts& hosts) {
  constexpr Rank most_tried = 64;
  const Topology& t = *placement.topology;
  std::vector<Rank> others(static_cast<std::size_t>(hosts.ranks()));
  std::iota(others.begin(), others.end(), Rank{0});
  std::vector<Link> path, way;
  for (Rank from = 0; from < std::min(hosts.ranks(), most_tried); ++from) {
    const auto far = [&](Rank r) { return t.distance(placement.node(from), placement.node(r)); };
    std::stable_sort(others.begin(), others.end(), [&](Rank a, Rank b) { return far(a) < far(b); });
    std::optional<Rank> first;
    for (const Rank to : others) {
      if (hosts.host(to) == hosts.host(from)) continue;
      std::vector<Link>& used = first ? way : path;
      used.clear();
      t.route(placement.node(from), placement.node(to), used);
      if (!first)
        first = to;
      else if (std::find_first_of(way.begin(), way.end(), path.begin(), path.end()) == way.end())
        return Fork{from, *first, to};
    }
  }
  return std::nullopt;
}

}  // namespace

bool uses_links_at_once(const Peers& peers, const Placement& placement, const topology::Hosts& hosts,
                        const Machine& machine) {
  const std::optional<Fork> fork = fork_in(placement, hosts);
  if (!fork) return false;
  Speakers speakers(peers, {fork->from, fork->first, fork->second}, machine);
  constexpr Rank first = 1, second = 2;  // of the three that send, by place; whom a pattern gives itself sends nothing
  constexpr int times = 4;
  std::vector<PatternSample> least{
      {{first, first, second}, 0}, {{second, first, second}, 0}, {{first, first, second, second, first, second}, 0}};
  for (PatternSample& sample : least) sample.time = speakers.sample(sample.to).time;
  for (int i = 1; i < times; ++i) sample_again(speakers, least);
  return least.back().time < alike * std::max(least[0].time, least[1].time);
}

BetweenHosts network_between(const Peers& peers, const topology::Hosts& hosts, const Machine& machine) {
  if (hosts.count() < fewest_hosts || hosts.count() > most_hosts) return {};
  Speakers speakers(peers, first_ranks(hosts), machine);
  const std::vector<std::vector<Rank>> all = patterns(hosts.count());
  if (!share_links(speakers, all, hosts.count())) return {};
  std::vector<PatternSample> least;
  for (const std::vector<Rank>& to : all) least.push_back(speakers.sample(to));
  // Rank 0 decides: processors may round differently.
  const auto found_by_all = [&] { return peers.broadcast(peers.rank() == 0 ? found_in(least) : "", 0); };
  std::string found = found_by_all();
  for (int pass = 1; pass < most_passes; ++pass) {
    sample_again(speakers, least);
    const std::string again = found_by_all();
    if (!again.empty() && again == found) return {found, two_as_one(least, hosts.count())};
    found = again;
  }
  return {};
}

}  // namespace quadrille::mpi
