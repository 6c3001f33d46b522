#include "lab.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "state.hpp"
#include "system.hpp"

namespace quadrille::lab {

namespace {

/// Held by whoever makes, changes or removes a lab; given back when the process ends, however it ends.
class Lock {
 public:
  explicit Lock(const std::filesystem::path& folder)
      : file_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) != 0) {
      const bool busy = file_ >= 0 && errno == EWOULDBLOCK;
      const std::string why = busy ? "another quadrille-lab is at work on it" : std::strerror(errno);
      if (file_ >= 0) close(file_);
      throw Error(Error::Kind::illegal, fmt::format("lab {}: {}", base::quoted(folder.string(), 200), why));
    }
  }
  ~Lock() { close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

std::vector<std::string> own_namespaces(const std::string& prefix) {
  std::vector<std::string> own = namespaces();
  std::erase_if(own, [&](const std::string& name) { return !name.starts_with(prefix); });
  return own;
}

std::vector<std::string> remove_namespaces(const std::string& prefix) {
  const std::vector<std::string> own = own_namespaces(prefix);
  end_processes(own);
  std::string batch;
  for (const std::string& name : own) batch += fmt::format("netns del {}\n", name);
  if (!batch.empty()) run({"ip", "-batch", "-"}, batch);
  return own;
}

void make(const Blueprint& blueprint) {
  run({"ip", "-batch", "-"}, namespaces_batch(blueprint));
  for (const Node& node : blueprint.nodes) write_settings(node.name, kernel_settings(blueprint.options));
  run({"ip", "-batch", "-"}, wires_batch(blueprint));
  for (int i = 0; i < blueprint.wiring.nodes(); ++i) {
    const std::string& name = blueprint.nodes[static_cast<std::size_t>(i)].name;
    run({"ip", "-netns", name, "-batch", "-"}, inside_batch(blueprint, i));
    const std::string shaping = shaping_batch(blueprint, i);
    if (!shaping.empty()) run({"tc", "-netns", name, "-batch", "-"}, shaping);
  }
}

[[noreturn]] void not_up(const std::filesystem::path& folder) {
  throw Error(Error::Kind::illegal,
              fmt::format("no lab in {}; 'quadrille-lab up ring:8' makes one", base::quoted(folder.string(), 200)));
}

void refuse_leftovers(const Lab& lab) {
  const std::vector<std::string> left = own_namespaces(lab.prefix);
  if (!left.empty())
    throw Error(Error::Kind::illegal,
                fmt::format("{} namespaces of an earlier lab in {} are left; 'quadrille-lab down' "
                            "removes them",
                            left.size(), base::quoted(lab.folder.string(), 200)));
}

}  // namespace

Lab up(const std::filesystem::path& folder, const Wiring& wiring, const Options& options) {
  std::filesystem::create_directories(folder);
  const Lock lock(folder);
  if (const auto old = find(folder))
    throw Error(Error::Kind::illegal, fmt::format("a lab {} in {} already: {}; 'quadrille-lab down' removes it",
                                                  old->finished ? "is" : "was left unfinished",
                                                  base::quoted(folder.string(), 200), old->blueprint.wiring.text));
  Lab lab{.folder = folder, .prefix = prefix_of(folder), .finished = false, .blueprint = {}};
  refuse_leftovers(lab);
  lab.blueprint = draw(wiring, options, lab.prefix);
  try {
    save(lab);
    write_files(lab);
    make(lab.blueprint);
    lab.finished = true;
    save(lab);
  } catch (...) {
    cleaning_up();
    remove_namespaces(lab.prefix);
    remove_files(folder);
    throw;
  }
  return lab;
}

std::vector<std::string> down(const std::filesystem::path& folder) {
  const std::string prefix = prefix_of(folder);
  const bool files = std::filesystem::exists(folder / "lab.json");
  if (!files && own_namespaces(prefix).empty()) not_up(folder);
  cleaning_up();
  std::filesystem::create_directories(folder);
  const Lock lock(folder);
  std::vector<std::string> removed = remove_namespaces(prefix);
  remove_files(folder);
  return removed;
}

Lab open(const std::filesystem::path& folder) {
  std::optional<Lab> lab = find(folder);
  if (!lab) not_up(folder);
  if (!lab->finished)
    throw Error(Error::Kind::illegal, fmt::format("the lab in {} is unfinished; 'quadrille-lab down' removes it",
                                                  base::quoted(folder.string(), 200)));
  return std::move(*lab);
}

void set_rate(Lab& lab, int a, int b, Rate rate) {
  const Lock lock(lab.folder);
  const Wiring& w = lab.blueprint.wiring;
  if (w.medium == Medium::bus)
    throw Error(Error::Kind::illegal, "a bus has one rate, that of all; take it down and up again with --rate");
  const auto wire = std::find_if(w.wires.begin(), w.wires.end(),
                                 [&](const Wire& x) { return std::minmax(x.a, x.b) == std::minmax(a, b); });
  if (wire == w.wires.end())
    throw Error(Error::Kind::argument, fmt::format("no wire joins {} and {}; 'quadrille-lab links' lists them",
                                                   node_label(w, a), node_label(w, b)));
  std::vector<Rate> rates = lab.blueprint.rates;
  rates[static_cast<std::size_t>(wire - w.wires.begin())] = rate;
  lab.blueprint = draw(w, lab.blueprint.options, lab.prefix, rates);
  for (const int end : {a, b})
    run({"tc", "-netns", lab.blueprint.nodes[static_cast<std::size_t>(end)].name, "-batch", "-"},
        reshaping_batch(lab.blueprint, end));
  save(lab);
}

std::vector<Traffic> traffic(const Lab& lab) {
  std::vector<Traffic> links;
  const Wiring& w = lab.blueprint.wiring;
  for (int i = 0; i < w.nodes(); ++i) {
    const Node& node = lab.blueprint.nodes[static_cast<std::size_t>(i)];
    if (node.shapers.empty()) continue;
    const auto queues = nlohmann::json::parse(run({"tc", "-netns", node.name, "-s", "-j", "qdisc", "show"}));
    for (const Shaper& shaper : node.shapers)
      for (const auto& queue : queues) {
        if (queue.at("dev") != shaper.device || !queue.value("root", false)) continue;
        const auto port = std::find_if(node.ports.begin(), node.ports.end(),
                                       [&](const Port& p) { return p.device == shaper.device; });
        links.push_back(
            {port == node.ports.end() ? "the bus" : fmt::format("{}->{}", node_label(w, i), node_label(w, port->peer)),
             shaper.rate, queue.at("bytes"), queue.at("packets"), queue.at("drops"), queue.at("backlog")});
      }
  }
  return links;
}

}  // namespace quadrille::lab
