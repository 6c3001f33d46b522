#include "mpi/native_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/integer.hpp"

namespace quadrille::mpi {

namespace {

constexpr Seconds not_there = std::numeric_limits<Seconds>::infinity();
constexpr Seconds time_for_one = 0.05;  ///< for the repetitions of one call
constexpr int fewest = 3, most_times = 25;
constexpr double far_behind = 4;

/// MPI's tools interface, which stays: MPICH 4.0 forgets its variables when it is finalized, and for ever.
void start_tools() {
  static const int started = [] {
    int level = 0;
    return MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  }();
  check(started, "MPI_T_init_thread");
}

bool is_one_integer(int index) {
  std::array<char, 256> name{}, text{};  // shorter ones are cut
  int name_length = name.size(), text_length = text.size(), verbosity = 0, bind = 0, scope = 0, size = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum values = MPI_T_ENUM_NULL;
  if (MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &type, &values, text.data(), &text_length,
                          &bind, &scope) != MPI_SUCCESS)
    return false;
  return type != MPI_CHAR && MPI_Type_size(type, &size) == MPI_SUCCESS && size == static_cast<int>(sizeof(int));
}

/// What a call is made with.
struct Data {
  MPI_Comm comm;
  int bytes;  ///< of a block
  void *in, *out;
  const int* counts;  ///< of doubles, for every rank
  int doubles() const { return bytes / 8; }
};

struct Native {
  Collective collective;
  bool one_block;  ///< buffers hold one, not one for every rank
  int (*call)(const Data& d);
};
/// Those that rules choose algorithms for. Vectors of doubles where it combines.
constexpr Native natives[]{
    {Collective::bcast, true, [](const Data& d) { return PMPI_Bcast(d.in, d.bytes, MPI_BYTE, 0, d.comm); }},
    {Collective::scatter, false,
     [](const Data& d) { return PMPI_Scatter(d.in, d.bytes, MPI_BYTE, d.out, d.bytes, MPI_BYTE, 0, d.comm); }},
    {Collective::gather, false,
     [](const Data& d) { return PMPI_Gather(d.in, d.bytes, MPI_BYTE, d.out, d.bytes, MPI_BYTE, 0, d.comm); }},
    {Collective::allgather, false,
     [](const Data& d) { return PMPI_Allgather(d.in, d.bytes, MPI_BYTE, d.out, d.bytes, MPI_BYTE, d.comm); }},
    {Collective::alltoall, false,
     [](const Data& d) { return PMPI_Alltoall(d.in, d.bytes, MPI_BYTE, d.out, d.bytes, MPI_BYTE, d.comm); }},
    {Collective::reduce, true,
     [](const Data& d) { return PMPI_Reduce(d.in, d.out, d.doubles(), MPI_DOUBLE, MPI_SUM, 0, d.comm); }},
    {Collective::allreduce, true,
     [](const Data& d) { return PMPI_Allreduce(d.in, d.out, d.doubles(), MPI_DOUBLE, MPI_SUM, d.comm); }},
    {Collective::reduce_scatter, false,
     [](const Data& d) { return PMPI_Reduce_scatter(d.in, d.out, d.counts, MPI_DOUBLE, MPI_SUM, d.comm); }}};

const Native& native(Collective collective) {
  const auto found = std::find_if(std::begin(natives), std::end(natives),
                                  [&](const Native& one) { return one.collective == collective; });
  if (found == std::end(natives))
    throw Error(Error::Kind::argument,
                fmt::format("{} has no algorithms that rules choose from", to_string(collective)));
  return *found;
}

/// The call itself, on data of its own.
class Call {
 public:
  Call(const NativeCall& call, int ranks, MPI_Comm comm, Bytes memory) : native_(native(call.collective)) {
    const Bytes all = base::checked_multiply(call.block, ranks, "bytes of a call");
    if (call.block < 8 || call.block % 8 != 0 || all > std::numeric_limits<int>::max())
      throw Error(
          Error::Kind::argument,
          fmt::format("a block of {} B: expected a multiple of 8, and less than 2 GiB for all ranks", call.block));
    const Bytes buffer = native_.one_block ? call.block : all;
    if (2 * buffer > memory)
      throw Error(Error::Kind::budget,
                  fmt::format("a call with blocks of {} B takes {} B of memory", call.block, 2 * buffer));
    in_.assign(static_cast<std::size_t>(buffer / 8), 1.0);
    out_.assign(in_.size(), 0.0);
    counts_.assign(static_cast<std::size_t>(ranks), static_cast<int>(call.block / 8));
    data_ = {comm, static_cast<int>(call.block), in_.data(), out_.data(), counts_.data()};
  }
  void operator()() const { check(native_.call(data_), "a collective of MPI"); }

 private:
  const Native& native_;
  std::vector<double> in_, out_;
  std::vector<int> counts_;
  Data data_{};
};

}  // namespace

Forced::Forced(const Peers& peers, const Settings& settings) {
  start_tools();
  const bool all = std::all_of(settings.begin(), settings.end(), [&](const auto& s) { return set(s.first, s.second); });
  std::vector<std::int64_t> refused{all ? 0 : 1};
  peers.reduce_to_all(refused, MPI_MAX);
  if (refused.front() == 0) check(PMPI_Comm_dup(peers.comm(), &comm_), "MPI_Comm_dup");
}

Forced::~Forced() {
  if (comm_ != MPI_COMM_NULL) PMPI_Comm_free(&comm_);
  for (auto old = old_.rbegin(); old != old_.rend(); ++old) {
    MPI_T_cvar_write(old->handle, &old->value);
    MPI_T_cvar_handle_free(&old->handle);
  }
}

bool Forced::set(const std::string& name, int value) {
  int index = 0, count = 0;
  if (MPI_T_cvar_get_index(name.c_str(), &index) != MPI_SUCCESS || !is_one_integer(index)) return false;
  Old old{};
  if (MPI_T_cvar_handle_alloc(index, nullptr, &old.handle, &count) != MPI_SUCCESS) return false;
  if (count != 1 || MPI_T_cvar_read(old.handle, &old.value) != MPI_SUCCESS) {
    MPI_T_cvar_handle_free(&old.handle);
    return false;
  }
  old_.push_back(old);
  int now = value - 1;
  return MPI_T_cvar_write(old.handle, &value) == MPI_SUCCESS && MPI_T_cvar_read(old.handle, &now) == MPI_SUCCESS &&
         now == value;
}

Seconds time_native(const Peers& peers, const NativeCall& call, Bytes memory) {
  const Forced forced(peers, call.settings);
  if (forced.comm() == MPI_COMM_NULL) return not_there;
  const Call one(call, peers.ranks(), forced.comm(), memory);
  const auto once = [&] {
    peers.barrier();
    const double begin = MPI_Wtime();
    one();
    std::vector<double> time{MPI_Wtime() - begin};
    peers.reduce_to_all(time, MPI_MAX);
    return time.front();
  };
  const Seconds first = once();
  if (first > far_behind * call.enough && call.enough > 0) return first;
  std::vector<Seconds> times;
  const int repetitions =
      std::clamp(static_cast<int>(std::min(1e6, time_for_one / std::max(first, 1e-9))), fewest, most_times);
  for (int i = 0; i < repetitions; ++i) times.push_back(once());
  times.erase(times.begin(), times.begin() + repetitions / 2);  // links may let the first bytes through at once
  std::nth_element(times.begin(), times.begin() + std::ssize(times) / 2, times.end());
  return times[times.size() / 2];
}

}  // namespace quadrille::mpi
