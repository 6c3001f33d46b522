// The entries of tables 1 and 2, what is wrong with them, and which of our algorithms they are about.
#include <cmath>

#include "base/integer.hpp"
#include "papers/saad_schultz.hpp"

namespace quadrille::papers::saad_schultz {

namespace {

using S = const Setting&;
using enum Collective;
using enum Net;

double bus_all(S s) { return s.volume() + s.ranks() * s.tau; }
double packet(S s) { return s.volume() + s.tau; }
double log_steps(S s) { return s.volume() + s.steps() * s.tau; }

/// 2 sum ceil(C(n,i)/n) blocks in 2n rounds: TEA2 on half-duplex wires.
double tea2(S s) {
  const int n = base::log2_floor(s.k);
  double blocks = 0;
  for (int i = 1; i <= n; ++i) blocks += static_cast<double>(base::ceil_div(base::binomial(n, i), n));
  return 2 * n * s.tau + 2 * blocks * s.volume() / s.ranks();
}

std::vector<Entry> one_to_one() {
  return {{sendrecv, bus, "N/b + tau", packet, {"sendrecv_direct"}},
          {sendrecv,
           memory,
           "2N/b + tau",
           [](S s) { return 2 * s.volume() + s.tau; },
           {"sendrecv_pipelined:packets=1"},
           "E-21",
           "2N/b + 2 tau",
           [](S s) { return 2 * packet(s); },
           "written, then read: two accesses, as eq. (3.2) has it; the 2 was not applied to tau"},
          {sendrecv,
           ring,
           "2N/b + k tau",
           [](S s) { return 2 * s.volume() + s.ranks() * s.tau; },
           {"sendrecv_pipelined", "sendrecv_multipath"}},
          {sendrecv,
           grid,
           "N/(2b) + (s+6) tau",
           [](S s) { return s.volume() / 2 + (s.side() + 6) * s.tau; },
           {"sendrecv_pipelined", "sendrecv_multipath"},
           "E-21, E-04",
           "N/(2b) + 2(s+5) tau",
           [](S s) { return s.volume() / 2 + 2 * (s.side() + 5) * s.tau; },
           "(sqrt x + sqrt y)^2 <= 2 (x + y) was applied to N and not to tau; the path of s+6 links is loose as well"},
          {sendrecv,
           hypercube,
           "2N/(n b) + (2+n) tau",
           [](S s) { return 2 * s.volume() / s.steps() + (2 + s.steps()) * s.tau; },
           {"sendrecv_pipelined", "sendrecv_multipath"},
           "E-21",
           "2N/(n b) + 2n tau",
           [](S s) { return 2 * s.volume() / s.steps() + 2 * s.steps() * s.tau; },
           "the 2 of the inequality was applied to N and not to tau: where N/(n b) = n tau the value is 4n tau, "
           "the table has (3n+2) tau"},
          {sendrecv, switch_, "N/b + tau", packet, {"sendrecv_direct"}}};
}

std::vector<Entry> one_to_all() {
  return {
      {bcast, bus, "N/b + tau", packet, {"bcast_pipelined:packets=1"}},
      {bcast,
       memory,
       "(N/b + tau)(1 + k/k*)",
       [](S s) { return packet(s) * (1 + s.waves()); },
       {"bcast_memory:packets=1"}},
      {bcast,
       ring,
       "2N/b + k tau",
       [](S s) { return 2 * s.volume() + s.ranks() * s.tau; },
       {"bcast_chain", "bcast_pipelined"}},
      {bcast,
       grid,
       "N/b + s tau",
       [](S s) { return s.volume() + s.side() * s.tau; },
       {"bcast_pipelined", "bcast_axes", "bcast_catchup", "bcast_late"},
       "E-01, E-21",
       "2N/b + 2(s-1) tau",
       [](S s) { return 2 * (s.volume() + (s.side() - 1) * s.tau); },
       "two halves that catch up on the axes do not reach eq. (3.19) on half-duplex wires, and the 2 was not "
       "applied to tau; corrected is the simple tree, eq. (3.18)"},
      {bcast, hypercube, "2N/b + 2n tau", [](S s) { return 2 * log_steps(s); }, {"bcast_binomial", "bcast_pipelined"}},
      {bcast,
       switch_,
       "4N/b + 4n tau",
       [](S s) { return 4 * log_steps(s); },
       {"bcast_chain", "bcast_binomial", "bcast_bintree"}}};
}

std::vector<Entry> all_to_all() {
  return {{allgather, bus, "N/b + k tau", bus_all, {"allgather_sequential"}},
          {allgather,
           memory,
           "(k+1)/k* N/b + 2/k* tau",
           [](S s) { return (s.volume() * (s.ranks() + 1) + 2 * s.tau) * s.waves() / s.ranks(); },
           {"allgather_memory"},
           "E-21",
           "(k+1)/k* N/b + 2k/k* tau",
           [](S s) { return (s.volume() * (s.ranks() + 1) / s.ranks() + 2 * s.tau) * s.waves(); },
           "a factor k of eq. (3.27) is lost"},
          {allgather, ring, "N/b + k tau", bus_all, {"allgather_daisy"}},
          {allgather,
           grid,
           "N/b + 2s tau",
           [](S s) { return s.volume() + 2 * s.side() * s.tau; },
           {"allgather_sequential", "allgather_daisy", "allgather_axes"}},
          {allgather,
           hypercube,
           "2N/(n b) + 2n tau",
           [](S s) { return 2 * s.volume() / s.steps() + 2 * s.steps() * s.tau; },
           {"allgather_sequential", "allgather_daisy", "allgather_adea", "allgather_tea1", "allgather_tea2"},
           "E-28",
           "2n tau + 2N/(k b) sum_i ceil(C(n,i)/n)",
           tea2,
           "no bound: whole blocks do not spread evenly over n links"},
          {allgather, switch_, "N/b + n tau", log_steps, {"allgather_daisy", "allgather_doubling"}}};
}

std::vector<Entry> one_to_each() {
  return {
      {scatter, bus, "N/b + k tau", bus_all, {"scatter_direct"}},
      {scatter,
       memory,
       "(N/b + tau)(k+1)/k*",
       [](S s) { return packet(s) * (s.ranks() + 1) * s.waves() / s.ranks(); },
       {"scatter_memory:batch=P-1"},
       "E-06, E-21",
       "N/b (1 + 1/k*) + tau (1 + k/k*)",
       [](S s) { return s.volume() * (1 + s.waves() / s.ranks()) + s.tau * (1 + s.waves()); },
       "the sentence before eq. (3.37) has the root write N words once and k ranks read N/k each; equation and "
       "table each say something else"},
      {scatter, ring, "N/(2b) + k/2 tau", [](S s) { return (s.volume() + s.ranks() * s.tau) / 2; }, {"scatter_twoway"}},
      {scatter,
       grid,
       "N/b + 2s tau",
       [](S s) { return s.volume() + 2 * s.side() * s.tau; },
       {"scatter_axes"},
       "E-17, E-21",
       "N/(2b) (1 + 1/s) + s tau",
       [](S s) { return s.volume() / 2 * (1 + 1 / s.side()) + s.side() * s.tau; },
       "a bound, but twice as much as is needed: a factor 2 for a square root that is not there"},
      {scatter, hypercube, "N/b + n tau", log_steps, {"scatter_tree"}},
      {scatter, switch_, "N/b + n tau", log_steps, {"scatter_tree"}}};
}

std::vector<Entry> each_to_each() {
  const auto squared = [](S s) {
    return s.steps() * (s.volume() * static_cast<double>(s.words) / s.ranks() + 2 * s.tau);
  };
  return {
      {alltoall, bus, "N/b + k tau", bus_all, {"alltoall_scatters"}},
      {alltoall,
       memory,
       "2(N/b + tau)(1 + k/k*)",
       [](S s) { return 2 * packet(s) * (1 + s.waves()); },
       {"alltoall_memory"},
       "E-21",
       "2N/(k* b) + 2k/k* tau",
       [](S s) { return 2 * s.waves() * (s.volume() / s.ranks() + s.tau); },
       "contradicts eq. (3.42): every rank writes and reads N/k words, k* at a time"},
      {alltoall, ring, "N/(2b) + k tau", [](S s) { return s.volume() / 2 + s.ranks() * s.tau; }, {"alltoall_rotate"}},
      {alltoall,
       grid,
       "2N/b + 2s tau",
       [](S s) { return 2 * (s.volume() + s.side() * s.tau); },
       {"alltoall_rotate"},
       "E-02, E-21",
       "N/(s b) (1 - 1/s) + 2(s-1) tau",
       [](S s) { return s.volume() / s.side() * (1 - 1 / s.side()) + 2 * (s.side() - 1) * s.tau; },
       "a factor 1/s of eq. (3.44) is lost, and the algorithm it prices brings most blocks nowhere: corrected is a "
       "rotation along one axis, then along the other"},
      {alltoall,
       hypercube,
       "n (N^2/(k b) + 2 tau)",
       squared,
       {"alltoall_mtadea"},
       "E-08, E-21",
       "n (N/(k b) + 2 tau)",
       [](S s) { return s.steps() * (s.volume() / s.ranks() + 2 * s.tau); },
       "N^2 comes from the 1985 report, where N is the order of a matrix"},
      {alltoall,
       switch_,
       "n (N^2/(k b) + 2 tau)",
       squared,
       {"alltoall_mtadea"},
       "E-07, E-08, E-21",
       "n (N/(2k b) + tau)",
       [](S s) { return s.steps() * (s.volume() / s.ranks() / 2 + s.tau); },
       "N^2 as on the hypercube; and an exchange is one permutation of a switch, not two"}};
}

}  // namespace

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list;
    for (auto* some : {one_to_one, one_to_all, all_to_all, one_to_each, each_to_each})
      for (Entry& e : some()) list.push_back(std::move(e));
    return list;
  }();
  return all;
}

}  // namespace quadrille::papers::saad_schultz
