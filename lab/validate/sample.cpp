// Point-to-point and neighbour exchanges, from which the network's constants are fitted.
#include <algorithm>
#include <functional>

#include "validate/measure.hpp"

namespace quadrille::validate {

namespace {

constexpr int trips = 20;  // of short messages, in a row: the first wakes the other rank up
constexpr Bytes small = 64, middle = 64 * 1024, large = 256 * 1024;

class Sampler {
 public:
  Sampler(MPI_Comm comm, const Topology& topology, Bytes segment, int repetitions)
      : comm_(comm),
        topology_(topology),
        per_node_(std::max<Rank>(topology.structure().per_node, 1)),
        segment_(segment),
        repetitions_(repetitions) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    rank_ = rank;
    neighbours_ = neighbours_of(topology, rank_);
  }

  Samples all() {
    const Rank near = neighbours_of(topology_, 0).front(), far = topology_.farthest(0);
    Samples s;
    s.fan_out = static_cast<int>(neighbours_of(topology_, 0).size());
    s.far_hops = topology_.distance(0, far) - topology_.distance(0, near) + 1;
    for (const Bytes bytes : {small, middle, large}) s.one_way.push_back({bytes, round_trip(near, bytes) / 2});
    s.far = {small, round_trip(far, small) / 2};
    for (const Bytes bytes : {small, Bytes{16 * 1024}, middle, large}) {
      const int times = bytes == small ? trips : 1;
      const Seconds all = timed([&] {
        for (int i = 0; i < times; ++i) exchange(neighbours_, neighbours_, bytes);
      });
      s.all_ways.push_back({bytes, all / times});
    }
    s.two_way = {large, timed([&] {
                   const std::vector<Rank> other = rank_ == 0      ? std::vector<Rank>{near}
                                                   : rank_ == near ? std::vector<Rank>{0}
                                                                   : std::vector<Rank>{};
                   exchange(other, other, large);
                 })};
    s.fan = {middle, timed([&] {
               const std::vector<Rank> out = neighbours_of(topology_, 0);
               if (rank_ == 0) exchange(out, {}, middle);
               if (std::count(out.begin(), out.end(), rank_) > 0) exchange({}, {0}, middle);
             })};
    measure_overheads(s);
    return s;
  }

  /// Half a round trip between the first two ranks of a node.
  std::vector<Samples::Point> inside() {
    std::vector<Samples::Point> points;
    if (per_node_ > 1)
      for (const Bytes bytes : {small, middle, large}) points.push_back({bytes, round_trip(1, bytes) / 2});
    return points;
  }

 private:
  /// As in quadrille tune: rank 0 sends short messages to few and to many neighbours, round after round without an
  /// answer; then they do.
  void measure_overheads(Samples& s) {
    const std::vector<Rank> others = neighbours_of(topology_, 0);
    if (others.size() < 2) return;
    for (Samples::Crowd* seen : {&s.sent, &s.received}) {
      seen->many = static_cast<int>(others.size()), seen->few = seen->many / 2;
      for (const int count : {seen->few, seen->many}) {
        const std::vector<Rank> crowd(others.begin(), others.begin() + count);
        const bool sends = seen == &s.sent, in = std::count(crowd.begin(), crowd.end(), rank_) > 0;
        std::vector<Seconds> times = repeated([&] {
          for (int i = 0; i < trips; ++i) {
            if (rank_ == 0) sends ? exchange(crowd, {}, small) : exchange({}, crowd, small);
            if (in) sends ? exchange({}, {0}, small) : exchange({0}, {}, small);
          }
        });
        (count == seen->few ? seen->of_few : seen->of_many) = summarised(small, std::move(times), trips);
      }
    }
  }

  /// Everything is posted at once, pieces under tags of their own.
  void exchange(const std::vector<Rank>& to, const std::vector<Rank>& from, Bytes bytes) {
    buffers_.resize((to.size() + from.size()) * static_cast<std::size_t>(bytes));
    std::vector<MPI_Request> requests;
    char* at = buffers_.data();
    const auto post = [&](Rank peer, bool sends) {
      const Bytes piece = segment_ > 0 ? segment_ : bytes;
      for (Bytes done = 0; done < bytes; done += piece) {
        const int n = static_cast<int>(std::min(piece, bytes - done)), tag = static_cast<int>(done / piece);
        MPI_Request& request = requests.emplace_back();
        sends ? MPI_Isend(at + done, n, MPI_BYTE, static_cast<int>(peer), tag, comm_, &request)
              : MPI_Irecv(at + done, n, MPI_BYTE, static_cast<int>(peer), tag, comm_, &request);
      }
      at += bytes;
    };
    for (const Rank peer : from) post(peer, false);
    for (const Rank peer : to) post(peer, true);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  Seconds round_trip(Rank other, Bytes bytes) {
    const int times = bytes == small ? trips : 1;
    const auto there_and_back = [&] {
      for (int i = 0; i < times; ++i) {
        if (rank_ == 0) exchange({other}, {}, bytes), exchange({}, {other}, bytes);
        if (rank_ == other) exchange({}, {0}, bytes), exchange({0}, {}, bytes);
      }
    };
    return timed(there_and_back) / times;
  }

  /// The least over repetitions, but the first, of the slowest rank's time: neither the network nor an idle machine is
  /// faster than it is, and what others do on a busy one is not the network's. Short work is repeated more often.
  Seconds timed(const std::function<void()>& work) {
    const std::vector<Seconds> times = repeated(work);
    return *std::min_element(times.begin(), times.end());
  }

  std::vector<Seconds> repeated(const std::function<void()>& work) {
    constexpr int most = 40;
    constexpr Seconds enough = 0.5;
    std::vector<double> times;
    Seconds all = 0;  // the same on all ranks
    for (int i = 0; i <= repetitions_ || (i <= most && all < enough); ++i) {
      MPI_Barrier(comm_);
      const double begin = MPI_Wtime();
      work();
      double took = MPI_Wtime() - begin, slowest = 0;
      MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm_);
      all += slowest;
      if (i > 0) times.push_back(slowest);
    }
    return times;
  }

  MPI_Comm comm_;
  const Topology& topology_;
  Rank per_node_;
  Bytes segment_;
  int repetitions_;
  Rank rank_ = 0;
  std::vector<Rank> neighbours_;
  std::vector<char> buffers_;
};

}  // namespace

Samples sample(MPI_Comm comm, const Topology& topology, Bytes segment, int repetitions) {
  return Sampler(comm, topology, segment, repetitions).all();
}

std::vector<Samples::Point> sample_inside(MPI_Comm comm, const Topology& topology, Bytes segment, int repetitions) {
  return Sampler(comm, topology, segment, repetitions).inside();
}

}  // namespace quadrille::validate
