// What is asked for: an operation, its ranks and sizes; who holds which block before and who must hold it after.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"
#include "quadrille/schedule.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

/// MPI's names; sendrecv is one-to-one. The papers' names are in describe().
enum class Collective { sendrecv, bcast, allgather, scatter, gather, alltoall };

struct Spec {
  Collective collective = Collective::alltoall;
  TopologyPtr topology;
  Bytes bytes = 0;   ///< one block: the whole message of sendrecv and bcast; what one rank contributes or receives per
                     ///< peer elsewhere
  Rank root = 0;     ///< sendrecv: the source
  Rank target = -1;  ///< sendrecv only; -1: the rank farthest from the root (the first of them)

  Rank ranks() const { return topology->ranks(); }
};

/// Fills in the default target; throws Error(argument) for a root or target out of range, negative bytes, or a volume
/// that does not fit 62 bits.
Spec checked(Spec spec);

/// Block names. A block is what one rank has for another (alltoall: source * ranks + destination), for all
/// (allgather, gather: its owner), gets (scatter: its owner) or 0 (sendrecv, bcast).
constexpr Slot no_block = -1;
/// Blocks in a rank's buffer; 0: the rank has no such buffer.
Slot blocks(const Spec& spec, Buffer buffer, Rank r);
/// What rank r holds at `index` of its in or out buffer before the schedule starts. A rank's own block is in place in
/// `out` from the start: own blocks never move. [decision D1]
Slot held_before(const Spec& spec, Buffer buffer, Rank r, Slot index);
/// What rank r must hold at `index` of out at the end; every index of out is wanted.
Slot wanted_after(const Spec& spec, Rank r, Slot index);
/// The name `block` gets when ranks are renamed by `by` under `group`.
Slot renamed_block(const Spec& spec, Group group, Slot block, Rank by);
/// "block 3->7", "block of rank 5", "the message".
std::string describe_block(const Spec& spec, Slot block);

bool has_root(Collective collective);
std::string_view to_string(Collective collective);
std::string_view describe(Collective collective);                  ///< one line, with the papers' names
std::optional<Collective> find_collective(std::string_view name);  ///< accepts the papers' names too
const std::vector<Collective>& collectives();

}  // namespace quadrille
