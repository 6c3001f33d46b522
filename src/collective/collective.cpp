#include "quadrille/collective.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "collective/traits.hpp"

namespace quadrille {

std::string_view to_string(Collective c) { return collective::traits(c).facts().name; }
std::string_view describe(Collective c) { return collective::traits(c).facts().line; }
bool has_root(Collective c) { return collective::traits(c).facts().root; }

std::optional<Collective> find_collective(std::string_view name) {
  for (const Collective c : collectives()) {
    const collective::Facts& f = collective::traits(c).facts();
    if (f.name == name || f.papers == name || std::count(f.aliases.begin(), f.aliases.end(), name) > 0) return c;
  }
  return std::nullopt;
}

std::string collective::unknown(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Collective c : collectives()) known.push_back(to_string(c));
  return fmt::format("collective {} is unknown; expected one of {}", base::quoted(name), fmt::join(known, ", "));
}

Spec on_ways_of(const Spec& spec, const Schedule& schedule) {
  Spec same = spec;
  if (TopologyPtr network = schedule.network()) same.topology = std::move(network);
  return same;
}

Spec by_routes(const Spec& spec) {
  Spec same = spec;
  if (spec.topology->chooses_ways()) same.topology = spec.topology->with_ways({});
  return same;
}

Slot Sources::find(Rank r) const {
  const auto found = std::lower_bound(ranks.begin(), ranks.end(), r);
  return found != ranks.end() && *found == r ? found - ranks.begin() : -1;
}

Rank Sources::givers() const {
  Rank givers = 0;
  for (Slot i = 0; i < count(); ++i) givers += bytes(i) > 0 ? 1 : 0;
  return givers;
}

SourcesPtr make_sources(std::vector<std::pair<Rank, Bytes>> list) {
  const auto refuse = [](const std::string& why) { throw Error(Error::Kind::argument, "sources: " + why); };
  if (list.empty()) refuse("a multibcast needs at least one");
  std::sort(list.begin(), list.end());
  Sources sources{.ranks = {}, .offset = {0}};
  for (const auto& [rank, bytes] : list) {
    if (!sources.ranks.empty() && sources.ranks.back() == rank) refuse(fmt::format("rank {} is named twice", rank));
    if (bytes < 0) refuse(fmt::format("rank {} cannot send {} bytes", rank, bytes));
    sources.ranks.push_back(rank);
    sources.offset.push_back(base::checked_add(sources.offset.back(), bytes, "bytes of all sources"));
  }
  return std::make_shared<const Sources>(std::move(sources));
}

Spec checked(Spec spec) {
  if (!spec.topology) throw Error(Error::Kind::argument, "a collective needs a topology");
  if (spec.bytes < 0)
    throw Error(Error::Kind::argument, fmt::format("bytes {}: a block has 0 or more bytes", spec.bytes));
  if (spec.root < 0 || spec.root >= spec.ranks())
    throw Error(Error::Kind::argument,
                fmt::format("root {}: {} has ranks 0 .. {}", spec.root, spec.topology->text(), spec.ranks() - 1));
  const collective::Traits& traits = collective::traits(spec);
  traits.check(spec);
  if (base::checked_multiply(traits.volume(spec), 2, "bytes") < 0) throw Error(Error::Kind::internal, "volume");
  return spec;
}

Slot blocks(const Spec& s, Buffer buffer, Rank r) {
  return r >= s.ranks() ? 0 : collective::traits(s).blocks(s, buffer, r);
}

Bytes block_offset(const Spec& s, Slot index) { return collective::traits(s).offset(s, index); }

Bytes buffer_bytes(const Spec& s, Buffer buffer, Rank r) {
  return r >= s.ranks() ? 0 : collective::traits(s).size(s, buffer, r);
}

bool combines(const Spec& s) { return collective::facts(s).combines; }

bool idempotent(const Spec& s) { return collective::facts(s).token; }

Bytes vector_bytes(const Spec& s) { return buffer_bytes(s, Buffer::in, 0); }

Contributions wanted_contributions(const Spec& s, Rank r, Slot label) {
  return r >= s.ranks() ? Contributions{} : collective::traits(s).wanted(s, r, label);
}

Bytes buffer_start(const Spec& s, Buffer buffer, Rank r) { return collective::traits(s).start(s, buffer, r); }

bool has_scratch(const Spec& s, Rank node) {
  return combines(s) || s.topology->nodes() == s.ranks() || node >= s.ranks();
}

Rank transposed(const Spec& s, Rank r) {
  const Rank side = base::nearest_root(s.ranks());
  return r % side * side + r / side;
}

Slot held_before(const Spec& s, Buffer buffer, Rank r, Slot index) {
  if (index < 0 || index >= blocks(s, buffer, r)) return no_block;
  return collective::traits(s).before(s, buffer, r, index);
}

Slot wanted_after(const Spec& s, Rank r, Slot index) { return collective::traits(s).after(s, r, index); }

Slot renamed_block(const Spec& s, Group group, Slot block, Rank by) {
  if (block == no_block || group == Group::none) return block;
  const Rank p = s.ranks();
  const auto rank = [&](Rank r) { return group == Group::rotate ? (r + by) % p : r ^ by; };
  switch (collective::traits(s).names(s).kind) {
    case collective::BlockKind::pair:
      return rank(block / p) * p + rank(block % p);
    case collective::BlockKind::owner:
      return rank(block);
    case collective::BlockKind::plain:
      break;
  }
  return block;
}

std::string describe_block(const Spec& s, Slot block) {
  return block == no_block ? "nothing" : collective::traits(s).block_text(s, block);
}

}  // namespace quadrille
