// Errata about tori, played as printed. E-numbers are those of docs/reference/errata.md.
#include "algorithm/pattern/walk.hpp"
#include "listed.hpp"

namespace quadrille::errata_torus_test {
namespace {

using testing::lenient;
using testing::Listed;
using testing::refused;
using testing::request;
using testing::Rounds;
using testing::test_machine;
using testing::What;

const Machine wires = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);

/// As printed: every row gives its diagonal rank what that can deal out along its column, and it does.
Listed by_the_diagonal(Rank s) {
  const Rank p = s * s;
  std::vector<Listed::Message> rows, columns;
  for (Rank i = 0; i < s; ++i)
    for (Rank j = 0; j < s; ++j) {
      const Rank diagonal = i * s + i;
      Listed::Message gathered{i * s + j, diagonal, {}, {}}, dealt{diagonal, j * s + i, {}, {}};
      for (Rank k = 0; k < s; ++k) {
        gathered.read.push_back({Buffer::in, k * s + i});
        gathered.written.push_back({Buffer::tmp, j * s + k});
        dealt.read.push_back({Buffer::tmp, k * s + j});
        dealt.written.push_back({Buffer::out, i * s + k});
      }
      rows.push_back(gathered);
      columns.push_back(dealt);
    }
  return {{.ranks = p, .in = p, .out = p, .tmp = p, .cut = {.bytes = 8}}, Rounds{rows, columns}};
}

TEST(Errata, E02_TheDiagonalServesOnlyItsOwnColumn) {
  const Spec spec = request(Collective::alltoall, "torus:4x4", 8);
  const Listed printed = by_the_diagonal(4);
  EXPECT_EQ(refused(spec, lenient, printed, {.contention_free = false}).kind, What::delivery);
  std::int64_t arrived = 16;  // own blocks
  for (Rank r = 0; r < 16; ++r) {
    Collected collected;
    for (const Transfer& x : collected.all(printed, 1, r)) arrived += x.kind == Kind::recv && x.slots.first != r;
  }
  EXPECT_EQ(arrived, 76);  // of 256
  // What it does perform, at half of the printed cost; and an exchange that delivers, below the printed cost as well.
  const Cost transposed =
      build(request(Collective::transpose, "torus:4x4", 8), wires, parse_choice("transpose_diagonal")).formula;
  EXPECT_EQ(transposed.startups, 4);
  EXPECT_EQ(transposed.bytes, 4 * 8);
  const Cost exchange = build(spec, wires, parse_choice("alltoall_rotate")).formula;
  EXPECT_EQ(exchange.startups, 6);
  EXPECT_EQ(exchange.bytes, 4 * 4 * 8 * (4 + 4 - 2) / 2);
}

TEST(Errata, E17_TheScatterTakesAStartUpForEachLinkToTheFarthestRank) {
  const Cost scatter = build(request(Collective::scatter, "torus:4x4", 8), wires, parse_choice("scatter_axes")).formula;
  EXPECT_EQ(scatter.startups, 4);  // printed: 5.66, then 2.83
  EXPECT_EQ(scatter.bytes, (2 * 4 + 2) * 8);
}

TEST(Errata, E24_ARingLiesInEveryTorus) {
  const Spec spec = request(Collective::allgather, "torus:3x5", 8);
  EXPECT_EQ(algorithm::pattern::needs_ring(spec), "");
  const Built daisy = build(spec, wires, parse_choice("allgather_daisy"));
  EXPECT_TRUE(verify(spec, wires, *daisy.schedule, daisy.claims).holds);
  EXPECT_NE(algorithm::pattern::needs_ring(request(Collective::allgather, "mesh:3x5", 8)),
            "");  // without links round the ends it is true
}

TEST(Errata, E30_ASideOfTwoIsOneWire) {
  const Spec spec = request(Collective::alltoall, "torus:2x3", 8);
  Machine full = wires;
  full.duplex = Duplex::full;
  const Built printed = build(spec, full, parse_choice("alltoall_rotate"));
  EXPECT_EQ(printed.formula.startups, 3);
  EXPECT_EQ(refused(spec, wires, *printed.schedule).kind, What::duplex);
  EXPECT_EQ(build(spec, wires, parse_choice("alltoall_rotate")).formula.startups, 4);
}

}  // namespace
}  // namespace quadrille::errata_torus_test
