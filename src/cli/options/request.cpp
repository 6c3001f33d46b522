#include "cli/options/request.hpp"

#include <algorithm>
#include <filesystem>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "cli/options/network.hpp"
#include "collective/reduction.hpp"
#include "files/file.hpp"
#include "quadrille/demands.hpp"
#include "quadrille/sources.hpp"
#include "quadrille/verify.hpp"
#include "topology/graph/changes.hpp"

namespace quadrille::cli {

void add_assignments(CLI::App& command, MachineOptions& options) {
  command
      .add_option("--set", options.assignments,
                  "Change one constant of the machine, such as ports=one or alpha=2.5us; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->take_all();
}

void add_machine_options(CLI::App& command, MachineOptions& options) {
  options.name = default_machine;
  options.by_default = true;
  command
      .add_option(
          "--machine", options.name,
          fmt::format("A preset (see 'quadrille machine') or a TOML file; default {}: threads of one computer; {} "
                      "on networks with switches or several ranks a node",
                      default_machine, default_cluster))
      ->each([&options](const std::string&) { options.by_default = false; })
      ->type_name("NAME|FILE");
  add_assignments(command, options);
}

MachineFile read_file(const MachineOptions& options) {
  MachineFile file = load_machine_file(options.name);
  for (const std::string& assignment : options.assignments) set_parameter(file, assignment);
  check(file.machine);
  return file;
}

Machine read(const MachineOptions& options) { return read_file(options).machine; }

std::string name_of(const Machine& machine, bool by_default) {
  return by_default ? machine.name + " (default)" : machine.name;
}

namespace {

/// Words as the text of a question has them are the options of the same names.
void fold_words(const CLI::App& command, Request& request) {
  const auto is_size = [](const std::string& word) {
    return word.find('=') == std::string::npos && word.find_first_of("0123456789") == 0;
  };
  for (const std::string& word : request.words) {
    const auto equals = word.find('=');
    const std::string key = is_size(word) ? "bytes" : word.substr(0, equals);
    std::string* const value = key == "bytes"      ? &request.bytes
                               : key == "root"     ? &request.root
                               : key == "target"   ? &request.target
                               : key == "sources"  ? &request.sources
                               : key == "demands"  ? &request.demands
                               : key == "element"  ? &request.element
                               : key == "operands" ? &request.operands
                               : key == "bits"     ? &request.bits
                               : key == "counts"   ? &request.counts
                                                   : nullptr;
    const auto others = command.remaining();  // the word may be meant for one of these
    if (value == nullptr || (equals == std::string::npos && !is_size(word)))
      throw Error(
          Error::Kind::argument,
          !others.empty()
              ? fmt::format("the following argument was not expected: {}; see 'quadrille {} --help'", others.front(),
                            command.get_name())
              : fmt::format("{}: expected a size such as 64KiB, bytes=SIZE, root=RANK, target=RANK, sources=LIST, "
                            "demands=LIST, element=BYTES, operands=ordered, bits=any|canonical or counts=LIST",
                            base::quoted(word)));
    const auto same = [&](const std::string& o) { return is_size(o) ? key == "bytes" : o.starts_with(key + "="); };
    if (command.count("--" + key) > 0 || std::count_if(request.words.begin(), request.words.end(), same) > 1)
      throw Error(Error::Kind::argument, fmt::format("{}: {} is given twice", base::quoted(word), key));
    *value = word.substr(equals == std::string::npos ? 0 : equals + 1);
  }
  request.words.clear();
}

}  // namespace

void choose_machine(MachineOptions& options, const std::string& topology) {
  if (!options.by_default) return;
  try {
    // Links that failed, or the part that a job has, make no other machine of it.
    const std::size_t changes = topology::changes_at(topology);
    const bool switches = parse_topology(std::string(base::trimmed(topology.substr(0, changes))))->structure().routed;
    if (switches || topology.find('*', changes) != std::string::npos) options.name = default_cluster;
  } catch (const Error&) {  // said when the network is asked for
  }
}

void add_request(CLI::App& command, Request& request, Needs needs) {
  std::vector<std::string> names;
  for (const Collective c : collectives()) names.emplace_back(to_string(c));
  command.add_option("COLLECTIVE", request.collective, base::join(names, ", "))->required()->type_name("");
  command
      .add_option("TOPOLOGY", request.topology,
                  "hypercube:6, ring:12, ... (see 'quadrille topology'), or slurm: the nodes and ranks of the job")
      ->required()
      ->type_name("");
  command
      .add_option("SIZE", request.words,
                  "As in the text of a question: 64KiB, bytes=64KiB, root=RANK, target=RANK, sources=LIST, "
                  "demands=LIST, element=BYTES, "
                  "operands=ordered, bits=any, counts=LIST; the options of these names say the same")
      ->type_name("");
  command.parse_complete_callback([&command, &request] {
    fold_words(command, request);
    request.topology = network_named(request.topology);
    choose_machine(request.machine, request.topology);
  });
  command
      .add_option(
          "--bytes", request.bytes,
          "One block: what a rank has for one peer, or the whole message of sendrecv and bcast, or the whole vector of "
          "reduce, allreduce, scan and exscan; 32, 4KiB, 1.5MiB; default 1KiB")
      ->type_name("SIZE");
  command
      .add_option("--root", request.root,
                  "The rank that sends (sendrecv, bcast, scatter) or collects (gather, reduce); default 0")
      ->type_name("RANK");
  command
      .add_option("--target", request.target, "The rank that receives a sendrecv; default the farthest from the root")
      ->type_name("RANK");
  command
      .add_option(
          "--sources", request.sources,
          "Who sends in a multibcast: ranks such as 0,3,17, ranks with lengths such as 0:100,5:2KiB, or a pattern "
          "such as R(30), E(every=4), B(3x4@1,2); R, C, DR, DL, E, Cr, B of Hambrusch et al. 1995")
      ->type_name("LIST|PATTERN");
  command
      .add_option("--demands", request.demands,
                  "Who has how much for whom in an alltoallv: pairs such as 0-1:64KiB,2-0, a pattern such as "
                  "halo(4x4), shift(1), random(3), hot(0) or all with messages of --bytes, or a file with a line of "
                  "sizes for each rank")
      ->type_name("LIST|PATTERN|FILE");
  command
      .add_option("--element", request.element,
                  "Of a reduction: bytes that the operator takes as one, such as 8 for doubles; default 1")
      ->type_name("BYTES");
  command
      .add_option("--operands", request.operands,
                  "Of a reduction: commutative, or ordered for an operator whose operands must keep the order of ranks")
      ->type_name("KIND");
  command
      .add_option("--bits", request.bits,
                  "Of a reduction: same (on all ranks, also where the operator rounds; default), any, or canonical: "
                  "those of one "
                  "expression, whatever the algorithm and the root")
      ->type_name("WHICH");
  command
      .add_option("--counts", request.counts,
                  "Of a reduce_scatter: the length of every rank's block, such as 8,0,1KiB, where they differ")
      ->type_name("LIST");
  add_machine_options(command, request.machine);
  if (needs == Needs::no_algorithm) return;
  CLI::Option* algorithm =
      command
          .add_option("--algorithm", request.algorithm,
                      "Such as alltoall_mce or alltoall_mce:phases=3,3 (see 'quadrille algorithm'); a "
                      "parameter left out takes its best value. file:NAME is the schedule of a file that 'quadrille "
                      "export' or another tool wrote")
          ->type_name("NAME[:PARAM=V]");
  if (needs == Needs::algorithm) algorithm->required();
}

void add_budget(CLI::App& command, Request& request) {
  command
      .add_option(
          "--budget", request.budget,
          fmt::format("Work allowed, in visits to a rank in a round and to the data it sends there; default {}, "
                      "which is some seconds",
                      VerifyBudget{}.visits))
      ->type_name("VISITS");
}

std::int64_t read_budget(const Request& request, std::int64_t otherwise) {
  return request.budget.empty() ? otherwise : base::parse_integer(request.budget, 1, base::bit(62), "--budget");
}

Collective read_collective(const std::string& text) {
  if (const auto found = find_collective(text)) return *found;
  std::vector<std::string> known;
  for (const Collective c : collectives()) known.emplace_back(to_string(c));
  base::unknown_name("collective", text, "name", known);
}

DemandsPtr demands_named(const std::string& text, const Topology& topology, Bytes bytes) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 26;
  std::error_code ignored;
  if (text.find('/') == std::string::npos && !std::filesystem::is_regular_file(text, ignored))
    return parse_demands(text, topology, bytes);
  return read_demands(files::read_file(text, most_bytes, "demands"), topology.ranks());
}

namespace {

Rank read_rank(const std::string& text, const Topology& topology, std::string_view what) {
  return base::parse_integer(text, 0, topology.ranks() - 1, fmt::format("{} on {}", what, topology.text()));
}

/// checked(), with the largest size that would pass.
Spec within_limits(Spec spec, const std::string& bytes) {
  try {
    return checked(spec);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    const std::int64_t count = collective::traits(spec).copies(spec);
    throw Error(Error::Kind::argument,
                fmt::format("bytes {}: {} on {} would have 2^62 bytes or more in all; expected at most {} here",
                            base::quoted(bytes), to_string(spec.collective), spec.topology->text(),
                            (base::bit(62) - 1) / count));
  }
}

}  // namespace

std::vector<std::pair<std::string_view, const std::string*>> reduction_options(const Request& r) {
  return {{"element", &r.element}, {"operands", &r.operands}, {"bits", &r.bits}, {"counts", &r.counts}};
}

namespace {

/// Collectives of which a question may have this option.
std::vector<std::string> taking(std::string_view key) {
  std::vector<std::string> names;
  for (const Collective c : collectives()) {
    const std::vector<std::string_view> keys = collective::reduction_keys(collective::traits(c).facts());
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) names.emplace_back(to_string(c));
  }
  return names;
}

}  // namespace

