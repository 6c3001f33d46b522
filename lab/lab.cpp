#include "lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "state.hpp"
#include "system.hpp"

namespace quadrille::lab {

namespace {

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

/// "0->1", "s0->s1#2".
std::string link_name(const Wiring& w, int from, const Port& port) {
  const int which = w.wires[static_cast<std::size_t>(port.wire)].which;
  return fmt::format("{}->{}{}", node_label(w, from), node_label(w, port.peer),
                     which > 1 ? fmt::format("#{}", which) : "");
}

}  // namespace

Lab up(const std::filesystem::path& folder, const Wiring& wiring, const Options& options) {
  std::filesystem::create_directories(folder);
  const FolderLock lock(folder);
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
  const FolderLock lock(folder);
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
        const bool bus = port == node.ports.end();
        links.push_back({bus ? "the bus" : link_name(w, i, *port), shaper.rate, queue.at("bytes"), queue.at("packets"),
                         queue.at("drops"), queue.at("backlog"),
                         !bus && lab.blueprint.changes.failed.contains(port->wire)});
      }
  }
  return links;
}

}  // namespace quadrille::lab
