// What the public handles of mpi.hpp hold.
#pragma once

#include <optional>

#include "mpi/execution.hpp"
#include "quadrille/mpi.hpp"
#include "quadrille/placement.hpp"

namespace quadrille::mpi {

/// Collective. Between hosts MPIs announce large messages and wait for leave, which makes an exchange half duplex:
/// pieces of 14 KiB were exchanged at full duplex by Open MPI and MPICH over TCP, 16 KiB by MPICH no more
/// (docs/how-it-works/lab.md). Within one host, where they gain by it: 0, whole messages. Finds out, too, whether ranks
/// of a host have a core each, and how they wait.
Bytes usual_segment(const Peers& peers);

class communicator::state {
 public:
  explicit state(MPI_Comm comm) : peers(comm) {}

  const Peers peers;
  std::unique_ptr<const Neighbours> neighbours;  ///< null: memory is not shared
  Placement placement;                           ///< with nodes, never with hosts
  Machine machine;
  options settings;

  const TopologyPtr& topology() const { return placement.topology; }
  /// What is asked, where it can be planned on the network that was found.
  Spec found(Spec spec) const;
  /// The schedule for the ranks where they are; `choice` without an algorithm: the planner's.
  Built built(const Spec& spec, const std::string& choice) const;
  /// This rank's part of it, in the order that is faster for it.
  program::Program compiled(const Spec& spec, const Built& built) const;

  /// Tags for so many rounds, the same on all ranks that have made the same plans. After the last tag they start over:
  /// plans that far apart are not in flight together. Throws Error(budget) when there are not so many.
  int take_tags(Round rounds);
  /// Whoever waits for one plan drives all that are active: other ranks may wait for them in another order.
  void started(Execution& execution) { active_.push_back(&execution); }
  void progress();
  void forget(const Execution& execution) { std::erase(active_, &execution); }
  /// As Peers::agree; tags that `prepare` took are given back when it fails anywhere.
  void agree(const std::function<std::string()>& prepare);

 private:
  int next_tag_ = 0;
  std::vector<Execution*> active_;
};

class plan_handle::state {
 public:
  state(std::shared_ptr<communicator::state> communicator, const Spec& asked, const Built& built,
        program::Program compiled, int tag);
  ~state() { home->forget(execution); }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  std::shared_ptr<communicator::state> home;
  Spec spec;
  std::string algorithm;
  Seconds predicted = 0, bound = 0;
  Execution execution;
  Room scratch;

  /// Of a reduction. Throws Error(argument) for an operator that the plan is not made for.
  void combine_by(const reduction& by);
  program::Bases bases(const void* in, void* out);
  /// The block that never moves goes from `in` to its place in `out`.
  void place_own(const void* in, void* out) const;

 private:
  [[noreturn]] void missing(std::string_view buffer) const;
  Bytes own_bytes() const;
  const void* contribution(const void* in, const void* out);
  Slot own_;     ///< index in out of the block held from the start; no_block: none
  Slot own_in_;  ///< where `in` has it, too; -1: nowhere
  bool keeps_own_;
  std::optional<Reducer> reducer_;     ///< of reductions
  Room contribution_;                  ///< of reductions in place
  std::byte word_{1}, word_of_all_{};  ///< of a barrier, which takes no buffers
};

}  // namespace quadrille::mpi
