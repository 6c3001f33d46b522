#include "dropin/decide/proposal.hpp"

#include <nlohmann/json.hpp>

#include "dropin/decide/choose.hpp"
#include "quadrille/placement.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::dropin {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t choices_on_trial = 3;
/// Up to this size a block's time is the software's on both ends more than the wire's, and predictions are no better
/// than this factor.
constexpr Bytes small_block = 1 << 10;
constexpr double doubt = 2;
constexpr std::size_t choices_in_doubt = 4;
/// Where no trial follows, a plan is taken that is predicted to take less than this part of MPI's time; of small blocks
/// by the factor of doubt.
constexpr double clear_win = 0.9;
/// Of a call that no trial ever follows: as fast as the best of what MPIs choose from is enough. They seldom choose it.
constexpr double no_loss = 1.02;

/// Where messages share links: within so much of what no schedule beats, nobody is faster by more. What an MPI that
/// does not know the network takes is mostly longer than the best that it might do.
constexpr double at_the_limit = 1.05;

bool none_is_faster(const Prospect& plan, const Placement& placement) {
  return placement.topology->contended() && plan.bound > 0 && plan.predicted <= at_the_limit * plan.bound;
}

/// What mode `trial` tries, and what mode `on` takes where MPI is not predicted to be faster.
Proposal predicted(const Request& request, const Spec& spec, const Placement& placement, const Settings& s,
                   Followed followed) {
  const bool on = s.mode == Mode::on || followed == Followed::by_none, small = request.bytes <= small_block;
  if (small && followed == Followed::by_none && !request.by.canonical) return {};  // no prediction is as good as that
  const std::vector<Prospect> best =
      small ? prospects_in_doubt(spec, placement, s.constants, choices_in_doubt, doubt)
            : prospects(spec, placement, s.constants, on && followed == Followed::by_trial ? 1 : choices_on_trial);
  if (best.empty()) return {};
  if (on && !request.by.canonical) {
    const bool tried = followed == Followed::by_trial && (!request.by.rounds || s.bits == Bits::free);
    // Calls in a row use up what links let through at once. A trial sees that, and else nothing may be lost.
    const Seconds native = native_estimate(spec, placement, s.constants, !tried);
    const double large_win = followed == Followed::by_trial ? clear_win : no_loss;
    const double below = tried ? (small ? doubt : 1) : small ? 1 / doubt : large_win;
    const bool wins = best.front().predicted < below * native;
    if (native > 0 && !wins && !none_is_faster(best.front(), placement)) return {};
  }
  Proposal proposal;
  for (const Prospect& p : best) proposal.choices.push_back(p.algorithm);
  return proposal;
}

/// What a plan by demands has won says nothing of other demands.
bool is_by_demands(const std::string& choice) { return choice.starts_with(to_string(Collective::alltoallv)); }

}  // namespace

const TrialResult* known_result(const Request& request, const Circumstances& where, const Settings& settings,
                                Ending ending) {
  const int sizes = differs_by_rank(request.operation) ? 0 : size_class(request.bytes);
  const TrialResult* const own = settings.wisdom.find(trial_of(where, request.operation, sizes, ending));
  return own != nullptr ? own : settings.wisdom.find(trial_of(where, request.operation, sizes));
}

Proposal propose(const Request& request, const Circumstances& where, const Settings& s, Followed followed,
                 Ending ending) {
  try {
    const Placement placement = parse_placement(where.topology);
    std::optional<Spec> spec = spec_of(request, placement.topology);
    if (!spec) return {};
    if (s.topology.empty()) spec = on_crossbar_if_refused(*spec, placement);
    const TrialResult* const known = known_result(request, where, s, ending);
    if (known != nullptr && !request.by.canonical && !is_by_demands(known->choice)) {
      const bool plan_stands = known->choice != "native" && !disproved(*spec, placement, s.constants, known->choice);
      return plan_stands ? Proposal{.choices = {known->choice}, .known = true} : Proposal{};
    }
    if (!differs_by_rank(request.operation)) return predicted(request, *spec, placement, s, followed);
    const Prospect best = alltoallv_prospect(request, placement, s.constants);
    return best.algorithm.empty() ? Proposal{} : Proposal{.choices = {best.algorithm}};
  } catch (const std::exception&) {  // no plan can be made: then MPI is best
    return {};
  }
}

std::string propose_by_demands(const DemandsPtr& demands, const Circumstances& where, const Settings& s,
                               Agreement agreement) {
  constexpr double gain = 1.15;
  try {
    const Placement placement = parse_placement(where.topology);
    Spec spec{.collective = Collective::alltoallv, .topology = placement.topology};
    spec.demands = demands;
    const Plan found = plan(on_nodes(checked(std::move(spec)), placement), s.constants);
    if (!found.possible()) return {};
    double agreeing = 0;  // the ranks' doubling rounds, there and back
    for (Rank reached = 1; agreement == Agreement::before_each_call && reached < placement.topology->ranks();
         reached *= 2)
      agreeing += 2 * s.constants.alpha;
    for (const Candidate& c : found.candidates)
      if (c.algorithm->straight)
        return gain * found.best().known() + agreeing < c.known()
                   ? to_text(*found.best().algorithm, found.best().params)
                   : std::string();
    return to_text(*found.best().algorithm, found.best().params);
  } catch (const std::exception&) {  // no plan can be made
    return {};
  }
}

std::string to_text(const Proposal& proposal) {
  return Json{{"choices", proposal.choices}, {"known", proposal.known}}.dump();
}

Proposal parse_proposal(std::string_view text) {
  const Json j = Json::parse(text);
  return {.choices = j.at("choices").get<std::vector<std::string>>(), .known = j.at("known").get<bool>()};
}

}  // namespace quadrille::dropin
