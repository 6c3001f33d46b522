#include "cli/parts/topology_to.hpp"

#include "base/text.hpp"
#include "cli/json.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "formats/networks.hpp"

namespace quadrille::cli {

namespace {

std::string forms_text() {
  std::vector<std::string> all;
  for (const formats::NetworkFormat& one : formats::network_formats())
    all.push_back(fmt::format("{}: {}", one.name, one.what));
  return base::join(all, "; ");
}

}  // namespace

void add_other_forms(CLI::App& command, OtherForms& options) {
  command
      .add_option("--from", options.from,
                  "The network that another program's file describes: topology.conf of SLURM, what ibnetdiscover or "
                  "'nvidia-smi topo -m' print, XML of hwloc, NCCL or SimGrid")
      ->type_name("FILE");
  command
      .add_option("--write", options.write,
                  "With --from: where the network goes, for graph:FILE; with --to: the file; - is standard output")
      ->type_name("FILE");
  command.add_option("--to", options.to, "The network as another program's file: " + forms_text())->type_name("FORM");
  add_machine_options(command, options.machine);
}

void print_exported(const std::string& topology, OtherForms& options, console::Context& context) {
  const formats::NetworkFormat& form = formats::network_format(options.to);
  if (!options.write.empty()) context.will_write(options.write);
  choose_machine(options.machine, topology);
  const TopologyPtr network = parse_topology(topology);
  const Machine machine = read(options.machine);
  const std::string text = form.text(*network, machine);
  if (!options.write.empty()) files::write_file(options.write, text);
  if (context.json)
    return context.print_json({{"topology", network->text()},
                               {"form", form.name},
                               {"machine", json_of(machine)},
                               {"file", options.write.empty() ? Json(nullptr) : Json(options.write)}});
  if (options.write.empty()) context.out += text;
  if (options.write.empty() || files::is_standard_output(options.write)) return;
  context.print("{} for {}, rates of machine {}\n\n", network->text(), form.name,
                name_of(machine, options.machine.by_default));
  console::print_line(context, "wrote", options.write);
}

}  // namespace quadrille::cli
