// Which schedules perform the collectives of an application: those that were asked for, or the planner's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interchange/application.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::cli {

class ReplayCollectives {
 public:
  /// `algorithms`: at most one for each collective, as parse_choice reads them.
  ReplayCollectives(const TopologyPtr& topology, const Machine& machine, const std::vector<std::string>& algorithms);

  /// Throws Error(illegal) where the trace has other ranks than the network, or no algorithm can run.
  SchedulePtr schedule_of(const interchange::CalledCollective& call);

  struct Performed {
    Spec spec;
    Built built;
    std::int64_t times = 0;  ///< that it was called
    bool planned = true;     ///< by the planner, not by name
    std::string choice() const { return to_text(*built.choice.algorithm, built.choice.params); }
  };
  /// Each question that was asked, in the order of its text.
  const std::map<std::string, Performed>& performed() const { return performed_; }
  /// Names an algorithm whose collective nobody called. Throws Error(argument).
  void check_all_used() const;

 private:
  TopologyPtr topology_;
  const Machine& machine_;
  std::map<Collective, Choice> asked_;
  std::map<std::string, Performed> performed_;
};

}  // namespace quadrille::cli
