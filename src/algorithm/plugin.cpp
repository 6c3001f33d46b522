#include "quadrille/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "algorithm/additions.hpp"
#include "base/text.hpp"
#include "topology/additions.hpp"

namespace quadrille {

namespace {

[[noreturn]] void refuse(Error::Kind kind, const std::string& path, const std::string& why) {
  throw Error(kind, fmt::format("plug-in {}: {}", base::quoted(path), why));
}

template <class Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

void check_algorithms(const Plugin& plugin, const std::string& path) {
  for (const Algorithm& a : plugin.algorithms) {
    const std::string name(a.name);
    const std::string prefix = std::string(to_string(a.collective)) + "_";
    const auto same = [&](const Algorithm& other) { return other.name == a.name; };
    if (!a.name.starts_with(prefix) || name.size() == prefix.size())
      refuse(Error::Kind::illegal, path,
             fmt::format("algorithm {}: expected a name that begins with {}", base::quoted(name), prefix));
    if (std::any_of(algorithms().begin(), algorithms().end(), same) ||
        std::count_if(plugin.algorithms.begin(), plugin.algorithms.end(), same) > 1)
      refuse(Error::Kind::illegal, path, fmt::format("algorithm {}: the name is taken", base::quoted(name)));
    if (a.claims == nullptr || a.illegal == nullptr || a.variants == nullptr || a.cost == nullptr || a.build == nullptr)
      refuse(Error::Kind::illegal, path,
             fmt::format("algorithm {}: expected claims, illegal, variants, cost and build", base::quoted(name)));
  }
}

void check_families(const Plugin& plugin, const std::string& path) {
  for (const TopologyFamily& family : plugin.families) {
    const auto same = [&](const TopologyFamily& other) { return other.name == family.name; };
    if (find_topology_family(family.name) != nullptr ||
        std::count_if(plugin.families.begin(), plugin.families.end(), same) > 1)
      refuse(Error::Kind::illegal, path, fmt::format("topology {}: the name is taken", base::quoted(family.name)));
    if (family.name.empty() || family.make == nullptr || !family.form.starts_with(family.name))
      refuse(
          Error::Kind::illegal, path,
          fmt::format("topology {}: expected make, and a form that begins with the name", base::quoted(family.name)));
  }
}

}  // namespace

void load_plugin(const std::string& path) {
  std::error_code failed;
  const std::string file = std::filesystem::absolute(path, failed).string();  // else the loader looks elsewhere
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(Error::Kind::argument, path, fmt::format("expected a shared library: {}", dlerror()));
  auto* const version = function_of<const char*()>(library, "quadrille_plugin_version");
  auto* const describe = function_of<void(Plugin*)>(library, "quadrille_plugin");
  if (version == nullptr || describe == nullptr)
    refuse(Error::Kind::argument, path, "it has no QUADRILLE_PLUGIN(...), see quadrille/plugin.hpp");
  if (std::string_view(version()) != QUADRILLE_VERSION)
    refuse(Error::Kind::illegal, path,
           fmt::format("it was made for Quadrille {}, and this is {}; compile it anew", version(), QUADRILLE_VERSION));
  Plugin plugin;
  describe(&plugin);
  check_algorithms(plugin, path);
  check_families(plugin, path);
  static std::deque<std::string> paths;
  for (Algorithm& a : plugin.algorithms) {
    a.file = paths.emplace_back(path);
    algorithm::add_to_registry(std::move(a));
  }
  for (const TopologyFamily& family : plugin.families) topology::add_family(family);
}

}  // namespace quadrille
