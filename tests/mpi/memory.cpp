// Memory that ranks of a host share: what is asked for, given back, and refused. The argument says what rank 1 meets:
// `shared`: nothing; `limited`: it may only have so much address space; `closed`: its arena cannot be opened by others;
// `off`: sharing is not wanted by any rank.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "checks.hpp"
#include "mpi/arena.hpp"
#include "quadrille/mpi.hpp"

namespace quadrille::testing {
namespace {

using mpi::Arena;

/// Bytes that the arena takes of the machine's memory.
Bytes taken() {
  struct stat status {};
  fstat(static_cast<int>(Arena::get().identity().descriptor), &status);
  return static_cast<Bytes>(status.st_blocks) * 512;
}

class Suite {
 public:
  Suite(Checks& checks, const std::string& how)
      : c_(checks), comm_(MPI_COMM_WORLD, {.segment = 5000, .shared = how != "off"}), p_(checks.ranks) {
    shares_ = how == "shared";
    c_.expect(comm_.neighbours() == (shares_ ? p_ - 1 : 0), "neighbours: " + how);
  }

  void all() {
    if (shares_) arena(), threads();
    for (const int bytes : {100, 4095, 4096, 70000}) {
      for (const bool in : {true, false})
        for (const bool out : {true, false}) alltoall(bytes, in, out);
      many_in_flight(bytes);
    }
    c_.expect_error([&] { comm_.allocate(-1); }, Error::Kind::argument, {"0 bytes or more"});
    comm_.release(nullptr);
    comm_.release(comm_.allocate(0));
    c_.expect(Arena::get().used() == 0, "everything was given back");
  }

 private:
  using Bytewise = std::unique_ptr<unsigned char, std::function<void(unsigned char*)>>;
  Bytewise memory(std::size_t bytes, bool shared) {
    if (!shared) return {new unsigned char[bytes], [](unsigned char* at) { delete[] at; }};
    auto* const at = static_cast<unsigned char*>(comm_.allocate(static_cast<Bytes>(bytes)));
    c_.expect(Arena::get().holds(at) == shares_, "memory is in the arena where there are neighbours, else not");
    return {at, [this](unsigned char* memory) { comm_.release(memory); }};
  }
  void fill(unsigned char* to, std::size_t bytes, int salt) const {
    unsigned x = static_cast<unsigned>(c_.rank * 7919 + salt * 104729 + 1);
    for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<unsigned char>((x = x * 1664525U + 1013904223U) >> 24);
  }

  void alltoall(int bytes, bool in_shared, bool out_shared) {
    const auto all = static_cast<std::size_t>(bytes * p_);
    const Bytewise in = memory(all, in_shared), out = memory(all, out_shared);
    std::vector<unsigned char> expected(all);
    for (const char* algorithm : {"alltoall_pairwise", "alltoall_bruck:radix=2"}) {
      mpi::plan_handle plan = comm_.init(Collective::alltoall, bytes, 0, algorithm);
      for (int i = 0; i < 4; ++i) {
        fill(in.get(), all, i);
        plan.run(in.get(), out.get());
        MPI_Alltoall(in.get(), bytes, MPI_BYTE, expected.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
        c_.expect(std::equal(expected.begin(), expected.end(), out.get()), fmt::format("{} of {} B", algorithm, bytes));
      }
      // A plan looks anew each time where the bytes are.
      const std::vector<unsigned char> elsewhere(in.get(), in.get() + all);
      std::memset(out.get(), 0, all);
      plan.run(elsewhere.data(), out.get());
      c_.expect(std::equal(expected.begin(), expected.end(), out.get()), "from other memory");
    }
  }

  void many_in_flight(int bytes) {
    constexpr int plans = 12;
    const auto block = static_cast<std::size_t>(bytes), all = block * static_cast<std::size_t>(p_);
    std::vector<mpi::plan_handle> handles;
    std::vector<Bytewise> in, out;
    std::vector<unsigned char> expected(all);
    for (int i = 0; i < plans; ++i) {
      in.push_back(memory(block, i % 3 > 0));
      out.push_back(memory(all, i % 2 > 0));
      handles.push_back(comm_.init(Collective::allgather, bytes));
    }
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < plans; ++i) {
        const auto n = static_cast<std::size_t>(i);
        fill(in[n].get(), block, i + 100 * round);
        handles[n].start(in[n].get(), out[n].get());
      }
      for (int i = 0; i < plans; ++i) handles[static_cast<std::size_t>(c_.rank % 2 > 0 ? i : plans - 1 - i)].wait();
      for (std::size_t i = 0; i < handles.size(); ++i) {
        MPI_Allgather(in[i].get(), bytes, MPI_BYTE, expected.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
        c_.expect(std::equal(expected.begin(), expected.end(), out[i].get()), fmt::format("plan {} in flight", i));
      }
    }
  }

  void arena() {
    Arena& arena = Arena::get();
    const Bytes before = taken();
    constexpr Bytes large = 8 << 20;
    std::byte* const a = arena.allocate(large);
    std::byte* const b = arena.allocate(large);
    c_.expect(taken() < before + large, "what was not touched takes no memory");
    std::memset(a, 1, large);
    std::memset(b, 2, large);
    c_.expect(taken() >= before + 2 * large, "what was touched does");
    c_.expect(arena.place(b - 1, 2) >= 0 && arena.place(this, 1) < 0, "whether something is inside");
    c_.expect(!arena.free(a + 64), "the middle of something is not given back");
    c_.expect(arena.free(a) && !arena.free(a), "once");
    c_.expect(taken() < before + 2 * large, "the machine has it back");
    c_.expect(b[0] == std::byte{2} && b[large - 1] == std::byte{2}, "what lies beside stays");
    c_.expect(arena.free(b) && arena.used() == 0, "all of it");
    std::byte* const whole = arena.allocate(2 * large);
    c_.expect(whole == a, "stretches that were given back grow together");
    arena.free(whole);
    c_.expect(arena.allocate(Bytes{1} << 50) == nullptr, "more than there is");
    c_.expect(taken() < before + large, "and all is given back");
  }

  void threads() {
    std::vector<std::thread> all;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t)
      all.emplace_back([&, t] {
        for (int i = 0; i < 500; ++i) {
          const int bytes = 1 + (i * 37 + t * 1013) % 9000;
          std::byte* const at = Arena::get().allocate(bytes);
          std::memset(at, t + 1, static_cast<std::size_t>(bytes));
          std::this_thread::yield();
          for (int k = 0; k < bytes; ++k) wrong += at[k] != static_cast<std::byte>(t + 1) ? 1 : 0;
          wrong += Arena::get().free(at) ? 0 : 1;
        }
      });
    for (std::thread& t : all) t.join();
    c_.expect(wrong == 0, "allocations of threads do not overlap");
  }

  Checks& c_;
  mpi::communicator comm_;
  int p_;
  bool shares_ = false;
};

}  // namespace
}  // namespace quadrille::testing

int main(int argc, char** argv) {
  using namespace quadrille;
  testing::Checks checks(argc, argv);
  const std::string how = argc > 1 ? argv[1] : "shared";
  if (checks.rank == 1 && how == "limited") {
    const rlimit limit{rlim_t{1} << 46, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
  }
  if (checks.rank == 1 && how == "closed") close(static_cast<int>(mpi::Arena::get().identity().descriptor));
  testing::Suite(checks, how).all();
  return checks.finish("memory that is " + how);
}
