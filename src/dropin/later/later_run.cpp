#include "dropin/later/later_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dropin/later/kept_handles.hpp"

namespace quadrille::dropin {

namespace {

/// Types of MPI's own stay.
bool is_named(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS ||
         combiner == MPI_COMBINER_NAMED;
}

}  // namespace

KeptBuffers::KeptBuffers(const Request& asked, const Buffers& buffers) : request(asked), buffers_(buffers) {
  const auto keep = [&](Numbers& numbers, std::vector<Bytes>& copy) {
    if (!numbers.there()) return;
    for (int r = 0; r < buffers.ranks; ++r) copy.push_back(numbers[r]);
    numbers = copy.data();
  };
  keep(buffers_.counts, counts_);
  keep(buffers_.displaces, displaces_);
  if (combines(request.operation)) {
    keep_operator();
    return;
  }
  if (!buffers_.in_place) buffers_.in.type = kept(buffers_.in.type);  // else it means nothing
  buffers_.out.type = kept(buffers_.out.type);
}

KeptBuffers::~KeptBuffers() {
  int finalized = 0;
  PMPI_Finalized(&finalized);
  if (finalized != 0) return;
  for (MPI_Datatype& type : types_) PMPI_Type_free(&type);
  if (own_.op != MPI_OP_NULL) KeptHandles<Operators>::get().release(own_.op);
  if (own_.type != MPI_DATATYPE_NULL) KeptHandles<Types>::get().release(own_.type);
}

/// MPI's own operators take types of MPI's own alone.
void KeptBuffers::keep_operator() {
  if (!request.by.user) return;
  own_.op = buffers_.by.op;
  KeptHandles<Operators>::get().keep(own_.op);
  if (is_named(buffers_.by.type)) return;
  own_.type = buffers_.by.type;
  KeptHandles<Types>::get().keep(own_.type);
}

MPI_Datatype KeptBuffers::kept(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL || is_named(type)) return type;
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  mpi::check(PMPI_Type_dup(type, &copy), "keeping a datatype");
  types_.push_back(copy);
  return copy;
}

LaterRun::LaterRun(std::unique_ptr<mpi::plan_handle::state> plan, std::shared_ptr<LaterRow> row,
                   std::shared_ptr<ErrorHome> errors, bool frees)
    : plan_(std::move(plan)), row_(std::move(row)), errors_(std::move(errors)), frees_(frees) {}

void LaterRun::begin() {
  const KeptBuffers& what = *calls_.front().what;
  here_ = what.buffers();
  here_.packer = {plan_->home->peers.comm(), plan_->home->peers.rank()};
  if (combines(what.request.operation)) plan_->combine_by(here_.by);
  running_ = true;
  ends_.emplace(what.request, here_, staging_);
  const program::Bases bases = plan_->bases(ends_->in(), ends_->out());
  plan_->place_own(ends_->in(), ends_->out());
  plan_->execution.start(bases);
}

bool LaterRun::advance(Ticks waited) {
  while (!calls_.empty()) {
    if (!running_) begin();
    if (!plan_->execution.advance()) return false;
    finish(waited);
  }
  return true;
}

void LaterRun::finish(Ticks waited) {
  ends_->finish();
  ends_.reset();
  running_ = false;
  if (frees_) staging_ = {};
  const Call call = std::move(calls_.front());
  calls_.pop_front();
  row_->ended(since(call.begin), seconds_of(std::max<Ticks>(waited - call.waited, 0)));
  tell(call, true);
}

/// A message of no bytes ends the request as it should be, one of a byte too many with an error.
void LaterRun::tell(const Call& call, bool good) const {
  const char none = 0;
  PMPI_Send(&none, good ? 0 : 1, MPI_BYTE, 0, call.tag, call.marks);
}

void LaterRun::fail(const char* what) {
  failed_ = true;
  errors_->broken = true;
  mpi::last_words(fmt::format("quadrille: rank {}: {}\n", errors_->rank, what));
  if (errors_->comm != MPI_COMM_NULL) PMPI_Comm_call_errhandler(errors_->comm, MPI_ERR_OTHER);
  for (const Call& call : calls_) tell(call, false);
  calls_.clear();
}

}  // namespace quadrille::dropin
