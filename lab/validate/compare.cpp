// One request in all the ways there are: the MPI's own collective and Quadrille's plans, in turns.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "collective/traits.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/simulate.hpp"
#include "validate/measure.hpp"

namespace quadrille::validate {

namespace {

struct Way {
  Row row;
  std::function<void()> run;
  std::vector<double> times = {};
};

using NativeCall = void (*)(void* in, void* out, int bytes, MPI_Comm comm);

/// Sums of whole numbers, which have the same bits in any order.
constexpr Bytes element = 8;

constexpr std::pair<Collective, NativeCall> native_calls[] = {
    {Collective::bcast, [](void* in, void*, int n, MPI_Comm c) { MPI_Bcast(in, n, MPI_BYTE, 0, c); }},
    {Collective::allgather,
     [](void* in, void* out, int n, MPI_Comm c) { MPI_Allgather(in, n, MPI_BYTE, out, n, MPI_BYTE, c); }},
    {Collective::scatter,
     [](void* in, void* out, int n, MPI_Comm c) { MPI_Scatter(in, n, MPI_BYTE, out, n, MPI_BYTE, 0, c); }},
    {Collective::gather,
     [](void* in, void* out, int n, MPI_Comm c) { MPI_Gather(in, n, MPI_BYTE, out, n, MPI_BYTE, 0, c); }},
    {Collective::alltoall,
     [](void* in, void* out, int n, MPI_Comm c) { MPI_Alltoall(in, n, MPI_BYTE, out, n, MPI_BYTE, c); }},
    {Collective::reduce,
     [](void* in, void* out, int n, MPI_Comm c) { MPI_Reduce(in, out, n / element, MPI_UINT64_T, MPI_SUM, 0, c); }},
    {Collective::allreduce,
     [](void* in, void* out, int n, MPI_Comm c) { MPI_Allreduce(in, out, n / element, MPI_UINT64_T, MPI_SUM, c); }},
    {Collective::reduce_scatter, [](void* in, void* out, int n, MPI_Comm c) {
       MPI_Reduce_scatter_block(in, out, n / element, MPI_UINT64_T, MPI_SUM, c);
     }}};

Spec asked(const TopologyPtr& topology, Collective collective, Bytes bytes) {
  Spec spec{.collective = collective, .topology = topology, .bytes = bytes};
  if (combines(spec)) spec.element = element;
  return checked(spec);
}

mpi::plan_handle init(const mpi::communicator& network, const Spec& spec, const std::string& name) {
  if (!combines(spec)) return network.init(spec, name);
  return network.init(spec.collective, spec.bytes / element, {MPI_UINT64_T, MPI_SUM}, 0, name);
}

NativeCall native_call(Collective collective) {
  for (const auto& [known, call] : native_calls)
    if (known == collective) return call;
  return nullptr;
}

/// What this rank gives and gets, with contents that tell source, target and place.
class Buffers {
 public:
  Buffers(MPI_Comm comm, const Spec& spec, Rank rank)
      : comm_(comm), spec_(spec), call_(native_call(spec.collective)), rank_(rank) {
    in_.resize(room(Buffer::in));
    out_.resize(room(Buffer::out));
    for (std::size_t i = 0; i < in_.size(); ++i)
      in_[i] = static_cast<unsigned char>((i * 31 + static_cast<std::size_t>(rank) * 101 + i / 251) % 253);
  }

  void native() {
    call_(rank_ == 0 || spec_.collective != Collective::bcast ? in_.data() : out_.data(), out_.data(),
          static_cast<int>(spec_.bytes), comm_);
  }
  void plan(mpi::plan_handle& plan) { plan.run(gives() ? in_.data() : nullptr, out_.data()); }

  /// Whether a plan leaves what the native call leaves, on this rank.
  bool same(mpi::plan_handle& handle) {
    std::fill(out_.begin(), out_.end(), std::uint8_t{0xA5});
    native();
    if (spec_.collective == Collective::bcast && rank_ == 0) out_ = in_;
    const std::vector<unsigned char> wanted = out_;
    std::fill(out_.begin(), out_.end(), std::uint8_t{0x5A});
    plan(handle);
    return blocks(spec_, Buffer::out, rank_) == 0 || out_ == wanted;
  }

 private:
  /// At least a block: MPI's calls take one where a plan needs none.
  std::size_t room(Buffer buffer) const {
    return static_cast<std::size_t>(std::max(spec_.bytes, buffer_bytes(spec_, buffer, rank_)));
  }
  bool gives() const { return rank_ == spec_.root || collective::facts(spec_).flow != collective::Flow::one_to_all; }

