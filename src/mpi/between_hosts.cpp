#include "mpi/between_hosts.hpp"

#include <algorithm>
#include <chrono>

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

/// The first rank of every host, which speaks for it.
class Speakers {
 public:
  Speakers(const Peers& peers, const topology::Hosts& hosts, const Machine& machine) : peers_(peers) {
    for (Rank host = 0; host < hosts.count(); ++host) ranks_.push_back(hosts.ranks_of(host).front());
    const auto own = std::find(ranks_.begin(), ranks_.end(), peers.rank());
    if (own != ranks_.end()) host_ = own - ranks_.begin();
    const double bytes = long_enough / std::max(machine.beta, 1e-12);
    bytes_ = std::clamp(static_cast<Bytes>(std::min(bytes, static_cast<double>(longest))), shortest, longest);
    messages_ = static_cast<std::size_t>(std::clamp(bytes / static_cast<double>(bytes_), 1.0, most_messages));
    if (host_ >= 0) data_.resize(static_cast<std::size_t>(bytes_) * (messages_ + 1));
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
    const Rank target = to[static_cast<std::size_t>(host_)];
    const Rank source = std::find(to.begin(), to.end(), static_cast<Rank>(host_)) - to.begin();
    if (target == host_) return;
    for (std::size_t i = 0; i < messages_; ++i) {
      check(MPI_Irecv(data_.data() + (i + 1) * static_cast<std::size_t>(bytes_), static_cast<int>(bytes_), MPI_BYTE,
                      rank_of(source), 0, peers_.comm(), &requests_.emplace_back(MPI_REQUEST_NULL)),
            "measuring");
      check(MPI_Isend(data_.data(), static_cast<int>(bytes_), MPI_BYTE, rank_of(target), 0, peers_.comm(),
                      &requests_.emplace_back(MPI_REQUEST_NULL)),
            "measuring");
    }
    wait_until([&] { return all_done(requests_, 0, requests_.size()); });
    requests_.clear();
  }
  int rank_of(Rank host) const { return static_cast<int>(ranks_[static_cast<std::size_t>(host)]); }

  const Peers& peers_;
  std::vector<Rank> ranks_;
  std::ptrdiff_t host_ = -1;  ///< this rank speaks for; -1: for none
  Bytes bytes_ = 0;
  std::size_t messages_ = 1;
  std::vector<char> data_;  ///< what is sent, and behind it what comes
  std::vector<MPI_Request> requests_;
};

/// Whether some of these patterns take clearly longer than others.
bool share_links(Speakers& speakers, const std::vector<std::vector<Rank>>& all) {
  speakers.sample(all.front());  // connections are made in it
  Seconds least = 0, most = 0;
  for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(all.size() / sent_first, 1)) {
    const Seconds took = std::min(speakers.sample(all[i]).time, speakers.sample(all[i]).time);
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

}  // namespace

std::string network_between(const Peers& peers, const topology::Hosts& hosts, const Machine& machine) {
  if (hosts.count() < fewest_hosts || hosts.count() > most_hosts) return "";
  Speakers speakers(peers, hosts, machine);
  const std::vector<std::vector<Rank>> all = patterns(hosts.count());
  if (!share_links(speakers, all)) return "";
  std::vector<PatternSample> least;
  for (const std::vector<Rank>& to : all) least.push_back(speakers.sample(to));
  std::string found = found_in(least);
  for (int pass = 1; pass < most_passes; ++pass) {
    sample_again(speakers, least);
    const std::string again = found_in(least);
    if (!again.empty() && again == found) return found;
    found = again;
  }
  return "";
}

}  // namespace quadrille::mpi
