// Every registered algorithm over MPI, on every small network that has as many nodes as there are processes: odd sizes,
// none at all, uneven blocks, whole messages and short pieces. Many are in flight at a time: where processes share
// cores, waiting for each other's turn is what takes long. With the argument `shared` every message between ranks is
// fetched from memory that they share; with `mixed` some ranks have their data there, some have it elsewhere and some
// have nothing there.
#include <atomic>
#include <chrono>
#include <new>
#include <set>
#include <thread>

#include "checks.hpp"
#include "executor/data.hpp"
#include "executor/reference.hpp"
#include "mpi/execution.hpp"
#include "settings.hpp"

namespace quadrille::testing {
namespace {

std::vector<std::string> networks() {
  std::vector<std::string> all{"torus:2x2", "torus:3x3", "torus:4x2", "mesh:2x3", "mesh:2x4", "omega:2",
                               "omega:3",   "bus:3",     "bus:8",     "memory:2", "memory:4", "memory:7"};
  for (int d = 1; d <= 3; ++d) all.push_back("hypercube:" + std::to_string(d));
  for (const int p : {2, 3, 4, 6, 8, 9}) {
    all.push_back("ring:" + std::to_string(p));
    all.push_back("crossbar:" + std::to_string(p));
  }
  return all;
}

std::vector<Machine> port_and_wire_models() {
  Machine both = test_machine(Ports::all, Duplex::full, Switching::circuit), half = both, one = both;
  half.duplex = Duplex::half;
  half.shared = 3;
  one.ports = Ports::one;
  return {both, half, one};
}

std::vector<std::pair<Bytes, Rank>> requests(Collective collective, Rank ranks) {
  std::vector<std::pair<Bytes, Rank>> all{{0, 0}, {1, 0}, {97, 0}, {1000, 0}};
  if (has_root(collective)) all.back().second = ranks - 1;
  return all;
}

/// Where a rank has its data, and whether neighbours look for them.
enum class Memory { own, shared, beside };

class Suite {
 public:
  Suite(Checks& checks, Memory memory, bool neighbours) : checks_(checks), memory_(memory), peers_(MPI_COMM_WORLD) {
    if (!neighbours) return;
    neighbours_ = std::make_unique<mpi::Neighbours>(peers_, true, 1);
    checks.expect(neighbours_->count() == checks.ranks - 1, "all ranks share memory");
    if (memory != Memory::own) kept_ = mpi::make_room(64, true);
    checks.expect((mpi::Arena::get().used() > 0) == (memory != Memory::own), "what is in the arena");
  }

  void on(const std::string& network) {
    const Rank ranks = parse_topology(network)->ranks();
    for (const Algorithm& a : algorithms()) {
      if (!can_request(a.collective, network)) continue;
      std::set<std::string> seen;  // machines often ask for the same schedule
      for (const Machine& machine : port_and_wire_models())
        for (const auto& [bytes, root] : requests(a.collective, ranks)) {
          Spec spec = request(a.collective, network, bytes, root);
          if (combines(spec) && !idempotent(spec) && bytes % 2 == 0) spec.element = 2;
          if (!a.illegal(spec, machine, {}).empty()) continue;
          const std::vector<Params> all = a.variants(spec, machine);
          for (const std::size_t i : std::set<std::size_t>{0, all.size() - 1}) {
            if (i >= all.size() || (i > 0 && bytes < 2)) continue;
            const bool half = machine.duplex == Duplex::half && bytes > 1;
            if (!seen.insert(fmt::format("{} {} {} {}", to_text(a, all[i]), bytes, root, half)).second) continue;
            const Claims claims = a.claims(spec, machine, all[i]);
            if (combines(spec) && spec.element == 2 && claims.in_order) spec.operands = Operands::ordered;
            if (unfit(spec, claims).empty()) add(spec, machine, a, all[i]);
            spec.operands = Operands::commutative;
          }
        }
    }
    perform_all();
  }

 private:
  struct Case {
    Spec spec;
    std::string what;
    std::unique_ptr<const executor::Reference> reference = {};
    mpi::Reducer reducer = {};
    std::unique_ptr<executor::RankData> data = {};
    std::array<Bytes, 3> size = {};
    std::array<mpi::Room, 3> shared = {};
    std::unique_ptr<mpi::Execution> execution = {};

