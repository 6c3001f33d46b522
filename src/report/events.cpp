// What ranks do when, as the simulator sees it.
#include "report/stays.hpp"

namespace quadrille::report {

namespace {

constexpr std::int64_t most_messages = 300'000;  // that are simulated; a fraction of a second

}  // namespace

Json events_json(const Plan& plan, const Schedule& schedule, std::int64_t messages) {
  if (messages == 0 || messages > most_messages) return nullptr;
  Stays stays(plan.spec.ranks(), schedule.shape().rounds);
  SimulateOptions options;
  options.network = usual_network(plan.machine, *plan.spec.topology);
  options.observer = &stays;
  try {
    const Timeline timeline = simulate(plan.spec, plan.machine, schedule, options);
    return stays.json(options, timeline.makespan);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget && error.kind() != Error::Kind::illegal) throw;
    return nullptr;
  }
}

}  // namespace quadrille::report
