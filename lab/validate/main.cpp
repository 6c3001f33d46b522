// The program `quadrille-validate-<mpi>`: what the planner predicts, beside what the network does, and the MPI's own
// collectives beside the plans. One process per rank of a network; quadrille-lab starts it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/text.hpp"
#include "console/status.hpp"
#include "files/file.hpp"
#include "validate/measure.hpp"

namespace {

using namespace quadrille;
using namespace quadrille::validate;

struct Request {
  std::string topology, machine = "machine.toml", csv = "validate.csv";
  std::vector<std::string> collectives{"bcast",  "allgather", "alltoall",  "scatter",
                                       "gather", "reduce",    "allreduce", "reduce_scatter"};
  std::vector<std::string> sizes{"1KiB", "16KiB", "64KiB", "256KiB"};
  std::string segment;
  std::vector<std::string> speeds;
  Limits limits;
  double budget = 600;
  bool resume = false, progress = false;
};

std::vector<Row> rows_before(const Request& request, const std::string& network) {
  std::vector<Row> rows;
  if (!request.resume) return rows;
  std::ifstream file(request.csv);
  std::string line;
  for (std::getline(file, line); std::getline(file, line);)
    if (Row row = parse_csv(line); row.network == network && row.mpi == mpi_name()) rows.push_back(std::move(row));
  return rows;
}

/// "Open MPI v4.1.4": what the library calls itself, up to the first comma or line end.
std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string name(text, static_cast<std::size_t>(length));
  name = name.substr(0, name.find_first_of(",\n"));
  for (char& c : name)
    if (c < 32 || c > 126) c = ' ';
  return name;
}

