// What makes an MPI take one of its own algorithms while a program runs: control variables of its tools interface.
#pragma once

#include <string>
#include <vector>

#include "incumbents/incumbents.hpp"

namespace quadrille::incumbents {

/// An integer control variable, by the name that MPI_T has for it.
struct Setting {
  std::string name;
  int value;
};
/// For communicators that are made afterwards. Open MPI heeds them where coll_tuned_use_dynamic_rules was set before it
/// was started.
std::vector<Setting> settings_for(const Candidate& candidate);
/// The MPI's own choice, as if nothing was set.
std::vector<Setting> settings_for_own_choice(Mpi mpi, Collective collective);

}  // namespace quadrille::incumbents
