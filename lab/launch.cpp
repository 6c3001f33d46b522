#include "launch.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/text.hpp"
#include "system.hpp"

namespace quadrille::lab {

namespace {

constexpr int timed_out = 124;                                  // as timeout(1)
constexpr std::string_view nap_variable = "QUADRILLE_LAB_NAP";  // as poll.cpp reads it

const std::string& namespace_of(const Lab& lab, int node) {
  return lab.blueprint.nodes[static_cast<std::size_t>(node)].name;
}

void append(std::vector<std::string>& words, std::initializer_list<std::string_view> more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::string preload_of(const Launch& launch) {
  std::vector<std::string> libraries = launch.preload;
  if (launch.yields) libraries.push_back(poll_library());
  return base::join(libraries, ":");
}

[[noreturn]] void become_and_run(const std::string& name, const std::string& names_file,
                                 const std::vector<std::string>& command) {
  become_host(name, names_file);
  replace_process(command);
}

}  // namespace

Mpi parse_mpi(std::string_view text) {
  if (text == "openmpi") return Mpi::openmpi;
  if (text == "mpich") return Mpi::mpich;
  base::unknown_name("MPI", text, "implementation", {"openmpi", "mpich"});
}

std::vector<std::string> mpi_flags(const Lab& lab, Mpi mpi, bool eager) {
  const int per_host = lab.blueprint.wiring.per_host;
  const std::string each = std::to_string(per_host);
  std::vector<std::string> words;
  if (mpi == Mpi::mpich) {
    append(words,
           {"-f", lab.hosts_file(), "-ppn", each, "-launcher", "ssh", "-launcher-exec", lab.rsh(), "-iface", "id0",
            "-genv", "UCX_TLS", per_host > 1 ? "tcp,self,sm" : "tcp,self", "-genv", "UCX_NET_DEVICES", "id0"});
    if (eager) append(words, {"-genv", "UCX_RNDV_THRESH", "inf"});
    return words;
  }
  append(words, {"--allow-run-as-root", "--hostfile", lab.hosts_file(), "--map-by", fmt::format("ppr:{}:node", each),
                 "--bind-to", "none"});
  if (per_host > 1) append(words, {"--rank-by", "slot"});
  const auto set = [&](std::string_view name, std::string_view value) { append(words, {"--mca", name, value}); };
  set("plm", "rsh");
  set("plm_rsh_agent", lab.rsh());
  set("plm_rsh_no_tree_spawn", "1");
  set("oob_tcp_if_include", all_addresses);
  set("pml", "ob1");
  set("btl", per_host > 1 ? "tcp,vader,self" : "tcp,self");
  set("btl_tcp_if_include", all_addresses);
  set("mpi_yield_when_idle", "1");
  if (eager)
    for (const char* limit : {"btl_tcp_eager_limit", "btl_tcp_max_send_size", "btl_tcp_rndv_eager_limit"})
      set(limit, "16777216");
  return words;
}

std::vector<std::string> mpi_command(const Lab& lab, Mpi mpi, const Launch& launch,
                                     const std::vector<std::string>& program) {
  const Wiring& w = lab.blueprint.wiring;
  const int ranks = launch.ranks == 0 ? w.ranks() : launch.ranks;
  if (ranks < 1 || ranks > w.ranks())
    throw Error(Error::Kind::argument, fmt::format("{} ranks on {} hosts; expected 1 to {}, {} a host", ranks, w.hosts,
                                                   w.ranks(), w.per_host == 1 ? "one" : std::to_string(w.per_host)));
  const std::string preload = preload_of(launch), count = std::to_string(ranks);
  std::vector<std::string> words{mpi == Mpi::openmpi ? "mpirun.openmpi" : "mpiexec.mpich"};
  for (std::string& word : mpi_flags(lab, mpi, launch.eager)) words.push_back(std::move(word));
  append(words, {mpi == Mpi::openmpi ? "-np" : "-n", count});
  std::vector<std::string> environment = launch.environment;
  // Ranks of a host talk through memory, and who sleeps does not look there.
  const bool nap_given = std::any_of(environment.begin(), environment.end(),
                                     [](const std::string& setting) { return setting.starts_with(nap_variable); });
  if (launch.yields && w.per_host > 1 && !nap_given) environment.push_back(fmt::format("{}=100", nap_variable));
  if (!preload.empty()) environment.push_back("LD_PRELOAD=" + preload);
  for (const std::string& setting : environment) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(Error::Kind::argument, fmt::format("environment {}: expected NAME=VALUE", base::quoted(setting)));
    if (mpi == Mpi::openmpi)
      append(words, {"-x", setting});
    else
      append(words, {"-genv", setting.substr(0, equals), setting.substr(equals + 1)});
  }
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

/// Beside the program, as it is built, or where libraries are installed.
std::string poll_library() {
  const std::filesystem::path folder = std::filesystem::path(own_program()).parent_path();
  const char* const name = "libquadrille-lab-poll.so";
  return std::filesystem::exists(folder / name) ? folder / name : folder / QUADRILLE_LIBRARIES / "quadrille" / name;
}

void run_on(const Lab& lab, int node, const std::vector<std::string>& command) {
  become_and_run(namespace_of(lab, node), lab.names_file(), command);
}

int run_for(const Lab& lab, double seconds, const std::vector<std::string>& command) {
  std::signal(SIGINT, SIG_IGN);  // the terminal sends it to the child as well, whose end is ours
  const pid_t child = fork();
  if (child < 0) throw Error(Error::Kind::transport, fmt::format("fork: {}", std::strerror(errno)));
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    try {
      become_and_run(namespace_of(lab, 0), lab.names_file(), command);
    } catch (const std::exception& error) {
      std::fputs(fmt::format("quadrille-lab: {}\n", error.what()).c_str(), stderr);
      _exit(2);
    }
  }
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  for (pid_t ended = 0; (ended = waitpid(child, &status, seconds > 0 ? WNOHANG : 0)) != child;) {
    if (seconds > 0 && Clock::now() > deadline) {
      std::vector<std::string> hosts;
      for (const Node& node : lab.blueprint.nodes) hosts.push_back(node.name);
      end_processes(hosts);
      waitpid(child, &status, 0);
      return timed_out;
    }
    if (ended == 0) usleep(20'000);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void serve_rsh(int argc, char** argv) {
  int i = 1;
  while (i < argc && argv[i][0] == '-') ++i;  // meant for ssh
  if (i + 1 >= argc) throw Error(Error::Kind::argument, "rsh: expected HOST COMMAND...");
  const std::filesystem::path folder = std::filesystem::absolute(argv[0]).parent_path();
  const Lab lab = open(folder);
  const int node = parse_node(lab.blueprint, argv[i]);
  std::string line;
  for (++i; i < argc; ++i) line += std::string(argv[i]) + " ";
  run_on(lab, node, {"sh", "-c", line});
}

}  // namespace quadrille::lab
