// A rank's program over MPI messages, as a state machine: it never blocks, so several can be in flight, and a caller
// may compute in between.
#pragma once

#include <functional>
#include <span>

#include "mpi/neighbours.hpp"
#include "mpi/reducer.hpp"
#include "program/program.hpp"

namespace quadrille::mpi {

/// Performs one program again and again. Bytes that lie together travel from where they are to where they belong;
/// others through a staging area, in one copy at either end. What is combined waits there, too, until its turn has
/// come. What is fetched from shared memory is combined when it comes, unless results of its round build on each other.
/// Either way each result is made in the order of the schedule, never of arrival: bits do not change from run to run. A
/// receive is posted as soon as its place is free, which may be many rounds before its message is due, so messages
/// rarely arrive unexpectedly.
class Execution {
 public:
  /// `tag`: of the program's first round; each further round has the next one. `segment`: messages longer than this
  /// travel in pieces of it; 0: in one. Equal on all ranks. `peers` and `neighbours` must outlive this; neighbours
  /// need not be known.
  Execution(const Peers& peers, program::Program program, int tag, Bytes segment,
            const Neighbours* neighbours = nullptr);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// Before the first run: these bytes of `out` lie in `in`, too, from its begin on. They are sent from there: the
  /// cache of the rank that just wrote them to `out` would have to give them up to whoever reads them.
  void send_from_in(Bytes offset, Bytes bytes);
  /// Collective, once, before the first run: agrees with neighbours on which messages are fetched by their receivers.
  /// Those are of ranks that have something in their arena when the execution is made. Only where neighbours are known.
  /// `any_length`: lay() may make every message long enough for it.
  void connect(bool any_length = false);
  /// Whether this rank's messages may be fetched: then what it sends from should lie in the arena.
  bool offers() const { return offers_; }
  /// Whether they may be if it was made anew.
  bool could_offer() const { return !offers_ && may_offer(neighbours_); }

  /// Of a program that goes straight, before every run: the message to rank r is in[r] of the buffer `in`, the one from
  /// rank r goes to out[r] of `out`, all with this tag. Both ends of a message must say the same length; where they do
  /// not, something of it may be left over for later runs with the same tag.
  struct Place {
    Bytes offset = 0, bytes = 0;
  };
  void lay(std::span<const Place> in, std::span<const Place> out, int tag);

  /// Of a program that combines, before every run where it is another one: the operator. It must outlive the run.
  void combine_by(const Reducer& reducer) { reducer_ = &reducer; }

  /// Starts a run on these buffers. Not while one is active. From the second run on the same buffers on, the messages
  /// are persistent requests.
  void start(const program::Bases& bases);
  /// Goes on as far as possible without waiting; true when the run is over and the buffers may be used.
  bool advance();
  void wait() {
    wait_until([this] { return advance(); });
  }
  bool active() const { return active_; }
  const program::Program& program() const { return program_; }
  Bytes memory() const;

  /// Called with a step's index when it is entered and left; for traces.
  std::function<void(std::size_t)> enter, leave;

 private:
  /// One end of a message, ready to be posted.
  struct Line {
    int peer = 0, tag = 0;
    Bytes bytes = 0;
    std::size_t first = 0, last = 0;   ///< requests
    Buffer buffer{};                   ///< together: where it starts
    Bytes offset = 0;                  ///< there, or in the staging area
    std::size_t copy = 0, copies = 0;  ///< apart: how to pack, unpack or combine it, copy .. copies-1 of a list
    bool combines = false;             ///< receives: that list is of what becomes of it
    bool in_turn = false;              ///< receives: only when all before it in the list are done
    Notice* notice = nullptr;          ///< of a message that the receiver fetches; in the sender's arena
    bool fetched = false;              ///< receives: in this run it was, to where it belongs
    std::byte* from = nullptr;         ///< receives in turn, fetched: where its bytes are
    bool apart() const { return copies > copy; }
  };
  enum class Phase { entering, gathering, settling, receiving, leaving };

  static bool may_offer(const Neighbours* neighbours) {
    return neighbours != nullptr && neighbours->count() > 0 && Arena::get().used() > 0;
  }
  Line line(const program::Message& m, bool sends);
  void order_posts();
  /// Whether its receiver fetches it, unless its bytes lie elsewhere; known to both ends.
  bool noticed(const Line& l) const { return l.notice != nullptr && l.bytes > 0 && l.bytes >= neighbours_->least(); }
  void post(std::vector<Line>& lines, std::size_t n, std::vector<MPI_Request>& requests, bool sends);
  void begin(const Line& line, std::vector<MPI_Request>& requests, bool sends);
  std::byte* place(const Line& line);
  template <class Visit>
  void each_piece(const Line& line, Visit visit);
  void offer(std::size_t done);
  bool proceed();
  bool tell(const Line& line);
  bool look_at(Line& line);
  void take(const Line& line, std::byte* from);
  void finish_receive(Line& line);
  bool fetch(std::size_t receives);
  bool all_taken(std::size_t sends);
  bool settle(std::size_t sends);
  bool waiting();
  void make_persistent();
  void release();
  /// Messages that are apart are laid out as they lie in the staging area, wherever they are.
  program::Bases staged() { return staged(staging_.get()); }
  static program::Bases staged(std::byte* area) { return {area, nullptr, nullptr}; }

  const Peers& peers_;
  const program::Program program_;
  const int tag_;
  const Bytes segment_;
  std::vector<Line> sends_, receives_;
  std::vector<program::Copy> copies_;
  std::vector<program::Combining> combinings_;
  std::vector<std::size_t> posts_;        ///< receives in the order in which they are posted
  std::vector<std::size_t> posts_until_;  ///< by step: how many of them, once it has settled
  std::vector<MPI_Request> send_requests_, receive_requests_;
  Bytes staging_bytes_ = 0;
  Room staging_;

  const Neighbours* const neighbours_;
  const bool offers_;
  bool fetches_ = false;               ///< there are notices, of either end
  Notice* notices_ = nullptr;          ///< of this rank's sends
  std::vector<std::size_t> expected_;  ///< receives whose places are free and whose notices have not come
  std::uint64_t run_ = 0;
  std::size_t taken_ = 0;  ///< the first so many sends have been taken, as far as notices tell
  unsigned looks_ = 0;

  const Reducer* reducer_ = nullptr;
  program::Bases bases_{};
  bool active_ = false, used_ = false, persistent_ = false;
  Phase phase_ = Phase::entering;
  std::size_t step_ = 0, settled_ = 0, moved_ = 0, combined_ = 0, received_ = 0, posted_ = 0;
  MPI_Request barrier_ = MPI_REQUEST_NULL;
};

}  // namespace quadrille::mpi
