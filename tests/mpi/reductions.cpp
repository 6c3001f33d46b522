// Plans of reductions as a program uses them: by operators of MPI's and of the program's, in place, from C, on ranks
// that are placed.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "checks.hpp"
#include "quadrille/mpi.hpp"
#include "quadrille/quadrille.h"

namespace quadrille::testing {
namespace {

class Suite {
 public:
  Suite(Checks& checks, const std::string& topology, bool ranks_in_order)
      : c_(checks),
        ranks_in_order_(ranks_in_order),
        comm_(MPI_COMM_WORLD, {.topology = topology, .segment = 1 << 10}),
        p_(checks.ranks) {}

  void all() {
    for (const int count : {1, 3, 1000}) reductions(count);
    barrier();
    errors();
  }

 private:
  /// Whole numbers in doubles, so that sums are the same in any order; then an operator of the program's that takes the
  /// right one of two, whose result tells who came last.
  void reductions(int count) {
    std::vector<double> in(static_cast<std::size_t>(count * p_)), out(in.size(), -1), expected(out);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>((i * 7 + 13) % 101) * (c_.rank + 1);
    const int root = p_ - 1;
    const auto same = [&](const char* what, bool significant = true) {
      c_.expect(!significant || out == expected, fmt::format("{} of {} doubles", what, count));
      out.assign(out.size(), -1);
      expected = out;
    };
    const auto run = [&](Collective collective, MPI_Op op, int at = 0) {
      comm_.init(collective, count, {MPI_DOUBLE, op}, at).run(in.data(), out.data());
    };
    for (const MPI_Op op : {MPI_SUM, MPI_MAX}) {
      run(Collective::allreduce, op);
      MPI_Allreduce(in.data(), expected.data(), count, MPI_DOUBLE, op, MPI_COMM_WORLD);
      same("allreduce");
      run(Collective::reduce, op, root);
      MPI_Reduce(in.data(), expected.data(), count, MPI_DOUBLE, op, root, MPI_COMM_WORLD);
      same("reduce", c_.rank == root);
      run(Collective::reduce_scatter, op);
      MPI_Reduce_scatter_block(in.data(), expected.data(), count, MPI_DOUBLE, op, MPI_COMM_WORLD);
      same("reduce_scatter");
    }
    std::copy_n(in.begin(), count, out.begin());
    mpi::plan_handle in_place = comm_.init(Collective::allreduce, count, {MPI_DOUBLE, MPI_SUM});
    in_place.run(nullptr, out.data());
    MPI_Allreduce(in.data(), expected.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    same("allreduce in place");
    in_place.combine_by({MPI_DOUBLE, MPI_MIN});
    in_place.run(in.data(), out.data());
    MPI_Allreduce(in.data(), expected.data(), count, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    same("allreduce by another operator");
    ordered(in, out, expected, same);
  }

  template <class Same>
  void ordered(const std::vector<double>& in, std::vector<double>& out, std::vector<double>& expected, Same same) {
    MPI_Op last = MPI_OP_NULL;
    MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 0, &last);  // the right one is there already
    const int count = static_cast<int>(in.size()) / p_;
    const auto run = [&](Collective collective) {
      if (!ranks_in_order_) {
        c_.expect_error(
            [&] {
              comm_.init(collective, count, {MPI_DOUBLE, last});
            },
            Error::Kind::illegal, {"in the order of ranks"});
        return;
      }
      comm_.init(collective, count, {MPI_DOUBLE, last}).run(in.data(), out.data());
    };
    run(Collective::allreduce);
    if (ranks_in_order_) MPI_Allreduce(in.data(), expected.data(), count, MPI_DOUBLE, last, MPI_COMM_WORLD);
    same("ordered allreduce");
    run(Collective::scan);
    if (ranks_in_order_) MPI_Scan(in.data(), expected.data(), count, MPI_DOUBLE, last, MPI_COMM_WORLD);
    same("ordered scan");
    run(Collective::exscan);
    if (ranks_in_order_) MPI_Exscan(in.data(), expected.data(), count, MPI_DOUBLE, last, MPI_COMM_WORLD);
    same("ordered exscan", c_.rank > 0);
    MPI_Op_free(&last);
  }

  /// Nobody is out before the last one is in.
  void barrier() {
    mpi::plan_handle plan = comm_.init(Collective::barrier, 1);
    for (int late = 0; late < p_; ++late) {
      double times[2] = {0, 0};  // when it comes, and when it goes
      if (c_.rank == late) usleep(20'000);
      timespec now{};
      const auto seconds = [&now] {
        clock_gettime(CLOCK_MONOTONIC, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
      };
      times[0] = seconds();
      plan.run(nullptr, nullptr);
      times[1] = -seconds();
      MPI_Allreduce(MPI_IN_PLACE, times, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      c_.expect(-times[1] >= times[0], fmt::format("a barrier that rank {} comes to late", late));
    }
  }

  void errors() {
    std::array<double, 2> both{};
    c_.expect_error([&] { comm_.init(Collective::allreduce, 8).run(both.data(), both.data() + 1); },
                    Error::Kind::argument, {"allreduce", "expected combine_by() before start()"});
    c_.expect_error(
        [&] {
          comm_.init(Collective::allreduce, 8, {MPI_DOUBLE, MPI_BAND});
        },
        Error::Kind::argument, {"allreduce", "an operator and a committed type"});
  }

  Checks& c_;
  const bool ranks_in_order_;  ///< each is on the node of its number
  mpi::communicator comm_;
  int p_;
};

void c_interface(Checks& checks) {
  quadrille_communicator* all = nullptr;
  quadrille_plan* plan = nullptr;
  checks.expect(quadrille_communicator_create(MPI_COMM_WORLD, nullptr, "localhost", &all) == QUADRILLE_OK,
                quadrille_error_text());
  const int mine = checks.rank + 1;
  int sum = 0;
  checks.expect(
      quadrille_plan_create_reduction(all, "allreduce", 1, MPI_INT, MPI_SUM, 0, nullptr, &plan) == QUADRILLE_OK &&
          quadrille_start(plan, &mine, &sum) == QUADRILLE_OK && quadrille_wait(plan) == QUADRILLE_OK &&
          sum == checks.ranks * (checks.ranks + 1) / 2,
      fmt::format("a sum by the C interface: {} {}", sum, quadrille_error_text()));
  quadrille_plan_free(plan);
  quadrille_communicator_free(all);
}

}  // namespace
}  // namespace quadrille::testing

int main(int argc, char** argv) {
  quadrille::testing::Checks checks(argc, argv);
  quadrille::testing::Suite(checks, "", true).all();
  std::string nodes;
  for (int r = 0; r < checks.ranks; ++r) nodes += fmt::format("{}{}", r == 0 ? "" : ",", (r + 1) % checks.ranks);
  quadrille::testing::Suite(checks, fmt::format("ring:{}@{}", checks.ranks, nodes), false).all();
  quadrille::testing::c_interface(checks);
  return checks.finish("plans of reductions");
}
