// Schedules over MPI: a communicator with the network it is on, and collectives that are planned once and performed
// many times. Names here are in lower case, as MPI's are.
//
// The library exists once for every MPI (libquadrille-mpi-openmpi, libquadrille-mpi-mpich); this header takes the
// <mpi.h> it is compiled with.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "quadrille/plan.hpp"
#include "quadrille/run.hpp"

namespace quadrille::mpi {

struct options {
  /// "torus:4x4", where rank i of the communicator is node i; "torus:2x2@0,1,3,2", with the nodes of its ranks; or a
  /// file that says so (placement.hpp). Empty: what MPI says of hosts. Where several ranks share some of several hosts,
  /// these are nodes around a switch, "star:4*2", and ranks are wherever they were started; else crossbar:P.
  std::string topology = {};
  /// What the planner prices by: a preset or a file. Empty: start-up, overheads and bandwidth of this communicator are
  /// measured, by messages between rank 0 and the first rank of another host, or of its own where there is one only,
  /// and between ranks that share a host. That takes some 10 ms for each communicator.
  std::string machine = {};
  Bytes segment = -1;  ///< longer messages travel in pieces of this; 0: whole; -1: the usual, 0 within a host
  Bytes memory = Bytes{8} << 30;  ///< of one plan on one rank; init throws Error(budget) beyond
  bool shared = true;             ///< ranks of a host read each other's allocate()d memory; equal on all ranks
};

/// What a reduction combines by: elements of `type`, which is committed and has no gaps, by an operator of MPI's or of
/// the program's. Both must outlive the handle.
struct reduction {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
};

/// One collective on one rank: compiled, ready to be performed again and again. Handles of one communicator are started
/// in the same order on all ranks; several may be active at a time. There is progress only in the calls of handles, and
/// test() and wait() drive all of the communicator. Destroy it on all ranks, and not while it is active.
class plan_handle {
 public:
  class state;
  explicit plan_handle(std::unique_ptr<state> made);
  plan_handle(plan_handle&&) noexcept;
  plan_handle& operator=(plan_handle&&) noexcept;
  ~plan_handle();

  /// Begins the collective. `in` and `out` are as in MPI, in bytes: what this rank gives, and what it gets.
  ///
  /// | collective     | in                                  | out                         |
  /// | -------------- | ----------------------------------- | --------------------------- |
  /// | bcast          | null, or at the root the message    | the message                 |
  /// | allgather      | own block                           | blocks of all ranks         |
  /// | scatter        | at the root the blocks of all ranks | own block                   |
  /// | gather         | own block                           | at the root all blocks      |
  /// | alltoall       | a block for every rank              | a block of every rank       |
  /// | alltoallv      | what goes to each rank, in order    | what is from each, in order |
  /// | multibcast     | at a source its block               | blocks of all sources       |
  /// | transpose      | own block                           | the transposed rank's block |
  /// | sendrecv       | at the source the message           | at the target the message   |
  /// | reduce         | own vector                          | at the root the result      |
  /// | allreduce      | own vector                          | the result                  |
  /// | reduce_scatter | own vector                          | own block of the result     |
  /// | scan           | own vector                          | the result of ranks 0 to r  |
  /// | exscan         | own vector                          | of ranks 0 to r-1           |
  /// | barrier        | null                                | null                        |
  ///
  /// A null `in` where only the own block is asked for means that it is in place in `out`; so does a null `out` at the
  /// root of a scatter. A null `in` of a reduction means that the vector is in `out`, which then has room for it. The
  /// buffers must not overlap otherwise, and must not be touched before wait() returns. Starting again on the same
  /// buffers is cheaper than on others. Throws Error(argument) for a missing buffer or an active handle,
  /// Error(transport) when MPI reports an error.
  void start(const void* in, void* out);
  /// Of a reduction: the operator from the next start() on. init(..., reduction, ...) says it, too. Throws
  /// Error(argument) for another size of elements, or one that does not commute where the plan needs it.
  void combine_by(const reduction& by);
  bool test();  ///< whether it is over; if so the buffers may be used
  void wait();  ///< for other ranks' parts as far as this rank needs them
  void run(const void* in, void* out) {
    start(in, out);
    wait();
  }

  const Spec& spec() const;
  std::string algorithm() const;  ///< "alltoall_mce:phases=2,1"
  Seconds predicted() const;      ///< by its closed form and the communicator's machine
  Seconds bound() const;          ///< no schedule takes less on this machine
  std::int64_t messages() const;  ///< that this rank sends in one run
  Bytes moved() const;            ///< that this rank sends in one run
  Bytes memory() const;           ///< that the handle takes on this rank

 private:
  std::unique_ptr<state> state_;
};

/// The ranks of an MPI communicator on a network. Works on a private duplicate, so no message of its own ever meets
/// the user's. Plans keep what they need of it.
class communicator {
 public:
  /// Collective over `comm`. Throws, the same on all ranks, Error(argument) when the topology has another number of
  /// nodes than `comm` has ranks or `comm` has a single one, when ranks ask for different things, or for an
  /// inter-communicator.
  explicit communicator(MPI_Comm comm, const options& options = {});

  Rank rank() const;
  Rank ranks() const;
  Bytes segment() const;  ///< longer messages travel in pieces of this; 0: whole
  const TopologyPtr& topology() const;
  const Machine& machine() const;  ///< its name says what it was measured on

  /// From now on plans are made for this network, as options::topology has it: "torus:2x2!0-1*2" once a link has
  /// failed. What was measured stays. Collective. Plans made before go on as they were, over whatever ways their
  /// messages have. Throws as the constructor does, and then nothing has changed.
  void change_network(const std::string& topology);

  /// How many other ranks of this host share memory with this one. 0 where the kernel forbids it to one of them.
  Rank neighbours() const;
  /// Memory that neighbours can read: messages from there are copied once, by their receivers. Local. Where there are
  /// none, and where that memory is full, it is memory as any other. Plans made while nothing is allocated on a rank do
  /// not look for it there. Give it back by release(), of any communicator; `bytes`: 0 or more.
  void* allocate(Bytes bytes) const;
  void release(void* memory) const;  ///< null is nothing

  /// Plans and compiles; collective, and one exchange of a few bytes to see that all ranks ask for the same.
  /// `algorithm` such as "allgather_tea2" or "alltoall_mce:phases=2,1"; empty: the one with the best predicted time.
  /// Throws, the same on all ranks, Error(argument) when ranks ask for different things, Error(illegal) when the
  /// algorithm, or any, cannot run here. The spec's topology may be left out.
  plan_handle init(Spec spec, std::string_view algorithm = {}) const;
  plan_handle init(Collective collective, Bytes bytes, Rank root = 0, std::string_view algorithm = {}) const;
  /// A reduction of `count` elements: of the vector; reduce_scatter: of each rank's block. Throws as above,
  /// Error(argument) for an operator that MPI does not let take the type.
  plan_handle init(Collective collective, Bytes count, const reduction& by, Rank root = 0,
                   std::string_view algorithm = {}) const;
  /// The same with what is asked for made inside: what throws there on one rank comes out on all.
  plan_handle init(const std::function<Spec(const TopologyPtr&)>& asked, std::string_view algorithm) const;

  /// Performs a schedule on checked data, as run_threads does. Collective; the result is complete at rank 0. Throws,
  /// the same on all ranks, Error(transport) naming rank, block and byte when data arrive wrong.
  RunResult run(const Spec& spec, const Schedule& schedule, const RunOptions& options = {}) const;

  class state;

 private:
  std::shared_ptr<state> state_;
};

}  // namespace quadrille::mpi
