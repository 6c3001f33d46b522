#include "quadrille/collective.hpp"

#include <fmt/format.h>

#include <array>

#include "base/integer.hpp"
#include "base/text.hpp"

namespace quadrille {

namespace {

struct Name {
  Collective collective;
  std::string_view name, papers, line;
};
constexpr std::array<Name, 6> names{{
    {Collective::sendrecv, "sendrecv", "one-to-one", "one rank sends a message to another (one-to-one)"},
    {Collective::bcast, "bcast", "broadcast", "one rank's message to all (one-to-all, broadcast)"},
    {Collective::allgather, "allgather", "all-to-all-broadcast", "every rank's block to all (all-to-all broadcast)"},
    {Collective::scatter, "scatter", "one-to-all-personalised", "one rank gives each its own block"},
    {Collective::gather, "gather", "all-to-one", "one rank collects a block from each"},
    {Collective::alltoall, "alltoall", "complete-exchange",
     "every rank has a block for every other (complete exchange, transposition, multiscatter)"},
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
  static const std::vector<Collective> all{Collective::sendrecv, Collective::bcast,  Collective::allgather,
                                           Collective::scatter,  Collective::gather, Collective::alltoall};
  return all;
}

bool has_root(Collective c) { return c != Collective::allgather && c != Collective::alltoall; }

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
  const std::int64_t blocks = spec.collective == Collective::alltoall ? checked_multiply(p, p, "blocks") : p;
  if (checked_multiply(checked_multiply(blocks, spec.bytes, "bytes of the whole operation"), 2, "bytes") < 0)
    throw Error(Error::Kind::internal, "volume");
  return spec;
}

Slot blocks(const Spec& s, Buffer buffer, Rank r) {
  const bool in = buffer == Buffer::in, root = r == s.root;
  const Rank p = s.ranks();
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
  }
  return 0;
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
      return index;
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
    default:
      return fmt::format("block of rank {}", block);
  }
}

}  // namespace quadrille
