#include "planner/trial_line.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "collective/traits.hpp"
#include "planner/line_words.hpp"
#include "quadrille/placement.hpp"
#include "quadrille/sources.hpp"

namespace quadrille {

namespace {

constexpr std::string_view native = "native";
constexpr std::string_view of_any_size = "any";

constexpr std::string_view persistent = "_init", non_blocking = "i";

/// The same operation by a call that ends at once: "allreduce" of "allreduce_init" and "iallreduce".
std::string_view at_once(std::string_view operation) {
  if (operation.ends_with(persistent)) operation.remove_suffix(persistent.size());
  if (operation.starts_with(non_blocking)) operation.remove_prefix(non_blocking.size());
  return operation;
}

bool has_call(Collective collective, std::string_view call) {
  const std::vector<std::string_view>& calls = collective::traits(collective).facts().calls;
  return std::find(calls.begin(), calls.end(), call) != calls.end();
}

/// Ranks know the lengths of their own blocks only, so all calls go one way.
bool has_any_size(std::string_view operation) {
  operation = at_once(operation);
  return std::any_of(collectives().begin(), collectives().end(),
                     [&](Collective c) { return collective::traits(c).facts().demands && has_call(c, operation); });
}
bool has_any_size(const Trial& trial) { return has_any_size(trial.operation); }

std::string sizes(const Trial& trial) {
  return has_any_size(trial) ? std::string(of_any_size) : fmt::format("{}..{}", trial.from, trial.to);
}

void read_sizes(std::string_view text, Trial& trial) {
  if (has_any_size(trial) && text == of_any_size) {
    trial.to = Trial::any_size;
    return;
  }
  const auto dots = text.find("..");
  if (dots == std::string_view::npos)
    throw Error(Error::Kind::format, fmt::format("bytes={}: expected FROM..TO", base::quoted(text)));
  trial.from = base::parse_bytes(text.substr(0, dots), "bytes");
  trial.to = base::parse_bytes(text.substr(dots + 2), "bytes");
}

/// 0, or all numbers of as many bits.
bool is_one_class(Bytes from, Bytes to) {
  constexpr Bytes beyond = Bytes{1} << 62;
  if (from < 0 || to < from || to >= beyond) return false;
  const auto last = static_cast<std::uint64_t>(to);
  return std::has_single_bit(last + 1) && static_cast<std::uint64_t>(from) == std::bit_floor(last);
}

/// The collectives whose algorithms answer an operation.
std::vector<Collective> collectives_of(std::string_view operation) {
  operation = at_once(operation);
  std::vector<Collective> all;
  for (const Collective c : collectives())
    if (has_call(c, operation)) all.push_back(c);
  return all;
}

void check_sizes(const Trial& trial) {
  if (has_any_size(trial) ? trial.from == 0 && trial.to == Trial::any_size : is_one_class(trial.from, trial.to)) return;
  throw Error(
      Error::Kind::argument,
      has_any_size(trial)
          ? fmt::format("bytes={}..{}: expected any, as ranks do not know how much others have", trial.from, trial.to)
          : fmt::format("bytes={}..{}: expected 0..0, or a power of 2 and the last number before the next one",
                        trial.from, trial.to));
}

void check_time(std::string_view name, Seconds time) {
  if (time >= 0 && std::isfinite(time)) return;
  throw Error(Error::Kind::argument, fmt::format("{}={}: expected seconds from 0", name, time));
}

/// Equal blocks where the operation has others.
Spec spec_of(const Trial& trial, const Placement& placement, Collective collective) {
  Spec spec{.collective = collective, .topology = placement.topology, .bytes = std::max<Bytes>(trial.from, 1)};
  if (collective::facts(spec).sources) {
    std::vector<std::pair<Rank, Bytes>> sources;
    for (Rank r = 0; r < spec.ranks(); ++r) sources.emplace_back(r, spec.bytes);
    spec.sources = make_sources(std::move(sources));
  }
  if (collective::facts(spec).demands) collective::traits(spec).complete(spec);
  return on_nodes(checked(spec), placement);
}

}  // namespace

const std::vector<std::string>& trial_operations() {
  static const std::vector<std::string> all = [] {
    std::set<std::string> names;
    for (const Collective c : collectives())
      for (const std::string_view call : collective::traits(c).facts().calls) {
        names.emplace(call);
        names.insert(fmt::format("{}{}", call, persistent));
        if (!has_any_size(call)) names.insert(fmt::format("{}{}", non_blocking, call));  // those are MPI's
      }
    return std::vector<std::string>(names.begin(), names.end());
  }();
  return all;
}

}  // namespace quadrille

