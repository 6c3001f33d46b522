// Every way we know to perform a collective. One file in src/algorithm/ each; the registry is generated from the list.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/cost.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille {

/// Values for an algorithm's parameters, in the order the algorithm lists them: {"phases", {3, 3}}.
class Params {
 public:
  Params() = default;
  Params(std::initializer_list<std::pair<std::string, std::vector<std::int64_t>>> values) : values_(values) {}
  bool has(std::string_view name) const;
  /// The single value of `name`, or `otherwise` when it is not given.
  std::int64_t get(std::string_view name, std::int64_t otherwise) const;
  std::vector<std::int64_t> list(std::string_view name) const;  ///< empty when not given
  void set(std::string name, std::vector<std::int64_t> values);
  const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& values() const { return values_; }
  bool operator==(const Params&) const = default;

 private:
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> values_;
};

struct Parameter {
  std::string_view name;     ///< "phases"
  std::string_view meaning;  ///< "lengths of the phases, the first spans the highest dimensions; sum = D"
  bool is_list = false;
  std::int64_t low = 1, high = std::int64_t{1} << 40;  ///< every value lies in here
};

/// What a schedule of the algorithm promises; verify holds it to that.
struct Claims {
  bool once = true;             ///< no rank receives the same piece twice
  bool contention_free = true;  ///< at most one message per directed link and round (half duplex: per wire)
  bool exact = true;            ///< cost() equals the counted price, count by count
  bool port_free = true;        ///< no more messages at a rank than its ports; else they take turns and are added up
};

struct Algorithm {
  std::string_view name;  ///< "allgather_tea2": stored in wisdom; change the behaviour, change the name
  Collective collective;
  std::string_view summary;  ///< one line
  std::string_view source;   ///< citation with equation
  std::vector<Parameter> parameters;
  Claims (*claims)(const Spec&, const Machine&, const Params&);
  /// Why it cannot run here, in one sentence with the nearest legal alternative; empty when it can.
  std::string (*illegal)(const Spec&, const Machine&, const Params&);
  /// The parameter values worth pricing, all legal when illegal(spec, machine, {}) is empty; the optimum is among them.
  std::vector<Params> (*variants)(const Spec&, const Machine&);
  /// Closed form, with its equation in the file. Counts for the schedule that build() gives.
  Cost (*cost)(const Spec&, const Machine&, const Params&);
  SchedulePtr (*build)(const Spec&, const Machine&, const Params&);
};

/// All algorithms, sorted by collective, then name.
const std::vector<Algorithm>& algorithms();
/// Throws Error(argument) naming the known ones.
const Algorithm& find_algorithm(std::string_view name);

/// "alltoall_mce:phases=3,3": an algorithm with values for some of its parameters.
struct Choice {
  const Algorithm* algorithm = nullptr;
  Params params;
};
Choice parse_choice(std::string_view text);
std::string to_text(const Algorithm& algorithm, const Params& params);

/// build() after checks: throws Error(illegal) with the reason. Missing parameters become the cheapest variant's.
struct Built {
  Choice choice;
  SchedulePtr schedule;
  Claims claims;
  Cost formula;
};
Built build(const Spec& spec, const Machine& machine, const Choice& choice);

}  // namespace quadrille
