// The closed forms that algorithms give as text, evaluated: they are what the library prices with.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <map>

#include "quadrille/algorithm.hpp"
#include "settings.hpp"

namespace quadrille::closed_form_test {
namespace {

using Letters = std::map<std::string, double>;

/// Sums, products (also side by side), powers, and ceil, floor, log2, max, min.
class Formula {
 public:
  Formula(std::string_view text, const Letters& letters) : text_(text), letters_(letters) {}
  double value() {
    const double v = sum();
    skip();
    EXPECT_EQ(at_, text_.size()) << text_;
    return v;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  double sum() {
    double v = product();
    for (;;) {
      if (take('+'))
        v += product();
      else if (take('-'))
        v -= product();
      else
        return v;
    }
  }
  double product() {
    double v = power();
    for (;;) {
      skip();
      if (take('/'))
        v /= power();
      else if (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '('))
        v *= power();
      else
        return v;
    }
  }
  double power() {
    const double base = atom();
    return take('^') ? std::pow(base, power()) : base;
  }
  double atom() {
    if (take('(')) {
      const double v = sum();
      EXPECT_TRUE(take(')')) << text_;
      return v;
    }
    skip();
    std::size_t end = at_;
    while (end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end]))) ++end;
    const std::string word(text_.substr(at_, end - at_));
    at_ = end;
    if (word.empty()) return ADD_FAILURE() << text_ << " at " << end, NAN;
    if (std::isdigit(static_cast<unsigned char>(word.front()))) return std::stod(word);
    if (word == "ceil" || word == "floor" || word == "log2" || word == "max" || word == "min") return function(word);
    const auto found = letters_.find(word);
    if (found == letters_.end()) return ADD_FAILURE() << word << " in " << text_, NAN;
    return found->second;
  }
  double function(const std::string& name) {
    EXPECT_TRUE(take('(')) << text_;
    const double a = sum();
    double most = a, least = a;
    while (take(',')) {
      const double b = sum();
      most = std::max(most, b), least = std::min(least, b);
    }
    EXPECT_TRUE(take(')')) << text_;
    if (name == "max" || name == "min") return name == "max" ? most : least;
    return name == "log2" ? std::log2(a) : name == "ceil" ? std::ceil(a - 1e-9) : std::floor(a + 1e-9);
  }

  std::string_view text_;
  const Letters& letters_;
  std::size_t at_ = 0;
};

TEST(ClosedForm, IsReadAsWritten) {
  const Letters letters{{"P", 8}, {"m", 3}, {"nu1", 2}};
  EXPECT_EQ(Formula("2 (P - 1) m/3 + nu1^2", letters).value(), 2 * 7 * 3 / 3.0 + 4);
  EXPECT_EQ(Formula("max(ceil(log2(P + 1)), min(1, m)) m", letters).value(), 12);
}

/// What the letters stand for in one case.
Letters letters_of(const Spec& spec, const Machine& machine, const Params& params) {
  const auto p = static_cast<double>(spec.ranks());
  Letters all{{"P", p},
              {"n", std::log2(p)},
              {"m", static_cast<double>(spec.bytes)},
              {"s", std::sqrt(p)},
              {"k", static_cast<double>(std::min(machine.shared, spec.ranks()))}};
  all["t"] = std::log(p) / std::log(3);
  const std::string text = spec.topology->text();
  if (const auto x = text.find('x'); x != std::string::npos) {
    all["R"] = std::stod(text.substr(text.find(':') + 1)), all["C"] = std::stod(text.substr(x + 1));
    all["V"] = std::floor(all["R"] / 2), all["H"] = std::floor(all["C"] / 2);
  }
  all["D"] = spec.collective == Collective::sendrecv ? spec.topology->distance(spec.root, spec.target)
                                                     : spec.topology->diameter();
  all["p"] = 2, all["L"] = p - all["D"], all["S"] = p - 2;  // the two ways round a ring
  const auto packets = params.list("packets");
  if (!packets.empty())
    all["nu"] = all["nu1"] = static_cast<double>(packets.front()), all["nu2"] = static_cast<double>(packets.back());
  all["w"] = static_cast<double>(params.get("packet_bytes", 0));
  return all;
}

