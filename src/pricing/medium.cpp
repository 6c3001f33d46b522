#include "pricing/medium.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "collective/traits.hpp"

namespace quadrille::pricing {

namespace {

using collective::Accesses;

std::string ranks(Rank n) { return fmt::format("{} rank{}", base::format_count(n), n == 1 ? "" : "s"); }

bool is_memory(const Spec& spec) { return spec.topology->nodes() > spec.ranks(); }

}  // namespace

Bound::Part medium_latency(const Spec& spec, const Machine& machine) {
  const Accesses a = collective::traits(spec).accesses(spec);
  const std::int64_t k = machine.shared;
  std::int64_t rounds = std::max<std::int64_t>(1, base::ceil_div(a.writers, k));
  std::string why = fmt::format("{} must send, {} at a time", ranks(a.writers), k);
  if (is_memory(spec)) {
    // Where one rank writes all or reads all, nothing can be read before or written after that.
    const std::int64_t apart =
        a.writers == 1 || a.readers == 1 ? base::ceil_div(a.writers, k) + base::ceil_div(a.readers, k) : 2;
    rounds = std::max(apart, base::ceil_div(a.writers + a.readers, k));
    why =
        fmt::format("{} must write and {} must read, {} at a time", ranks(a.writers), base::format_count(a.readers), k);
  }
  // Transactions that take turns in a round cross the medium side by side as prices count hops.
  const Cost cost{.startups = rounds, .hops = is_memory(spec) ? 2 : 1};
  return {"latency", why, seconds(cost, machine, *spec.topology), rounds, 0};
}

namespace {

Bound::Part volume(const Spec& spec, const Machine& machine) {
  const Accesses a = collective::traits(spec).accesses(spec);
  const Bytes all = is_memory(spec) ? base::checked_add(a.written, a.read, "bytes through the medium") : a.written;
  const Bytes bytes = base::ceil_div(all, machine.shared);
  return {"medium",
          fmt::format("{} must pass the shared medium, {} at a time", base::format_bytes(all), machine.shared),
          static_cast<double>(bytes) * machine.beta, 0, bytes};
}

Bound::Part port(const Spec& spec, const Machine& machine) {
  const Accesses a = collective::traits(spec).accesses(spec);
  const bool in_turn =
      machine.duplex == Duplex::node_half || (machine.duplex == Duplex::half && machine.ports == Ports::one);
  const Bytes bytes = in_turn ? base::checked_add(a.out, a.in, "bytes of a rank") : std::max(a.out, a.in);
  return {"port", fmt::format("a rank must move {} one after the other", base::format_bytes(bytes)),
          static_cast<double>(bytes) * machine.beta, 0, bytes};
}

}  // namespace

std::vector<Bound::Part> medium_volumes(const Spec& spec, const Machine& machine) {
  std::vector<Bound::Part> parts{volume(spec, machine)};
  if (machine.ports == Ports::one || is_memory(spec)) parts.push_back(port(spec, machine));
  return parts;
}

}  // namespace quadrille::pricing
