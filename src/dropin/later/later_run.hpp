// One plan for calls whose end comes later, persistent and non-blocking ones: it performs them one after the other, and
// tells the request of each that its data are there.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "dropin/decide/later_row.hpp"
#include "dropin/perform/exchange_ends.hpp"
#include "mpi/state.hpp"

namespace quadrille::dropin {

/// Whom errors of a communicator's calls go to, as long as it is there.
struct ErrorHome {
  MPI_Comm comm = MPI_COMM_NULL;  ///< of the program; MPI_COMM_NULL: freed
  int rank = 0;
  bool broken = false;  ///< a plan has failed: from now on calls are MPI's
};

/// The arguments of a call, kept until its end: the program may change arrays and free types and, of a persistent call,
/// the communicator before that.
class KeptBuffers {
 public:
  KeptBuffers(const Request& request, const Buffers& buffers);
  KeptBuffers(const Request& request, const ExchangeCall& call);
  ~KeptBuffers();
  KeptBuffers(const KeptBuffers&) = delete;
  KeptBuffers& operator=(const KeptBuffers&) = delete;

  const Request request;
  const Buffers& buffers() const { return buffers_; }
  /// Null where the call is none.
  const ExchangeCall* exchange() const { return exchange_ ? &*exchange_ : nullptr; }

 private:
  /// Arrays of one side of an exchange.
  struct KeptSide {
    std::vector<Bytes> counts, places;
    std::vector<int> partners;
    std::vector<MPI_Datatype> types;
  };
  void keep(ExchangeSide& side, KeptSide& copies);
  MPI_Datatype kept(MPI_Datatype type);
  void keep_operator();

  Buffers buffers_;
  std::optional<ExchangeCall> exchange_;
  KeptSide in_, out_;  ///< of it
  std::vector<Bytes> counts_, displaces_;
  std::vector<MPI_Datatype> types_;  ///< duplicates
  mpi::reduction own_ = {};          ///< the program's operator and type, which KeptHandles keep
};

/// Used by one thread at a time: the engine's lock is held.
class LaterRun {
 public:
  /// A call that was started: its arguments, and the request that waits for a message of this process to itself.
  struct Call {
    std::shared_ptr<const KeptBuffers> what;
    MPI_Comm marks = MPI_COMM_NULL;
    int tag = 0;
    Clock::time_point begin{};
    Ticks waited = 0;  ///< by the program, in all, when it was started
  };

  /// `frees`: room for what does not lie together is given back after each call.
  LaterRun(std::unique_ptr<mpi::plan_handle::state> plan, std::shared_ptr<LaterRow> row,
           std::shared_ptr<ErrorHome> errors, bool frees);
  LaterRun(const LaterRun&) = delete;
  LaterRun& operator=(const LaterRun&) = delete;

  /// The call starts when those before it have ended. On all ranks calls of one run come in the same order.
  void take(Call call) { calls_.push_back(std::move(call)); }
  /// Of a run that has failed: the call ends with an error.
  void refuse(const Call& call) const { tell(call, false); }
  /// Goes on as far as possible without waiting; true when all calls have ended. `waited`: by the program, in all.
  bool advance(Ticks waited);
  /// What happened may be this rank's alone. The program's error handler is called, and requests end with an error.
  void fail(const char* what);
  bool active() const { return !calls_.empty(); }
  /// Messages may still come to its memory, so it must not be destroyed.
  bool failed() const { return failed_; }
  const std::shared_ptr<mpi::communicator::state>& home() const { return plan_->home; }

 private:
  void begin();
  void start(const void* in, void* out);
  void finish(Ticks waited);
  void tell(const Call& call, bool good) const;

  std::unique_ptr<mpi::plan_handle::state> plan_;
  std::shared_ptr<LaterRow> row_;
  std::shared_ptr<ErrorHome> errors_;
  const bool frees_;
  bool running_ = false, failed_ = false;
  std::deque<Call> calls_;  ///< the first is under way
  Staging staging_;
  Buffers here_;  ///< of the first call, as `ends_` has them
  std::optional<Ends> ends_;
  std::optional<ExchangeEnds> exchange_ends_;
};

}  // namespace quadrille::dropin
