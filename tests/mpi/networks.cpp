// Over MPI: a program whose network changes, and plans that are made anew for what is left.
#include <fmt/format.h>

#include <vector>

#include "checks.hpp"
#include "quadrille/mpi.hpp"
#include "quadrille/quadrille.h"

namespace quadrille::testing {
namespace {

/// Plans follow the network that the program names, and what was asked for stays.
void another_network(Checks& checks) {
  const auto ok = [&](int status, const char* what) {
    checks.expect(status == QUADRILLE_OK, fmt::format("{}: {}", what, quadrille_error_text()));
  };
  const std::string ring = fmt::format("ring:{}", checks.ranks), path = ring + "!0-1";
  quadrille_communicator* all = nullptr;
  quadrille_plan *gather = nullptr, *sum = nullptr;
  ok(quadrille_communicator_create(MPI_COMM_WORLD, ring.c_str(), "cluster", &all), "a ring");
  ok(quadrille_plan_create(all, "allgather", 1 << 16, 0, nullptr, &gather), "a plan on a ring");
  ok(quadrille_plan_create_reduction(all, "allreduce", 1, MPI_INT, MPI_SUM, 0, nullptr, &sum), "a sum on a ring");
  const Seconds before = quadrille_plan_predicted(gather), bound = quadrille_plan_bound(gather);
  checks.expect(quadrille_communicator_change_network(all, "ring:1000") == QUADRILLE_ARGUMENT,
                "a network of other ranks is accepted");
  ok(quadrille_plan_renew(gather), "a plan made anew");
  checks.expect(quadrille_plan_predicted(gather) == before, "a network that was refused has changed the plan");
  if (checks.ranks > 2) {
    ok(quadrille_communicator_change_network(all, path.c_str()), "a ring that has lost a link");
    checks.expect(quadrille_plan_bound(gather) == bound, "a plan has changed by itself");
    ok(quadrille_plan_renew(gather), "a plan on what is left");
    checks.expect(quadrille_plan_bound(gather) > bound, "a path is no slower than a ring");
    ok(quadrille_plan_renew(sum), "a sum on what is left");
  }
  std::vector<char> in(1 << 16, static_cast<char>(checks.rank)),
      out(in.size() * static_cast<std::size_t>(checks.ranks));
  const int mine = checks.rank;
  int total = -1;
  ok(quadrille_start(gather, in.data(), out.data()), "start");
  ok(quadrille_wait(gather), "wait");
  ok(quadrille_start(sum, &mine, &total), "start");
  ok(quadrille_wait(sum), "wait");
  for (int r = 0; r < checks.ranks; ++r)
    checks.expect(out[(static_cast<std::size_t>(r) << 16) + 77] == static_cast<char>(r), "data of a renewed plan");
  checks.expect(total == checks.ranks * (checks.ranks - 1) / 2, fmt::format("a renewed sum: {}", total));
  quadrille_plan_free(gather);
  quadrille_plan_free(sum);
  quadrille_communicator_free(all);
}

/// By the C++ interface: the topology is the new one, also where ranks are not in order; nothing is measured again.
void by_handles(Checks& checks) {
  mpi::communicator all(MPI_COMM_WORLD, {.machine = "unit"});
  std::string reversed = fmt::format("ring:{}@", checks.ranks);
  for (int r = checks.ranks; r-- > 0;) reversed += fmt::format("{}{}", r, r > 0 ? "," : "");
  all.change_network(reversed);
  checks.expect(all.topology()->text() == fmt::format("ring:{}", checks.ranks), all.topology()->text());
  checks.expect(to_text(all.machine()) == to_text(load_machine("unit")), "another machine");
  checks.expect_error([&] { all.change_network("ring:x"); }, Error::Kind::argument, {"ring"});
  const bool asks = checks.rank == 0;
  checks.expect_error([&] { all.change_network(fmt::format("{}:{}", asks ? "ring" : "crossbar", checks.ranks)); },
                      Error::Kind::argument, {"ranks ask for different things"});
  checks.expect(all.topology()->text() == fmt::format("ring:{}", checks.ranks), "an error has changed the network");
  auto plan = all.init(Collective::bcast, 1000);
  std::vector<char> data(1000, static_cast<char>(checks.rank == 0 ? 7 : 0));
  plan.run(nullptr, data.data());
  checks.expect(data.front() == 7 && data.back() == 7, "data on a ring that is walked the other way");
}

}  // namespace
}  // namespace quadrille::testing

int main(int argc, char** argv) {
  quadrille::testing::Checks checks(argc, argv);
  quadrille::testing::another_network(checks);
  quadrille::testing::by_handles(checks);
  return checks.finish("networks that change");
}
