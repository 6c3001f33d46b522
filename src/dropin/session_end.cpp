// What is told of a run: at its end, and while it goes on, should it have none.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "dropin/calls/counted.hpp"
#include "dropin/session.hpp"
#include "files/file.hpp"
#include "mpi/between_hosts.hpp"
#include "mpi/job.hpp"

namespace quadrille::dropin {

void look_now() {
  if (watching) Session::get().look();
}

/// Collective: where no machine was named, the one at hand is measured. Whether it was.
bool Session::settle_machine() {
  Settings& s = program_.settings;
  if (!s.machine.empty() || ranks_ == 1) return false;
  try {
    s.constants = mpi::measured_job(mpi::Peers(MPI_COMM_WORLD), program_.hosts);
    s.machine = s.constants.name;
  } catch (const std::exception& error) {
    say(fmt::format("rank {}: {}; nothing is predicted", rank_, error.what()));
  }
  return true;
}

/// Collective: where no network was named, what is between hosts is measured. Plans are for it. A machine that was
/// measured has the ports that show there, or on the network that was named.
void Session::settle_network(bool machine_was_measured) {
  Settings& s = program_.settings;
  if (ranks_ == 1) return;
  const mpi::Peers all(MPI_COMM_WORLD);
  try {
    bool all_ports = false;
    if (s.topology.empty()) {
      mpi::BetweenHosts found = mpi::network_between(all, program_.hosts, s.constants);
      program_.hosts.set_between(std::move(found.topology));
      all_ports = found.all_ports;
    } else if (machine_was_measured) {
      all_ports = mpi::uses_links_at_once(all, parse_placement(s.topology), program_.hosts, s.constants);
    }
    if (machine_was_measured && all_ports) s.constants.ports = Ports::all;
  } catch (const std::exception& error) {
    say(fmt::format(
        "rank {}: {}; {}", rank_, error.what(),
        s.topology.empty() ? "hosts are taken to be around one switch" : "hosts are taken to have one port"));
  }
}

std::vector<CallStats> Session::call_stats() const {
  std::vector<CallStats> all = past_;
  for (const auto& communicator : communicators_) add(all, communicator->stats());
  // Estimates of several communicators may add up to more than there was; calls of several threads may do so truly.
  for (CallStats& s : all)
    if (s.untimed > 0 && threads_ <= 1) s.native_time = std::min(s.native_time, since(begin_));
  return all;
}

/// Who has ended early, by a mistake of the program, must hear those who wait for it.
void Session::wait_for_all() {
  constexpr Seconds patience = 2;
  MPI_Request all = MPI_REQUEST_NULL;
  PMPI_Ibarrier(program_.notices->comm(), &all);
  const Clock::time_point begin = Clock::now();
  mpi::wait_until([&] {
    int done = 0;
    PMPI_Test(&all, &done, MPI_STATUS_IGNORE);
    if (done == 0 && since(begin) > patience)
      for (const auto& communicator : communicators_) communicator->listen();
    return done != 0;
  });
}

/// What this rank alone knows.
Report Session::own_report() const {
  const std::string own = to_text(call_stats());  // before `lasted`, as in finish()
  Report report(program_.settings, {.mpi = program_.mpi,
                                    .ranks = ranks_,
                                    .hosts = program_.hosts,
                                    .lasted = since(begin_),
                                    .shared = {neighbours_, sharing ? mpi::Arena::get().most() : 0},
                                    .trials = program_.trial_time.trials,
                                    .trials_lasted = program_.trial_time.spent,
                                    .counted = named_calls(counted_calls()),
                                    .finished = false});
  report.add(own);
  return report;
}

/// `last`: the program is about to be ended, by this rank. Where other threads may be changing what is known, nothing
/// is told. A handler that the program has for signals may come here from within.
void Session::look(bool last) {
  constexpr Seconds soonest = 0.1, latest = 10;
  if (looking_.exchange(true)) return;
  next_look = ticks() + ticks_of(std::clamp(since(begin_) / 10, soonest, latest));
  try {
    Texts texts;
    if (threads_ <= 1) {
      const Settings& s = program_.settings;
      Report report = own_report();
      texts = report.texts(-1);
      const std::vector<TrialResult> trials = report.trials();
      const bool due = rank_ == 0 && s.every > 0 && since(written_) >= s.every;
      if (due) written_ = Clock::now();
      if (due && !s.report_file.empty())
        from_variable("QUADRILLE_REPORT", [&] { files::write_file(s.report_file, texts.json); });
      if (s.keeps_trials()) {
        if (due || last) from_variable("QUADRILLE_WISDOM", [&] { keep_trials(s.wisdom_file, trials); });
        NextWisdom::Text next = next_wisdom_.with(s.wisdom_file, trials);
        texts.wisdom = std::move(next.text);
        texts.wisdom_instead = next.instead;
      }
    }
    last_report::prepare(std::move(texts));
  } catch (const std::exception& error) {
    say(error.what());
    next_look = std::numeric_limits<Ticks>::max();
  }
  looking_ = false;
}

void Session::aborting() {
  look(true);
  last_report::write("was ended by MPI_Abort");
}

/// Collective: every rank's figures, one after the other, on rank 0.
std::string Session::all_stats(const std::string& mine, std::vector<int>& lengths) const {
  const MPI_Comm all = program_.notices->comm();
  int length = static_cast<int>(mine.size());
  lengths.resize(static_cast<std::size_t>(ranks_));
  std::vector<int> places(lengths.size());
  PMPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, all);
  std::size_t total = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    places[i] = static_cast<int>(total);
    total += static_cast<std::size_t>(lengths[i]);
  }
  std::string texts(total, '\0');
  PMPI_Gatherv(mine.data(), length, MPI_CHAR, texts.data(), lengths.data(), places.data(), MPI_CHAR, 0, all);
  return texts;
}

