// Plans as a program uses them: the same answers as MPI's own collectives, several in flight, buffers that change, and
// ranks that do not agree.
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "checks.hpp"
#include "quadrille/mpi.hpp"
#include "quadrille/quadrille.h"
#include "quadrille/sources.hpp"

namespace quadrille::testing {
namespace {

using Data = std::vector<unsigned char>;

/// `bytes` bytes that no other rank or salt has.
Data data(int rank, int salt, Bytes bytes) {
  Data d(static_cast<std::size_t>(bytes));
  unsigned x = static_cast<unsigned>(rank * 7919 + salt * 104729 + 1);
  for (unsigned char& c : d) c = static_cast<unsigned char>((x = x * 1664525U + 1013904223U) >> 24);
  return d;
}

class Suite {
 public:
  Suite(Checks& checks, const std::string& topology)
      : c_(checks), comm_(MPI_COMM_WORLD, {.topology = topology, .segment = 1 << 10}), p_(checks.ranks) {}

  void all() {
    for (const int bytes : {0, 1, 13, 1000, 5000}) {
      alltoall(bytes);
      allgather(bytes);
      for (const int root : {0, p_ - 1}) bcast(bytes, root), scatter_and_gather(bytes, root);
    }
    uneven();
    two_in_flight();
    other_traffic_does_not_meet_ours();
    errors();
  }

 private:
  std::size_t times(int bytes) const { return static_cast<std::size_t>(bytes) * static_cast<std::size_t>(p_); }

