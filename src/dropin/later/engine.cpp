#include "dropin/later/engine.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "dropin/later/progress_hook.hpp"

namespace quadrille::dropin {

Engine& Engine::get() {
  static Engine* const engine = new Engine;  // never destroyed, as the session
  return *engine;
}

Engine::Lock::Lock(Engine& engine) : engine_(engine) {
  while (engine_.taken_.test_and_set(std::memory_order_acquire)) sched_yield();
}

bool Engine::open(bool thread) {
  if (!ProgressHook::open(&Engine::advance) && !thread) return false;
  MPI_Group alone = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_SELF, &alone);
  const int code = PMPI_Comm_create(MPI_COMM_SELF, alone, &marks_);
  PMPI_Group_free(&alone);
  if (code != MPI_SUCCESS) {
    ProgressHook::close();
    return false;
  }
  PMPI_Comm_set_errhandler(marks_, MPI_ERRORS_RETURN);
  int* largest = nullptr;
  int known = 0;
  PMPI_Comm_get_attr(marks_, MPI_TAG_UB, static_cast<void*>(&largest), &known);
  if (known != 0) largest_tag_ = *largest;
  runs_ = true;
  if (thread) thread_ = std::thread([this] { run_thread(); });
  return true;
}

void Engine::close() {
  if (!runs_.exchange(false)) return;
  if (thread_.joinable()) {
    thread_ends_ = true;
    ++active_calls_;  // wakes it
    active_calls_.notify_all();
    thread_.join();
    --active_calls_;
  }
  ProgressHook::close();
  for (auto& [request, persistent] : persistent_) {
    MPI_Request mark = request;
    if (!persistent.run->active()) PMPI_Request_free(&mark);
    if (persistent.run->active() || persistent.run->failed()) abandoned_.push_back(std::move(persistent.run));
  }
  persistent_.clear();
  if (active_.empty() && abandoned_.empty()) PMPI_Comm_free(&marks_);
}

void Engine::keep(std::int64_t number, const std::shared_ptr<mpi::communicator::state>& home) {
  const Lock lock(*this);
  homes_.emplace(number, home);
}

/// Tags come round, but persistent requests are in use for long, so they have a half of their own.
int Engine::new_tag(Ending ending) {
  const int half = largest_tag_ / 2;
  int& next = ending == Ending::persistent ? next_persistent_ : next_tag_;
  const int tag = next;
  next = next + 1 < half ? next + 1 : 0;
  return ending == Ending::persistent ? half + tag : tag;
}

int Engine::start(const std::shared_ptr<LaterRun>& run, std::shared_ptr<const KeptBuffers> what, MPI_Request* request) {
  const Clock::time_point begin = Clock::now();
  const Lock lock(*this);
  const int tag = new_tag(Ending::non_blocking);
  if (const int code = PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, tag, marks_, request); code != MPI_SUCCESS) return code;
  take(run, {.what = std::move(what), .marks = marks_, .tag = tag, .begin = begin, .waited = waited()});
  return MPI_SUCCESS;
}

int Engine::prepare(std::shared_ptr<LaterRun> run, std::shared_ptr<LaterRow> row,
                    std::shared_ptr<const KeptBuffers> what, MPI_Request* request) {
  const Lock lock(*this);
  const int tag = new_tag(Ending::persistent);
  if (const int code = PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, tag, marks_, request); code != MPI_SUCCESS) return code;
  persistent_[*request] = {std::move(run), std::move(row), std::move(what), tag};
  ++persistent_calls_;
  return MPI_SUCCESS;
}

bool Engine::start_again(MPI_Request* request, int& code) {
  if (!has_persistent()) return false;
  const Clock::time_point begin = Clock::now();
  const Lock lock(*this);
  const auto at = persistent_.find(*request);
  if (at == persistent_.end()) return false;
  code = PMPI_Start(request);
  if (code != MPI_SUCCESS) return true;
  const Persistent& p = at->second;
  const Bytes bytes = p.what->request.bytes;
  take(p.run, {.what = p.what, .marks = marks_, .tag = p.tag, .begin = begin, .waited = waited()});
  p.row->began(bytes, since(begin));
  return true;
}

bool Engine::is_persistent(MPI_Request request) {
  if (!has_persistent()) return false;
  const Lock lock(*this);
  return persistent_.contains(request);
}

void Engine::forget(MPI_Request request) {
  if (!has_persistent()) return;
  Persistent gone;  // is destroyed without the lock: that may call MPI
  const Lock lock(*this);
  const auto at = persistent_.find(request);
  if (at == persistent_.end()) return;
  gone = std::move(at->second);
  persistent_.erase(at);
  --persistent_calls_;
  if (gone.run->failed()) abandoned_.push_back(gone.run);
}

/// With the lock. The call may end at once.
void Engine::take(const std::shared_ptr<LaterRun>& run, LaterRun::Call call) {
  const bool was_active = run->active();
  if (run->failed()) {
    run->refuse(call);
    return;
  }
  run->take(std::move(call));
  if (was_active || one_goes_on(*run, waited())) return;
  active_.push_back(run);
  ++active_calls_;
  active_calls_.notify_all();
}

/// True when it has come to an end, good or bad.
bool Engine::one_goes_on(LaterRun& run, Ticks waited_until_now) {
  try {
    return run.advance(waited_until_now);
  } catch (const std::exception& error) {
    run.fail(error.what());
    return true;
  }
}

int Engine::go_on() {
  const Ticks until_now = waited();
  int over = 0;
  for (std::size_t i = 0; i < active_.size();) {
    const std::shared_ptr<LaterRun> run = active_[i];
    if (!one_goes_on(*run, until_now)) {
      ++i;
      continue;
    }
    if (run->failed()) abandoned_.push_back(run);
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
    --active_calls_;
    ++over;
  }
  return over;
}

/// Comes from within MPI's calls, and from those that are made here: then nothing is done.
int Engine::advance() {
  if (!active()) return -1;
  Engine& engine = get();
  if (engine.taken_.test_and_set(std::memory_order_acquire)) return 0;
  const int over = engine.go_on();
  engine.taken_.clear(std::memory_order_release);
  return over;
}

/// Of a core that nobody else has use for; but messages may take long.
void Engine::run_thread() {
  constexpr int patience = 64;
  constexpr auto nap = std::chrono::microseconds(20);
  int idle = 0;
  while (!thread_ends_) {
    active_calls_.wait(0);
    if (advance() > 0) idle = 0;
    if (++idle > patience) std::this_thread::sleep_for(nap);
  }
}

Ticks Engine::waited() const {
  const Ticks since_then = waiting_.load() > 0 ? ticks() - waiting_since_.load() : 0;
  return waited_.load() + std::max<Ticks>(since_then, 0);
}

void Engine::begin_waiting() {
  if (waiting_.fetch_add(1) == 0) waiting_since_ = ticks();
}

void Engine::end_waiting() {
  const Ticks now = ticks();
  const Ticks begin = waiting_since_.load();
  if (waiting_.fetch_sub(1) == 1) waited_ += std::max<Ticks>(now - begin, 0);
}

}  // namespace quadrille::dropin
