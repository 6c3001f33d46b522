#include "cli/options/page_link.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "collective/traits.hpp"
#include "files/file.hpp"
#include "quadrille/demands.hpp"

namespace quadrille::cli {

namespace {

constexpr std::int64_t longest_file = std::int64_t{1} << 18;

/// As encodeURIComponent of JavaScript, but for characters that read well and mean nothing behind a "#".
std::string link_encoded(std::string_view text) {
  constexpr std::string_view plain = "-_.!~*'():,/@=";
  std::string encoded;
  for (const char c : text) {
    const bool letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    encoded += letter || plain.find(c) < plain.size() ? std::string(1, c)
                                                      : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

/// The name of a file as it stands in the text of a network, read: %20 is a blank.
std::string file_of_network(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool code = text[i] == '%' && i + 2 < text.size();
    name += code ? static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16)) : text[i];
    if (code) i += 2;
  }
  return name;
}

/// The file's name without its folders, and its content for the link.
std::string kept(const std::string& path, std::string& files) {
  const std::string name = std::filesystem::path(path).filename().string();
  files += fmt::format("&file.{}={}", link_encoded(name),
                       link_encoded(files::read_file(path, longest_file, "file for --url")));
  return name;
}

std::string network_for_link(const std::string& topology, std::string& files) {
  constexpr std::string_view family = "graph:";
  if (!topology.starts_with(family)) return topology;
  const std::size_t end = std::min(topology.find_first_of("!@~*#:", family.size()), topology.size());
  const std::string path = file_of_network(std::string_view(topology).substr(family.size(), end - family.size()));
  const std::size_t folders = topology.rfind('/', end);
  kept(path, files);
  return std::string(family) + (folders < end ? topology.substr(folders + 1) : topology.substr(family.size()));
}

std::string machine_for_link(const std::string& name, std::string& files) {
  const std::vector<std::string> presets = machine_presets();
  return std::find(presets.begin(), presets.end(), name) < presets.end() ? name : kept(name, files);
}

/// A page has no files: what one says as a list.
std::string demands_for_link(const Request& r) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(r.demands, ignored)) return r.demands;
  const TopologyPtr topology = parse_topology(r.topology);
  return to_text(*demands_named(r.demands, *topology, 0), -1);
}

}  // namespace

std::string page_link(const Request& r, const std::vector<std::pair<std::string_view, std::string>>& more) {
  std::string files;
  std::string link = fmt::format("play.html#collective={}&topology={}", link_encoded(r.collective),
                                 link_encoded(network_for_link(r.topology, files)));
  const auto add = [&link](std::string_view key, std::string_view value) {
    link += fmt::format("&{}={}", key, link_encoded(value));
  };
  if (!collective::traits(read_collective(r.collective)).facts().token) add("bytes", r.bytes);
  if (!r.machine.by_default) add("machine", machine_for_link(r.machine.name, files));
  for (const std::string& assignment : r.machine.assignments) add("set", assignment);
  if (!r.root.empty()) add("root", r.root);
  if (!r.target.empty()) add("target", r.target);
  if (!r.sources.empty()) add("sources", r.sources);
  if (!r.demands.empty()) add("demands", demands_for_link(r));
  for (const auto& [key, value] : reduction_options(r))
    if (!value->empty()) add(key, *value);
  for (const auto& [key, value] : more)
    if (!value.empty()) add(key, value);
  return link + files;
}

}  // namespace quadrille::cli
