// Collectives along the axes of a torus, and the Hamiltonian cycles of tori and meshes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "algorithm/pattern/walk.hpp"
#include "proven.hpp"
#include "sound.hpp"

namespace quadrille::torus_test {
namespace {

using testing::expect_sound_everywhere;
using testing::request;

constexpr Ports one = Ports::one, all = Ports::all;
constexpr Duplex half = Duplex::half, full = Duplex::full;

std::string torus(Rank rows, Rank columns) { return fmt::format("torus:{}x{}", rows, columns); }

void expect_cycle(const std::string& text) {
  SCOPED_TRACE(text);
  const Spec spec = request(Collective::allgather, text, 1);
  ASSERT_EQ(algorithm::pattern::needs_ring(spec), "");
  const Rank p = spec.ranks();
  for (const Rank start : {Rank{0}, p / 2, p - 1}) {
    const schedule::Renaming order = algorithm::pattern::ring_order(spec, start);
    EXPECT_EQ(order.to(0), start);
    std::set<Rank> seen;
    for (Rank i = 0; i < p; ++i) {
      EXPECT_EQ(order.from(order.to(i)), i);
      EXPECT_TRUE(spec.topology->adjacent(order.to(i), order.to((i + 1) % p))) << "position " << i;
      seen.insert(order.to(i));
    }
    EXPECT_EQ(std::ssize(seen), p);
  }
}

TEST(Cycle, GoesRoundEveryTorus) {
  for (Rank rows = 2; rows <= 15; ++rows)
    for (Rank columns = 2; columns <= 15; ++columns) expect_cycle(torus(rows, columns));
  for (const char* text : {"torus:3x3x3", "torus:2x3x4", "torus:3x5x2x2", "torus:1x5x1x3", "torus:7", "torus:2x1"})
    expect_cycle(text);
}

TEST(Cycle, GoesRoundEveryMeshOfAnEvenNumberThatIsNoLine) {
  for (Rank rows = 2; rows <= 9; ++rows)
    for (Rank columns = 2; columns <= 9; ++columns) {
      const std::string text = fmt::format("mesh:{}x{}", rows, columns);
      if (rows * columns % 2 == 0)
        expect_cycle(text);
      else
        EXPECT_NE(algorithm::pattern::needs_ring(request(Collective::allgather, text, 1)), "");
    }
  for (const char* text : {"mesh:2x3x5", "mesh:3x3x4", "mesh:2x1x2", "mesh:2"}) expect_cycle(text);
  EXPECT_NE(algorithm::pattern::needs_ring(request(Collective::allgather, "mesh:4", 1)), "");
}

TEST(Cycle, OfAMillionRanksIsFoundAtOnce) {
  for (const char* text : {"torus:2x500001", "torus:500001x2", "torus:1001x999", "torus:3x333333"}) {
    const Spec spec = request(Collective::allgather, text, 1);
    const schedule::Renaming order = algorithm::pattern::ring_order(spec, 5);
    for (Rank i = 0; i < spec.ranks(); i += 9973)
      EXPECT_TRUE(spec.topology->adjacent(order.to(i), order.to((i + 1) % spec.ranks())));
  }
}

constexpr const char* along_axes[] = {
    "allgather_axes",      "allgather_axes_rotated", "scatter_axes",   "scatter_axes_rotated",   "gather_axes",
    "gather_axes_rotated", "alltoall_rotate",        "alltoall_bidir", "alltoall_bidir_rotated", "transpose_diagonal"};

TEST(Torus, AlgorithmsAlongTheAxesAreSound) {
  for (const char* text :
       {"torus:2x2", "torus:3x3", "torus:2x3", "torus:4x2", "torus:3x5", "torus:4x4", "torus:6x4", "torus:5x5",
        "torus:2x2x2", "torus:3x2x4", "torus:3x3x3", "torus:1x4x1x2", "torus:8", "torus:7x3"}) {
    int legal = 0;
    for (const char* name : along_axes) {
      const Algorithm& a = find_algorithm(name);
      const Rank p = parse_topology(text)->ranks(), side = std::llround(std::sqrt(static_cast<double>(p)));
      if (a.collective == Collective::transpose && side * side != p) continue;
      legal += expect_sound_everywhere(name, text);
      if (HasFailure()) return;
    }
    EXPECT_GT(legal, 0) << text;
  }
}

TEST(Torus, EveryRootScattersAndGathers) {
  for (const char* text : {"torus:3x4", "mesh:3x4", "mesh:2x3x2", "torus:3x3", "torus:2x2"})
    for (const char* name : {"scatter_axes", "gather_axes", "scatter_axes_rotated", "gather_axes_rotated",
                             "scatter_twoway", "gather_chain"}) {
      const Algorithm& a = find_algorithm(name);
      for (const Machine& machine : testing::neighbour_machines())
        for (Rank root = 0; root < parse_topology(text)->ranks(); ++root) {
          const Spec spec = request(a.collective, text, 7, root);
          if (!a.illegal(spec, machine, {}).empty()) continue;
          for (const Params& params : a.variants(spec, machine)) {
            testing::expect_sound(spec, machine, a, params);
            if (HasFailure()) return;
          }
        }
    }
}

TEST(Torus, HandWorkedRows) {
  const testing::Row rows[] = {
      {"ss-062", "torus:4x4", 12, half, all, "allgather_daisy", 10, 1, 330, 15, 240, 180, 180},
      {"ss-064", "torus:5x5", 6, half, all, "allgather_daisy", 3, 1, 216, 24, 600, 144, 144},
      {"ss-065", "torus:5x5", 6, half, all, "allgather_axes:first=0", 3, 1, 168, 8, 200, 120, 144},
      {"ss-067", "torus:6x4", 5, half, all, "allgather_axes:first=0", 2, 0.5, 73.5, 8, 192, 90, 115},
      {"ss-239", "torus:4x4", 8, half, all, "allgather_axes_rotated", 10, 1, 120, 6, 192, 60, 60},
      {"ss-072", "torus:5x5", 6, half, all, "scatter_axes:first=1", 3, 1, 84, 4, 36, 60, 72},
      {"ss-074", "torus:6x4", 5, half, all, "scatter_axes:first=1", 2, 0.5, 47.5, 5, 40, 60, 75},
      {"ss-071", "torus:4x4", 12, half, all, "gather_axes:first=1", 10, 1, 160, 4, 20, 96, 120},
      {"ss-243", "torus:5x5", 6, half, all, "scatter_axes_rotated:ways=1", 3, 1, 48, 4, 72, 36, 36},
      {"ss-241", "torus:6x6", 4, half, all, "scatter_axes_rotated:ways=1", 5, 2, 114, 6, 126, 42, 42},
      {"ss-078", "torus:5x5", 1, half, all, "alltoall_rotate:first=1", 3, 1, 124, 8, 200, 50, 100},
      {"ss-080", "torus:3x5", 2, half, all, "alltoall_rotate:first=1", 2, 0.5, 57, 6, 90, 60, 90},
      {"ss-081", "torus:3x5", 2, half, all, "alltoall_bidir:first=1", 2, 0.5, 40, 6, 90, 18, 56},
      {"ss-077", "torus:4x4", 2, half, all, "alltoall_bidir:first=1", 10, 1, 124, 6, 96, 24, 64},
      {"ss-240", "torus:4x4", 2, half, all, "alltoall_bidir_rotated", 10, 1, 92, 6, 192, 24, 32},
      {"ss-084", "torus:4x4", 8, half, all, "transpose_diagonal", 10, 1, 72, 4, 32, 16, 32},
      {"ss-085", "torus:5x5", 6, half, all, "transpose_diagonal", 3, 0.5, 24, 4, 60, 12, 24},
  };
  for (const testing::Row& row : rows) testing::expect_row(row);
}

}  // namespace
}  // namespace quadrille::torus_test
