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

/// Values for an algorithm's parameters, in the order the algorithm lists them: {"phases", {3, 3}}. Of a parameter that
/// is a choice, the choice as text.
class Params {
 public:
  Params() = default;
  Params(std::initializer_list<std::pair<std::string, std::vector<std::int64_t>>> values) : values_(values) {}
  bool has(std::string_view name) const;  ///< with values, or a choice
  /// The single value of `name`, or `otherwise` when it is not given.
  std::int64_t get(std::string_view name, std::int64_t otherwise) const;
  std::vector<std::int64_t> list(std::string_view name) const;  ///< empty when not given
  void set(std::string name, std::vector<std::int64_t> values);
  std::string_view choice(std::string_view name) const;  ///< "bcast_chain:packets=4"; empty when not given
  void set_choice(std::string name, std::string text);
  const std::vector<std::pair<std::string, std::string>>& choices() const { return choices_; }
  const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& values() const { return values_; }
  bool operator==(const Params&) const = default;

 private:
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> values_;
  std::vector<std::pair<std::string, std::string>> choices_;  ///< by name
};

struct Parameter {
  std::string_view name;     ///< "phases"
  std::string_view meaning;  ///< "lengths of the phases, the first spans the highest dimensions; sum = D"
  bool is_list = false;
  std::int64_t low = 1, high = std::int64_t{1} << 40;  ///< every value lies in here
  bool is_choice = false;  ///< an algorithm in parentheses, with parameters of its own: "(bcast_chain:packets=4)"
};

/// Whether ranks that compute the same result get the same bits where an operator rounds.
enum class Identical : std::uint8_t {
  strictly,       ///< one expression for all ranks
  commutatively,  ///< expressions that differ in the order of the operands of single operations
  no              ///< operations in different groups
};
std::string_view to_string(Identical identical);

/// What a schedule of the algorithm promises; verify holds it to that.
struct Claims {
  bool once = true;             ///< no rank receives the same piece twice
  bool contention_free = true;  ///< at most one message per directed link and round (half duplex: per wire)
  bool exact = true;            ///< cost() equals the counted price, count by count
  bool port_free = true;        ///< no more messages at a rank than its ports; else they take turns and are added up
  // Reductions.
  bool in_order = false;                      ///< contributions are taken in the order of ranks
  Identical identical = Identical::strictly;  ///< of the results of several ranks
  bool canonical = false;                     ///< every result is the canonical expression
};

/// A text that has no default: a description that leaves it out does not compile.
struct RequiredText {
  constexpr RequiredText(const char* given) : text(given) {}
  std::string_view text;
};

/// Algorithm::cost as text, for one kind of network: what the busiest link or port takes. A test evaluates it.
struct ClosedForm {
  std::string_view startups = {}, bytes = {};  ///< both empty where they are counted
  /// Messages that the busiest rank of a round sends or receives beyond its first, over all rounds; empty: none.
  std::string_view further = {};
  RequiredText where;  ///< network, and what else is meant: wires, parameters, divisibility; or all of it in words
  /// What `further` says where it is found by looking at the ranks.
  static constexpr std::string_view counted = "counted";
};

/// What is known of the bound on networks of these families, where the algorithm is the best for large blocks.
struct Literature {
  std::vector<std::string_view> families;
  std::string_view says;  ///< half a sentence with names that docs/bibliography.bib explains
};

struct Algorithm {
  std::string_view name;  ///< "allgather_tea2": stored in wisdom; change the behaviour, change the name
  Collective collective;
  std::string_view summary;  ///< one line
  std::string_view source;   ///< citation with equation
  ClosedForm closed_form;
  std::vector<Literature> literature = {};
  std::vector<Parameter> parameters;
  Claims (*claims)(const Spec&, const Machine&, const Params&);
  /// Why it cannot run here, in one sentence with the nearest legal alternative; empty when it can.
  std::string (*illegal)(const Spec&, const Machine&, const Params&);
  /// The parameter values worth pricing, all legal when illegal(spec, machine, {}) is empty; the optimum is among them.
  std::vector<Params> (*variants)(const Spec&, const Machine&);
  /// Closed form, with its equation in the file. Counts for the schedule that build() gives.
  Cost (*cost)(const Spec&, const Machine&, const Params&);
  SchedulePtr (*build)(const Spec&, const Machine&, const Params&);
  /// The algorithm that does the same under a name of its own when the parameters are these; empty: none. A plan lists
  /// each schedule once.
  std::string_view (*other_name)(const Spec&, const Params&) = nullptr;
  /// Where cost() counts messages: a time that it is never below, found without counting. Null, or 0: nothing is known.
  Seconds (*least)(const Spec&, const Machine&, const Params&) = nullptr;
  bool asks_for_nodes = false;  ///< runs on Structure::per_node ranks a node, and sees the network as it is
  bool searched = false;        ///< its schedule is searched for, which takes long: a plan looks at it last
  bool says_ways = false;       ///< its schedules say the ways of their messages where the network lets them
  bool straight = false;        ///< of an alltoallv: no rank passes on what is another's
  bool moves_sources = false;   ///< of a multibcast: blocks first move to ranks that are better placed
  std::string_view file = {};   ///< "src/algorithm/allgather/tea2.cpp"; the generated registry knows
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

/// Why an algorithm that claims this cannot answer the question: the operator's operands must keep their order, or all
/// ranks must get the same bits. Empty: it can.
std::string unfit(const Spec& spec, const Claims& claims);

/// build() after checks: throws Error(illegal) with the reason. Missing parameters become the cheapest variant's.
struct Built {
  Choice choice;
  SchedulePtr schedule;
  Claims claims;
  Cost formula;
};
Built build(const Spec& spec, const Machine& machine, const Choice& choice);

}  // namespace quadrille
