// What ranks of a communicator share with earlier ones of the same ranks: a private communicator, plans, decisions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "dropin/channel_await.hpp"

namespace quadrille::dropin {

namespace {

constexpr int most_communicators = 64;  ///< MPIs have few numbers for them

/// Numbers from 0 are in the same order as what their bits say.
std::int64_t bits(double number) { return std::bit_cast<std::int64_t>(std::max(number, 0.0)); }
double number_of_bits(std::int64_t bits) { return std::bit_cast<double>(bits); }

std::int64_t hash_of(const std::string& text) {
  return text.empty() ? 0 : static_cast<std::int64_t>(std::hash<std::string>()(text) >> 2 | 1);
}

/// What Channel::meet() exchanges: of each the largest of all ranks.
enum Said : std::size_t {
  full,
  number,
  found_,
  not_found,
  kept_,
  not_kept,
  asked,
  not_asked,
  taken,
  calls,
  spent,
  passed,
  opening,
  words
};

}  // namespace

void Row::take_over(Row& other) {
  native_only = other.native_only;
  seen = std::max(seen, other.seen);
  ask_at = other.ask_at;
  contest = std::move(other.contest);
  native_call = other.native_call;
  cost = other.cost;
  pause = other.pause;
  paused = other.paused;
  watch = other.watch;
  lost = std::move(other.lost);
}

/// Collective: each becomes the largest of all ranks'.
void Channel::largest(std::vector<std::int64_t>& values) {
  const int count = static_cast<int>(values.size());
  if (!made_.home) {
    mpi::check(PMPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, comm_), "agreeing on a call");
    return;
  }
  MPI_Request exchange = MPI_REQUEST_NULL;
  mpi::check(
      PMPI_Iallreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, made_.home->peers.comm(), &exchange),
      "agreeing on a call");
  await([&] {
    int done = 0;
    mpi::check(PMPI_Test(&exchange, &done, MPI_STATUS_IGNORE), "agreeing on a call");
    return done != 0;
  });
}

void Channel::differ(const Request& request) {
  apart_ = true;
  if (rank_ == 0)
    mpi::last_words(
        fmt::format("quadrille: ranks call a collective with different sizes or roots, or different ones; "
                    "here {} of {} B: left to MPI from now on\n",
                    to_string(request.operation), request.bytes));
}

/// Collective: nobody goes on before all have come, and all learn whether they want the same. Of `values`, from 0, each
/// becomes the largest of all ranks'.
bool Channel::all_ask(const Request& request, std::vector<double>* values) {
  const auto hash = static_cast<std::int64_t>(request.hash() >> 2);
  std::vector<std::int64_t> said{hash, -hash};
  if (values != nullptr)
    for (const double value : *values) said.push_back(bits(value));
  largest(said);
  if (values != nullptr)
    for (std::size_t i = 0; i < values->size(); ++i) (*values)[i] = number_of_bits(said[i + 2]);
  if (said[0] == -said[1]) return true;
  differ(request);
  return false;
}

