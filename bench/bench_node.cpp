// Collectives on one node: ranks as threads beside ranks as processes of Open MPI and of MPICH, each in turns, and
// beside memcpy of what must be moved by as many threads as there are cores (bench_reduce has the least work of
// reductions). All times are medians of loops of many calls, divided by their number; a reduction's size is that of the
// whole vector, of doubles. Usage: bench_node [TURNS [RANKS...]]   (3 turns; 2, 4 and 8 ranks) The MPIs' own
// collectives are timed by bench_dropin_<mpi>, which is next to this program, without the drop-in. bench_node --check:
// 64 bytes between 2 ranks once, to see that it works.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/text.hpp"
#include "threads.hpp"

namespace {

using namespace quadrille;
using namespace quadrille::bench;

std::vector<Bytes> sizes{Bytes{64}, Bytes{16} << 10, Bytes{64} << 10, Bytes{256} << 10, Bytes{1} << 20, Bytes{4} << 20};
const std::vector<Collective> collectives{Collective::alltoall, Collective::allgather, Collective::allreduce,
                                          Collective::reduce_scatter};

struct Times {
  std::vector<Seconds> threads, copies;
  std::map<std::string, std::vector<Seconds>> mpi;
};
using Key = std::pair<std::string, Bytes>;  // collective, block

struct Mpi {
  std::string name, launcher;
  bool gives_way;  ///< ranks that wait let others have the core
};

/// Runs the MPI's own collectives in all sizes; nothing where this MPI is missing.
void time_mpi(const Mpi& mpi, Rank ranks, std::map<Key, Times>& all) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto program = folder / ("bench_dropin_" + mpi.name);
  if (!std::filesystem::exists(program)) return;
  const std::string csv = std::filesystem::temp_directory_path() / fmt::format("bench_node.{}.csv", getpid());
  std::string list;
  for (const Bytes b : sizes) list += fmt::format("{}{}", list.empty() ? "" : ",", b);
  const bool crowded = ranks > executor::usable_cores();
  const int row = crowded && !mpi.gives_way ? 3 : 100, rows = crowded && !mpi.gives_way ? 3 : 9;
  std::string names;
  for (const Collective c : collectives) names += fmt::format("{}{}", names.empty() ? "" : ",", to_string(c));
  const std::string command = fmt::format("{} -n {} {} -c {} -b 3 -r {} -t {} -s {} -o {} >/dev/null", mpi.launcher,
                                          ranks, program.string(), names, row, rows, list, csv);
  if (std::system(command.c_str()) != 0) fmt::print(stderr, "bench_node: {} failed\n", command);
  std::ifstream file(csv);
  for (std::string line; std::getline(file, line);) {  // collective,ranks,bytes,memory,native,answered,...
    const std::vector<std::string_view> words = base::split(line, ',');
    all[{std::string(words[0]), std::stoll(std::string(words[2]))}].mpi[mpi.name].push_back(
        std::stod(std::string(words[4])));
  }
  std::filesystem::remove(csv);
}

/// Reductions add doubles.
Spec sums(Collective collective, const std::string& network, Bytes bytes) {
  Spec spec = request(collective, network, bytes);
  if (!combines(spec)) return spec;
  spec.element = sizeof(double);
  if (collective == Collective::reduce_scatter) spec.bytes /= spec.ranks();
  return checked(std::move(spec));
}

void compare(Rank ranks, int turns) {
  const std::vector<Mpi> mpis{{"openmpi", "mpirun.openmpi --allow-run-as-root --oversubscribe", true},
                              {"mpich", "mpiexec.mpich", false}};
  std::map<Key, Times> all;
  std::map<Key, Candidate> best;
  const std::string network = fmt::format("crossbar:{}", ranks);
  for (int turn = 0; turn < turns; ++turn) {
    for (const Mpi& mpi : mpis) time_mpi(mpi, ranks, all);
    for (const Collective c : collectives)
      for (const Bytes bytes : sizes) {
        const Spec spec = sums(c, network, bytes);
        const Key key{std::string(to_string(c)), bytes};
        if (turn == 0) best[key] = best_candidate(spec, Bytes{1} << 30, true);
        Times& t = all[key];
        std::vector<Seconds> rows;
        for (int i = 0; i < 9; ++i)
          rows.push_back(
              run_threads(spec, *best[key].schedule, {.repetitions = 100, .check = i == 0, .barriers = false})
                  .in_a_row);
        t.threads.push_back(median(rows));
        if (combines(spec)) continue;
        const PlainCopies plain(spec);
        std::vector<Seconds> copies;
        for (int i = 0; i < 21; ++i) copies.push_back(plain.time(std::min<Rank>(ranks, executor::usable_cores())));
        t.copies.push_back(median(copies));
      }
  }
  for (const auto& [key, t] : all) {
    Seconds peer = std::numeric_limits<Seconds>::infinity();
    std::string columns;
    for (const Mpi& mpi : mpis) {
      const auto found = t.mpi.find(mpi.name);
      columns += fmt::format(" {:>10}", found == t.mpi.end() ? "-" : base::format_seconds(median(found->second)));
      if (found != t.mpi.end()) peer = std::min(peer, median(found->second));
    }
    const Seconds ours = median(t.threads);
    const std::string copies = t.copies.empty() ? "-" : fmt::format("{:.0f} %", 100 * median(t.copies) / ours);
    fmt::print("{:<14} {:>5} {:>8} {} {:>10} {:>7} {:>8}  {}\n", key.first, ranks, base::format_bytes(key.second),
               columns, base::format_seconds(ours), base::format_ratio(peer / ours), copies, best[key].name);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const int turns = check ? 1 : argc > 1 ? std::atoi(argv[1]) : 3;
  std::vector<Rank> ranks;
  for (int i = 2; i < argc; ++i) ranks.push_back(std::atoll(argv[i]));
  if (check) sizes = {64}, ranks = {2};
  if (ranks.empty()) ranks = {2, 4, 8};
  fmt::print(
      "{} cores; ratio: the faster MPI's time over the threads'; memcpy: its time over the threads'\n"
      "{:<14} {:>5} {:>8}  {:>10} {:>10} {:>10} {:>7} {:>8}  {}\n",
      executor::usable_cores(), "collective", "ranks", "block", "Open MPI", "MPICH", "threads", "ratio", "memcpy",
      "algorithm");
  for (const Rank r : ranks) compare(r, std::max(turns, 1));
  return 0;
}
