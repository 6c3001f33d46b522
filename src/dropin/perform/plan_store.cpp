#include "dropin/perform/plan_store.hpp"

#include "dropin/decide/row.hpp"
#include "program/program.hpp"

namespace quadrille::dropin {

namespace {

/// The program's own operator commutes by its word alone: it may keep either of two equal operands. MPI's operators do
/// commute, bit by bit.
void check_identical(const Request& request, const Built& built) {
  if (request.operation != Operation::allreduce || !request.by.user) return;
  if (built.claims.identical == Identical::strictly) return;
  throw Error(Error::Kind::illegal,
              "ranks would swap the operands of the program's operator; expected one expression for all ranks");
}

/// Calls that are under way at once come to barriers in another order on each rank.
void check_no_barriers(const mpi::plan_handle::state& plan, const std::string& choice) {
  for (const program::Step& step : plan.execution.program().steps)
    if (step.barrier)
      throw Error(Error::Kind::illegal, choice + " has barriers, in which calls that are under way would mix");
}

/// What make() returns, or nothing where it throws an Error, as it does on all ranks.
template <class Make>
auto or_nothing(Make make) -> decltype(make()) {
  try {
    return make();
  } catch (const mpi::MpiError&) {
    throw;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

mpi::plan_handle* PlanStore::plan_for(const Request& request, const ChoiceTrial& trial, std::size_t place,
                                      bool at_first, std::int64_t after, const std::function<bool()>& all_ask) {
  if (prepared_.size() >= most_requests && !prepared_.contains(request)) return nullptr;
  Prepared& prepared = prepared_[request];
  prepared.plans.resize(trial.choices().size());
  prepared.refused.resize(trial.choices().size());
  if (prepared.plans[place]) return prepared.plans[place].get();
  ++prepared.calls;
  const bool too_early = !trial.running() && !at_first && prepared.calls < after;
  if (at_first && (prepared.calls > 1 || plans_ >= most_plans)) prepared.refused[place] = true;
  if (prepared.refused[place] || too_early || plans_ >= most_plans) return nullptr;
  if (!trial.running() && !all_ask()) return nullptr;
  prepared.plans[place] = made(request, trial.choices()[place].name);
  if (prepared.plans[place])
    ++plans_;
  else
    prepared.refused[place] = true;
  return prepared.plans[place].get();
}

std::unique_ptr<mpi::plan_handle> PlanStore::made(const Request& request, const std::string& choice) {
  std::unique_ptr<mpi::plan_handle::state> plan = agreed(request, choice, &PlanStore::compiled);
  return plan == nullptr ? nullptr : std::make_unique<mpi::plan_handle>(std::move(plan));
}

/// On this rank. Throws Error.
std::unique_ptr<mpi::plan_handle::state> PlanStore::compiled(const Request& request, const std::string& choice) {
  const Spec spec = communicator_->found(*spec_of(request, communicator_->topology()));
  const Built built = communicator_->built(spec, choice);
  check_identical(request, built);
  program::Program program = communicator_->compiled(spec, built);
  const int tag = communicator_->take_tags(built.schedule->shape().rounds);
  return std::make_unique<mpi::plan_handle::state>(communicator_, spec, built, std::move(program), tag);
}

/// Collective; null on all ranks where it cannot be made.
std::unique_ptr<mpi::plan_handle::state> PlanStore::agreed(const Request& request, const std::string& choice,
                                                           Compile compile) {
  return or_nothing([&] {
    std::unique_ptr<mpi::plan_handle::state> plan;
    communicator_->agree([&] {
      plan = (this->*compile)(request, choice);
      return plan->algorithm;
    });
    plan->execution.connect();
    return plan;
  });
}

std::unique_ptr<mpi::plan_handle::state> PlanStore::make(const Request& request, const std::string& choice) {
  return agreed(request, choice, &PlanStore::make_alone);
}

std::unique_ptr<mpi::plan_handle::state> PlanStore::make(const DemandsPtr& demands, const std::string& choice) {
  return or_nothing([&] {
    std::unique_ptr<mpi::plan_handle::state> plan = plan_by_demands(communicator_, demands, choice);
    check_no_barriers(*plan, choice);
    return plan;
  });
}

std::unique_ptr<mpi::plan_handle::state> PlanStore::make_alone(const Request& request, const std::string& choice) {
  std::unique_ptr<mpi::plan_handle::state> plan = compiled(request, choice);
  check_no_barriers(*plan, choice);
  return plan;
}

void PlanStore::drop_losers(std::size_t row, std::size_t winner) {
  for (auto& [request, prepared] : prepared_) {
    if (RowTable::place(request) != row) continue;
    for (std::size_t i = 0; i < prepared.plans.size(); ++i)
      if ((i != winner || winner == 0) && prepared.plans[i]) {
        prepared.plans[i].reset();
        --plans_;
      }
  }
}

bool PlanStore::make_straight(Operation operation, const std::string& choice, bool known) {
  return or_nothing([&] {
    std::unique_ptr<StraightPlan> made;
    communicator_->agree([&] {
      made = std::make_unique<StraightPlan>(communicator_, choice);
      return made->choice;
    });
    made->connect();
    exchange(operation).straight = std::move(made);
    exchange(operation).trial = ExchangeTrial(known);
    return true;
  });
}

bool PlanStore::make_by_demands(Operation operation, DemandsPtr demands, const std::string& choice) {
  return or_nothing([&] {
    exchange(operation).by_demands = std::make_unique<DemandPlan>(communicator_, std::move(demands), choice);
    return true;
  });
}

void PlanStore::abandon() {
  for (auto& [request, prepared] : prepared_)
    for (auto& plan : prepared.plans) static_cast<void>(plan.release());
  for (ExchangePlans& plans : exchanges_) {
    static_cast<void>(plans.straight.release());
    static_cast<void>(plans.by_demands.release());
  }
}

void PlanStore::clear() {
  prepared_.clear();
  plans_ = 0;
  exchanges_ = {};
  communicator_.reset();
}

}  // namespace quadrille::dropin