/// Collective, before the first decision on a row. `known` is what this rank has found out about it on other
/// communicators of the same ranks; empty: nothing.
Channel::Meeting Channel::meet(const Request& request, const Row& row, const std::string& known) {
  std::vector<std::int64_t> said(words, 0);
  said[full] = common_.private_communicators < most_communicators ? 0 : 1;
  // Rank 0 counts, and is known by its place among all.
  said[number] = rank_ > 0 ? 0 : std::int64_t{common_.bulletin->rank()} << 32 | ++common_.homes;
  said[found_] = hash_of(known);
  if (!made_.home) {
    const std::scoped_lock lock(common_.mutex);
    const auto [first, last] = common_.kept.equal_range(places_);
    for (auto at = first; at != last; ++at)
      said[kept_] = said[kept_] == 0 ? at->second.household.number : std::min(said[kept_], at->second.household.number);
  }
  said[asked] = static_cast<std::int64_t>(request.hash() >> 2);
  for (const std::size_t both : {found_, kept_, asked}) said[both + 1] = -said[both];
  const Seconds native = seconds_of(row.native.all(ticks()));
  said[taken] = bits(native);
  said[calls] = std::max<std::int64_t>(row.native.calls(), 1);
  said[spent] = bits(common_.spent);
  said[passed] = bits(since(common_.begin));
  said[opening] = bits(Budget::beginning(common_.opening, common_.agreed, common_.agreeing));
  const Clock::time_point begin = Clock::now();
  largest(said);
  common_.agreeing += since(begin);
  ++common_.agreed;
  common_.spent += since(begin);
  if (said[asked] != -said[not_asked]) differ(request);
  const Budget& budget = common_.settings.budget;
  const Seconds all = number_of_bits(said[taken]), next = number_of_bits(said[opening]);
  return {.room = said[full] == 0,
          .number = said[number],
          .kept = said[kept_] == -said[not_kept] ? said[kept_] : 0,
          .same_found = said[found_] != 0 && said[found_] == -said[not_found],
          .affordable = budget.in_time(number_of_bits(said[spent]) + next, number_of_bits(said[passed])) &&
                        budget.worth_it(next, all),
          .patience = budget.patience(next / Budget::agreements, number_of_bits(said[passed])),
          .native_call = all / static_cast<double>(said[calls])};
}

/// Collective: whether there is a private communicator after it. Where one rank has too many, none gets one.
bool Channel::settle(const Meeting& meeting) {
  if (made_.home) return true;
  home_number_ = meeting.number;
  if (meeting.kept != 0) {
    take_over(meeting.kept);
    return true;
  }
  if (!meeting.room) return false;
  auto home = std::make_shared<mpi::communicator::state>(comm_);
  ++common_.private_communicators;
  home->placement = parse_placement(topology_);
  home->machine = common_.settings.constants;
  home->settings.topology = topology_;
  home->settings.segment = common_.settings.segment;
  if (common_.settings.shared) home->neighbours = std::make_unique<const mpi::Neighbours>(home->peers);
  made_.home = std::move(home);
  made_.number = meeting.number;
  return true;
}

/// What ranks of an earlier communicator have made and decided; they were the same.
void Channel::take_over(std::int64_t household) {
  Rows rows;
  {
    const std::scoped_lock lock(common_.mutex);
    auto [at, last] = common_.kept.equal_range(places_);
    while (at->second.household.number != household) ++at;
    made_ = std::move(at->second.household);
    rows = std::move(at->second.rows);
    common_.kept.erase(at);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) continue;
    if (!rows_[i]) rows_[i] = std::make_unique<Row>();
    rows_[i]->take_over(*rows[i]);
  }
}

/// For the next communicator of these ranks. False where nothing can be kept.
bool Channel::keep() {
  if (broken_ || apart_ || !common_.keeping) return false;
  const std::scoped_lock lock(common_.mutex);
  if (common_.kept.size() >= Common::most_kept) return false;
  common_.kept.emplace(places_, Common::Kept{std::move(made_), std::move(rows_)});
  made_ = {};
  return true;
}

std::string Channel::found(std::size_t place) const {
  const std::scoped_lock lock(common_.mutex);
  const auto at = common_.found.find({places_, place});
  return at == common_.found.end() ? std::string() : at->second;
}

void Channel::remember(std::size_t place, const std::string& choice) {
  const std::scoped_lock lock(common_.mutex);
  if (common_.found.size() < Common::most_found || common_.found.contains({places_, place}))
    common_.found[{places_, place}] = choice;
}

void Channel::release() {
  if (!made_.home) return;
  common_.bulletin->forget(home_number_);
  if (keep()) return;
  made_.prepared.clear();
  made_.straight.reset();
  if (broken_) return;  // plans keep it
  made_.home.reset();
  --common_.private_communicators;
}

}  // namespace quadrille::dropin