/// On rank 0: `most` are threads, seconds of trials and of the run.
void Session::publish(const std::array<double, 3>& most, const std::vector<CountedCalls>& counted,
                      std::string_view texts, const std::vector<int>& lengths) {
  try {
    Report report(program_.settings, {.mpi = program_.mpi,
                                      .ranks = ranks_,
                                      .hosts = program_.hosts,
                                      .lasted = most[2],
                                      .shared = {neighbours_, sharing ? mpi::Arena::get().most() : 0},
                                      .threads = static_cast<int>(most[0]),
                                      .trials = program_.trial_time.trials,
                                      .trials_lasted = most[1],
                                      .counted = named_calls(counted)});
    for (const int length : lengths) {
      report.add(texts.substr(0, static_cast<std::size_t>(length)));
      texts.remove_prefix(static_cast<std::size_t>(length));
    }
    report.publish();
  } catch (const std::exception& error) {
    say(error.what());
  }
}

void Session::finish() {
  if (!watching.exchange(false)) return;
  ++ended;
  const std::string own = to_text(call_stats());  // what is estimated in it is no longer than the run until now
  const Seconds lasted = since(begin_);
  // In the program's communicators there may be messages of calls that failed.
  if (!program_.notices) program_.notices = std::make_unique<WaitNotices>();
  const MPI_Comm all = program_.notices->comm();
  wait_for_all();
  settle_machine();
  const std::array<double, 3> mine{static_cast<double>(threads_), program_.trial_time.spent, lasted};
  std::array<double, 3> most{};
  PMPI_Reduce(mine.data(), most.data(), 3, MPI_DOUBLE, MPI_MAX, 0, all);
  const std::vector<CountedCalls> calls = counted_calls();
  std::vector<CountedCalls> most_calls(calls.size());
  static_assert(sizeof(CountedCalls) == 2 * sizeof(double));
  PMPI_Reduce(calls.data(), most_calls.data(), static_cast<int>(2 * calls.size()), MPI_DOUBLE, MPI_MAX, 0, all);
  std::vector<int> lengths;
  const std::string texts = all_stats(own, lengths);
  last_report::end();
  if (rank_ == 0) publish(most, most_calls, texts, lengths);
  program_.kept.end();
  Engine::get().close();
  sweep();
  for (const auto& communicator : communicators_) communicator->release();
  program_.kept.clear();
  Engine::get().release_homes();
  program_.notices->end();
  program_.notices.reset();
}

}  // namespace quadrille::dropin