    program::Bases bases() const {
      const program::Bases own = data->bases();
      return shared[0] ? program::Bases{shared[0].get(), shared[1].get(), shared[2].get()} : own;
    }
    void fill() const {
      data->fill();
      copy(data->bases(), bases());
    }
    void copy(const program::Bases& from, const program::Bases& to) const {
      for (std::size_t b = 0; b < 3; ++b)
        if (from[b] != to[b]) std::copy_n(from[b], size[b], to[b]);
    }
  };

  void add(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params) {
    cases_.push_back(std::make_unique<Case>(Case{.spec = spec, .what = command(spec, machine, a, params)}));
    Case& c = *cases_.back();
    const Built built = build(spec, machine, {&a, params});
    program::Program program = program::Compiler(c.spec, *built.schedule).compile(checks_.rank, true, Bytes{1} << 30);
    if (combines(spec)) {
      c.reference = std::make_unique<const executor::Reference>(c.spec, 7);
      c.reducer = mpi::Reducer(operators::kernel(executor::operator_of(c.spec)));
    }
    c.data = std::make_unique<executor::RankData>(c.spec, checks_.rank, program.size, 7, c.reference.get());
    c.size = program.size;
    if (memory_ == Memory::shared)
      for (std::size_t b = 0; b < 3; ++b) {
        c.shared[b] = mpi::make_room(std::max<Bytes>(c.size[b], 1), true);
        checks_.expect(mpi::Arena::get().holds(c.shared[b].get()), "room in the arena");
      }
    c.execution = std::make_unique<mpi::Execution>(peers_, std::move(program), tag_, spec.bytes == 97 ? 40 : 0,
                                                   neighbours_.get());
    c.execution->combine_by(c.reducer);
    c.execution->connect();
    tag_ += static_cast<int>(built.schedule->shape().rounds);
    if (cases_.size() == 32) perform_all();
  }

  /// All at once, twice: the second run is on the same buffers and uses persistent requests.
  void perform_all() {
    for (int run = 0; run < 2; ++run) {
      for (const auto& c : cases_) {
        c->fill();
        c->execution->start(c->bases());
      }
      mpi::wait_until([&] {
        bool over = true;
        for (const auto& c : cases_) over &= c->execution->advance();
        return over;
      });
      for (const auto& c : cases_) {
        c->copy(c->bases(), c->data->bases());
        c->data->take_own();
        check(*c);
      }
    }
    cases_.clear();
    tag_ = 0;  // everybody's messages with the old tags were posted before
  }

  void check(const Case& c) {
    try {
      checks_.expect(c.data->check() == buffer_bytes(c.spec, Buffer::out, checks_.rank), "not everything: " + c.what);
    } catch (const Error& error) {
      checks_.expect(false, fmt::format("{}: {}", c.what, error.what()));
    }
  }

  Checks& checks_;
  const Memory memory_;
  const mpi::Peers peers_;
  std::unique_ptr<const mpi::Neighbours> neighbours_;
  mpi::Room kept_;
  std::vector<std::unique_ptr<Case>> cases_;
  int tag_ = 0;
};

/// Nobody leaves before all have come: ranks that are late count themselves in memory that all see.
void barriers(Checks& checks) {
  const mpi::Peers peers(MPI_COMM_WORLD);
  std::atomic<int>* come = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate_shared(checks.rank == 0 ? sizeof *come : 0, 1, MPI_INFO_NULL, peers.comm(), &come, &window);
  MPI_Aint size = 0;
  int unit = 0;
  MPI_Win_shared_query(window, 0, &size, &unit, &come);
  if (checks.rank == 0) new (come) std::atomic<int>(0);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 1; round <= 2 * checks.ranks; ++round) {
    if (round % checks.ranks == checks.rank) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    come->fetch_add(1);
    peers.barrier();
    checks.expect(*come >= round * checks.ranks, fmt::format("barrier {} ended early", round));
  }
  MPI_Win_free(&window);
}

}  // namespace
}  // namespace quadrille::testing

int main(int argc, char** argv) {
  using namespace quadrille;
  testing::Checks checks(argc, argv);
  {
    using testing::Memory;
    const std::string how = argc > 1 ? argv[1] : "";
    Memory memory = how == "shared" ? Memory::shared : Memory::own;
    if (how == "mixed") memory = std::array{Memory::shared, Memory::beside, Memory::own}[checks.rank % 3];
    testing::barriers(checks);
    testing::Suite suite(checks, memory, !how.empty());
    for (const std::string& network : testing::networks())
      if (parse_topology(network)->nodes() == checks.ranks) suite.on(network);
  }
  return checks.finish("every algorithm");
}
