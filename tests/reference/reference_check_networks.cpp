// Entries of area C: sizes of networks, S of patterns of messages, and the worked examples of refined costs.
#include <algorithm>
#include <array>

#include "papers/foster.hpp"
#include "reference_check.hpp"

namespace quadrille::reference {

namespace {

/// Every field of `expected`, each looked up by name: a field that nobody knows is a complaint.
class Fields {
 public:
  Fields(const Json& check, const Json& expected) : check_(check), expected_(expected) {}
  void exact(const std::string& name, const Json& found) {
    if (!expected_.contains(name)) return;
    seen_.push_back(name);
    compare_.equal(name, expected_.at(name), found);
  }
  void near(const std::string& name, double found) {
    if (!expected_.contains(name)) return;
    seen_.push_back(name);
    const double value = expected_.at(name);
    compare_.near(name, value, found, tolerance(check_, value));
  }
  std::string complaints() {
    for (const auto& [name, value] : expected_.items())
      if (std::find(seen_.begin(), seen_.end(), name) == seen_.end())
        compare_.equal(name, value, "a field that is not known");
    return compare_.complaints();
  }

 private:
  const Json &check_, &expected_;
  Comparison compare_;
  std::vector<std::string> seen_;
};

/// "topology" with "dims", or a hypercube of dimension "d", or a kind with "P" ranks.
TopologyPtr network_of(const Json& in, const std::string& otherwise) {
  if (in.contains("dims")) {
    std::string text = in.value("topology", otherwise) + ":";
    for (const Json& side : in.at("dims")) text += (text.back() == ':' ? "" : "x") + side.dump();
    return parse_topology(text);
  }
  if (in.contains("d")) return parse_topology(fmt::format("hypercube:{}", in.at("d").get<int>()));
  return papers::foster::network(in.value("topology", otherwise), in.at("P"));
}

std::string check_size(const Json& check) {
  const Json& in = check.at("inputs");
  const TopologyPtr t = network_of(in, "");
  Fields fields(check, check.at("expected"));
  fields.exact("processors", t->ranks());
  fields.exact("diameter", t->diameter());
  fields.exact("wires", t->wires());
  fields.exact("degree", t->degree());
  fields.exact("neighbours", t->degree());
  fields.exact("bisection", t->bisection());
  return fields.complaints();
}

std::string check_fly(const Json& check) {
  const Json &in = check.at("inputs"), &expected = check.at("expected");
  const std::int64_t k = in.at("k"), n = in.at("n");
  const TopologyPtr one = parse_topology(fmt::format("fly:{}^{}", k, n));
  const TopologyPtr two = parse_topology(fmt::format("bifly:{}^{}", k, n));
  const auto switches = [](const TopologyPtr& t) { return t->structure().stages.value().switches(); };
  const Rank places = one->ranks();
  const Json nothing = Json::object();
  Fields forward(check, expected.contains("unidirectional") ? expected.at("unidirectional") : nothing);
  forward.exact("processors", one->ranks());
  forward.exact("switches", switches(one));
  forward.exact("switch_ports", fmt::format("{}x{}", k, k));
  forward.exact("wires_per_route", one->distance(0, places - 1));
  forward.exact("wires_total", one->wires());
  Fields both(check, expected.contains("bidirectional") ? expected.at("bidirectional") : nothing);
  both.exact("processors", two->ranks());
  both.exact("switches", switches(two));
  both.exact("switch_inputs", 2 * k);
  both.exact("hops_same_outer_switch", two->distance(0, places / k));
  both.exact("hops_left_to_right", two->distance(0, places));
  both.exact("max_hops", two->diameter());
  both.exact("wires_total", two->wires());
  return forward.complaints() + both.complaints();
}

std::string check_messages(const Json& check) {
  const Json& in = check.at("inputs");
  papers::foster::Pattern messages;
  for (const Json& m : in.at("messages")) messages.push_back({m[0], m[1], 1});
  Comparison compare;
  compare.equal("S", check.at("expected"), papers::foster::competition(*network_of(in, "mesh1"), messages));
  return compare.complaints();
}

struct Permutation {
  std::string_view ending;
  papers::foster::Pattern (*pattern)(Rank);
};
constexpr std::array<Permutation, 2> permutations{
    {{"_bit_reversal", papers::foster::bit_reversal}, {"_transpose", papers::foster::transpose}}};

/// S of the steps of a butterfly, or of a permutation named at the end of the field.
std::string check_patterns(const Json& check) {
  const Json& expected = check.at("expected");
  const Rank p = check.at("inputs").at("P");
  Fields fields(check, expected);
  for (const auto& [name, value] : expected.items()) {
    if (value.is_array()) {
      Json found = Json::array();
      for (const papers::foster::Pattern& step : papers::foster::butterflies(p))
        found.push_back(papers::foster::competition(*papers::foster::network(name, p), step));
      fields.exact(name, found);
    }
    for (const auto& [ending, pattern] : permutations)
      if (name.ends_with(ending))
        fields.exact(name, papers::foster::competition(*papers::foster::network(name.substr(0, name.rfind(ending)), p),
                                                       pattern(p)));
  }
  return fields.complaints();
}

/// Closed forms, and where the messages exist the same counted on the wires.
std::string check_difference(const Json& check) {
  const Json& in = check.at("inputs");
  const papers::foster::Constants c{in.at("t_s_us"), in.at("t_w_us_per_word")};
  const papers::foster::Difference d{in.at("N"), in.at("Z")};
  const Rank p = in.at("P");
  Fields fields(check, check.at("expected"));
  fields.near("ideal", d.ideal(c));
  fields.near("bus_S_half", d.bus(p, c));
  fields.near("bus_occupancy", d.occupancy(p, c));
  if (p < 2 || p % 2 != 0) return fields.complaints();
  const auto counted = [&](const char* kind, const papers::foster::Constants& constants, bool half) {
    return papers::foster::rounds_time(*papers::foster::network(kind, p), papers::foster::exchanges(p), d.words(),
                                       constants, {.half_bus = half});
  };
  fields.near("ideal", counted("crossbar", c, false));
  fields.near("bus_S_half", counted("bus", c, true));
  fields.near("bus_occupancy", counted("bus", {0, c.t_w}, false));
  return fields.complaints();
}

std::string check_butterfly(const Json& check) {
  const Json& in = check.at("inputs");
  const papers::foster::Constants c{in.at("t_s_us"), in.at("t_w_us_per_word")};
  const papers::foster::Butterfly b{in.at("N")};
  const Rank p = in.at("P");
  const TopologyPtr line = papers::foster::network("mesh1", p);
  const std::vector<papers::foster::Pattern> rounds = papers::foster::butterflies(p);
  const auto counted = [&](const char* kind, bool half) {
    return papers::foster::rounds_time(*papers::foster::network(kind, p), rounds, b.words(p), c, {.half_bus = half});
  };
  Fields fields(check, check.at("expected"));
  fields.near("ideal", b.ideal(p, c));
  fields.near("ideal", counted("crossbar", false));
  fields.near("ideal", counted("hypercube", false));
  fields.near("bus", b.bus(p, c));
  fields.near("bus", counted("bus", true));
  fields.near("mesh1_bound", b.mesh_bound(p, c));
  fields.near("mesh1_rounds", b.mesh_rounds(p, c));
  fields.near("mesh1_rounds", counted("mesh1", false));
  fields.exact("total_hops", papers::foster::hops(*line, rounds));
  fields.exact("wires", line->wires());
  return fields.complaints();
}

}  // namespace

std::string check_networks(const Json& check) {
  const Json& in = check.at("inputs");
  if (in.contains("Z")) return check_difference(check);
  if (in.contains("t_s_us")) return check_butterfly(check);
  if (in.contains("messages")) return check_messages(check);
  if (in.contains("k")) return check_fly(check);
  if (in.contains("topology") || in.contains("d")) return check_size(check);
  return check_patterns(check);
}

}  // namespace quadrille::reference
