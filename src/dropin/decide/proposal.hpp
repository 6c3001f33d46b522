// What calls of a row may be answered by besides MPI: what is known of it, or what predictions say is worth a trial.
// Nothing here knows MPI: rank 0 makes a proposal, and the others get it as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dropin/decide/circumstances.hpp"
#include "dropin/decide/request.hpp"
#include "dropin/decide/settings.hpp"

namespace quadrille::dropin {

struct Proposal {
  std::vector<std::string> choices = {};  ///< plans, the most promising first; empty: calls stay with MPI
  bool known = false;                     ///< a trial has been held before, and choices.front() has won it

  bool operator==(const Proposal&) const = default;
};

/// Whether a trial follows, which MPI's own call takes part in.
enum class Followed : std::uint8_t { by_trial, by_none };

/// By wisdom, else by predictions. Where no trial follows: plans that MPI is not predicted to beat, the best first, as
/// some cannot be used. No choices where nothing can be planned. The same on all ranks whose processors are alike.
/// Never throws.
Proposal propose(const Request& request, const Circumstances& where, const Settings& settings,
                 Followed followed = Followed::by_trial, Ending ending = Ending::at_once);

/// When ranks agree that they still have as much for each other as was planned.
enum class Agreement : std::uint8_t { before_each_call, once };

/// Of an exchange where all ranks know what all have for each other: the choice that is best by demands, should it
/// promise more than messages that go straight, with what ranks pay to agree. Empty: none does. Never throws.
std::string propose_by_demands(const DemandsPtr& demands, const Circumstances& where, const Settings& settings,
                               Agreement agreement = Agreement::before_each_call);

/// What earlier trials in wisdom say of this row; null: nothing. Calls that end later go by those of calls that end at
/// once, where there were none of their own.
const TrialResult* known_result(const Request& request, const Circumstances& where, const Settings& settings,
                                Ending ending = Ending::at_once);

std::string to_text(const Proposal& proposal);
Proposal parse_proposal(std::string_view text);

}  // namespace quadrille::dropin
