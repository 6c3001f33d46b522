#include "mpi/door.hpp"

#include <fmt/format.h>

#include <array>

#include "mpi/peers.hpp"
#include "quadrille/mpi.hpp"

namespace quadrille::mpi {

namespace {

class World final : public Door {
 public:
  World() {
    int started = 0;
    MPI_Initialized(&started);
    if (started == 0) MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    library_ = first_words({text.data(), static_cast<std::size_t>(length)});
  }
  ~World() override { MPI_Finalize(); }

  Rank rank() const override { return rank_; }
  Rank ranks() const override { return ranks_; }
  std::string_view library() const override { return library_; }
  void agree(const std::function<std::string()>& prepare) override { Peers(MPI_COMM_WORLD).agree(prepare); }
  RunResult run(const Spec& spec, const Schedule& schedule, const RunOptions& options, Bytes segment) override {
    try {
      const communicator all(MPI_COMM_WORLD,
                             {.topology = spec.topology->text(), .segment = segment, .memory = options.memory});
      return all.run(spec, schedule, options);
    } catch (const MpiError& error) {
      last_words(fmt::format("quadrille: rank {}: {}\n", rank_, error.what()));
      MPI_Abort(MPI_COMM_WORLD, 1);
      throw;
    }
  }

 private:
  /// "Open MPI v4.1.4, package: ...", "MPICH Version:\t4.0.2\nMPICH Release ..."
  static std::string first_words(std::string_view text) {
    std::string words;
    for (const char c : text.substr(0, text.find_first_of(",\n"))) words += c == '\t' ? ' ' : c;
    return words;
  }

  int rank_ = 0, ranks_ = 1;
  std::string library_;
};

}  // namespace

}  // namespace quadrille::mpi

extern "C" quadrille::mpi::Door* quadrille_mpi_open_door(const char* version) {
  if (std::string_view(version) != QUADRILLE_VERSION) return nullptr;
  return new quadrille::mpi::World;
}