/// Some networks that the form's words are about.
std::vector<std::string> networks_for(const std::string& where) {
  const auto has = [&](std::string_view part) { return where.find(part) != std::string::npos; };
  if (has("square torus"))
    return has("4 divides s") ? std::vector<std::string>{"torus:4x4", "torus:8x8", "torus:12x12"}
                              : std::vector<std::string>{"torus:4x4", "torus:5x5", "torus:8x8"};
  if (has("torus")) return {"torus:3x4", "torus:6x4", "torus:5x7"};
  if (has("P = 3^t")) return {"ring:9", "ring:27", "ring:81"};
  if (has("ring")) return {"ring:5", "ring:8", "ring:13"};
  if (has("mesh")) return {"mesh:2x4", "mesh:4x4", "mesh:3x6"};
  if (has("hypercube"))
    return has("prime") ? std::vector<std::string>{"hypercube:3", "hypercube:5", "hypercube:7"}
                        : std::vector<std::string>{"hypercube:2", "hypercube:4", "hypercube:5"};
  if (has("switch, P = s^2") || has("crossbar, P = s^2")) return {"crossbar:4", "crossbar:9", "crossbar:25"};
  if (has("P = s^2"))
    return has("bus") ? std::vector<std::string>{"bus:9", "bus:16"}
                      : std::vector<std::string>{"memory:9", "memory:16", "memory:25"};
  if (has("bus")) return {"bus:4", "bus:8", "bus:14"};
  if (has("memory")) return {"memory:5", "memory:8", "memory:13"};
  if (has("P = 2^n")) return {"crossbar:4", "crossbar:8", "crossbar:32"};
  return {"crossbar:5", "crossbar:8", "crossbar:13"};
}

Machine machine_for(const std::string& where, std::int64_t shared) {
  const auto has = [&](std::string_view part) { return where.find(part) != std::string::npos; };
  Machine m;
  m.duplex = has("full duplex") || has("switch") || has("crossbar") ? Duplex::full : Duplex::half;
  m.ports = has("switch") || has("bus") || has("memory") ? Ports::one : Ports::all;
  m.switching = has("circuits")   ? Switching::circuit
                : has("wormhole") ? Switching::wormhole
                                  : Switching::store_and_forward;
  m.shared = shared;
  return m;
}

/// The form's own choice: what "one packet" and the like say.
Params params_for(const Algorithm& a, const Spec& spec, const std::string& where) {
  const auto has = [&](std::string_view part) { return where.find(part) != std::string::npos; };
  Params params;
  for (const Parameter& p : a.parameters) {
    if (p.name == "packets")
      params.set("packets", a.closed_form.startups.find("nu2") != std::string_view::npos
                                ? std::vector<std::int64_t>{4, 3}
                                : std::vector<std::int64_t>{has("one packet") ? 1 : 4});
    if (p.name == "packet_bytes") params.set("packet_bytes", {10});
    if (p.name == "ways") params.set("ways", {1});
    if (p.name == "first" && has("along the root's row")) params.set("first", {1});
    if (p.name == "batch") params.set("batch", {spec.ranks() - 1});
    if (p.name == "radix") params.set("radix", {has("radix 3") ? 3 : 2});
  }
  return params;
}

TEST(ClosedForm, IsWhatIsPriced) {
  int evaluated = 0;
  for (const Algorithm& a : algorithms()) {
    const std::string_view startups = a.closed_form.startups, bytes = a.closed_form.bytes,
                           further = a.closed_form.further;
    const std::string where(a.closed_form.where.text);
    EXPECT_FALSE(where.empty()) << a.name;
    EXPECT_EQ(startups.empty(), bytes.empty()) << a.name;
    if (startups.empty()) continue;
    int legal = 0;
    const bool medium = where.find("bus") != std::string::npos || where.find("memory") != std::string::npos;
    for (const std::string& network : networks_for(where))
      for (const std::int64_t shared : medium ? std::vector<std::int64_t>{1, 2, 3} : std::vector<std::int64_t>{1}) {
        if (!testing::can_request(a.collective, network)) continue;
        const Rank p = parse_topology(network)->ranks();
        const bool divides = where.find("divides m") != std::string::npos;
        Spec spec = testing::request(a.collective, network, divides ? 240 * p * (p - 1) * p : 997);
        if (where.find("w divides m") != std::string::npos) spec.bytes = 1000;
        const Machine machine = machine_for(where, shared);
        const Params params = params_for(a, spec, where);
        if (!a.illegal(spec, machine, params).empty()) continue;
        if (shared > 1 && startups.find('k') == std::string_view::npos) continue;
        ++legal;
        const Letters letters = letters_of(spec, machine, params);
        const Cost cost = a.cost(spec, machine, params);
        EXPECT_NEAR(static_cast<double>(cost.startups), Formula(startups, letters).value(), 1e-6)
            << a.name << " on " << network << ": " << startups << " k " << shared;
        if (further != ClosedForm::counted) {
          EXPECT_NEAR(static_cast<double>(cost.further), further.empty() ? 0 : Formula(further, letters).value(), 1e-6)
              << a.name << " on " << network << ": " << further << " k " << shared;
        }
        EXPECT_NEAR(static_cast<double>(cost.bytes), Formula(bytes, letters).value(),
                    1e-6 * static_cast<double>(cost.bytes))
            << a.name << " on " << network << ": " << bytes << " k " << shared;
      }
    EXPECT_GT(legal, 0) << a.name << ": " << where;
    ++evaluated;
  }
  EXPECT_GT(evaluated, 70);
}

}  // namespace
}  // namespace quadrille::closed_form_test
