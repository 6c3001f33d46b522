#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "base/text.hpp"
#include "dropin/channel_await.hpp"
#include "dropin/choose.hpp"
#include "program/program.hpp"

namespace quadrille::dropin {

namespace {

constexpr std::size_t most_plans = 128;      ///< of a communicator
constexpr std::size_t most_requests = 4096;  ///< that are remembered
constexpr int most_communicators = 64;       ///< MPIs have few numbers for them
constexpr std::size_t ways_on_trial = 3;
/// Up to this size a block's time is the software's on both ends more than the wire's, and predictions are no better
/// than this factor.
constexpr Bytes small_block = 1 << 10;
constexpr double doubt = 2;
constexpr std::size_t ways_in_doubt = 4;
constexpr Bytes most_memory = Bytes{1} << 30;

/// Which rank of MPI_COMM_WORLD each of its ranks is; MPI_UNDEFINED for those of another.
std::vector<int> places_in_world(MPI_Comm comm, int ranks) {
  MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> here(static_cast<std::size_t>(ranks)), there(here.size(), MPI_UNDEFINED);
  std::iota(here.begin(), here.end(), 0);
  PMPI_Group_translate_ranks(group, ranks, here.data(), world, there.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return there;
}

/// Whether all its ranks were started together. Others, spawned or met later, need not have loaded the drop-in, nor
/// with the same settings. The same on all ranks.
bool of_one_world(MPI_Comm comm, int ranks) {
  const std::vector<int> places = places_in_world(comm, ranks);
  return std::find(places.begin(), places.end(), MPI_UNDEFINED) == places.end();
}

}  // namespace

Channel::Channel(MPI_Comm comm, Common& common) : common_(common), comm_(comm) {
  int between = 0;
  PMPI_Comm_test_inter(comm, &between);
  between_ = between != 0;
  if (between_) return;
  PMPI_Comm_rank(comm, &rank_);
  PMPI_Comm_size(comm, &ranks_);
  const Settings& s = common.settings;
  deciding_ = ranks_ > 1 && (s.mode == Mode::on || s.mode == Mode::trial) && of_one_world(comm, ranks_);
  int relation = MPI_UNEQUAL;
  if (!s.topology.empty()) PMPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
  topology_ = relation == MPI_IDENT || relation == MPI_CONGRUENT ? s.topology : fmt::format("crossbar:{}", ranks_);
}

int Channel::by_mpi(Row& row, const std::function<int()>& native) {
  return row.native.due() ? timed(row, native) : native();
}

Row& Channel::new_row(std::size_t at, Operation operation, Bytes bytes) {
  rows_[at] = std::make_unique<Row>();
  rows_[at]->native_only = !deciding_ || !has_plans(operation) || (bytes == 0 && operation != Operation::alltoallv);
  return *rows_[at];
}

void Channel::each_row(const std::function<void(Operation, int, const Row&)>& use) const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i] && rows_[i]->calls > 0)
      use(static_cast<Operation>(i / size_classes), static_cast<int>(i % size_classes), *rows_[i]);
}

Circumstances Channel::circumstances() const { return {common_.mpi, topology_, common_.settings.segment}; }

/// Collective. Whether there is a private communicator: where one rank has too many, none gets one.
bool Channel::ensure_home() {
  if (home_) return true;
  // Rank 0 counts, and is known by its place among all.
  const std::int64_t number = rank_ > 0 ? 0 : std::int64_t{common_.bulletin->rank()} << 32 | ++common_.homes;
  std::array<std::int64_t, 2> least{common_.private_communicators < most_communicators ? 1 : 0, -number};
  mpi::check(PMPI_Allreduce(MPI_IN_PLACE, least.data(), 2, MPI_INT64_T, MPI_MIN, comm_),
             "agreeing on a private communicator");
  if (least[0] == 0) return false;
  home_number_ = -least[1];
  auto home = std::make_shared<mpi::communicator::state>(comm_);
  ++common_.private_communicators;
  home->placement = parse_placement(topology_);
  home->machine = common_.settings.constants;
  home->settings.topology = topology_;
  home->settings.segment = common_.settings.segment;
  if (common_.settings.shared) home->neighbours = std::make_unique<const mpi::Neighbours>(home->peers);
  home_ = std::move(home);
  places_ = places_in_world(comm_, ranks_);
  return true;
}

