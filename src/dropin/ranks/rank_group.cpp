#include "dropin/ranks/rank_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "topology/graph/job.hpp"

namespace quadrille::dropin {

namespace {

constexpr int most_communicators = 64;  ///< MPIs have few numbers for them
/// Beyond it a plan on nodes takes seconds, in which the program waits.
constexpr std::size_t most_ranks_on_nodes = 512;

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

int ranks_of(MPI_Comm comm) {
  int ranks = 1;
  PMPI_Comm_size(comm, &ranks);
  return ranks;
}

bool is_between(MPI_Comm comm) {
  int between = 0;
  PMPI_Comm_test_inter(comm, &between);
  return between != 0;
}

/// Which rank of MPI_COMM_WORLD each of its ranks is; MPI_UNDEFINED for those of another. Empty where nobody asks: no
/// plan is wanted, and the network is the same wherever they are.
std::vector<int> places_in_world(MPI_Comm comm, const ProgramState& program) {
  const Settings& settings = program.settings;
  const bool plans = settings.mode == Mode::on || settings.mode == Mode::trial;
  const int ranks = ranks_of(comm);
  if (is_between(comm) || ranks == 1 || (!plans && !program.hosts.shared())) return {};
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

/// Where its ranks are on the network that was named for all: other nodes relay. Around a switch where none of its
/// nodes can, as on a bus.
std::string some_of_named(const std::string& named, const std::vector<int>& places) {
  const Placement all = parse_placement(named);
  std::vector<Rank> nodes;
  for (const int place : places) nodes.push_back(all.node(place));
  if (std::ssize(nodes) == all.topology->ranks()) return Placement{all.topology, nodes, {}}.text();
  try {
    const std::string text = topology::job_text(*all.topology, nodes);
    parse_placement(text);
    return text;
  } catch (const Error&) {
    return "";
  }
}

/// The network that its ranks are on: the settings' is that of all. Where they name none, that of the ranks' hosts.
std::string topology_of(MPI_Comm comm, const std::vector<int>& places, const ProgramState& program) {
  const std::string& of_all = program.settings.topology;
  int relation = MPI_UNEQUAL;
  PMPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
  if (!of_all.empty() && (relation == MPI_IDENT || relation == MPI_CONGRUENT)) return of_all;
  std::string found;
  if (!places.empty() && places.size() <= most_ranks_on_nodes && of_one_world(places))
    found = of_all.empty() ? program.hosts.of(places).network() : some_of_named(of_all, places);
  return found.empty() ? fmt::format("crossbar:{}", ranks_of(comm)) : found;
}

}  // namespace

RankGroup::RankGroup(MPI_Comm comm, ProgramState& program)
    : program_(program),
      comm_(comm),
      rank_(rank_in(comm)),
      between_(is_between(comm)),
      places_(places_in_world(comm, program)),
      mismatch_(rank_, places_, program.notices.get(), program.said_that_it_waits) {
  if (between_) return;
  ranks_ = ranks_of(comm);
  const Mode mode = program.settings.mode;
  deciding_ = (mode == Mode::on || mode == Mode::trial) && !places_.empty() && of_one_world(places_);
  topology_ = topology_of(comm, places_, program);
}

/// Collective: each becomes the largest of all ranks'.
void RankGroup::largest(std::vector<std::int64_t>& values) {
  const int count = static_cast<int>(values.size());
  if (!plans_.open()) {
    mpi::check(PMPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, comm_), "agreeing on a call");
    return;
  }
  MPI_Request exchange = MPI_REQUEST_NULL;
  mpi::check(
      PMPI_Iallreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, plans_.peers().comm(), &exchange),
      "agreeing on a call");
  mismatch_.await([&] {
    int done = 0;
    mpi::check(PMPI_Test(&exchange, &done, MPI_STATUS_IGNORE), "agreeing on a call");
    return done != 0;
  });
}

