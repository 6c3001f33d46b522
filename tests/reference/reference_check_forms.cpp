// The closed forms of an entry of the Saad & Schultz format: what the papers print, what is true instead, and by how
// much the executed cost is off. Those with square roots take any real number of packets, and are worked out here; all
// others must be what was counted, less the difference that the entry states.
#include <cmath>
#include <numeric>

#include "reference_saad_schultz.hpp"

namespace quadrille::reference {

namespace {

double squared(double x) { return x * x; }

/// (1/p) (sqrt(N g) + sqrt(excess tau))^2: packets over p paths, `excess` the links of all paths less p.
double over_paths(double n, double tau, double g, double paths, double excess) {
  return squared(std::sqrt(n * g) + std::sqrt(excess * tau)) / paths;
}

/// Depth of the pipeline that an algorithm is, 0 for one that is none.
double depth_of(const std::string& name, const Spec& spec) {
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  if (ends("p2p-pipelined")) return spec.topology->distance(spec.root, spec.target);
  if (ends("bcast-oneway-pipelined") || ends("bcast-ring-pipelined")) return static_cast<double>(spec.ranks() - 1);
  if (ends("bcast-twoway-pipelined") || ends("bcast-tree-pipelined") || ends("bcast-sbt-pipelined") ||
      ends("a2abcast-sequential"))
    return spec.topology->diameter();
  return 0;
}

/// The form with square roots, where the entry's algorithm has one as printed; not a number elsewhere.
double printed_form(const Json& entry, const Spec& spec, double tau, double g) {
  const std::string name = entry.at("algorithm"), kind = entry.at("machine").at("kind");
  const Json& params = entry.at("params");
  const auto n = static_cast<double>(spec.bytes);
  if (name == "bus-a2abcast-sequential") return NAN;
  if (const double depth = depth_of(name, spec); depth > 0 && kind != "shared-memory")
    return over_paths(n, tau, g, 1, depth - 1) *
           (name.ends_with("sequential") ? static_cast<double>(spec.ranks()) : 1.0);
  if (params.contains("path_lengths")) {
    const auto lengths = params.at("path_lengths").get<algorithm::kit::Lengths>();
    const auto paths = static_cast<double>(lengths.size());
    const auto total = static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
    if (name.ends_with("balanced")) return over_paths(n, tau, g, paths, total - paths);
    if (name.ends_with("equal"))
      return squared(std::sqrt(n * g / paths) + std::sqrt(static_cast<double>(lengths.back() - 1) * tau));
  }
  if (name == "torus-bcast-row-then-column") {
    const double rows = entry.at("machine").at("rows"), columns = entry.at("machine").at("cols");
    return over_paths(n, tau, g, 1, std::floor(rows / 2) - 1) + over_paths(n, tau, g, 1, std::floor(columns / 2) - 1);
  }
  return NAN;
}

}  // namespace

std::string check_forms(const Json& entry, double time) {
  if (!entry.contains("closed_form")) return {};
  const Json &form = entry.at("closed_form"), &cost = entry.at("cost");
  const double tau = rational(cost.at("tau")), g = rational(cost.at("time_per_word"));
  Comparison compare;
  const bool corrected = form.contains("corrected_value");
  if (form.contains("exact_minus_closed_form")) {
    const double stated = form.at(corrected ? "corrected_value" : "printed_value");
    compare.near("exact minus closed form", form.at("exact_minus_closed_form"), time - stated, 1e-6 * (1 + time));
  }
  if (entry.at("machine").at("kind") == "abstract-disjoint-paths") {
    const auto lengths = entry.at("params").at("path_lengths").get<algorithm::kit::Lengths>();
    const auto paths = static_cast<double>(lengths.size());
    const auto total = static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
    compare.near("closed form", form.at("corrected_value"),
                 over_paths(entry.at("params").at("N"), tau, g, paths, total - paths), 1e-6 * time);
    return compare.complaints();
  }
  const Spec spec = spec_of(entry);
  const double root_form = printed_form(entry, spec, tau, g);
  if (form.contains("printed_value") && !std::isnan(root_form)) {
    compare.near("printed form", form.at("printed_value"), root_form, 1e-6 * time);
    if (root_form > time * (1 + 1e-9)) compare.near("a lower bound", root_form, time, 0);
  }
  const Json& expected = entry.at("expected");
  if (expected.contains("nu_real") && tau > 0)
    compare.near("nu_real", expected.at("nu_real"),
                 std::sqrt((depth_of(entry.at("algorithm"), spec) - 1) * static_cast<double>(spec.bytes) * g / tau),
                 1e-6 * (1 + expected.at("nu_real").get<double>()));
  return compare.complaints();
}

}  // namespace quadrille::reference
