#include "mpi/mpi_library.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "mpi/job.hpp"
#include "mpi/native_call.hpp"
#include "mpi/peers.hpp"
#include "quadrille/mpi.hpp"
#include "quadrille/version.hpp"

namespace quadrille::mpi {

namespace {

class StartedMpi final : public MpiLibrary {
 public:
  StartedMpi() {
    int started = 0;
    MPI_Initialized(&started);
    if (started == 0) MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    name_ = library_name();
    peers_ = std::make_unique<Peers>(MPI_COMM_WORLD);
    opened_ = MPI_Wtime();
  }
  ~StartedMpi() override {
    network_.reset();
    peers_.reset();
    MPI_Finalize();
  }

  Rank rank() const override { return rank_; }
  Rank ranks() const override { return ranks_; }
  std::string_view name() const override { return name_; }
  void agree(const std::function<std::string()>& prepare) override { peers_->agree(prepare); }
  Seconds elapsed() override {
    std::vector<Seconds> most{MPI_Wtime() - opened_};
    guarded([&] { peers_->reduce_to_all(most, MPI_MAX); });
    return most.front();
  }
  std::vector<std::string> hosts() override {
    std::vector<std::string> all;
    guarded([&] { all = hosts_of_ranks(*peers_); });
    return all;
  }
  std::string from_first(std::string text) override {
    guarded([&] { text = peers_->broadcast(std::move(text), 0); });
    return text;
  }
  RunResult run(const Spec& spec, const Schedule& schedule, const RunOptions& options, Bytes segment) override {
    RunResult result;
    guarded([&] { result = on(spec.topology->text(), segment, options.memory).run(spec, schedule, options); });
    return result;
  }
  Seconds time_native(Collective collective, Bytes block, const Settings& settings, Seconds enough) override {
    Seconds time = 0;
    guarded([&] { time = mpi::time_native(*peers_, {collective, block, settings, enough}, RunOptions{}.memory); });
    return time;
  }

 private:
  /// What MPI reports on one rank cannot be agreed on: it ends all.
  void guarded(const std::function<void()>& work) const {
    try {
      work();
    } catch (const MpiError& error) {
      last_words(fmt::format("quadrille: rank {}: {}\n", rank_, error.what()));
      MPI_Abort(MPI_COMM_WORLD, 1);
      throw;
    }
  }
  /// The communicator of the last run, if it was for the same: to make one takes longer than many a run.
  const communicator& on(const std::string& topology, Bytes segment, Bytes memory) {
    const auto wanted = std::tuple(topology, segment, memory);
    if (!network_ || network_is_ != wanted) {
      network_.reset();
      network_.emplace(MPI_COMM_WORLD, mpi::options{.topology = topology,
                                                    .machine = "localhost",  // of no account: schedules are given
                                                    .segment = segment,
                                                    .memory = memory});
      network_is_ = wanted;
    }
    return *network_;
  }

  int rank_ = 0, ranks_ = 1;
  std::string name_;
  std::unique_ptr<Peers> peers_;
  double opened_ = 0;
  std::optional<communicator> network_;
  std::tuple<std::string, Bytes, Bytes> network_is_;
};

}  // namespace

}  // namespace quadrille::mpi

extern "C" quadrille::mpi::MpiLibrary* quadrille_mpi_open(const char* version) {
  if (std::string_view(version) != QUADRILLE_VERSION) return nullptr;
  return new quadrille::mpi::StartedMpi;
}
