// What all communicators of the program share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "dropin/decide/found_choices.hpp"
#include "dropin/decide/settings.hpp"
#include "dropin/decide/trial_time.hpp"
#include "dropin/ranks/kept_plans.hpp"
#include "dropin/ranks/wait_notices.hpp"
#include "topology/hosts/hosts.hpp"

namespace quadrille::dropin {

struct ProgramState {
  Settings settings;
  std::string mpi;                       ///< "Open MPI v4.1.4"
  topology::Hosts hosts;                 ///< of all ranks
  std::unique_ptr<WaitNotices> notices;  ///< where plans are possible
  TrialTime trial_time;
  FoundChoices found;
  KeptPlans kept;
  std::atomic<int> private_communicators{0};
  std::atomic<std::int64_t> numbered{0};        ///< private communicators so far that this rank might be rank 0 of
  bool processors_alike = false;                ///< so ranks that plan alone plan the same
  bool starts_come_here = false;                ///< no other tool takes MPI_Start before
  bool frees_come_here = false;                 ///< nor MPI_Op_free and MPI_Type_free
  std::atomic<bool> said_that_it_waits{false};  ///< a rank that has waited for a minute
};

}  // namespace quadrille::dropin
