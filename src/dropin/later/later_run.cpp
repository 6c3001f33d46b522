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

KeptBuffers::KeptBuffers(const Request& asked, const ExchangeCall& call) : request(asked), exchange_(call) {
  if (!call.in_place) keep(exchange_->in, in_);
  keep(exchange_->out, out_);
}

void KeptBuffers::keep(ExchangeSide& side, KeptSide& copies) {
  for (int i = 0; i < side.blocks; ++i) {
    copies.partners.push_back(side.partner(i));
    copies.counts.push_back(side.count(i));
    if (side.places.there()) copies.places.push_back(side.places[i]);
    if (side.types != nullptr) copies.types.push_back(side.nothing(i) ? MPI_BYTE : kept(side.types[i]));
  }
  side.partners = copies.partners.data();
  side.counts = copies.counts.data();
  if (side.places.there()) side.places = copies.places.data();
  if (side.types != nullptr)
    side.types = copies.types.data();
  else
    side.type = kept(side.type);
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
  const Packer packer{plan_->home->peers.comm(), plan_->home->peers.rank()};
  running_ = true;
  if (what.exchange() != nullptr) {
    exchange_ends_.emplace(plan_->spec, packer, *what.exchange(), staging_);
    return start(exchange_ends_->in(), exchange_ends_->out());
  }
  here_ = what.buffers();
  here_.packer = packer;
  if (combines(what.request.operation)) plan_->combine_by(here_.by);
  ends_.emplace(what.request, here_, staging_);
  start(ends_->in(), ends_->out());
}

void LaterRun::start(const void* in, void* out) {
  const program::Bases bases = plan_->bases(in, out);
  plan_->place_own(in, out);
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
  if (ends_)
    ends_->finish();
  else
    exchange_ends_->finish();
  ends_.reset();
  exchange_ends_.reset();
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