/// Collective: nobody goes on before all have come, and all learn whether they want the same.
bool Channel::all_ask(const Request& request) {
  const auto hash = static_cast<std::int64_t>(request.hash() >> 2);
  std::array<std::int64_t, 2> extremes{hash, -hash};
  MPI_Request exchange = MPI_REQUEST_NULL;
  mpi::check(PMPI_Iallreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_INT64_T, MPI_MAX, home_->peers.comm(), &exchange),
             "agreeing on a call");
  await([&] {
    int done = 0;
    mpi::check(PMPI_Test(&exchange, &done, MPI_STATUS_IGNORE), "agreeing on a call");
    return done != 0;
  });
  if (extremes[0] == -extremes[1]) return true;
  apart_ = true;
  if (rank_ == 0)
    mpi::last_words(
        fmt::format("quadrille: ranks call a collective with different sizes or roots, or different ones; "
                    "here {} of {} B: left to MPI from now on\n",
                    to_string(request.operation), request.bytes));
  return false;
}

/// What to try besides native, one choice a line: rank 0's answer. A first line "=" means that it is known to be best.
std::string Channel::ways_for(const Request& request) const {
  const Settings& s = common_.settings;
  if (const Verdict* known = s.verdicts.find(circumstances(), request.operation, size_class(request.bytes)))
    return known->choice == "native" ? "" : "=\n" + known->choice;
  try {
    const Placement placement = parse_placement(topology_);
    const std::optional<Spec> spec = spec_of(request, placement.topology);
    if (!spec) return "";
    const bool on = s.mode == Mode::on;
    const bool small = request.bytes <= small_block;
    const std::vector<Prospect> best = small ? prospects_in_doubt(*spec, placement, s.constants, ways_in_doubt, doubt)
                                             : prospects(*spec, placement, s.constants, on ? 1 : ways_on_trial);
    if (best.empty()) return "";
    if (on) {
      const Seconds native = native_estimate(*spec, placement, s.constants);
      if (native > 0 && best.front().predicted >= (small ? doubt : 1) * native) return "";
    }
    std::vector<std::string> lines;
    for (const Prospect& p : best) lines.push_back(p.algorithm);
    return join(lines, "\n");
  } catch (const std::exception&) {  // no plan can be made: then native is best
    return "";
  }
}

/// Collective: the first decision on a row.
void Channel::open(const Request& request, Row& row) {
  row.native_only = true;
  const bool whole = request.operation == Operation::bcast || request.operation == Operation::allgatherv;
  if (request.bytes > (whole ? most_memory : most_memory / ranks_) || !ensure_home() || !all_ask(request)) return;
  const std::string ways = home_->peers.broadcast(rank_ == 0 ? ways_for(request) : "", 0);
  if (ways.empty()) return;
  const bool known = ways.front() == '=';
  std::vector<std::string> plans;
  for (const std::string_view way : split(known ? std::string_view(ways).substr(2) : std::string_view(ways), '\n'))
    plans.emplace_back(way);
  row.contest.begin(plans, known, request.operation == Operation::alltoall);
  row.native_only = false;
}

/// Null when there is no plan for it, the same on all ranks. Collective where there is none yet.
mpi::plan_handle* Channel::plan_for(const Request& request, const Row& row, std::size_t way) {
  if (prepared_.size() >= most_requests && !prepared_.contains(request)) return nullptr;
  Prepared& prepared = prepared_[request];
  prepared.plans.resize(row.contest.ways().size());
  prepared.refused.resize(row.contest.ways().size());
  if (prepared.plans[way]) return prepared.plans[way].get();
  ++prepared.calls;
  if (prepared.refused[way] || (!row.contest.running() && prepared.calls < calls_before)) return nullptr;
  if (plans_ >= static_cast<int>(most_plans)) return nullptr;
  if (!row.contest.running() && !all_ask(request)) return nullptr;
  try {
    std::unique_ptr<mpi::plan_handle::state> made;
    home_->agree([&] {
      const Spec spec = *spec_of(request, home_->topology());
      const Built built = home_->built(spec, row.contest.ways()[way].choice);
      Program program = Compiler(spec, *built.schedule).compile(rank_, true, home_->settings.memory);
      const int tag = home_->take_tags(built.schedule->shape().rounds);
      made = std::make_unique<mpi::plan_handle::state>(home_, spec, built, std::move(program), tag);
      return made->algorithm;
    });
    made->execution.connect();
    prepared.plans[way] = std::make_unique<mpi::plan_handle>(std::move(made));
    ++plans_;
  } catch (const mpi::MpiError&) {
    throw;
  } catch (const Error&) {  // thrown on all ranks
    prepared.refused[way] = true;
  }
  return prepared.plans[way].get();
}

