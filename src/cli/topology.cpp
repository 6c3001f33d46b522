// quadrille topology: the families, one network in numbers, one route, where sources are.
#include "quadrille/topology.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/options/network.hpp"
#include "cli/parts/here.hpp"
#include "cli/parts/topology_facts.hpp"
#include "cli/parts/topology_from.hpp"
#include "cli/parts/topology_to.hpp"
#include "console/command.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::cli {

namespace {

using Json = nlohmann::ordered_json;

struct TopologyFlags {
  std::string spec;
  std::vector<std::string> route;
  std::string sources;
  bool here = false;
  OtherForms other;
};

void print_here(console::Context& context) {
  const Here h = here();
  const std::string crossbar = fmt::format("crossbar:{}", h.threads), memory = fmt::format("memory:{}", h.threads);
  if (context.json) {
    Json caches = Json::array();
    for (const Here::Cache& c : h.caches)
      caches.push_back({{"level", c.level}, {"bytes", c.bytes}, {"count", c.count}, {"threads", c.threads}});
    return context.print_json({{"hwloc", h.known},
                               {"sockets", h.known ? Json(h.sockets) : Json(nullptr)},
                               {"memories", h.known ? Json(h.memories) : Json(nullptr)},
                               {"cores", h.known ? Json(h.cores) : Json(nullptr)},
                               {"threads", h.threads},
                               {"caches", caches},
                               {"topology", crossbar},
                               {"topology_with_memory", memory}});
  }
  const std::string threads = console::some(h.threads, "hardware thread");
  console::print_line(
      context, "here",
      h.known ? fmt::format("{}, {}, {}", console::some(h.sockets, "socket"), console::some(h.cores, "core"), threads)
              : threads + "; no more is known, as this program was built without hwloc");
  if (h.memories > 1)
    console::print_line(context, "", fmt::format("{} memories, each nearer to some cores", h.memories));
  for (const Here::Cache& c : h.caches)
    console::print_line(context, c.level == h.caches.front().level ? "caches" : "",
                        fmt::format("level {}: {} of {}, shared by {} each", c.level, c.count,
                                    base::format_bytes(c.bytes), console::some(c.threads, "thread")));
  console::print_line(context, "use",
                      context.bold(crossbar) + ": a rank copies straight out of any other's memory, one at a time");
  console::print_line(context, "or",
                      memory + ": the same with the memory as a node of its own, for what is to be planned through it");
  console::print_line(
      context, "nodes",
      "between several computers nothing is known from here: a crossbar of nodes with memory inside is assumed; "
      "'mpirun ... quadrille tune' finds which ranks are near, and --topology names any other network");
}

void print_families(console::Context& context) {
  if (context.json) {
    Json families = Json::array();
    for (const TopologyFamily& f : topology_families())
      families.push_back({{"name", f.name},
                          {"form", f.form},
                          {"summary", f.summary},
                          {"example", f.examples.empty() ? Json(nullptr) : Json(example_of(f))}});
    return context.print_json({{"families", families}});
  }
  console::Table table({{"topology"}, {"what it is"}});
  for (const TopologyFamily& f : topology_families()) table.add({std::string(f.form), std::string(f.summary)});
  table.print(context);
}

/// The nodes on the way, both ends included; only those where links join switches.
std::vector<std::int64_t> stations(const Topology& topology, Rank from, Rank to, const std::vector<Link>& path) {
  std::vector<std::int64_t> ranks{from};
  if (topology.direct())
    for (const Link link : path) ranks.push_back(topology.head(link));
  else if (from != to)
    ranks.push_back(to);
  return ranks;
}

void print_route(const Topology& topology, const TopologyFlags& options, console::Context& context) {
  const auto rank = [&](std::size_t i) {
    return base::parse_integer(options.route[i], 0, topology.ranks() - 1, fmt::format("rank of {}", topology.text()));
  };
  const Rank from = rank(0), to = rank(1);
  constexpr int longest = 100'000;
  if (topology.distance(from, to) > longest)
    throw Error(Error::Kind::argument,
                fmt::format("the route from {} to {} crosses {} links; at most {} are listed", from, to,
                            base::format_count(topology.distance(from, to)), base::format_count(longest)));
  std::vector<Link> path;
  topology.route(from, to, path);
  const std::vector<std::int64_t> ranks = stations(topology, from, to, path);
  if (context.json) {
    Json names = Json::array();
    for (const Link link : path) names.push_back(topology.name(link));
    Json json{{"topology", topology.text()},
              {"from", from},
              {"to", to},
              {"hops", path.size()},
              {"ranks", ranks},
              {"links", path},
              {"names", names}};
    return context.print_json(json);
  }
  context.print("{}: {} to {} crosses {} link{}\n", topology.text(), from, to, path.size(),
                path.size() == 1 ? "" : "s");
  if (path.empty()) return;
  if (!topology.direct()) {
    console::Table table({{"link", console::Table::right}, {"what it is"}});
    for (const Link link : path) table.add({std::to_string(link), topology.name(link)});
    return table.print(context);
  }
  console::Table table(
      {{"link", console::Table::right}, {"from", console::Table::right}, {"to", console::Table::right}});
  for (std::size_t i = 0; i < path.size(); ++i)
    table.add({std::to_string(path[i]), std::to_string(ranks[i]), std::to_string(ranks[i + 1])});
  table.print(context);
}

/// Where the sources of a multibcast are, in rows and columns; one row where the network has none.
void print_sources(const Topology& topology, const TopologyFlags& options, console::Context& context) {
  const SourcesPtr sources = parse_sources(options.sources, topology, 1);
  const Rectangle mesh = rectangle_of(topology);
  if (context.json) {
    Json places = Json::array();
    for (const Rank r : sources->ranks) places.push_back({r / mesh.cols, r % mesh.cols});
    return context.print_json({{"topology", topology.text()},
                               {"rows", mesh.rows},
                               {"columns", mesh.cols},
                               {"ranks", sources->ranks},
                               {"places", places}});
  }
  constexpr Rank most_rows = 100, most_columns = 120;
  if (mesh.rows > most_rows || mesh.cols > most_columns)
    throw Error(Error::Kind::argument, fmt::format("{} rows of {} ranks are not drawn; at most {} of {}, or --json",
                                                   mesh.rows, mesh.cols, most_rows, most_columns));
  context.print("{}: {} of {} ranks send\n\n", topology.text(), sources->count(), topology.ranks());
  for (Rank row = 0; row < mesh.rows; ++row) {
    std::string line;
    for (Rank column = 0; column < mesh.cols; ++column)
      line += sources->find(row * mesh.cols + column) >= 0 ? " #" : " .";
    context.print(" {}\n", line);
  }
}

void print_json(const Topology& t, console::Context& context) {
  Json kinds = Json::array();
  for (const LinkClass& c : link_classes(t))
    kinds.push_back({{"kind", c.kind},
                     {"width", c.width},
                     {"links", c.links},
                     {"least_latency_s", c.least_latency},
                     {"most_latency_s", c.most_latency}});
  const std::string routes = routes_of(t);
  context.print_json({{"topology", t.text()},
                      {"family", t.family()},
                      {"ranks", t.ranks()},
                      {"nodes", t.nodes()},
                      {"vertices", t.vertices()},
                      {"links", t.wires()},
                      {"degree", t.degree()},
                      {"least_degree", t.least_degree()},
                      {"shared_medium", t.shared_medium()},
                      {"diameter", t.diameter()},
                      {"mean_distance", t.mean_distance()},
                      {"bisection", t.bisection()},
                      {"bisection_ranks", t.bisection_ranks()},
                      {"bisection_certain", bisection_is_certain(t)},
                      {"bipartite", t.colour(0).has_value()},
                      {"routes", routes.empty() ? Json(nullptr) : Json(routes)},
                      {"kinds", kinds},
                      {"bytes_per_second", t.rate() > 0 ? Json(t.rate()) : Json(nullptr)}});
}

/// What sets links apart.
void print_kinds(const Topology& t, console::Context& context) {
  const std::vector<LinkClass> classes = link_classes(t);
  if (t.rate() > 0)
    context.print("  {:<10} {:>15}   {}\n", "width 1", fmt::format("{:g} GB/s", t.rate() / 1e9),
                  context.faint("what a link of that width carries"));
  if (classes.empty()) return;
  console::Table table({{"kind"}, {"links", console::Table::right}, {"width", console::Table::right}, {"latency"}});
  for (const LinkClass& c : classes) {
    const std::string least = base::format_seconds(c.least_latency), most = base::format_seconds(c.most_latency);
    table.add({c.kind, base::format_count(c.links), base::format_count(c.width),
               c.most_latency == 0 ? ""
               : least == most     ? most
                                   : least + " to " + most});
  }
  context.print("\n");
  table.print(context);
}

void print_numbers(const Topology& t, console::Context& context) {
  if (context.json) return print_json(t, context);
  context.print("{}\n", context.bold(t.text()));
  const auto row = [&](std::string_view name, const std::string& value, std::string_view meaning) {
    context.print("  {:<10} {:>15}   {}\n", name, value, context.faint(meaning));
  };
  row("ranks", base::format_count(t.ranks()), "processors");
  if (t.nodes() > t.ranks()) row("relays", base::format_count(t.nodes() - t.ranks()), "nodes that only pass data on");
  if (t.vertices() > t.nodes())
    row("switches", base::format_count(t.vertices() - t.nodes()),
        "vertices that only relay: switches, and hosts outside the job");
  row("links", base::format_count(t.wires()),
      t.shared_medium() ? "directed; all of them are one medium"
      : t.direct()      ? "directed wires: one for each direction"
                        : "directed wires between ranks and switches, and between switches");
  row("degree",
      t.least_degree() == t.degree() ? base::format_count(t.degree())
                                     : fmt::format("{}..{}", t.least_degree(), t.degree()),
      "links that leave a rank, and that enter it");
  row("diameter", base::format_count(t.diameter()), "links on the longest route");
  row("distance", base::format_ratio(t.mean_distance()), "links on the mean route");
  row("bisection", base::format_count(t.bisection()),
      fmt::format("{} that leave the smaller side of the narrowest cut{}, {}",
                  t.widest() > 1 ? "width of the directed links" : "directed links",
                  !t.structure().routed     ? ""
                  : bisection_is_certain(t) ? ", which is certain"
                                            : " that was found",
                  console::some(t.bisection_ranks(), "rank")));
  if (const std::string routes = routes_of(t); !routes.empty()) row("routes", routes, "how a message finds its way");
  if (!t.direct()) return print_kinds(t, context);
  const bool bipartite = t.colour(0).has_value();
  row("two colours", bipartite ? "yes" : "no",
      bipartite ? "every link joins different colours: half-duplex wires can take turns"
                : "the network has an odd cycle: half-duplex wires cannot take turns by colour");
  print_kinds(t, context);
}

void run_topology(const TopologyFlags& options, console::Context& context) {
  if (!options.other.from.empty()) {
    if (!options.spec.empty() || options.here)
      throw Error(Error::Kind::argument, "--from is about a file's network; leave out the topology and --here");
    return print_imported(options.other.from, options.other.write, context);
  }
  if (!options.other.to.empty()) {
    if (options.spec.empty()) throw Error(Error::Kind::argument, "--to needs a topology, such as torus:4x4");
    OtherForms other = options.other;
    return print_exported(network_named(options.spec), other, context);
  }
  if (!options.other.write.empty()) throw Error(Error::Kind::argument, "--write needs --from FILE or --to FORM");
  if (options.here) {
    if (!options.spec.empty() || !options.route.empty() || !options.sources.empty())
      throw Error(Error::Kind::argument,
                  "--here is about this computer; leave out the topology and what is asked of it");
    return print_here(context);
  }
  if (options.spec.empty()) {
    if (!options.route.empty()) throw Error(Error::Kind::argument, "--route needs a topology, such as hypercube:6");
    if (!options.sources.empty()) throw Error(Error::Kind::argument, "--sources needs a topology, such as mesh:10x10");
    return print_families(context);
  }
  const TopologyPtr topology = parse_topology(network_named(options.spec));
  if (!options.sources.empty()) return print_sources(*topology, options, context);
  if (options.route.empty()) return print_numbers(*topology, context);
  print_route(*topology, options, context);
}

}  // namespace

void add_topology(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<TopologyFlags>();
  CLI::App& command = console::add_command(
      app, context, "topology", "Networks: the families, one in numbers, one route, where sources are",
      {"quadrille topology hypercube:6", "quadrille topology ring:12 --route 10 3",
       "quadrille topology bifly:2^3 --route 1 6", "quadrille topology mesh:8x15 --sources 0,17,34",
       "quadrille topology --here"});
  command
      .add_option("TOPOLOGY", options->spec,
                  "hypercube:6, torus:8x8, ..., or slurm: the job's nodes and ranks; without it: the families")
      ->type_name("");
  command.add_option("--route", options->route, "The links from rank A to rank B")->expected(2)->option_text("A B");
  command
      .add_option("--sources", options->sources,
                  "Where the sources of a multibcast are: ranks, or a pattern such as R(30), E(every=4), B(3x4@1,2)")
      ->option_text("LIST|PATTERN")
      ->excludes("--route");
  command.add_flag("--here", options->here,
                   "This computer: sockets, cores, caches, and which topology its ranks are on");
  add_other_forms(command, options->other);
  command.callback([options, &context] { run_topology(*options, context); });
}

}  // namespace quadrille::cli