namespace quadrille::planner {

std::string trial_text(const Trial& t) {
  return fmt::format("{} {} bytes={} mpi={} segment={}", t.operation, t.topology, sizes(t), one_word(t.mpi), t.segment);
}

std::string trial_line(std::string_view trial, const TrialResult& result) {
  return fmt::format("trial {} choice={} native={} chosen={}", trial, result.choice, result.native, result.chosen);
}

TrialResult parse_trial_line(std::string_view line) {
  Words words(line);
  words.value("trial");
  TrialResult result;
  Trial& trial = result.trial;
  trial.operation = words.next("an operation");
  trial.topology = words.next("a topology");
  read_sizes(words.value("bytes="), trial);
  trial.mpi = words.value("mpi=");
  std::replace(trial.mpi.begin(), trial.mpi.end(), '_', ' ');
  trial.segment = base::parse_bytes(words.value("segment="), "segment");
  result.choice = words.value("choice=");
  result.native = base::parse_number(words.value("native="), "native");
  result.chosen = base::parse_number(words.value("chosen="), "chosen");
  words.finish();
  return result;
}

void check_result(const TrialResult& result) {
  const Trial& trial = result.trial;
  const auto& known = trial_operations();
  if (std::find(known.begin(), known.end(), trial.operation) == known.end())
    base::unknown_name("trial", trial.operation, "operation", known);
  const std::string topology = parse_placement(trial.topology).text();
  if (topology != trial.topology)
    throw Error(Error::Kind::argument, fmt::format("topology {}: expected {}", base::quoted(trial.topology), topology));
  check_sizes(trial);
  if (trial.segment < 0) throw Error(Error::Kind::argument, "segment: expected 0 bytes or more");
  check_time("native", result.native);
  check_time("chosen", result.chosen);
  if (result.choice == native) return;
  const Choice choice = parse_choice(result.choice);
  const std::string name = to_text(*choice.algorithm, choice.params);
  if (name != result.choice)
    throw Error(Error::Kind::argument, fmt::format("choice {}: expected {}", base::quoted(result.choice), name));
  const std::vector<Collective> fitting = collectives_of(trial.operation);
  if (std::find(fitting.begin(), fitting.end(), choice.algorithm->collective) == fitting.end())
    throw Error(Error::Kind::argument, fmt::format("{} performs {}, which is no {}", name,
                                                   to_string(choice.algorithm->collective), trial.operation));
}

}  // namespace quadrille::planner

namespace quadrille {

namespace {

TrialProof proof_of(const Spec& spec, const Machine& machine, const Choice& choice, const VerifyBudget& budget) {
  try {
    const Built built = build(spec, machine, choice);
    const Proof proof = verify(spec, machine, *built.schedule, built.claims, budget);
    if (proof.holds) return {.holds = true};
    return {.why_not = "its algorithm is wrong: " + proof.counterexample->text};
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::illegal) throw;
    return {.why_not = error.what(), .undecided = error.kind() == Error::Kind::budget};
  }
}

}  // namespace

TrialProof prove(const TrialResult& result, const VerifyBudget& budget) {
  if (result.choice == native) return {.holds = true};
  const Choice choice = parse_choice(result.choice);
  const Placement placement = parse_placement(result.trial.topology);
  std::vector<Placement> networks{placement};
  if (has_any_size(result.trial))  // goes as on a crossbar where it is not for this network
    networks.push_back({.topology = parse_topology(fmt::format("crossbar:{}", placement.topology->ranks()))});
  std::string why_not;
  for (const Placement& network : networks)
    for (const Ports ports : {Ports::one, Ports::all}) {
      Machine machine = load_machine("localhost");
      machine.ports = ports;
      try {
        return proof_of(spec_of(result.trial, network, choice.algorithm->collective), machine, choice, budget);
      } catch (const Error& error) {
        if (why_not.empty()) why_not = error.what();
      }
    }
  return {.why_not = why_not};
}

}  // namespace quadrille
