// Plays a schedule on a network in the order that is asked for, with or without a look at details.
#pragma once

#include "simulator/dataflow.hpp"
#include "simulator/eager.hpp"
#include "simulator/lockstep.hpp"
#include "simulator/performance.hpp"

namespace quadrille::simulator {

template <class Net>
Timeline play(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options,
              Net net) {
  const auto* performed = dynamic_cast<const Performed*>(&schedule);
  const auto run = [&]<bool detailed>() {
    if (performed != nullptr)
      return Performance<Net, detailed>(spec, machine, *performed, options, std::move(net)).run();
    if (options.order == Order::lockstep)
      return Lockstep<Net, detailed>(spec, machine, schedule, options, std::move(net)).run();
    if (options.order == Order::eager)
      return Eager<Net, detailed>(spec, machine, schedule, options, std::move(net)).run();
    return Dataflow<Net, detailed>(spec, machine, schedule, options, std::move(net)).run();
  };
  const bool links_differ = !cost::LinkCosts(machine, *spec.topology).alike();
  if (options.observer != nullptr || !options.faults.none() || links_differ) return run.template operator()<true>();
  return run.template operator()<false>();
}

}  // namespace quadrille::simulator
