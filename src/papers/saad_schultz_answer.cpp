// The machines of tables 1 and 2 with the reader's constants, and what schedules cost on them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithm/formula.hpp"
#include "base/integer.hpp"
#include "base/text.hpp"
#include "collective/traits.hpp"
#include "papers/saad_schultz.hpp"

namespace quadrille::papers::saad_schultz {

namespace {

double positive(const Values& values, const std::string& name, double otherwise, double low, double high) {
  const auto found = values.find(name);
  if (found == values.end()) return otherwise;
  const double x = base::parse_number(found->second, name);
  if (!(x >= low && x <= high))
    throw Error(Error::Kind::argument,
                fmt::format("{} {}: from {:g} to {:g} is accepted", name, base::quoted(found->second), low, high));
  return x;
}

std::int64_t whole(const Values& values, const std::string& name, std::int64_t otherwise, std::int64_t low,
                   std::int64_t high) {
  const auto found = values.find(name);
  return found == values.end() ? otherwise : base::parse_integer(found->second, low, high, name);
}

/// The paper's algorithm at its best, as the planner has it, or with the parameters that make it the paper's.
std::optional<Candidate> of_paper(std::string_view choice, const Plan& plan) {
  std::string text(choice);
  if (const auto at = text.find("P-1"); at != std::string::npos)
    text.replace(at, 3, fmt::format("{}", plan.spec.ranks() - 1));
  const auto [algorithm, params] = parse_choice(text);
  for (const Candidate& c : plan.candidates)
    if (c.algorithm == algorithm && (params == Params{} || params == c.params)) return c;
  if (params == Params{} || !algorithm->illegal(plan.spec, plan.machine, params).empty()) return {};
  const Cost cost = algorithm::formula(*algorithm, plan.spec, plan.machine, params);
  return Candidate{algorithm, params, cost, seconds(cost, plan.machine, *plan.spec.topology),
                   algorithm->claims(plan.spec, plan.machine, params).exact};
}

}  // namespace

double Setting::side() const { return std::sqrt(ranks()); }
double Setting::steps() const { return static_cast<double>(base::log2_floor(k)); }
double Setting::waves() const { return std::max(1.0, ranks() / static_cast<double>(shared)); }

const std::vector<Value>& setting_values() {
  static const Setting otherwise;
  static const std::vector<Value> all{
      {"k", "RANKS", fmt::format("ranks: a square and a power of two; default {}", otherwise.k)},
      {"N", "WORDS", fmt::format("words in all, a multiple of k^2; default {}", otherwise.words)},
      {"tau", "TIME", fmt::format("start-up of a message; default {}", otherwise.tau)},
      {"b", "RATE", fmt::format("words a channel moves in a unit of time; default {}", otherwise.b)},
      {"shared", "K", fmt::format("k*: accesses that the memory serves at once; default {}", otherwise.shared)}};
  return all;
}

Setting read_setting(const Values& values) {
  Setting s;
  s.k = whole(values, "k", s.k, 16, 1024);
  if (!base::is_power_of_two(s.k) || base::log2_floor(s.k) % 2 != 0)
    throw Error(Error::Kind::argument, fmt::format("k '{}': a square and a power of two is accepted: 16, 64, 256, 1024 "
                                                   "(the torus is square, the hypercube has 2^n ranks)",
                                                   s.k));
  s.words = std::max(s.words, s.k * s.k);
  s.words = whole(values, "N", s.words, 1, Bytes{1} << 40);
  if (s.words % (s.k * s.k) != 0)
    throw Error(Error::Kind::argument, fmt::format("N '{}': a multiple of k^2 = {} is accepted: a multiscatter has as "
                                                   "many blocks",
                                                   s.words, s.k * s.k));
  s.tau = positive(values, "tau", s.tau, 0, 1e9);
  s.b = positive(values, "b", s.b, 1e-6, 1e9);
  s.shared = whole(values, "shared", s.shared, 1, 1 << 20);
  return s;
}

std::string_view name(Net net) {
  static constexpr std::string_view names[] = {"bus", "shared memory", "ring", "grid", "hypercube", "switch"};
  static_assert(std::size(names) == std::size(nets));
  return names[static_cast<std::size_t>(net)];
}

std::string_view name(Collective operation) {
  static constexpr std::pair<Collective, std::string_view> names[] = {{Collective::sendrecv, "one to one"},
                                                                      {Collective::bcast, "one to all"},
                                                                      {Collective::allgather, "all to all"},
                                                                      {Collective::scatter, "scatter"},
                                                                      {Collective::alltoall, "multiscatter"}};
  static_assert(std::size(names) == std::size(operations));
  const auto* found =
      std::find_if(std::begin(names), std::end(names), [&](const auto& n) { return n.first == operation; });
  if (found == std::end(names)) throw Error(Error::Kind::internal, "an operation that the tables do not have");
  return found->second;
}

std::string_view preset(Net net) {
  static constexpr std::string_view names[] = {"bus-1986",  "memory-1986", "ring-1986",
                                               "ring-1986", "ipsc-1985",   "switch-1986"};
  static_assert(std::size(names) == std::size(nets));
  return names[static_cast<std::size_t>(net)];
}

Machine machine(Net net, const Setting& setting) {
  Machine m = load_machine(std::string(preset(net)));
  m.alpha = setting.tau;
  m.beta = 1 / setting.b;
  if (net == Net::memory) m.shared = setting.shared;
  return m;
}

Spec question(Collective operation, Net net, const Setting& setting) {
  const auto side = static_cast<Rank>(setting.side());
  const std::string text = net == Net::bus         ? fmt::format("bus:{}", setting.k)
                           : net == Net::memory    ? fmt::format("memory:{}", setting.k)
                           : net == Net::ring      ? fmt::format("ring:{}", setting.k)
                           : net == Net::grid      ? fmt::format("torus:{}x{}", side, side)
                           : net == Net::hypercube ? fmt::format("hypercube:{}", base::log2_floor(setting.k))
                                                   : fmt::format("crossbar:{}", setting.k);
  Spec spec{.collective = operation, .topology = parse_topology(text)};
  const std::int64_t blocks = collective::facts(spec).whole ? 1 : collective::traits(spec).names(spec).count;
  spec.bytes = setting.words / blocks;
  return checked(std::move(spec));
}

Answer answer(const Entry& entry, const Setting& setting) {
  Answer a{&entry, plan(question(entry.operation, entry.net, setting), machine(entry.net, setting)), {}};
  for (const std::string_view choice : entry.algorithms)
    if (const auto c = of_paper(choice, a.plan); c && (a.paper.algorithm == nullptr || c->time < a.paper.time))
      a.paper = *c;
  if (a.paper.algorithm == nullptr)
    throw Error(Error::Kind::internal, fmt::format("no algorithm of the paper for {} on {}", name(entry.operation),
                                                   a.plan.spec.topology->text()));
  return a;
}

}  // namespace quadrille::papers::saad_schultz
