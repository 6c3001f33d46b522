#include "cli/parts/algorithm_literature.hpp"

#include <algorithm>
#include <iterator>

namespace quadrille::cli {

namespace {

struct Closer {
  Collective collective;
  std::string_view family, literature;
};
constexpr std::string_view in_parts = "open: a part by way of every other rank comes within twice the bound",
                           in_turn =
                               "one source after the other, each as in `bcast_two_trees`, meets the bound's "
                               "volume; in fewer rounds open",
                           two_passes =
                               "the transposition is linear in the bits of a rank and passes in two rounds by "
                               "way of other ranks: Keohane & Stearns",
                           whole_tree =
                               "blocks that must not be cut: the spanning balanced n-tree (SBnT) of Johnsson "
                               "& Ho";

constexpr Closer closers[] = {
    {Collective::bcast, "hypercube",
     "the n edge-disjoint trees of Johnsson & Ho reach the bound's volume, and pay n start-ups to fill them"},
    {Collective::bcast, "torus",
     "the volume is the bound's; the trees of `bcast_adst` are half a side deeper than those of Michallon, Trystram & "
     "Villard, whose depth is near the diameter"},
    {Collective::bcast, "omega",
     "as few rounds as can be with so many packets: Bar-Noy, Kipnis & Schieber; Traeff & Ripke"},
    {Collective::multibcast, "crossbar",
     "one source after the other as in `bcast_relayed` meets the bound's volume; in fewer rounds open"},
    {Collective::multibcast, "hypercube",
     "one source after the other down the trees of Johnsson & Ho (`bcast_esbt`) meets the bound's volume; in fewer "
     "rounds open"},
    {Collective::multibcast, "ring", in_turn},
    {Collective::multibcast, "mesh", in_turn},
    {Collective::multibcast, "torus",
     "one source after the other down the trees of `bcast_adst` meets the bound's volume; in fewer rounds open"},
    {Collective::multibcast, "omega",
     "one source after the other as in `bcast_circulant` meets the bound's volume: Traeff & Ripke"},
    {Collective::scatter, "hypercube", whole_tree},
    {Collective::gather, "hypercube", whole_tree},
    {Collective::alltoall, "mesh", "row by row and column by column, with circuits: Scott; with neighbours only open"},
    {Collective::alltoall, "omega",
     "fewer rounds for more volume, by the radix of `alltoall_bruck`: Bruck, Ho, Kipnis, Upfal & Weathersby"},
    {Collective::transpose, "crossbar", in_parts},
    {Collective::transpose, "hypercube",
     "by neighbours over several paths at once, to the bound in start-ups and in volume: Johnsson & Ho 1988"},
    {Collective::transpose, "omega", two_passes},
    {Collective::transpose, "fly", two_passes},
};

}  // namespace

std::string_view literature(Collective collective, std::string_view family) {
  const auto found = std::find_if(std::begin(closers), std::end(closers),
                                  [&](const Closer& c) { return c.collective == collective && c.family == family; });
  return found == std::end(closers) ? std::string_view{} : found->literature;
}

}  // namespace quadrille::cli
