// A broadcast in two halves on a torus of two dimensions: one goes along the columns first, the other along the rows.
// Down the root's column and along its row both would have to go, so there each half comes some other way.
//
// Part 0 follows grid_tree(), without the ranks of the root's row; part 1 the reversed tree, without those of the
// root's column. [Saad & Schultz 1986, eq. (3.19)]
#pragma once

#include <functional>
#include <string>

#include "algorithm/kit/description.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/shares.hpp"
#include "algorithm/kit/streams.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/grid_tree.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::bcast {

/// Why two halves cannot go like this here; empty when they can.
std::string needs_plane(const Spec& spec, const Machine& machine);
Parameter halves_parameter();

/// A part's tree over all ranks, served and unserved.
pattern::Tree half_tree(const Spec& spec, int part);
/// Whether the rank must get the part some other way.
bool unserved(const pattern::GridView& view, int part, Rank r);
/// The tree with only those children that `keep` accepts; other ranks are alone in it.
pattern::Tree pruned(pattern::Tree tree, std::function<bool(Rank)> keep);

/// How a part reaches the ranks that its tree does not serve: of part 0 those at distances 1 .. H along the row, of
/// part 1 those at distances 1 .. V down the column.
struct Repair {
  kit::Window (*window)(std::int64_t packets, Rank reach);  ///< when the first packet is on the way there
  double rounds_per_packet;                                 ///< until the last packet has come, in the limit of many
  SchedulePtr (*build)(const Spec&, const Machine&, const Params&);
  /// The parts' trees, with the rounds in which their first packets come.
  std::vector<pattern::Tree> (*trees)(const Spec&, std::int64_t packets);
  /// Adds what a rank sends and receives besides; null: nothing.
  void (*besides)(const pattern::GridView&, std::int64_t packets, Rank r, std::vector<pattern::Span>& sent,
                  std::vector<pattern::Span>& received);
};

/// Both parts in `packets` packets each, but for further messages; and these.
Cost halves_cost(const Spec& spec, const Repair& repair, std::int64_t packets);
std::int64_t halves_further(const Spec& spec, const Repair& repair, std::int64_t packets);
/// The packet count with the least such cost, the smallest of them.
std::int64_t best_half_packets(const Spec& spec, const Machine& machine, const Repair& repair);

/// A broadcast in two halves with this repair; its packet count is the one of least exact cost.
template <const Repair& repair>
Algorithm in_halves(const kit::Description& says) {
  return {.name = says.name,
          .collective = Collective::bcast,
          .summary = says.summary,
          .source = says.source,
          .closed_form = says.closed_form,
          .literature = says.literature,
          .parameters = {halves_parameter()},
          .claims = [](const Spec&, const Machine& m,
                       const Params&) { return Claims{.exact = !m.multicast}; },  // copies may leave as one message
          .illegal = [](const Spec& s, const Machine& m, const Params& p) -> std::string {
            if (std::string reason = needs_plane(s, m); !reason.empty()) return reason;
            return kit::packets_illegal(p, s.bytes, 2);
          },
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{{"packets", {best_half_packets(s, m, repair)}}}};
              },
          .cost =
              [](const Spec& s, const Machine&, const Params& p) {
                const std::int64_t packets = kit::packets_of(p);
                return kit::with_further(halves_cost(s, repair, packets), halves_further(s, repair, packets));
              },
          .build = repair.build};
}

/// Further messages of an algorithm by the number of packets.
using CrowdsOf = std::function<std::int64_t(std::int64_t packets)> (*)(const Spec&, const Machine&);

/// A broadcast in halves of equally many packets down two trees, a half each; `depths` are those of the trees.
template <kit::Lengths (*depths)(const Spec&), std::vector<pattern::Tree> (*trees)(const Spec&), CrowdsOf crowds>
Algorithm down_two_trees(const kit::Description& says,
                         std::string (*illegal)(const Spec&, const Machine&, const Params&),
                         Claims (*claims)(const Spec&, const Machine&, const Params&) = pattern::crowd_claims) {
  return {.name = says.name,
          .collective = Collective::bcast,
          .summary = says.summary,
          .source = says.source,
          .closed_form = says.closed_form,
          .literature = says.literature,
          .parameters = {halves_parameter()},
          .claims = claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                const pattern::Further further{crowds(s, m), kit::further_time(m), 1};
                return std::vector{Params{
                    {"packets",
                     {kit::best_equal_packets(depths(s), s.bytes, kit::neighbour_startup(s, m), m.beta, further)}}}};
              },
          .cost =
              [](const Spec& s, const Machine& m, const Params& p) {
                const std::int64_t packets = kit::packets_of(p);
                return kit::with_further(kit::equal_cost(depths(s), s.bytes, packets), crowds(s, m)(packets));
              },
          .build = [](const Spec& s, const Machine&,
                      const Params& p) { return pattern::forest_schedule(s, trees(s), kit::packets_of(p)); }};
}

}  // namespace quadrille::algorithm::bcast
