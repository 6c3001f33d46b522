// What all broadcasts in packets down a tree have in common.
#pragma once

#include "algorithm/kit/description.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/tree.hpp"

namespace quadrille::algorithm::kit {

/// A broadcast in `packets` packets down the tree `tree_of(spec)`, timed by `pipe_of(spec, machine)`.
template <pattern::Tree (*tree_of)(const Spec&), Pipe (*pipe_of)(const Spec&, const Machine&)>
Algorithm in_packets(const Description& says, std::string (*illegal)(const Spec&, const Machine&, const Params&)) {
  return {.name = says.name,
          .collective = Collective::bcast,
          .summary = says.summary,
          .source = says.source,
          .closed_form = says.closed_form,
          .literature = says.literature,
          .parameters = {packets_parameter()},
          .claims = all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{{"packets", {best_packets(pipe_of(s, m), s, m)}}}};
              },
          .cost = [](const Spec& s, const Machine& m,
                     const Params& p) { return over_network(s, pipe_cost(pipe_of(s, m), packets_of(p))); },
          .build =
              [](const Spec& s, const Machine& m, const Params& p) {
                return pattern::tree_schedule(s, tree_of(s), packets_of(p), pipe_of(s, m).interval);
              }};
}

}  // namespace quadrille::algorithm::kit
