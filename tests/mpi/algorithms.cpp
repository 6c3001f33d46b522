// Every registered algorithm over MPI, on every small network that has as many nodes as there are processes: odd sizes,
// none at all, uneven blocks, whole messages and short pieces.
#include <set>

#include "checks.hpp"
#include "quadrille/mpi.hpp"
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

Bytes wanted_bytes(const Spec& spec) {
  Bytes total = 0;
  for (Rank r = 0; r < spec.ranks(); ++r) total += buffer_bytes(spec, Buffer::out, r);
  return total;
}

/// Sizes and roots: under load every case takes a while, as all ranks must have had their turn several times.
std::vector<std::pair<Bytes, Rank>> requests(Collective collective, Rank ranks) {
  std::vector<std::pair<Bytes, Rank>> all{{0, 0}, {1, 0}, {97, 0}, {1000, 0}};
  if (has_root(collective)) all.back().second = ranks - 1;
  return all;
}

class Suite {
 public:
  explicit Suite(Checks& checks) : checks_(checks) {}

  void on(const std::string& network) {
    const mpi::communicator whole(MPI_COMM_WORLD, {.topology = network});
    const mpi::communicator pieces(MPI_COMM_WORLD, {.topology = network, .segment = 40});
    for (const Algorithm& a : algorithms()) {
      if (!can_request(a.collective, network)) continue;
      std::set<std::string> seen;  // machines often ask for the same schedule
      for (const Machine& machine : port_and_wire_models())
        for (const auto& [bytes, root] : requests(a.collective, whole.topology()->ranks())) {
          const Spec spec = request(a.collective, network, bytes, root);
          if (!a.illegal(spec, machine, {}).empty()) continue;
          const std::vector<Params> all = a.variants(spec, machine);
          for (const std::size_t i : std::set<std::size_t>{0, all.size() - 1}) {
            if (i >= all.size() || (i > 0 && bytes < 2)) continue;
            const bool half = machine.duplex == Duplex::half && bytes > 1;
            if (!seen.insert(fmt::format("{} {} {} {}", to_text(a, all[i]), bytes, root, half)).second) continue;
            one(bytes == 97 ? pieces : whole, spec, machine, a, all[i]);
          }
        }
    }
  }

 private:
  void one(const mpi::communicator& comm, const Spec& spec, const Machine& machine, const Algorithm& a,
           const Params& params) {
    const std::string what = command(spec, machine, a, params);
    try {
      const Built built = build(spec, machine, {&a, params});
      // Two runs on the same buffers: the second one uses persistent requests.
      const RunResult result = comm.run(spec, *built.schedule, {.repetitions = 1, .seed = 7});
      checks_.expect(result.checked == wanted_bytes(spec), "not everything was compared: " + what);
    } catch (const Error& error) {
      checks_.expect(false, fmt::format("{}: {}", what, error.what()));
    }
  }

  Checks& checks_;
};

}  // namespace
}  // namespace quadrille::testing

int main(int argc, char** argv) {
  using namespace quadrille;
  testing::Checks checks(argc, argv);
  testing::Suite suite(checks);
  for (const std::string& network : testing::networks())
    if (parse_topology(network)->nodes() == checks.ranks) suite.on(network);
  return checks.finish("every algorithm");
}
