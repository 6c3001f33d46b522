// Every registered algorithm over MPI, on every small network that has as many nodes as there are processes: odd sizes,
// none at all, uneven blocks, whole messages and short pieces. Many are in flight at a time: where processes share
// cores, waiting for each other's turn is what takes long.
#include <set>

#include "checks.hpp"
#include "mpi/execution.hpp"
#include "run/data.hpp"
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

class Suite {
 public:
  explicit Suite(Checks& checks) : checks_(checks), peers_(MPI_COMM_WORLD) {}

  void on(const std::string& network) {
    const Rank ranks = parse_topology(network)->ranks();
    for (const Algorithm& a : algorithms()) {
      if (!can_request(a.collective, network)) continue;
      std::set<std::string> seen;  // machines often ask for the same schedule
      for (const Machine& machine : port_and_wire_models())
        for (const auto& [bytes, root] : requests(a.collective, ranks)) {
          const Spec spec = request(a.collective, network, bytes, root);
          if (!a.illegal(spec, machine, {}).empty()) continue;
          const std::vector<Params> all = a.variants(spec, machine);
          for (const std::size_t i : std::set<std::size_t>{0, all.size() - 1}) {
            if (i >= all.size() || (i > 0 && bytes < 2)) continue;
            const bool half = machine.duplex == Duplex::half && bytes > 1;
            if (!seen.insert(fmt::format("{} {} {} {}", to_text(a, all[i]), bytes, root, half)).second) continue;
            add(spec, machine, a, all[i]);
          }
        }
    }
    perform_all();
  }

 private:
  struct Case {
    Spec spec;
    std::string what;
    std::unique_ptr<RankData> data = {};
    std::unique_ptr<mpi::Execution> execution = {};
  };

  void add(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params) {
    cases_.push_back(std::make_unique<Case>(Case{.spec = spec, .what = command(spec, machine, a, params)}));
    Case& c = *cases_.back();
    const Built built = build(spec, machine, {&a, params});
    Program program = Compiler(c.spec, *built.schedule).compile(checks_.rank, true, Bytes{1} << 30);
    c.data = std::make_unique<RankData>(c.spec, checks_.rank, program.size, 7);
    c.execution = std::make_unique<mpi::Execution>(peers_, std::move(program), tag_, spec.bytes == 97 ? 40 : 0);
    tag_ += static_cast<int>(built.schedule->shape().rounds);
    if (cases_.size() == 32) perform_all();
  }

  /// All at once, twice: the second run is on the same buffers and uses persistent requests.
  void perform_all() {
    for (int run = 0; run < 2; ++run) {
      for (const auto& c : cases_) {
        c->data->fill();
        c->execution->start(c->data->bases());
      }
      mpi::wait_until([&] {
        bool over = true;
        for (const auto& c : cases_) over &= c->execution->advance();
        return over;
      });
      for (const auto& c : cases_) check(*c);
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
  const mpi::Peers peers_;
  std::vector<std::unique_ptr<Case>> cases_;
  int tag_ = 0;
};

}  // namespace
}  // namespace quadrille::testing

int main(int argc, char** argv) {
  using namespace quadrille;
  testing::Checks checks(argc, argv);
  {
    testing::Suite suite(checks);
    for (const std::string& network : testing::networks())
      if (parse_topology(network)->nodes() == checks.ranks) suite.on(network);
  }
  return checks.finish("every algorithm");
}
