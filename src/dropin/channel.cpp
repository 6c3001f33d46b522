#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "base/text.hpp"
#include "dropin/channel_await.hpp"
#include "dropin/decide/choose.hpp"
#include "program/program.hpp"

namespace quadrille::dropin {

namespace {

constexpr std::size_t most_plans = 128;      ///< of a communicator
constexpr std::size_t most_requests = 4096;  ///< that are remembered
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
bool of_one_world(const std::vector<int>& places) {
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
  if (ranks_ > 1 && (s.mode == Mode::on || s.mode == Mode::trial)) places_ = places_in_world(comm, ranks_);
  deciding_ = !places_.empty() && of_one_world(places_);
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

/// What to try besides native, one choice a line: rank 0's answer. A first line "=" means that it is known to be best.
std::string Channel::ways_for(const Request& request) const {
  const Settings& s = common_.settings;
  try {
    const Placement placement = parse_placement(topology_);
    const std::optional<Spec> spec = spec_of(request, placement.topology);
    if (!spec) return "";
    if (const TrialResult* known =
            s.wisdom.find(trial_of(circumstances(), request.operation, size_class(request.bytes))))
      return known->choice == "native" || disproved(*spec, placement, s.constants, known->choice)
                 ? ""
                 : "=\n" + known->choice;
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
    return base::join(lines, "\n");
  } catch (const std::exception&) {  // no plan can be made: then native is best
    return "";
  }
}

/// Collective: the first decision on a row, or that it is put off.
void Channel::open(const Request& request, Row& row) {
  row.native_only = true;
  const bool whole = request.operation == Operation::bcast || request.operation == Operation::allgatherv;
  if (request.bytes > (whole ? most_memory : most_memory / ranks_)) return;
  const std::size_t place = place_of(request.operation, request.bytes);
  const TrialResult* const kept =
      common_.settings.wisdom.find(trial_of(circumstances(), request.operation, size_class(request.bytes)));
  if (kept != nullptr && kept->choice == "native") return;
  const std::string known = found(place);
  const Clock::time_point begin = Clock::now();
  const Meeting meeting = meet(request, row, known);
  if (apart_ || (meeting.same_found && known == "native")) return;
  if (!meeting.same_found && kept == nullptr && !meeting.affordable) {
    row.native_only = false;
    row.ask_at = meeting.patience * row.seen;
    return;
  }
  if (!settle(meeting) || row.contest.begun()) return;  // or taken over, with whatever was decided
  row.native_call = meeting.native_call;
  begin_contest(request, row, meeting.same_found ? "=\n" + known : "");
  if (row.native_only) remember(place, "native");
  if (!row.contest.running()) return;
  ++common_.trials;
  common_.opening = since(begin);
  common_.spent += since(begin);
}

/// Collective: between MPI and `ways`, or what rank 0 says.
void Channel::begin_contest(const Request& request, Row& row, std::string ways) {
  if (ways.empty()) ways = made_.home->peers.broadcast(rank_ == 0 ? ways_for(request) : "", 0);
  if (ways.empty()) return;
  const bool known = ways.front() == '=';
  std::vector<std::string> plans;
  for (const std::string_view way :
       base::split(known ? std::string_view(ways).substr(2) : std::string_view(ways), '\n'))
    plans.emplace_back(way);
  row.contest.begin(plans, known, request.operation == Operation::alltoall);
  row.native_only = false;
}

/// Null when there is no plan for it, the same on all ranks. Collective where there is none yet.
mpi::plan_handle* Channel::plan_for(const Request& request, const Row& row, std::size_t way) {
  if (made_.prepared.size() >= most_requests && !made_.prepared.contains(request)) return nullptr;
  Prepared& prepared = made_.prepared[request];
  prepared.plans.resize(row.contest.ways().size());
  prepared.refused.resize(row.contest.ways().size());
  if (prepared.plans[way]) return prepared.plans[way].get();
  ++prepared.calls;
  if (prepared.refused[way] || (!row.contest.running() && prepared.calls < Row::calls_before)) return nullptr;
  if (made_.plans >= static_cast<int>(most_plans)) return nullptr;
  if (!row.contest.running() && !all_ask(request)) return nullptr;
  try {
    std::unique_ptr<mpi::plan_handle::state> made;
    made_.home->agree([&] {
      const Spec spec = *spec_of(request, made_.home->topology());
      const Built built = made_.home->built(spec, row.contest.ways()[way].choice);
      program::Program program = made_.home->compiled(spec, built);
      const int tag = made_.home->take_tags(built.schedule->shape().rounds);
      made = std::make_unique<mpi::plan_handle::state>(made_.home, spec, built, std::move(program), tag);
      return made->algorithm;
    });
    made->execution.connect();
    prepared.plans[way] = std::make_unique<mpi::plan_handle>(std::move(made));
    ++made_.plans;
  } catch (const mpi::MpiError&) {
    throw;
  } catch (const Error&) {  // thrown on all ranks
    prepared.refused[way] = true;
  }
  return prepared.plans[way].get();
}

void Channel::run(mpi::plan_handle& plan, const Request& request, const Buffers& buffers) {
  Buffers here = buffers;
  here.packer = {made_.home->peers.comm(), rank_};
  const Ends ends(request, here, staging_);
  plan.start(ends.in(), ends.out());
  await([&] { return plan.test(); });
  ends.finish();
}

int Channel::perform(const Request& request, Row& row, const Buffers& buffers, const std::function<int()>& native) {
  const Contest& contest = row.contest;
  if (broken_ || apart_ || (!contest.begun() && ++row.seen < row.ask_at)) return by_mpi(row, native);
  try {
    if (!contest.begun()) open(request, row);
    if (row.native_only || !contest.begun() || apart_) return by_mpi(row, native);
    if (contest.running() && row.paused > 0) {
      --row.paused;
      return by_mpi(row, native);
    }
    if (contest.running()) return take_turn(request, row, buffers, native);
    mpi::plan_handle* const plan = plan_for(request, row, contest.winner());
    return plan != nullptr ? use(request, row, *plan, buffers, native) : by_mpi(row, native);
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace quadrille::dropin