/// Constants of an earlier run that is resumed, or measured ones, which are then written down.
void prepare_machine(const Request& request, const Topology& topology, Bytes segment, int rank) {
  if (request.resume && std::filesystem::exists(request.machine)) return;
  const Samples samples = sample(MPI_COMM_WORLD, topology, segment, request.limits.repetitions);
  const std::vector<Samples::Point> inside =
      sample_inside(MPI_COMM_WORLD, topology, segment, request.limits.repetitions);
  if (rank == 0) {
    Speeds speeds;
    for (const std::string& text : request.speeds) speeds.push_back(parse_speed(text));
    Machine machine = fit(samples, fmt::format("{} with {}", topology.text(), mpi_name()));
    const Rank per_node = std::max<Rank>(topology.structure().per_node, 1);
    if (topology.structure().routed) machine = on_links(std::move(machine), topology, inside, speeds);
    MeasuredOn on{.transport = "mpi", .library = mpi_version(), .topology = topology.text(), .date = {}};
    on.ranks = topology.ranks(), on.hosts = on.ranks / per_node;
    files::write_file(request.machine, to_text(file_of(machine, on)));
    fmt::print("alpha {}, per hop {}, {:.4g} ns/B, burst {}, ports {}, {} duplex ({})\n",
               base::format_seconds(machine.alpha), base::format_seconds(machine.per_hop), machine.beta * 1e9,
               base::format_seconds(machine.burst), to_string(machine.ports), to_string(machine.duplex),
               request.machine);
    for (const LinkCost& cost : machine.links)
      fmt::print("  links of kind {}: {:.4g} ns/B{}\n", cost.kind, cost.beta * 1e9,
                 cost.alpha < 0 ? "" : ", alpha " + base::format_seconds(cost.alpha));
    for (const Sample& s : samples.all_ways)
      fmt::print("  all neighbours at once, {:>7}: {}\n", base::format_bytes(s.bytes), base::format_seconds(s.time));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void print_rows(const std::vector<Row>& rows) {
  fmt::print("\n{} of {}\n", rows.front().collective, base::format_bytes(rows.front().bytes));
  for (const Row& row : rows) {
    const std::string error = row.predicted > 0 ? fmt::format("{:+.0f} %", 100 * row.error()) : "";
    fmt::print("  {:<44} {:>10} {:>10} {:>7}  {:>6}{}\n", row.way,
               row.predicted > 0 ? base::format_seconds(row.predicted) : "", base::format_seconds(row.measured), error,
               base::format_ratio(rows.front().measured / row.measured), row.chosen ? "  chosen" : "");
  }
  std::fflush(stdout);
}

void print_summary(const std::vector<Row>& rows) {
  fmt::print("\n{:<14} {:>8} {:>11} {:>11} {:>7} {:>7}\n", "collective", "block", "native", "chosen", "ratio",
             "regret");
  for (const Cell& cell : cells(rows))
    fmt::print("{:<14} {:>8} {:>11} {:>11} {:>7} {:>7.2f}\n", cell.collective, base::format_bytes(cell.bytes),
               base::format_seconds(cell.native->measured), base::format_seconds(cell.choice->measured),
               base::format_ratio(cell.ratio()), cell.regret());
  const validate::Summary s = summarise(rows);
  fmt::print(
      "\nprediction error  median {:.1f} %, nine of ten within {:.1f} % ({} from 64 KiB, alltoall from 16 KiB)\n",
      100 * s.median_error, 100 * s.ninth_decile, s.predictions);
  fmt::print("native / chosen   {} in the mean, {} at least\n", base::format_ratio(s.mean_ratio),
             base::format_ratio(s.least_ratio));
  fmt::print("chosen / best     {:.3f} in the mean\n", s.mean_regret);
  std::fflush(stdout);
}

bool out_of_time(double begin, double budget) {
  int over = MPI_Wtime() - begin > budget ? 1 : 0;
  MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return over != 0;
}

void work(const Request& request, int rank) {
  const double begin = MPI_Wtime();
  const TopologyPtr topology = parse_topology(request.topology);
  if (rank == 0) {
    files::target_of(request.csv);
    files::check_writable(request.machine);
  }
  std::vector<Row> rows = rows_before(request, topology->text());
  MPI_Barrier(MPI_COMM_WORLD);  // all have read what rank 0 is about to extend
  const Bytes asked = request.segment.empty() ? -1 : base::parse_bytes(request.segment);
  const Bytes segment =
      mpi::communicator(MPI_COMM_WORLD, {.topology = request.topology, .machine = "localhost", .segment = asked})
          .segment();
  prepare_machine(request, *topology, segment, rank);
  const mpi::communicator network(MPI_COMM_WORLD,
                                  {.topology = request.topology, .machine = request.machine, .segment = segment});
  std::ofstream csv;
  if (rank == 0) {
    // Row by row, as a run of hours may be stopped and resumed: a file that is there is continued or emptied in place.
    csv.open(files::target_of(request.csv).path, request.resume ? std::ios::app : std::ios::trunc);
    if (csv.tellp() == 0) csv << csv_heading();
  }
  const std::size_t all = request.sizes.size() * request.collectives.size();
  std::size_t done = 0, left = 0;
  for (const std::string& name : request.collectives)
    for (const std::string& size : request.sizes) {
      const auto collective = find_collective(name);
      const std::vector<std::string> known = compared_collectives();
      if (!collective || std::find(known.begin(), known.end(), to_string(*collective)) == known.end())
        throw Error(Error::Kind::argument,
                    fmt::format("collective {}: expected one of {}", base::quoted(name), base::join(known, ", ")));
      const Bytes bytes = base::parse_bytes(size);
      ++done;
      if (std::any_of(rows.begin(), rows.end(),
                      [&](const Row& r) { return r.collective == to_string(*collective) && r.bytes == bytes; }))
        continue;
      if (out_of_time(begin, request.budget)) {
        ++left;
        continue;
      }
      if (rank == 0 && request.progress) {
        fmt::print(stderr, "\r\x1b[K{} of {}: {} of {}\r", done, all, name, size);
        std::fflush(stderr);
      }
      const std::vector<Row> fresh = compare(MPI_COMM_WORLD, network, *collective, bytes, request.limits);
      rows.insert(rows.end(), fresh.begin(), fresh.end());
      if (rank != 0) continue;
      print_rows(fresh);
      for (const Row& row : fresh) csv << to_csv(row);
      if (!csv.flush()) files::refuse_to_write(request.csv, errno);
    }
  if (rank != 0) return;
  print_summary(rows);
  if (left > 0) fmt::print("{} of {} requests left when {} s were over; --resume goes on\n", left, all, request.budget);
}

/// MPICH over TCP often does not come back from MPI_Finalize; its launcher does without it.
void leave() {
  MPI_Barrier(MPI_COMM_WORLD);
  std::fflush(nullptr);
  if (mpi_name() == "mpich") {
    usleep(200'000);
    _exit(0);
  }
  MPI_Finalize();
}

void declare(CLI::App& app, Request& request) {
  app.add_option("TOPOLOGY", request.topology, "The network; rank i is its rank i")->required();
  app.add_option("--collectives", request.collectives, "Which (default: all eight)")->delimiter(',');
  app.add_option("--sizes", request.sizes, "Bytes of a block, or of a vector (default: 1KiB,16KiB,64KiB,256KiB)")
      ->delimiter(',');
  app.add_option("--repeat", request.limits.repetitions,
                 "Turns that count (default: 5; four times as many below 5 ms)");
  app.add_option("--ways", request.limits.ways, "Algorithms to measure (default: 6)");
  app.add_option("--segment", request.segment,
                 "Plans send longer messages in pieces of this; 0: whole (default 14 KiB, below MPIs' handshakes)");
  app.add_option("--speed", request.speeds, "KIND=FACTOR: how fast links of a kind are, compared with others");
  app.add_option("--budget", request.budget, "Seconds after which nothing new is begun (default: 600)");
  app.add_option("--csv", request.csv, "File for every number (default: validate.csv)");
  app.add_option("--machine", request.machine, "File for the constants (default: machine.toml)");
  app.add_flag("--resume", request.resume, "Go on with what the two files hold");
  app.add_flag("--progress", request.progress, "One line on stderr about what is being done");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Predictions, plans and an MPI's own collectives side by side, on the network it runs on.",
               "quadrille-validate-" + mpi_name());
  Request request;
  declare(app, request);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? console::yes : console::bad;
  }
  MPI_Init(nullptr, nullptr);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    work(request, rank);
  } catch (const std::exception& error) {
    if (rank == 0) fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
    std::fflush(nullptr);
    const auto* const known = dynamic_cast<const Error*>(&error);
    MPI_Abort(MPI_COMM_WORLD, known ? console::status_of(known->kind()) : console::bad);
  }
  leave();
  return 0;
}