bool RankGroup::all_ask(const Request& request, std::vector<double>* values) {
  const std::int64_t call = whole_hash(request.hash());
  std::vector<std::int64_t> said{call, -call};
  if (values != nullptr)
    for (const double value : *values) said.push_back(ordered_bits(value));
  largest(said);
  if (values != nullptr)
    for (std::size_t i = 0; i < values->size(); ++i) (*values)[i] = from_ordered_bits(said[i + 2]);
  if (said[0] == -said[1]) return true;
  part(differ_in(request));
  return false;
}

Statement RankGroup::statement(const Request& request, const Row& row, const std::string& found,
                               std::int64_t left) const {
  const TrialTime& time = program_.trial_time;
  return {.room = program_.private_communicators<most_communicators,
                                                 // Rank 0 counts, and is known by its place among all.
                                                 .number = rank_> 0
                      ? 0
                      : std::int64_t{program_.notices->rank()} << 32 | ++program_.numbered,
          .kept = left,
          .found = found,
          .call = request.hash(),
          .native_time = seconds_of(row.native.all(ticks())),
          .calls = row.native.calls(),
          .spent = time.spent,
          .since_begin = time.since_begin(),
          .opening_cost = time.next_opening()};
}

RankGroup::Met RankGroup::meet(const Request& request, const Row& row, const std::string& found) {
  KeptPlans::Reserved left = plans_.open() ? KeptPlans::Reserved() : KeptPlans::Reserved(program_.kept, places_);
  std::vector<std::int64_t> said = statement(request, row, found, left.number()).numbers();
  const Clock::time_point begin = Clock::now();
  largest(said);
  program_.trial_time.met(since(begin));
  Met met{Meeting(said, program_.settings.budget), std::move(left)};
  if (!met.same_call) part(differ_in(request));
  return met;
}

bool RankGroup::open_private(Met& meeting, RowTable& rows) {
  if (plans_.open()) return true;
  mismatch_.set_number(meeting.number);
  if (meeting.kept != 0) {
    KeptPlans::Kept kept = meeting.left.take();
    plans_ = std::move(kept.plans);
    rows.take_over(kept.rows);
    return true;
  }
  if (!meeting.room) return false;
  make_private(meeting.number);
  return true;
}

void RankGroup::open_first() {
  constexpr std::int64_t first = 1;  // as rank 0 would say
  if (rank_ == 0) program_.numbered = first;
  mismatch_.set_number(first);
  make_private(first);
}

/// Collective.
void RankGroup::make_private(std::int64_t number) {
  auto made = std::make_shared<mpi::communicator::state>(comm_);
  ++program_.private_communicators;
  made->placement = parse_placement(topology_);
  made->machine = program_.settings.constants;
  made->settings.topology = program_.settings.topology.empty() ? "" : topology_;
  made->settings.segment = program_.settings.segment;
  if (program_.settings.shared) made->neighbours = std::make_unique<const mpi::Neighbours>(made->peers);
  plans_.open(number, std::move(made));
}

std::string RankGroup::differ_in(const Request& request) {
  return fmt::format("ranks call a collective with different sizes or roots, or different ones; here {} of {} B",
                     to_string(request.operation), request.bytes);
}

void RankGroup::part(const std::string& why) {
  apart_ = true;
  if (rank_ == 0) mpi::last_words(fmt::format("quadrille: {}: left to MPI from now on\n", why));
}

int RankGroup::fail(const char* what) {
  mpi::last_words(fmt::format("quadrille: rank {}: {}\n", rank_, what));
  broken_ = true;
  plans_.abandon();
  PMPI_Comm_call_errhandler(comm_, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}

void RankGroup::listen() {
  if (!plans_.open() || broken_) return;
  try {
    mismatch_.compare();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void RankGroup::release(RowTable& rows, bool in_use) {
  if (!plans_.open()) return;
  mismatch_.end();
  if (together() && program_.kept.put(places_, plans_, rows)) return;
  if (broken_) return;  // plans need it
  plans_.clear();
  if (!in_use) --program_.private_communicators;
}

}  // namespace quadrille::dropin
