#include "dropin/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "mpi/hosts.hpp"
#include "mpi/job.hpp"
#include "mpi/reducer.hpp"
#include "mpi/state.hpp"
#include "quadrille/placement.hpp"

namespace quadrille::dropin {

namespace {

/// While it lives no error handler is called for what belongs to no communicator: for that MPIs call the one of
/// MPI_COMM_WORLD or MPI_COMM_SELF.
class HandlersThatReturn {
 public:
  HandlersThatReturn() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      PMPI_Comm_get_errhandler(all_[i], &handlers_[i]);
      PMPI_Comm_set_errhandler(all_[i], MPI_ERRORS_RETURN);
    }
  }
  ~HandlersThatReturn() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      PMPI_Comm_set_errhandler(all_[i], handlers_[i]);
      PMPI_Errhandler_free(&handlers_[i]);
    }
  }
  HandlersThatReturn(const HandlersThatReturn&) = delete;
  HandlersThatReturn& operator=(const HandlersThatReturn&) = delete;

 private:
  const std::array<MPI_Comm, 2> all_{MPI_COMM_WORLD, MPI_COMM_SELF};
  std::array<MPI_Errhandler, 2> handlers_{};
};

/// Whether it is a communicator.
bool answers(MPI_Comm comm) {
  const HandlersThatReturn none_called;
  int between = 0;
  return PMPI_Comm_test_inter(comm, &between) == MPI_SUCCESS;
}

}  // namespace

void say(const std::string& line) { std::fputs(("quadrille: " + line + "\n").c_str(), stderr); }

Session& Session::get() {
  static Session* const session = new Session;  // never destroyed: MPI_Finalize may come after main
  return *session;
}

void Session::start() {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  Settings none;
  none.mode = Mode::off;
  std::string text = to_text(none);
  if (rank_ == 0) {
    try {
      text = to_text(read_settings(ranks_));
    } catch (const std::exception& error) {
      say(fmt::format("{}; the program runs without quadrille", error.what()));
    }
  }
  std::int64_t length = static_cast<std::int64_t>(text.size());
  PMPI_Bcast(&length, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  PMPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD);
  program_.settings = parse_settings(text);
  if (program_.settings.mode == Mode::off) return;
  settle_hosts();
  if (!settle_places()) return;
  settle_messages();
  settle_bits();
  if (ranks_ > 1 && program_.settings.mode != Mode::observe) program_.notices = std::make_unique<WaitNotices>();
  program_.mpi = mpi::library_name();
  if (program_.notices) {
    const bool measured = settle_machine();
    settle_network(measured);
  }
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &Session::end_of, &key_, this);
  Sizes::learn();
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  threads_at_once = level == MPI_THREAD_MULTIPLE;
  close_calls = ticks_of(Stopwatch::closely);
  begin_ = written_ = program_.trial_time.begin = Clock::now();
  next_look = ticks();
  last_report::begin(program_.settings.report_file, program_.settings.wisdom_file, rank_ == 0);
  watching = true;
  ++ended;
  settle_later();
}

/// Which ranks share a host: communicators of several hosts are planned as nodes with ranks.
void Session::settle_hosts() {
  program_.hosts = ranks_ == 1 ? topology::Hosts({0}) : mpi::hosts_of(mpi::Peers(MPI_COMM_WORLD));
}

/// Where ranks are placed by their hosts: which node each is on. False, on all ranks: it cannot be, and rank 0 says
/// why.
bool Session::settle_places() {
  Settings& s = program_.settings;
  if (s.hosts.empty()) return true;
  const mpi::Peers peers(MPI_COMM_WORLD);
  try {
    Placement placement = parse_placement(s.topology);
    placement.hosts = std::move(s.hosts);
    s.topology = resolved(std::move(placement), mpi::hosts_of_ranks(peers)).text();
    return true;
  } catch (const Error& error) {
    if (rank_ == 0) say(fmt::format("QUADRILLE_TOPOLOGY: {}; the program runs without quadrille", error.what()));
    s.mode = Mode::off;
    return false;
  }
}