  void alltoall(int bytes) {
    mpi::plan_handle plan = comm_.init(Collective::alltoall, bytes);
    Data out(times(bytes) + 1), expected(out.size());
    for (int i = 0; i < 4; ++i) {  // from the second time on, with persistent requests
      const Data in = data(c_.rank, i, bytes * p_ + 1);
      std::copy(in.begin(), in.end(), kept_.begin());
      plan.run(kept_.data(), out.data());
      MPI_Alltoall(in.data(), bytes, MPI_BYTE, expected.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
      c_.expect(out == expected, fmt::format("alltoall of {} B, time {}, by {}", bytes, i, plan.algorithm()));
    }
    const Data other = data(c_.rank, 9, bytes * p_ + 1);
    plan.run(other.data(), out.data());
    MPI_Alltoall(other.data(), bytes, MPI_BYTE, expected.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
    c_.expect(out == expected, "alltoall from another buffer");
    c_.expect(plan.predicted() >= plan.bound(), "no prediction is below the bound");
  }

  void allgather(int bytes) {
    mpi::plan_handle plan = comm_.init(Collective::allgather, bytes);
    const Data in = data(c_.rank, 1, bytes + 1);
    Data out(times(bytes) + 1), expected(out.size());
    plan.run(in.data(), out.data());
    MPI_Allgather(in.data(), bytes, MPI_BYTE, expected.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
    c_.expect(out == expected, "allgather");
    std::fill(out.begin(), out.end(), 0);
    std::copy(in.begin(), in.begin() + bytes, out.begin() + c_.rank * bytes);
    plan.run(nullptr, out.data());
    c_.expect(out == expected, "allgather in place");
  }

  void bcast(int bytes, int root) {
    mpi::plan_handle plan = comm_.init(Collective::bcast, bytes, root);
    const Data expected = data(root, 2, bytes + 1);
    Data out = c_.rank == root ? expected : Data(expected.size(), expected.back());
    plan.run(nullptr, out.data());
    c_.expect(out == expected, "bcast");
  }

  void scatter_and_gather(int bytes, int root) {
    mpi::plan_handle scatter = comm_.init(Collective::scatter, bytes, root);
    mpi::plan_handle gather = comm_.init(Collective::gather, bytes, root);
    const bool mine = c_.rank == root;
    const Data all = data(root, 3, bytes * p_ + 1);
    Data block(static_cast<std::size_t>(bytes) + 1), back(mine ? all.size() : 0, all.back());
    scatter.run(mine ? all.data() : nullptr, block.data());
    c_.expect(std::equal(block.begin(), block.begin() + bytes, all.begin() + c_.rank * bytes), "scatter");
    gather.run(block.data(), back.data());
    c_.expect(!mine || back == all, "gather");
    if (mine) scatter.run(all.data(), nullptr);  // the root's block stays where it is
    if (!mine) scatter.run(nullptr, block.data());
    c_.expect(std::equal(block.begin(), block.begin() + bytes, all.begin() + c_.rank * bytes), "scatter in place");
  }

  void uneven() {
    std::vector<std::pair<Rank, Bytes>> sources;
    std::vector<int> counts(static_cast<std::size_t>(p_)), offsets(counts.size());
    for (int r = 0, at = 0; r < p_; ++r) {
      const int bytes = r % 3 == 0 ? 17 + 1000 * r : r % 3 == 1 ? 0 : 5;
      counts[static_cast<std::size_t>(r)] = bytes, offsets[static_cast<std::size_t>(r)] = at;
      at += bytes;
      if (bytes > 0) sources.emplace_back(r, bytes);
    }
    const int total = offsets.back() + counts.back(), own = counts[static_cast<std::size_t>(c_.rank)];
    const Data in = data(c_.rank, 4, own);
    Data out(static_cast<std::size_t>(total)), expected(out.size());
    const Spec spec{
        .collective = Collective::multibcast, .topology = comm_.topology(), .sources = make_sources(sources)};
    comm_.init(spec).run(own > 0 ? in.data() : nullptr, out.data());
    MPI_Allgatherv(in.data(), own, MPI_BYTE, expected.data(), counts.data(), offsets.data(), MPI_BYTE, MPI_COMM_WORLD);
    c_.expect(out == expected, "multibcast as allgatherv");
  }

  /// Both are started everywhere before either is waited for, and their messages have the same ends.
  void two_in_flight() {
    constexpr int bytes = 3000;
    mpi::plan_handle first = comm_.init(Collective::allgather, bytes),
                     second = comm_.init(Collective::allgather, bytes);
    Data in[2], out[2], expected[2];
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 2; ++i) {
        in[i] = data(c_.rank, 20 + 2 * round + i, bytes);
        out[i].assign(times(bytes), 0), expected[i].assign(times(bytes), 0);
        MPI_Allgather(in[i].data(), bytes, MPI_BYTE, expected[i].data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
      }
      first.start(in[0].data(), out[0].data());
      second.start(in[1].data(), out[1].data());
      (c_.rank % 2 == 0 ? first : second).wait();
      (c_.rank % 2 == 0 ? second : first).wait();
      c_.expect(out[0] == expected[0] && out[1] == expected[1], "two plans in flight");
    }
    c_.expect(first.test(), "a plan that is over stays over");
  }

  /// A receive from anybody with any tag on the user's communicator is open all the while.
  void other_traffic_does_not_meet_ours() {
    int got = -1;
    const int next = (c_.rank + 1) % p_;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    alltoall(64);
    MPI_Send(&next, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    c_.expect(got == c_.rank, "the user's message");
  }

  void errors() {
    const auto first = c_.rank == 0;
    const std::string network = comm_.topology()->text();
    using Kind = Error::Kind;
    c_.expect_error([&] { comm_.init(Collective::allgather, first ? 8 : 9); }, Kind::argument,
                    {"ranks ask for different things", "rank 0 for 'allgather " + network + " bytes=8",
                     "rank 1 for 'allgather " + network + " bytes=9"});
    c_.expect_error([&] { comm_.init(first ? Collective::allgather : Collective::alltoall, 8); }, Kind::argument,
                    {"ranks ask for different things", "alltoall " + network + " bytes=8"});
    c_.expect_error([&] { comm_.init(Collective::bcast, 8, first ? p_ : 0); }, Kind::argument, {"rank", "root"});
    c_.expect_error([&] { comm_.init(Collective::allgather, 8, 0, "allgather_tea3"); }, Kind::argument,
                    {"allgather_tea3"});
    c_.expect_error([&] { mpi::communicator(MPI_COMM_WORLD, {.topology = fmt::format("ring:{}", p_ + 1)}); },
                    Kind::argument, {fmt::format("{} ranks", p_ + 1), fmt::format("{} MPI processes", p_)});
    c_.expect_error([&] { mpi::communicator(MPI_COMM_WORLD, {.topology = first ? "tours:4" : ""}); }, Kind::argument,
                    {"rank 0: ", "tours"});
    c_.expect_error([&] { mpi::communicator(MPI_COMM_WORLD, {.segment = first ? 1 : 2}); }, Kind::argument,
                    {"ranks ask for different things"});
    c_.expect_error([&] { mpi::communicator{MPI_COMM_NULL}; }, Kind::argument, {"communicator"});
    mpi::plan_handle plan = comm_.init(Collective::alltoall, 8);
    c_.expect_error([&] { plan.start(nullptr, kept_.data()); }, Kind::argument, {"alltoall", "'in'"});
    alltoall(24);  // after all that, the communicator still works
  }

  Checks& c_;
  mpi::communicator comm_;
  int p_;
  Data kept_ = Data(1 << 16);
};

/// Ranks that are on other nodes than those of their number, told as text and in files: by node, and by host.
void placed(Checks& checks) {
  std::vector<std::string> nodes, hosts;
  std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
  int length = 0;
  MPI_Get_processor_name(host.data(), &length);
  for (int r = 0; r < checks.ranks; ++r) {
    nodes.push_back(std::to_string((r + 1) % checks.ranks));
    hosts.push_back(fmt::format("'{}'", host.data()));
  }
  const std::string topology = fmt::format("ring:{}", checks.ranks), list = fmt::format("{}", fmt::join(nodes, ","));
  Suite(checks, topology + "@" + list).all();
  const std::string path =
      fmt::format("{}/placed-{}-{}.toml", std::filesystem::temp_directory_path().string(), getppid(), checks.rank);
  const auto write = [&](const std::string& key, const std::string& values) {
    std::ofstream(path) << fmt::format("topology = '{}'\n{} = [{}]\n", topology, key, values);
  };
  write("nodes", list);
  const mpi::communicator by_node(MPI_COMM_WORLD, {.topology = path});
  checks.expect(by_node.init(Collective::bcast, 8, 1).algorithm().starts_with("bcast_"), "a plan for placed ranks");
  checks.expect_error(
      [&] { by_node.init({.collective = Collective::transpose, .topology = by_node.topology(), .bytes = 8}); },
      checks.ranks == 4 ? Error::Kind::illegal : Error::Kind::argument, {"transpose"});
  write("hosts", fmt::format("{}", fmt::join(hosts, ",")));
  const mpi::communicator by_host(MPI_COMM_WORLD, {.topology = path});
  checks.expect(by_host.topology()->text() == topology, "a topology by hosts");
  std::fill(hosts.begin(), hosts.end(), "'nowhere'");
  write("hosts", fmt::format("{}", fmt::join(hosts, ",")));
  checks.expect_error([&] { mpi::communicator(MPI_COMM_WORLD, {.topology = path}); }, Error::Kind::argument,
                      {"rank 0 runs on", "nowhere"});
  std::filesystem::remove(path);
}

/// Where no machine is named, the one at hand is measured, and all ranks have the same.
void machines(Checks& checks) {
  const mpi::communicator measured(MPI_COMM_WORLD);
  const Machine& m = measured.machine();
  checks.expect(m.name.starts_with("measured on this job (") &&
                    m.name.ends_with(fmt::format(", {} ranks on 1 host)", checks.ranks)),
                "the name of a measured machine: " + m.name);
  checks.expect(m.alpha > 0 && m.alpha < 1 && m.overhead_send > 0 && m.beta > 0 && m.beta < 1e-3 && m.rho > 0,
                "measured constants: " + to_text(m));
  checks.expect(to_text(m) != to_text(load_machine("localhost")), "constants of threads");
  std::string first = to_text(m);
  first.resize(2000, ' ');
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  std::string mine = to_text(m);
  mine.resize(2000, ' ');
  checks.expect(mine == first, "ranks have measured different machines");
  const mpi::plan_handle plan = measured.init(Collective::bcast, 8);
  checks.expect(plan.predicted() >= m.alpha, "a prediction by what was measured");
  const mpi::communicator named(MPI_COMM_WORLD, {.machine = "localhost"});
  checks.expect(to_text(named.machine()) == to_text(load_machine("localhost")), "a machine that was named");
  checks.expect_error([] { mpi::communicator{MPI_COMM_SELF}; }, Error::Kind::argument, {"a single rank"});
  const bool asks = checks.rank == 0;
  checks.expect_error([&] { mpi::communicator(MPI_COMM_WORLD, {.machine = asks ? "localhost" : ""}); },
                      Error::Kind::argument, {"ranks ask for different things", "the machine at hand"});
}

/// The C interface measures, too: what it predicts for a long message is not what threads take.
void c_interface(Checks& checks) {
  quadrille_communicator* all = nullptr;
  quadrille_plan* plan = nullptr;
  checks.expect(quadrille_communicator_create(MPI_COMM_WORLD, nullptr, nullptr, &all) == QUADRILLE_OK &&
                    quadrille_plan_create(all, "bcast", 1 << 16, 0, "bcast_binomial", &plan) == QUADRILLE_OK,
                quadrille_error_text());
  const mpi::communicator named(MPI_COMM_WORLD, {.machine = "localhost"});
  const Seconds threads = named.init(Collective::bcast, 1 << 16, 0, "bcast_binomial").predicted();
  const Seconds here = quadrille_plan_predicted(plan);
  checks.expect(here > 0 && here != threads, "the C interface prices processes by threads");
  quadrille_plan_free(plan);
  quadrille_communicator_free(all);
}

}  // namespace
}  // namespace quadrille::testing

int main(int argc, char** argv) {
  quadrille::testing::Checks checks(argc, argv);
  quadrille::testing::Suite(checks, "").all();
  quadrille::testing::placed(checks);
  quadrille::testing::machines(checks);
  quadrille::testing::c_interface(checks);
  return checks.finish("plan handles");
}
