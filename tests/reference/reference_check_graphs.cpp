// Entries about networks given as graphs: exact times, recomputed cuts and lengths, and what must be refused.
#include <algorithm>
#include <numeric>

#include "flow/breadth_first.hpp"
#include "flow/cuts.hpp"
#include "flow/distances.hpp"
#include "flow/exchange_optimum.hpp"
#include "flow/trees.hpp"
#include "reference_check.hpp"

namespace quadrille::reference {

namespace {

flow::Network network_of(const Json& entry) {
  std::vector<flow::Arc> arcs;
  const Json none = Json::array();
  for (const Json& link : entry.contains("links") ? entry.at("links") : none) {
    arcs.push_back({link[0], link[1], link[2]});
    arcs.push_back({link[1], link[0], link[2]});
  }
  for (const Json& arc : entry.contains("arcs") ? entry.at("arcs") : none) arcs.push_back({arc[0], arc[1], arc[2]});
  return {entry.at("nodes"), entry.at("hosts").get<std::vector<flow::Vertex>>(), std::move(arcs)};
}

/// What a listed cut says of itself, recomputed: `inner` words on its side, or `outer` beyond it, over what leaves it.
flow::Ratio recomputed(const flow::Network& network, const Json& side, const flow::Words& inner,
                       const flow::Words& outer) {
  std::vector<char> inside(static_cast<std::size_t>(network.vertices()), 0);
  for (const Json& v : side) inside[v.get<std::size_t>()] = 1;
  std::int64_t words = 0, out = 0;
  for (Rank r = 0; r < network.ranks(); ++r)
    words += (inside[static_cast<std::size_t>(network.host(r))] ? inner : outer)[static_cast<std::size_t>(r)];
  for (const flow::Arc& arc : network.arcs())
    if (inside[static_cast<std::size_t>(arc.from)] && !inside[static_cast<std::size_t>(arc.to)]) out += arc.capacity;
  return {words, out};
}

flow::Words none(const flow::Network& network) { return flow::Words(static_cast<std::size_t>(network.ranks()), 0); }
flow::Words only(const flow::Network& network, Rank r) {
  flow::Words words = none(network);
  words[static_cast<std::size_t>(r)] = 1;
  return words;
}

std::string check_bcast(const flow::Network& network, const Json& expected) {
  Comparison compare;
  std::vector<flow::Ratio> all;
  for (Rank root = 0; root < network.ranks(); ++root) all.push_back(flow::bcast(network, root).time());
  compare.equal("T_host0", expected.at("T_host0"), all.front().text());
  const auto worst = std::max_element(all.begin(), all.end());
  compare.equal("T_worst", expected.at("T_worst"), worst->text());
  compare.equal("worst_root", expected.at("worst_root"), network.host(worst - all.begin()));
  std::vector<flow::Ratio> values;
  for (const Json& value : expected.at("T_all")) values.push_back(flow::parse_ratio(value.get<std::string>()));
  for (std::vector<flow::Ratio>* list : {&values, &all}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  if (values != all) compare.equal("T_all", expected.at("T_all"), "other values");
  const flow::Ratio cut = recomputed(network, expected.at("cut_host0"), only(network, 0), none(network));
  compare.equal("cut_host0", expected.at("T_host0"), cut.text());
  return compare.complaints();
}

std::string check_root(const flow::Network& network, const Json& expected, bool gather) {
  Comparison compare;
  const flow::Words ones = flow::one_each(network);
  const flow::Cut cut = gather ? flow::gather(network, 0, ones) : flow::scatter(network, 0, ones);
  compare.equal("T_host0", expected.at("T_host0"), cut.time().text());
  const flow::Words zeros = none(network);
  const flow::Ratio listed = recomputed(network, expected.at("cut"), gather ? ones : zeros, gather ? zeros : ones);
  compare.equal("cut", expected.at("T_host0"), listed.text());
  return compare.complaints();
}

std::string check_spread(const flow::Network& network, const Json& expected, const flow::Words& has) {
  Comparison compare;
  compare.equal("T", expected.at("T"), flow::spread(network, has).time().text());
  compare.equal("cut", expected.at("T"), recomputed(network, expected.at("cut"), has, none(network)).text());
  return compare.complaints();
}

std::string check_allgather(const flow::Network& network, const Json& expected) {
  std::string complaints = check_spread(network, expected, flow::one_each(network));
  Comparison compare;
  const flow::Ratio time = flow::allgather(network).time();
  auto common = flow::narrow(time.bottom());
  for (const flow::Arc& arc : network.arcs()) common = std::gcd(common, arc.capacity);
  const std::int64_t trees = flow::narrow(time.bottom()) / common;
  compare.equal("k", expected.at("k"), trees);
  compare.equal("U", expected.at("U"), (time * flow::Ratio(trees)).text());
  for (const auto& [k, value] : expected.at("T_fixed_k").items())
    compare.equal("T_fixed_k " + k, value, flow::allgather_by_trees(network, std::stoll(k)).text());
  return complaints + compare.complaints();
}

std::string check_multibcast(const flow::Network& network, const Json& expected) {
  flow::Words has = none(network);
  for (const Json& source : expected.at("sources"))
    has[static_cast<std::size_t>(network.rank(source[0]))] += source[1].get<std::int64_t>();
  return check_spread(network, expected, has);
}

std::string check_alltoall(const flow::Network& network, const Json& expected) {
  Comparison compare;
  flow::Lengths lengths(network.arcs().size(), expected.at("lengths").is_string() ? 1 : 0);
  if (expected.at("lengths").is_array())
    for (const Json& arc : expected.at("lengths"))
      lengths.at(static_cast<std::size_t>(network.find(arc[0], arc[1]))) = arc[2];
  compare.equal("certified_bound", expected.at("certified_bound"), flow::exchange_bound(network, lengths).text());
  const flow::ExchangeBracket bracket = flow::exchange_bracket(network);
  compare.equal("ecmp", expected.at("ecmp"), bracket.upper.text());
  compare.equal("lower", bracket.lower.text(), flow::exchange_bound(network, bracket.lengths).text());
  const flow::Ratio time = flow::parse_ratio(expected.at("T").get<std::string>());
  if (time < bracket.lower || bracket.upper < time)
    compare.equal("T", expected.at("T"), bracket.lower.text() + " .. " + bracket.upper.text());
  if (expected.at("status").get<std::string>().starts_with("exact: shortest-path"))
    compare.equal("T where shortest paths reach it", expected.at("T"), bracket.lower.text());
  return compare.complaints();
}

std::string check_breadth_first(const flow::Network& network, const Json& expected) {
  Comparison compare;
  const flow::BreadthFirst found = flow::breadth_first_allgather(network);
  compare.equal("rounds", expected.at("rounds"), std::ssize(found.rounds));
  compare.equal("T", expected.at("T"), found.time().text());
  Json rounds = Json::array();
  for (const flow::Ratio& round : found.rounds) rounds.push_back(round.text());
  compare.equal("per_round", expected.at("per_round"), rounds);
  return compare.complaints();
}

std::string check_distances(const flow::Network& network, const Json& expected) {
  Comparison compare;
  const flow::Extent links = flow::extent_in_links(network);
  compare.equal("diameter_links", expected.at("diameter_links"), links.longest);
  compare.equal("sum_distances_links", expected.at("sum_distances_links"), flow::narrow(links.sum));
  compare.equal("diameter_hops", expected.at("diameter_hops"), flow::extent_in_hops(network).longest);
  compare.equal("eccentricity_hops_host0", expected.at("eccentricity_hops_host0"),
                flow::eccentricity_in_hops(network, 0));
  return compare.complaints();
}

void check_graph(const Json& entry, Tally& tally) {
  const std::string id = entry.at("id").get<std::string>() + " " + entry.at("name").get<std::string>();
  const flow::Network network = network_of(entry);
  const Json& expected = entry.at("expected");
  tally.entry(id + " distances", [&] { return check_distances(network, expected); });
  for (const auto& [name, value] : expected.items()) {
    const Json& values = value;
    if (!values.is_object()) continue;
    tally.entry(id + " " + name, [&, what = name]() -> std::string {
      if (what == "bcast") return check_bcast(network, values);
      if (what == "scatter" || what == "gather") return check_root(network, values, what == "gather");
      if (what == "allgather") return check_allgather(network, values);
      if (what.starts_with("multibcast")) return check_multibcast(network, values);
      if (what == "alltoall") return check_alltoall(network, values);
      if (what == "bfb_allgather") return check_breadth_first(network, values);
      return "an operation that is not known";
    });
  }
  tally.entry(id + " exact exchange", [&]() -> std::string {
    const flow::ExchangeBracket bracket = flow::exchange_within(network, {});
    Comparison compare;
    compare.equal("T", expected.at("alltoall").at("T"), bracket.lower.text());
    // A flow whose shares are not simple fractions is rounded to 2^-44 of a block.
    const double reached = bracket.upper.value() / bracket.lower.value();
    if (bracket.lower != flow::Ratio(0) && !(reached <= 1 + 1e-10)) compare.equal("upper / lower", 1.0, reached);
    return compare.complaints();
  });
}

/// The error that this ends with, or "" where it ends without.
template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string missing(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (text.find(word) == std::string::npos) return fmt::format("refusal \"{}\": expected it to name {}", text, word);
  return "";
}

std::string check_refusal(const Json& entry) {
  const std::string name = entry.at("name");
  const auto build = [&] { return network_of(entry); };
  if (name == "self loop") return missing(refusal(build), {"0 - 0"});
  if (name == "zero capacity") return missing(refusal(build), {"0 - 1", "failed"});
  const flow::Network network = build();
  const auto allgather = [&] { flow::allgather(network); };
  if (name == "two components") return missing(refusal(allgather), {"rank", "from", "to"});
  Comparison compare;
  if (name == "reachable one way") {
    compare.equal("bcast from 0", "1", flow::bcast(network, 0).time().text());
    return compare.complaints() + missing(refusal(allgather), {"from rank 1 to rank 0"});
  }
  if (name == "unbalanced switch") {
    compare.equal("bound of bcast from 0", "1", flow::bcast(network, 0).time().text());
    return compare.complaints();
  }
  if (name != "one host") throw NotBuilt{"refusal of a network: " + name};
  const flow::Words one = flow::one_each(network);
  for (const flow::Cut& cut : {flow::bcast(network, 0), flow::allgather(network), flow::scatter(network, 0, one),
                               flow::gather(network, 0, one)})
    compare.equal("time", "0", cut.time().text());
  compare.equal("exchange", "0", flow::exchange_bracket(network).upper.text());
  return compare.complaints();
}

}  // namespace

bool is_about_graphs(const Json& file) { return !file.empty() && file[0].is_object() && file[0].contains("graph"); }

void check_graphs(const Json& file, Tally& tally) {
  if (file[0].contains("refusals"))
    for (const Json& entry : file[0].at("refusals"))
      tally.entry("refusal: " + entry.at("name").get<std::string>(), [&] { return check_refusal(entry); });
  for (const Json& entry : file) {
    if (!entry.contains("expected") || !entry.contains("nodes")) continue;
    check_graph(entry, tally);
  }
}

}  // namespace quadrille::reference
