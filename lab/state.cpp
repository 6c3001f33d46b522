#include "state.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "files/file.hpp"
#include "system.hpp"

namespace quadrille::lab {

namespace {

constexpr int version = 2;
const std::filesystem::path all_labs = "/run/quadrille-lab";

Lab parse(const std::filesystem::path& folder, std::istream& file) {
  const nlohmann::json state = nlohmann::json::parse(file);
  if (state.at("version") != version) throw Error(Error::Kind::format, "another version wrote it");
  Options options;
  options.rate = state.at("rate");
  options.trunk = state.at("trunk");
  options.mtu = state.at("mtu");
  options.fifo = state.at("fifo");
  options.congestion = state.at("congestion");
  options.kinds = state.at("kinds");
  Changes changes{.rates = state.at("rates"),
                  .failed = state.at("failed"),
                  .avoided = state.at("avoided"),
                  .sources = state.at("sources")};
  Lab lab{.folder = folder, .prefix = state.at("prefix"), .finished = state.at("finished"), .blueprint = {}};
  const Wiring wiring = parse_wiring(state.at("network").get<std::string>());
  if (changes.rates.size() != wiring.wires.size()) throw Error(Error::Kind::format, "rates and wires differ in number");
  lab.blueprint = draw(wiring, options, lab.prefix, std::move(changes));
  return lab;
}

}  // namespace

std::filesystem::path folder_of(const std::string& name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  if (name.empty() || name.size() > 40 || name.find_first_not_of(allowed) != std::string::npos)
    throw Error(Error::Kind::argument,
                fmt::format("lab name {}: expected up to 40 letters, digits, '-' and '_'", base::quoted(name)));
  return all_labs / name;
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(all_labs, none))
    if (std::filesystem::exists(entry.path() / "lab.json")) found.push_back(entry.path().filename());
  std::sort(found.begin(), found.end());
  return found;
}

std::string prefix_of(const std::filesystem::path& folder) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : std::filesystem::weakly_canonical(folder).string())
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return fmt::format("qlab-{:08x}-", hash);
}

FolderLock::FolderLock(const std::filesystem::path& folder)
    : file_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  const bool busy = file_ >= 0 && errno == EWOULDBLOCK;
  const std::string why = busy ? "another quadrille-lab is at work on it" : std::strerror(errno);
  if (file_ >= 0) close(file_);
  throw Error(Error::Kind::illegal, fmt::format("lab {}: {}", base::quoted(folder.string(), 200), why));
}

FolderLock::~FolderLock() { close(file_); }

void save(const Lab& lab) {
  const Blueprint& b = lab.blueprint;
  nlohmann::ordered_json state{
      {"version", version},           {"network", b.wiring.text},    {"prefix", lab.prefix},
      {"finished", lab.finished},     {"rate", b.options.rate},      {"trunk", b.options.trunk},
      {"mtu", b.options.mtu},         {"fifo", b.options.fifo},      {"congestion", b.options.congestion},
      {"kinds", b.options.kinds},     {"rates", b.changes.rates},    {"failed", b.changes.failed},
      {"avoided", b.changes.avoided}, {"sources", b.changes.sources}};
  files::write_file(lab.folder / "lab.json", state.dump() + "\n");
  files::write_file(lab.topology_file(), b.wiring.topology + "\n");
}

void write_files(const Lab& lab) {
  std::string hosts, names = "127.0.0.1 localhost\n";
  for (int host = 0; host < lab.blueprint.wiring.hosts; ++host) {
    const std::string& name = lab.blueprint.nodes[static_cast<std::size_t>(host)].name;
    // Each MPI has a word of its own for how many ranks a host has; both take as many lines.
    for (int rank = 0; rank < lab.blueprint.wiring.per_host; ++rank) hosts += name + "\n";
    names += fmt::format("{} {}\n", address(host), name);
  }
  files::write_file(lab.hosts_file(), hosts);
  files::write_file(lab.names_file(), names);
  std::filesystem::create_symlink(own_program(), lab.rsh());
}

void remove_files(const std::filesystem::path& folder) {
  for (const char* name : {"hosts", "names", "topology", "rsh", "lab.json", "lock"})
    std::filesystem::remove(folder / name);
  std::error_code not_empty;
  std::filesystem::remove(folder, not_empty);
  if (folder.parent_path() == all_labs) std::filesystem::remove(all_labs, not_empty);
}

std::optional<Lab> find(const std::filesystem::path& folder) {
  std::ifstream file(folder / "lab.json");
  if (!file) return std::nullopt;
  try {
    return parse(folder, file);
  } catch (const std::exception& error) {
    throw Error(Error::Kind::format, fmt::format("{}: {}; 'quadrille-lab down' removes it",
                                                 base::quoted((folder / "lab.json").string(), 200), error.what()));
  }
}

}  // namespace quadrille::lab