/// How plans send: in pieces of what size, and whether through shared memory. That is found out before the program asks
/// for any memory. Where nothing is planned, nobody is asked.
void Session::settle_messages() {
  Settings& s = program_.settings;
  if (ranks_ == 1 || s.mode == Mode::observe) {
    s.segment = std::max<Bytes>(s.segment, 0);
    s.shared = false;
    return;
  }
  const mpi::Peers peers(MPI_COMM_WORLD);
  if (s.segment < 0) s.segment = mpi::usual_segment(peers);
  if (!s.shared) return;
  try {
    neighbours_ = mpi::Neighbours(peers).count();
  } catch (const std::exception& error) {  // of this rank alone, so the others go on as if it had said no
    mpi::last_words(fmt::format("quadrille: rank {}: {}\n", rank_, error.what()));
  }
  sharing = neighbours_ > 0;
}

/// Which operators on integers count as rounding, as MPI's own results are not those of plans. Processors may differ,
/// and MPIs choose by them.
void Session::settle_bits() {
  if (ranks_ == 1 || program_.settings.mode == Mode::observe) return;
  const HandlersThatReturn none_called;
  std::vector<std::int64_t> said = mpi::other_bits();
  PMPI_Allreduce(MPI_IN_PLACE, said.data(), static_cast<int>(said.size()), MPI_INT64_T, MPI_BOR, MPI_COMM_WORLD);
  mpi::count_as_rounding(said);
}

ProgramCommunicator* Session::look_up(MPI_Comm comm, bool& between) {
  if (!watching) return nullptr;
  thread_local bool counted = false;
  if (!std::exchange(counted, true)) ++threads_;
  if (comm == MPI_COMM_NULL || was_freed(comm)) return nullptr;
  ProgramCommunicator* known = nullptr;
  int found = 0;
  if (PMPI_Comm_get_attr(comm, key_, &known, &found) != MPI_SUCCESS) return nullptr;
  if (found == 0) {
    auto made = std::make_unique<ProgramCommunicator>(comm, program_);
    known = made.get();
    {
      const std::scoped_lock lock(mutex_);
      communicators_.push_back(std::move(made));
    }
    PMPI_Comm_set_attr(comm, key_, known);
  }
  between = known->between();
  return between ? nullptr : known;
}

/// Handles of communicators that the program has freed may be used by it all the same, which is an error that MPI
/// shall raise once, in its own call; or they are those of new communicators.
bool Session::was_freed(MPI_Comm comm) {
  if (!any_freed_) return false;
  const std::scoped_lock lock(mutex_);
  const auto at = freed_.find(comm);
  if (at == freed_.end()) return false;
  const bool gone = !answers(comm);
  if (!gone) freed_.erase(at);
  return gone;
}

void Session::freed(MPI_Comm handle) {
  {
    const std::scoped_lock lock(mutex_);
    freed_.insert(handle);
    any_freed_ = true;
  }
  ++ended;
  sweep();
}

int Session::end_of(MPI_Comm, int, void* communicator, void* session) {
  ++ended;
  static_cast<Session*>(session)->end(static_cast<ProgramCommunicator*>(communicator));
  return MPI_SUCCESS;
}

/// MPI's locks may be held here, so its calls come later.
void Session::end(ProgramCommunicator* communicator) {
  const std::scoped_lock lock(mutex_);
  const auto at = std::find_if(communicators_.begin(), communicators_.end(),
                               [&](const auto& c) { return c.get() == communicator; });
  if (at == communicators_.end()) return;
  add(past_, communicator->stats());
  ended_.push_back(std::move(*at));
  communicators_.erase(at);
}

void Session::sweep() {
  std::vector<std::unique_ptr<ProgramCommunicator>> gone;
  {
    const std::scoped_lock lock(mutex_);
    gone.swap(ended_);
  }
  for (const auto& communicator : gone) communicator->release();
}

}  // namespace quadrille::dropin
