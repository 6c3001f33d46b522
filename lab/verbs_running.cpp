// exec, flags, mpirun, validate.
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "base/text.hpp"
#include "system.hpp"
#include "verbs.hpp"

namespace quadrille::lab {

namespace {

struct ExecRequest {
  Choice choice;
  std::string host;
};

void execute(const ExecRequest& request, const std::vector<std::string>& command) {
  if (command.empty()) throw Error(Error::Kind::argument, "exec: a command is missing");
  require_root();
  const Lab lab = open(request.choice.folder());
  run_on(lab, parse_node(lab.blueprint, request.host), command);
}

struct LaunchRequest {
  Choice choice;
  std::string mpi;
  Launch launch;
  double timeout = 0;
};

void launch(const LaunchRequest& request, const std::vector<std::string>& program, console::Context& context) {
  const Mpi mpi = parse_mpi(request.mpi);
  if (program.empty()) throw Error(Error::Kind::argument, "mpirun: a program is missing");
  if (request.launch.yields && !std::filesystem::exists(poll_library()))
    throw Error(Error::Kind::illegal, fmt::format("mpirun: {} is missing; --busy does without it", poll_library()));
  require_root();
  const Lab lab = open(request.choice.folder());
  context.end_progress();  // the terminal is the program's
  context.status = run_for(lab, request.timeout, mpi_command(lab, mpi, request.launch, program));
}

/// How fast links of a kind are where a machine's constants for one do not say it: "level1=2".
std::vector<std::string> speeds_of_kinds(const Blueprint& b) {
  const Wiring& w = b.wiring;
  const double base = b.options.rate > 0 ? static_cast<double>(b.options.rate) : w.stated;
  const std::vector<Rate> rates = usual_rates(w, b.options);
  std::vector<std::string> words;
  for (std::size_t kind = w.per_host > 1 ? 1 : 0; kind < w.kinds.size(); ++kind)
    for (std::size_t i = 0; i < w.wires.size(); ++i) {
      if (static_cast<std::size_t>(w.wires[i].kind) != kind) continue;
      const double speed = static_cast<double>(rates[i]) / static_cast<double>(w.wires[i].width) / base;
      if (std::abs(speed - 1) > 1e-6) words.push_back(fmt::format("{}={:.9g}", w.kinds[kind], speed));
      break;  // wires of a kind have one rate, width for width; and those between switches that of --trunk
    }
  return words;
}

/// The programs compare plans, native collectives and predictions; this starts the right one on what is up.
void validate(const LaunchRequest& request, const std::vector<std::string>& options, console::Context& context) {
  const Mpi mpi = parse_mpi(request.mpi);
  const std::string program =
      std::filesystem::path(own_program()).parent_path() / ("quadrille-validate-" + request.mpi);
  if (!std::filesystem::exists(program))
    throw Error(Error::Kind::illegal,
                fmt::format("validate: {} is missing; it is built where the library for this MPI is", program));
  require_root();
  const Lab lab = open(request.choice.folder());
  std::vector<std::string> command{program, lab.blueprint.wiring.topology};
  if (lab.blueprint.wiring.medium == Medium::wires)
    for (const std::string& speed : speeds_of_kinds(lab.blueprint)) command.insert(command.end(), {"--speed", speed});
  command.insert(command.end(), options.begin(), options.end());
  if (isatty(STDERR_FILENO) != 0) command.push_back("--progress");
  context.end_progress();  // the terminal is the program's
  context.status = run_for(lab, request.timeout, mpi_command(lab, mpi, request.launch, command));
}

void flags(const LaunchRequest& request, console::Context& context) {
  const Mpi mpi = parse_mpi(request.mpi);
  require_root();
  context.print("{}\n", base::join(mpi_flags(open(request.choice.folder()), mpi, request.launch.eager), " "));
}

}  // namespace

void add_running_verbs(CLI::App& app, console::Context& context) {
  auto executing = std::make_shared<ExecRequest>();
  CLI::App& exec_command = *app.add_subcommand("exec", "Run a program on a host");
  exec_command.footer("\nExamples:\n  quadrille-lab exec 0 ip route\n  quadrille-lab exec 3 bash");
  exec_command.add_option("HOST", executing->host, "A host, or a switch: 3, s0; then the program")->required();
  exec_command.prefix_command();
  add_choice(exec_command, executing->choice);
  exec_command.callback([executing, &exec_command] { execute(*executing, exec_command.remaining()); });

  auto asking = std::make_shared<LaunchRequest>();
  CLI::App& flags_command = *app.add_subcommand("flags", "Options by which an MPI's mpirun uses the network");
  flags_command.footer(
      "\nExample:\n  quadrille-lab exec 0 mpirun.openmpi $(quadrille-lab flags openmpi) -np 8 ./program");
  flags_command.add_option("MPI", asking->mpi, "openmpi or mpich")->required();
  flags_command.add_flag("--eager", asking->launch.eager, "Large messages without a handshake, too");
  add_choice(flags_command, asking->choice);
  flags_command.callback([asking, &context] { flags(*asking, context); });

  auto launching = std::make_shared<LaunchRequest>();
  CLI::App& mpirun_command = *app.add_subcommand("mpirun", "Run an MPI program, ranks in the order of hosts");
  mpirun_command.footer(
      "\nExamples:\n  quadrille-lab mpirun openmpi ./program\n  quadrille-lab mpirun mpich -n 4 --timeout 60 ./program "
      "argument\n  quadrille-lab mpirun openmpi --preload ./libquadrille-openmpi.so -x QUADRILLE=on ./program");
  mpirun_command.add_option("MPI", launching->mpi, "openmpi or mpich; then options, then the program")->required();
  mpirun_command.add_option("-n", launching->launch.ranks, "Ranks (default: as many as the hosts have)");
  mpirun_command.add_option("-x", launching->launch.environment, "NAME=VALUE for every rank; again for more")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  mpirun_command.add_option("--preload", launching->launch.preload, "A library for LD_PRELOAD; again for more")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  mpirun_command.add_flag("--eager", launching->launch.eager, "Large messages without a handshake, too");
  mpirun_command.add_flag("!--busy", launching->launch.yields, "Let ranks without work poll instead of sleep");
  mpirun_command.add_option("--timeout", launching->timeout,
                            "Seconds after which all processes of the lab are ended, with status 124 (default: none)");
  mpirun_command.prefix_command();
  add_choice(mpirun_command, launching->choice);
  mpirun_command.callback(
      [launching, &mpirun_command, &context] { launch(*launching, mpirun_command.remaining(), context); });

  auto validating = std::make_shared<LaunchRequest>();
  CLI::App& validate_command =
      *app.add_subcommand("validate", "Predicted and measured, plans and an MPI's own collectives, side by side");
  validate_command.footer(
      "\nThe program's own options follow two dashes; see quadrille-validate-openmpi --help.\n\nExample:\n"
      "  quadrille-lab validate openmpi -- --sizes 16KiB,64KiB --csv ring.csv");
  validate_command.add_option("MPI", validating->mpi, "openmpi or mpich")->required();
  validate_command.add_flag("--eager", validating->launch.eager, "Large messages without a handshake, too");
  validate_command.add_option(
      "--timeout", validating->timeout,
      "Seconds after which all processes of the lab are ended, with status 124 (default: none)");
  validate_command.prefix_command();
  add_choice(validate_command, validating->choice);
  validate_command.callback(
      [validating, &validate_command, &context] { validate(*validating, validate_command.remaining(), context); });
}

}  // namespace quadrille::lab
