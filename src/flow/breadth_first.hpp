// An all-gather in as many rounds as the network is wide: in round t every host gets the blocks of all hosts at
// distance t, in parts from its neighbours that are nearer to them (Zhao et al. 2022).
#pragma once

#include <vector>

#include "flow/network.hpp"
#include "flow/ratio.hpp"

namespace quadrille::flow {

struct BreadthFirst {
  std::vector<Ratio> rounds;  ///< what each takes, for blocks of one word
  Ratio time() const;
};
/// The least that such an all-gather takes, exactly. Of a network of hosts alone; throws Error(argument) where there is
/// a switch, or where a host cannot be reached.
BreadthFirst breadth_first_allgather(const Network& network);

}  // namespace quadrille::flow
