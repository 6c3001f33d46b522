#include "quadrille/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/integer.hpp"
#include "base/text.hpp"

namespace quadrille {

namespace {

struct Name {
  Collective collective;
  std::string_view name, papers, line;
};
constexpr std::array<Name, 8> names{{
    {Collective::sendrecv, "sendrecv", "one-to-one", "one rank sends a message to another (one-to-one)"},
    {Collective::bcast, "bcast", "broadcast", "one rank's message to all (one-to-all, broadcast)"},
    {Collective::multibcast, "multibcast", "s-to-p-broadcast", "some ranks' messages to all (s-to-p broadcast)"},
    {Collective::allgather, "allgather", "all-to-all-broadcast", "every rank's block to all (all-to-all broadcast)"},
    {Collective::scatter, "scatter", "one-to-all-personalised", "one rank gives each its own block"},
    {Collective::gather, "gather", "all-to-one", "one rank collects a block from each"},
    {Collective::alltoall, "alltoall", "complete-exchange",
     "every rank has a block for every other (complete exchange, transposition, multiscatter)"},
    {Collective::transpose, "transpose", "block-transposition-2d",
     "rank (i,j) of a square sends its block to rank (j,i) (transposition of a matrix of blocks)"},
}};

const Name& entry(Collective c) { return names[static_cast<std::size_t>(c)]; }

}  // namespace

std::string_view to_string(Collective c) { return entry(c).name; }
std::string_view describe(Collective c) { return entry(c).line; }

std::optional<Collective> find_collective(std::string_view name) {
  for (const Name& n : names)
    if (n.name == name || n.papers == name) return n.collective;
  if (name == "transposition") return Collective::alltoall;
  return std::nullopt;
}

const std::vector<Collective>& collectives() {
  static const std::vector<Collective> all = [] {
    std::vector<Collective> list;
    for (const Name& n : names) list.push_back(n.collective);
    return list;
  }();
  return all;
}

bool has_root(Collective c) {
  return c == Collective::sendrecv || c == Collective::bcast || c == Collective::scatter || c == Collective::gather;
}

Slot Sources::find(Rank r) const {
  const auto found = std::lower_bound(ranks.begin(), ranks.end(), r);
  return found != ranks.end() && *found == r ? found - ranks.begin() : -1;
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

namespace {

std::int64_t volume(const Spec& s) {
  const Rank p = s.ranks();
  if (s.collective == Collective::multibcast) return base::checked_multiply(p, s.sources->offset.back(), "bytes");
  const std::int64_t blocks = s.collective == Collective::alltoall ? base::checked_multiply(p, p, "blocks") : p;
  return base::checked_multiply(blocks, s.bytes, "bytes of the whole operation");
}

Rank side_of_square(Rank ranks) { return std::llround(std::sqrt(static_cast<double>(ranks))); }

void check_square(const Spec& spec) {
  const Rank p = spec.ranks(), side = side_of_square(p);
  if (side * side == p) return;
  throw Error(Error::Kind::argument, fmt::format("transpose: {} has {} ranks, which form no square; nearest: {} ranks",
                                                 spec.topology->text(), p, side * side));
}

void check_sources(Spec& spec) {
  if (!spec.sources)
    throw Error(Error::Kind::argument, "multibcast: the sources are missing; expected such as 0,3,5 or R(10)");
  for (const Rank r : {spec.sources->ranks.front(), spec.sources->ranks.back()})
    if (r < 0 || r >= spec.ranks())
      throw Error(Error::Kind::argument,
                  fmt::format("source {}: {} has ranks 0 .. {}", r, spec.topology->text(), spec.ranks() - 1));
  spec.bytes = 0;
  for (Slot i = 0; i < spec.sources->count(); ++i) spec.bytes = std::max(spec.bytes, spec.sources->bytes(i));
}

}  // namespace

Spec checked(Spec spec) {
  if (!spec.topology) throw Error(Error::Kind::argument, "a collective needs a topology");
  const Rank p = spec.ranks();
  const auto out_of_range = [&](std::string_view what, Rank r) {
    return Error(Error::Kind::argument,
                 fmt::format("{} {}: {} has ranks 0 .. {}", what, r, spec.topology->text(), p - 1));
  };
  if (spec.bytes < 0)
    throw Error(Error::Kind::argument, fmt::format("bytes {}: a block has 0 or more bytes", spec.bytes));
  if (spec.root < 0 || spec.root >= p) throw out_of_range("root", spec.root);
  if (spec.collective == Collective::sendrecv) {
    if (spec.target == -1) spec.target = spec.topology->farthest(spec.root);
    if (spec.target < 0 || spec.target >= p) throw out_of_range("target", spec.target);
    if (spec.target == spec.root)
      throw Error(Error::Kind::argument, fmt::format("target {}: it is the source; name another rank", spec.target));
  }
  if (spec.collective == Collective::multibcast) check_sources(spec);
  if (spec.collective == Collective::transpose) check_square(spec);
  if (base::checked_multiply(volume(spec), 2, "bytes") < 0) throw Error(Error::Kind::internal, "volume");
  return spec;
}

Slot blocks(const Spec& s, Buffer buffer, Rank r) {
  const bool in = buffer == Buffer::in, root = r == s.root;
  const Rank p = s.ranks();
  if (r >= p) return 0;
  switch (s.collective) {
    case Collective::sendrecv:
      return in ? root : r == s.target;
    case Collective::bcast:
      return in ? 0 : 1;
    case Collective::allgather:
      return in ? 0 : p;
    case Collective::scatter:
      return in ? (root ? p : 0) : 1;
    case Collective::gather:
      return in ? (root ? 0 : 1) : (root ? p : 0);
    case Collective::alltoall:
      return p;
    case Collective::multibcast:
      return in ? 0 : s.sources->count();
    case Collective::transpose:
      return 1;
  }
  return 0;
}

Bytes block_offset(const Spec& s, Slot index) {
  if (s.collective != Collective::multibcast) return index * s.bytes;
  return s.sources->offset[static_cast<std::size_t>(index)];
}

Bytes buffer_bytes(const Spec& s, Buffer buffer, Rank r) {
  const Slot count = blocks(s, buffer, r);
  if (s.collective == Collective::multibcast) return block_offset(s, count);
  return base::checked_multiply(count, s.bytes, "bytes of a buffer");
}

bool has_scratch(const Spec& s, Rank node) { return s.topology->nodes() == s.ranks() || node >= s.ranks(); }

Rank transposed(const Spec& s, Rank r) {
  const Rank side = side_of_square(s.ranks());
  return r % side * side + r / side;
}

Slot held_before(const Spec& s, Buffer buffer, Rank r, Slot index) {
  const bool in = buffer == Buffer::in;
  if (index < 0 || index >= blocks(s, buffer, r)) return no_block;
  switch (s.collective) {
    case Collective::sendrecv:
      return in ? 0 : no_block;
    case Collective::bcast:
      return r == s.root ? 0 : no_block;
    case Collective::allgather:
      return index == r ? r : no_block;
    case Collective::scatter:
      return in ? index : r == s.root ? r : no_block;
    case Collective::gather:
      return in ? r : index == r ? r : no_block;
    case Collective::alltoall:
      return in || index == r ? r * s.ranks() + index : no_block;
    case Collective::multibcast:
      return s.sources->ranks[static_cast<std::size_t>(index)] == r ? index : no_block;
    case Collective::transpose:
      return in || transposed(s, r) == r ? r : no_block;
  }
  return no_block;
}

Slot wanted_after(const Spec& s, Rank r, Slot index) {
  switch (s.collective) {
    case Collective::sendrecv:
    case Collective::bcast:
      return 0;
    case Collective::allgather:
    case Collective::gather:
    case Collective::multibcast:
      return index;
    case Collective::transpose:
      return transposed(s, r);
    case Collective::scatter:
      return r;
    case Collective::alltoall:
      return index * s.ranks() + r;
  }
  return no_block;
}

Slot renamed_block(const Spec& s, Group group, Slot block, Rank by) {
  if (block == no_block || group == Group::none) return block;
  const Rank p = s.ranks();
  const auto rank = [&](Rank r) { return group == Group::rotate ? (r + by) % p : r ^ by; };
  if (s.collective == Collective::alltoall) return rank(block / p) * p + rank(block % p);
  return s.collective == Collective::allgather ? rank(block) : block;
}

std::string describe_block(const Spec& s, Slot block) {
  if (block == no_block) return "nothing";
  switch (s.collective) {
    case Collective::sendrecv:
    case Collective::bcast:
      return "the message";
    case Collective::alltoall:
      return fmt::format("block {}->{}", block / s.ranks(), block % s.ranks());
    case Collective::multibcast:
      return fmt::format("block of source {} (rank {})", block, s.sources->ranks[static_cast<std::size_t>(block)]);
    default:
      return fmt::format("block of rank {}", block);
  }
}

}  // namespace quadrille