Task read(const Request& request) {
  Spec spec{.collective = read_collective(request.collective), .topology = parse_topology(request.topology)};
  spec.bytes = base::parse_bytes(request.bytes, "bytes");
  if (collective::facts(spec).token && spec.bytes != 1 && request.bytes != Request().bytes)
    throw Error(Error::Kind::argument, fmt::format("--bytes: messages of a {} have no size to choose; leave it out",
                                                   to_string(spec.collective)));
  if (!request.root.empty()) {
    if (!has_root(spec.collective))
      throw Error(Error::Kind::argument,
                  fmt::format("--root: {} has no root; all ranks do the same", to_string(spec.collective)));
    spec.root = read_rank(request.root, *spec.topology, "root");
  }
  if (!request.target.empty()) {
    if (!collective::facts(spec).target)
      throw Error(Error::Kind::argument,
                  fmt::format("--target: only sendrecv has a target, not {}", to_string(spec.collective)));
    spec.target = read_rank(request.target, *spec.topology, "target");
  }
  if (!request.sources.empty()) {
    if (!collective::facts(spec).sources)
      throw Error(Error::Kind::argument,
                  fmt::format("--sources: only multibcast has sources, not {}", to_string(spec.collective)));
    spec.sources = parse_sources(request.sources, *spec.topology, spec.bytes);
  }
  if (!request.demands.empty()) {
    if (!collective::facts(spec).demands)
      throw Error(Error::Kind::argument,
                  fmt::format("--demands: only alltoallv has demands, not {}", to_string(spec.collective)));
    spec.demands = demands_named(request.demands, *spec.topology, spec.bytes);
  }
  const std::vector<std::string_view> known = collective::reduction_keys(collective::facts(spec));
  for (const auto& [key, value] : reduction_options(request)) {
    if (value->empty()) continue;
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Error(Error::Kind::argument, fmt::format("--{}: for {} only, not {}", key, base::join(taking(key), ", "),
                                                     to_string(spec.collective)));
    collective::read_reduction_word(key, *value, spec);
  }
  const Bytes asked = spec.bytes;
  Task task{.spec = within_limits(std::move(spec), request.bytes), .machine = {}};
  if (!request.counts.empty() && request.bytes != Request{}.bytes && task.spec.bytes != asked)
    throw Error(Error::Kind::argument,
                fmt::format("--bytes: --counts has the length of every block, at most {}; leave --bytes out",
                            base::format_bytes(task.spec.bytes)));
  task.file = read_file(request.machine);
  task.machine = task.file.machine;
  task.by_default = request.machine.by_default;
  task.algorithm = request.algorithm;
  return task;
}

}  // namespace quadrille::cli
