#include "cli/parts/topology_from.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "cli/options/request.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "interchange/machines/imported.hpp"

namespace quadrille::cli {

namespace {

/// The text that --topology takes; empty where the network is not written to a file.
std::string usable(const interchange::ImportedNetwork& network, const std::string& write) {
  if (!network.topology.empty()) return network.topology;
  return write.empty() || files::is_standard_output(write) ? "" : "graph:" + write;
}

}  // namespace

void print_imported(const std::string& from, const std::string& write, console::Context& context) {
  if (!write.empty()) context.will_write(write);
  const interchange::ImportedNetwork network =
      interchange::import_network(files::read_file(from, interchange::most_machine_bytes, "file"), from);
  if (!write.empty() && network.text.empty())
    throw Error(Error::Kind::argument, fmt::format("--write: {} is the network '{}' of a family, which needs no file",
                                                   base::quoted(from, 200), network.topology));
  if (!write.empty()) files::write_file(write, network.text);
  const std::string use = usable(network, write);
  if (context.json)
    return context.print_json(
        {{"from", from},
         {"form", network.form},
         {"topology", use.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(use)},
         {"understood", network.understood},
         {"left_out", network.left_out},
         {"file", write.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(write)}});
  if (files::is_standard_output(write)) return;
  context.print("{}: {}\n\n", from, network.form);
  for (const std::string& line : network.understood) console::print_line(context, "read", line);
  for (const std::string& line : network.left_out) console::print_line(context, "not", line);
  context.print("\n");
  if (!write.empty()) console::print_line(context, "wrote", write);
  if (!use.empty())
    console::print_line(context, "use", "quadrille plan allgather " + shell_quoted(use));
  else
    console::print_line(context, "write", "--write FILE.net makes a file of it, for graph:FILE.net");
}

}  // namespace quadrille::cli
