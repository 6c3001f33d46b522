#include "executor/team.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

namespace quadrille::executor {

namespace {

/// A thousand default stacks of 8 MiB would be refused where address space is limited; ranks need little.
constexpr std::size_t stack_bytes = std::size_t{512} << 10;

class Team {
 public:
  Team(const std::function<void(Rank)>& body, const std::function<void()>& cancel) : body_(body), cancel_(cancel) {}

  void fail(std::exception_ptr error) {
    if (failed_.exchange(true)) return;
    error_ = std::move(error);
    cancel_();
  }
  void run(Rank rank) {
    try {
      body_(rank);
    } catch (...) {
      fail(std::current_exception());
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const std::function<void(Rank)>& body_;
  const std::function<void()>& cancel_;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;  ///< written by the one that failed first, read when all have been joined
};

struct Member {
  Team* team;
  Rank rank;
  pthread_t thread;
};

void* start(void* argument) {
  const auto* const member = static_cast<const Member*>(argument);
  member->team->run(member->rank);
  return nullptr;
}

/// Attributes that ask for a small stack, and for a core.
class Attributes {
 public:
  Attributes() {
    pthread_attr_init(&attributes_);
    pthread_attr_setstacksize(&attributes_, stack_bytes);
  }
  ~Attributes() { pthread_attr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const pthread_attr_t* get() const { return &attributes_; }

  void keep_to(int core) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    pthread_attr_setaffinity_np(&attributes_, sizeof one, &one);
  }

 private:
  pthread_attr_t attributes_;
};

/// Those this process may use, from the one it is on; none where the system does not say. Two processes of two threads
/// each thus rarely meet on a large machine.
std::vector<int> cores() {
  std::vector<int> all;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return all;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) all.push_back(core);
  std::rotate(all.begin(), std::find(all.begin(), all.end(), sched_getcpu()), all.end());
  return all;
}

}  // namespace

int usable_cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

void check_team_size(Rank ranks) {
  if (ranks > most_threads)
    throw Error(
        Error::Kind::budget,
        fmt::format("{} ranks: every rank runs as a thread, and there are at most {}; use a smaller topology, or "
                    "verify and price this one",
                    ranks, most_threads));
}

void run_team(Rank ranks, const std::function<void(Rank)>& body, const std::function<void()>& cancel, bool at_home) {
  check_team_size(ranks);
  Team team(body, cancel);
  std::vector<Member> members;
  members.reserve(static_cast<std::size_t>(ranks));
  Attributes attributes;
  const std::vector<int> own = cores();
  // Left alone, two threads that wait for each other stay on one core for seconds, where a hand-over takes ten times as
  // long; more threads than cores move about, away from what their caches hold (four on two cores: twice the time).
  // With more data than caches hold they are better left alone (eight that exchange 1 MiB on two cores: 5.6 instead
  // of 7.9 ms).
  const bool kept = !own.empty() && (at_home || static_cast<std::size_t>(ranks) <= own.size());
  for (Rank r = 0; r < ranks; ++r) {
    Member& member = members.emplace_back(Member{&team, r, {}});
    if (kept) attributes.keep_to(own[static_cast<std::size_t>(r) % own.size()]);
    const int refused = pthread_create(&member.thread, attributes.get(), start, &member);
    if (refused == 0) continue;
    members.pop_back();
    team.fail(std::make_exception_ptr(
        Error(Error::Kind::budget,
              fmt::format("the system gave {} of {} threads ({}); use fewer ranks, or raise the limit on "
                          "processes (ulimit -u, the pids limit of the container)",
                          r, ranks, std::strerror(refused)))));
    break;
  }
  for (const Member& member : members) pthread_join(member.thread, nullptr);
  team.rethrow();
}

}  // namespace quadrille::executor