  MPI_Comm comm_;
  Spec spec_;
  NativeCall call_;
  Rank rank_;
  std::vector<unsigned char> in_, out_;
};

/// The best variant of each algorithm, best algorithms first.
std::vector<Candidate> worth_measuring(const Plan& plan, const Limits& limits) {
  std::vector<Candidate> chosen;
  if (!plan.possible()) return chosen;
  const auto cheaper = [](const Candidate& a, const Candidate& b) { return a.time < b.time; };
  const Seconds cheapest = std::min_element(plan.candidates.begin(), plan.candidates.end(), cheaper)->time;
  for (const Candidate& candidate : plan.candidates) {
    const bool known = std::any_of(chosen.begin(), chosen.end(),
                                   [&](const Candidate& c) { return c.algorithm == candidate.algorithm; });
    if (known || candidate.time > limits.slowest * cheapest) continue;
    if (static_cast<int>(chosen.size()) == limits.ways) break;
    chosen.push_back(candidate);
  }
  return chosen;
}

/// How long it takes in the order in which it is performed.
Seconds predicted(const Plan& plan, const Candidate& candidate) {
  const Built built = build(plan.spec, plan.machine, {candidate.algorithm, candidate.params});
  const SimulateOptions performed{.order = order_to_perform(plan.spec, plan.machine, built.choice).order,
                                  .network = usual_network(plan.machine, *plan.spec.topology)};
  return simulate(plan.spec, plan.machine, *built.schedule, performed).makespan;
}

void time_once(MPI_Comm comm, Way& way) {
  MPI_Barrier(comm);
  const double begin = MPI_Wtime();
  way.run();
  double took = MPI_Wtime() - begin, slowest = 0;
  MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
  way.times.push_back(slowest);
}

/// Times below some milliseconds are the scheduler's: those get more turns.
int turns(const std::vector<Way>& ways, int repetitions) {
  constexpr double short_time = 5e-3;
  double longest = 0;
  for (const Way& way : ways) longest = std::max(longest, way.times.front());
  return longest < short_time ? 4 * repetitions : repetitions;
}

Row finished(Way& way) {
  way.times.erase(way.times.begin());  // the first warmed up
  way.row.measured = median(way.times);
  way.row.least = *std::min_element(way.times.begin(), way.times.end());
  way.row.most = *std::max_element(way.times.begin(), way.times.end());
  way.row.repetitions = static_cast<int>(way.times.size());
  return way.row;
}

}  // namespace

std::vector<std::string> compared_collectives() {
  std::vector<std::string> names;
  for (const auto& [collective, call] : native_calls) names.emplace_back(to_string(collective));
  return names;
}

std::string mpi_name() {
#ifdef OMPI_MAJOR_VERSION
  return "openmpi";
#else
  return "mpich";
#endif
}

std::vector<Row> compare(MPI_Comm comm, const mpi::communicator& network, Collective collective, Bytes bytes,
                         const Limits& limits) {
  const TopologyPtr& topology = network.topology();
  const Spec spec = asked(topology, collective, bytes);
  Buffers buffers(comm, spec, network.rank());
  const Row row{.network = topology->text(),
                .mpi = mpi_name(),
                .collective = std::string(to_string(collective)),
                .bytes = bytes,
                .way = "native"};
  std::vector<Way> ways{{row, [&] { buffers.native(); }}};
  const Plan found = plan(spec, network.machine(), to_perform(network.machine()));
  std::vector<mpi::plan_handle> handles;
  const std::vector<Candidate> candidates = worth_measuring(found, limits);
  handles.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    const std::string name = to_text(*candidate.algorithm, candidate.params);
    mpi::plan_handle& handle = handles.emplace_back(init(network, spec, name));
    int same = buffers.same(handle) ? 1 : 0, all_same = 0;
    MPI_Allreduce(&same, &all_same, 1, MPI_INT, MPI_MIN, comm);
    if (all_same == 0)
      throw Error(Error::Kind::transport,
                  fmt::format("{} of {} B by {} delivers other data than the MPI's own", row.collective, bytes, name));
    Row planned = row;
    planned.way = name;
    planned.predicted = predicted(found, candidate);
    planned.chosen = ways.size() == 1;
    ways.push_back({planned, [&] { buffers.plan(handle); }});
  }
  for (Way& way : ways) time_once(comm, way);
  for (int turn = turns(ways, limits.repetitions); turn > 0; --turn)
    for (Way& way : ways) time_once(comm, way);
  std::vector<Row> rows;
  for (Way& way : ways) rows.push_back(finished(way));
  return rows;
}

}  // namespace quadrille::validate
