// What a thread found out for its last calls, by their arguments: finding it all out again would add some nanoseconds
// to calls that take 150.
#pragma once

#include "dropin/session.hpp"
#include "mpi/reducer.hpp"

namespace quadrille::dropin {

/// What a call says about data.
struct Arguments {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  Bytes count = -1;  ///< of elements; -1: there are several, or which one matters depends on the rank
  MPI_Op op = MPI_OP_NULL;

  bool operator==(const Arguments&) const = default;
  /// As OperatorFacts.
  bool rounds() const { return op != MPI_OP_NULL && mpi::rounds(op, type); }
  /// Whether bytes and whether an operator rounds follow from these, now and later.
  bool say_all() const { return count >= 0 && Sizes::stays(type); }
};

/// What a call that MPI answers was about; all zero at first.
struct RememberedCall {
  Arguments arguments;
  MPI_Comm comm;
  int root;
  Operation operation;
  std::uint64_t at;  ///< Session's `ended` then
  ProgramCommunicator* communicator;
  Row* row;
  Bytes bytes;
  std::uint64_t kind;  ///< as kind_of()
};

/// Of one thread: of calls in one place, the last.
class RememberedCalls {
 public:
  /// Null where nothing is known, or does not hold any more.
  static const RememberedCall* find(Operation operation, const Arguments& arguments, int root, MPI_Comm comm) {
    const RememberedCall& known = calls_[place(operation, arguments, comm)];
    return known.comm == comm && known.arguments == arguments && known.operation == operation && known.root == root &&
                   known.at == ended.load(std::memory_order_acquire)
               ? &known
               : nullptr;
  }
  static void keep(const RememberedCall& call) { calls_[place(call.operation, call.arguments, call.comm)] = call; }

 private:
  static constexpr int places_bits = 4;
  static std::size_t place(Operation operation, const Arguments& arguments, MPI_Comm comm) {
    const std::uint64_t all =
        number_of(comm) + static_cast<std::uint64_t>(arguments.count) * 61 + static_cast<std::uint64_t>(operation);
    return all * base::golden >> (64 - places_bits);
  }
  [[gnu::tls_model("initial-exec"),
    gnu::visibility("hidden")]] static inline thread_local constinit std::array<RememberedCall, 1 << places_bits>
      calls_{};
};

}  // namespace quadrille::dropin