void Channel::run(mpi::plan_handle& plan, const Request& request, const Buffers& buffers) {
  Buffers here = buffers;
  here.packer = {home_->peers.comm(), rank_};
  const Ends ends(request, here, staging_);
  plan.start(ends.in(), ends.out());
  await([&] { return plan.test(); });
  ends.finish();
}

int Channel::take_turn(const Request& request, Row& row, const Buffers& buffers, const std::function<int()>& native) {
  Contest& contest = row.contest;
  if (!all_ask(request)) {
    contest.stop();
    row.native_only = true;
    return by_mpi(row, native);
  }
  const std::size_t way = contest.next();
  mpi::plan_handle* const plan = way > 0 ? plan_for(request, row, way) : nullptr;
  home_->peers.barrier();  // every way starts alike, whoever had to make a plan
  const bool once = request.operation == Operation::alltoall && buffers.in_place;  // on all ranks
  const std::size_t calls = once ? 1 : contest.calls();
  int code = MPI_SUCCESS;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < calls && code == MPI_SUCCESS; ++i)
    if (plan != nullptr)
      run(*plan, request, buffers);
    else
      code = native();
  const Seconds took =
      since(begin) / static_cast<double>(calls) + (plan != nullptr ? Contest::finding_a_plan : Seconds{0});
  (plan != nullptr ? row.planned_time : row.native_time) += took;
  if (plan != nullptr) ++row.planned;
  const auto bytes = static_cast<double>(request.bytes);
  const Seconds refused = bytes;  // a second per byte: never the fastest
  if (contest.took(way > 0 && plan == nullptr ? refused : took, bytes)) {
    home_->peers.reduce_to_all(contest.pending(), MPI_MAX);
    contest.judge();
    if (!contest.running()) conclude(request.operation, row);
  }
  return code;
}

/// Frees the plans that have lost.
void Channel::conclude(Operation operation, Row& row) {
  row.native_only = row.contest.winner() == 0;
  for (auto& [request, prepared] : prepared_) {
    if (request.operation != operation || &this->row(operation, request.bytes) != &row) continue;
    for (std::size_t i = 0; i < prepared.plans.size(); ++i)
      if (i != row.contest.winner() && prepared.plans[i]) {
        prepared.plans[i].reset();
        --plans_;
      }
  }
}

int Channel::perform(const Request& request, Row& row, const Buffers& buffers, const std::function<int()>& native) {
  const Contest& contest = row.contest;
  if (broken_ || apart_ || (!contest.begun() && ++row.seen <= calls_before)) return by_mpi(row, native);
  try {
    if (!contest.begun()) open(request, row);
    if (row.native_only) return by_mpi(row, native);
    if (contest.running()) return take_turn(request, row, buffers, native);
    mpi::plan_handle* const plan = plan_for(request, row, contest.winner());
    if (plan == nullptr) return by_mpi(row, native);
    const auto begin = Clock::now();
    run(*plan, request, buffers);
    row.planned_time += since(begin);
    ++row.planned;
    return MPI_SUCCESS;
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

void Channel::release() {
  if (!home_) return;
  common_.bulletin->forget(home_number_);
  prepared_.clear();
  straight_.reset();
  if (broken_) return;  // plans keep it
  home_.reset();
  --common_.private_communicators;
}

}  // namespace quadrille::dropin
