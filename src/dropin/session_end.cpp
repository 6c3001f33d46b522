// What is told of a run: at its end, and while it goes on, should it have none.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "dropin/counted.hpp"
#include "dropin/job.hpp"
#include "dropin/session.hpp"

namespace quadrille::dropin {

void look_now() {
  if (watching) Session::get().look();
}

/// Collective: where no machine was named, the one at hand is measured.
void Session::settle_machine() {
  Settings& s = common_.settings;
  if (!s.machine.empty() || ranks_ == 1) return;
  try {
    s.constants = measured_job(common_.mpi);
    s.machine = s.constants.name;
  } catch (const std::exception& error) {
    say(fmt::format("rank {}: {}; nothing is predicted", rank_, error.what()));
  }
}

std::vector<Tally> Session::tallies() const {
  std::vector<Tally> all = past_;
  for (const auto& channel : channels_) add(all, *channel);
  return all;
}

/// Who has ended early, by a mistake of the program, must hear those who wait for it.
void Session::wait_for_all() {
  constexpr Seconds patience = 2;
  MPI_Request all = MPI_REQUEST_NULL;
  PMPI_Ibarrier(MPI_COMM_WORLD, &all);
  const Clock::time_point begin = Clock::now();
  mpi::wait_until([&] {
    int done = 0;
    PMPI_Test(&all, &done, MPI_STATUS_IGNORE);
    if (done == 0 && since(begin) > patience)
      for (const auto& channel : channels_) channel->listen();
    return done != 0;
  });
}

/// What this rank alone knows. Other threads may be changing it: then nothing.
Texts Session::own_texts() const {
  if (threads_ > 1) return {};
  Report report(common_.settings, {.mpi = common_.mpi,
                                   .ranks = ranks_,
                                   .lasted = since(begin_),
                                   .shared = {neighbours_, sharing ? mpi::Arena::get().most() : 0},
                                   .trials = common_.trials,
                                   .trials_lasted = common_.spent,
                                   .counted = counted_calls(counted_calls()),
                                   .finished = false});
  report.add(to_text(tallies()));
  return report.texts(-1);
}

void Session::look() {
  constexpr Seconds soonest = 0.1, latest = 10;
  const Seconds lasted = since(begin_);
  next_look = ticks() + ticks_of(std::clamp(lasted / 10, soonest, latest));
  try {
    Texts texts = own_texts();
    const Settings& s = common_.settings;
    if (rank_ == 0 && s.every > 0 && since(written_) >= s.every && !texts.json.empty()) {
      written_ = Clock::now();
      if (!s.report_file.empty()) write_file(s.report_file, texts.json, "QUADRILLE_REPORT");
      if (!texts.wisdom.empty()) write_file(s.wisdom_file, texts.wisdom, "QUADRILLE_WISDOM");
    }
    last_report::prepare(std::move(texts));
  } catch (const std::exception& error) {
    say(error.what());
    next_look = std::numeric_limits<Ticks>::max();
  }
}

void Session::aborting() {
  look();
  last_report::write("was ended by MPI_Abort");
}

/// Collective: every rank's tallies, one after the other, on rank 0.
std::string Session::all_tallies(const std::string& mine, std::vector<int>& lengths) const {
  int length = static_cast<int>(mine.size());
  lengths.resize(static_cast<std::size_t>(ranks_));
  std::vector<int> places(lengths.size());
  PMPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::size_t total = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    places[i] = static_cast<int>(total);
    total += static_cast<std::size_t>(lengths[i]);
  }
  std::string texts(total, '\0');
  PMPI_Gatherv(mine.data(), length, MPI_CHAR, texts.data(), lengths.data(), places.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  return texts;
}

/// On rank 0: `most` are threads, seconds of trials and of the run.
void Session::publish(const std::array<double, 3>& most, const std::vector<std::int64_t>& counted,
                      std::string_view texts, const std::vector<int>& lengths) {
  try {
    Report report(common_.settings, {.mpi = common_.mpi,
                                     .ranks = ranks_,
                                     .lasted = most[2],
                                     .shared = {neighbours_, sharing ? mpi::Arena::get().most() : 0},
                                     .threads = static_cast<int>(most[0]),
                                     .trials = common_.trials,
                                     .trials_lasted = most[1],
                                     .counted = counted_calls(counted)});
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
  const std::string own = to_text(tallies());  // what is estimated in it is no longer than the run until now
  const Seconds lasted = since(begin_);
  wait_for_all();
  settle_machine();
  const std::array<double, 3> mine{static_cast<double>(threads_), common_.spent, lasted};
  std::array<double, 3> most{};
  PMPI_Reduce(mine.data(), most.data(), 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const std::vector<std::int64_t> calls = counted_calls();
  std::vector<std::int64_t> most_calls(calls.size());
  PMPI_Reduce(calls.data(), most_calls.data(), static_cast<int>(calls.size()), MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  std::vector<int> lengths;
  const std::string texts = all_tallies(own, lengths);
  last_report::end();
  if (rank_ == 0) publish(most, most_calls, texts, lengths);
  common_.keeping = false;
  sweep();
  for (const auto& channel : channels_) channel->release();
  common_.kept.clear();
  if (common_.bulletin) common_.bulletin->end();
  common_.bulletin.reset();
}

}  // namespace quadrille::dropin
