#include "cli/parts/simulate_audit.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "console/table.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

constexpr std::size_t shown_steps = 6;  // of the path, at each end
constexpr std::size_t listed_busy_links = 1000;

struct TimeShare {
  std::string_view name, key, what;
  Seconds time;
};

std::vector<TimeShare> parts_of(const TimeParts& p) {
  return {{"start-up", "startup_s", "alpha of the messages on the path", p.start_up},
          {"overhead", "overhead_s", "processors send and take messages, and are waited for", p.overhead},
          {"hops", "circuit_s", "links set up or crossed", p.hops},
          {"wire", "wire_s", "their bytes", p.wire},
          {"ports", "port_wait_s", "queued for ports of ranks", p.port},
          {"links", "link_wait_s", "queued for links, or shared them", p.link},
          {"receivers", "peer_wait_s", "until receivers were ready", p.peer},
          {"copies", "permute_s", "permuted and packed", p.copy},
          {"operator", "combine_s", "contributions combined", p.combine},
          {"barriers", "barrier_s", "of all ranks", p.barrier},
          {"skew", "skew_s", "began late", p.skew}};
}

std::string step_name(const Audit::Step& s) {
  switch (s.why) {
    case Stay::Why::copied:
      return fmt::format("rank {} copies", s.rank);
    case Stay::Why::combined:
      return fmt::format("rank {} combines", s.rank);
    case Stay::Why::barrier:
      return "barrier";
    case Stay::Why::skew:
      return fmt::format("rank {} has not begun", s.rank);
    case Stay::Why::sent:
      return fmt::format("{}->{} leaves", s.from, s.to);
    default:
      return fmt::format("{}->{}", s.from, s.to);
  }
}

std::string link_name(const Audit& audit, Link link, const Topology& topology) {
  return link + 1 == std::ssize(audit.links) ? std::string("the shared medium") : "link " + topology.name(link);
}

void print_path(const Audit& audit, const Machine& machine, console::Context& context) {
  const std::size_t path_steps = audit.path.size();
  context.print(
      "\nthe path that the time is made of: {}{}\n", console::some(static_cast<std::int64_t>(path_steps), "step"),
      path_steps > 2 * shown_steps ? fmt::format("; the first and last {} (--json has all)", shown_steps) : "");
  console::Table table({{"from", console::Table::right},
                        {"to", console::Table::right},
                        {"round", console::Table::right},
                        {"what"},
                        {"bytes", console::Table::right},
                        {"queued", console::Table::right}});
  for (std::size_t i = 0; i < path_steps; ++i) {
    if (path_steps > 2 * shown_steps && i == shown_steps) {
      table.add({"...", "...", "...", "...", "...", "..."});
      i = path_steps - shown_steps;
    }
    const Audit::Step& s = audit.path[i];
    table.add({console::time_text(s.begin, machine), console::time_text(s.end, machine), std::to_string(s.round),
               step_name(s), s.from < 0 ? "-" : base::format_bytes(s.bytes),
               s.parts.contention() > 0 ? console::time_text(s.parts.contention(), machine) : "-"});
  }
  table.print(context);
}

/// Least, median and most of what ranks waited.
std::array<Seconds, 3> waiting(const Audit& audit) {
  std::vector<Seconds> all;
  for (const Audit::RankLoad& r : audit.ranks) all.push_back(r.waiting);
  if (all.empty()) return {};
  std::sort(all.begin(), all.end());
  return {all.front(), all[all.size() / 2], all.back()};
}

Json link_loads(const Audit& audit, const Topology& topology) {
  std::vector<Link> used;
  for (std::size_t i = 0; i < audit.links.size(); ++i)
    if (audit.links[i].messages > 0) used.push_back(static_cast<Link>(i));
  const auto load = [&](Link l) -> const Audit::LinkLoad& { return audit.links[static_cast<std::size_t>(l)]; };
  std::stable_sort(used.begin(), used.end(), [&](Link a, Link b) { return load(a).busy > load(b).busy; });
  if (used.size() > listed_busy_links) used.resize(listed_busy_links);
  Json list = Json::array();
  for (const Link l : used)
    list.push_back({{"link", l},
                    {"name", link_name(audit, l, topology)},
                    {"busy_s", load(l).busy},
                    {"queued_s", load(l).queued},
                    {"messages", load(l).messages}});
  return list;
}

}  // namespace

void print_audit(const Audit& audit, const Task& task, console::Context& context) {
  const Machine& machine = task.machine;
  for (const TimeShare& part : parts_of(audit.critical))
    if (part.time > 0)
      context.print("        {:<9} {:>10}  {:>7}  {}\n", part.name, console::time_text(part.time, machine),
                    console::share(part.time, audit.makespan), context.faint(part.what));
  if (audit.busiest >= 0)
    console::print_line(
        context, "link",
        fmt::format("{} is busiest, {} of the time{}", link_name(audit, audit.busiest, *task.spec.topology),
                    console::share(audit.busiest_link_time, audit.makespan),
                    machine.duplex == Duplex::full ? "" : ", both directions together"));
  if (audit.busiest_port >= 0)
    console::print_line(context, "port",
                        fmt::format("that of rank {} is busiest, {} of the time", audit.busiest_port,
                                    console::share(audit.busiest_port_time, audit.makespan)));
  const auto [least, median, most] = waiting(audit);
  console::print_line(
      context, "waiting",
      fmt::format("ranks wait for others {} at least, {} in the median, {} at most", console::time_text(least, machine),
                  console::time_text(median, machine), console::time_text(most, machine)));
  if (audit.path_kept) return print_path(audit, machine, context);
  context.print(
      "\nthe path that the time is made of took too much memory and is left out; its parts above are right\n");
}

Json json_of(const Audit& audit, const Task& task) {
  const Topology& topology = *task.spec.topology;
  Json json, path = Json::array(), rounds = Json::array();
  const auto parts = [](const TimeParts& p) {
    Json all = Json::object();
    for (const TimeShare& part : parts_of(p)) all[std::string(part.key)] = part.time;
    return all;
  };
  json["critical"] = parts(audit.critical);
  for (const Audit::Step& s : audit.path)
    path.push_back({{"what", step_name(s)},
                    {"round", s.round},
                    {"from", s.from < 0 ? Json(nullptr) : Json(s.from)},
                    {"to", s.to < 0 ? Json(nullptr) : Json(s.to)},
                    {"bytes", s.bytes},
                    {"begin_s", s.begin},
                    {"end_s", s.end},
                    {"parts", parts(s.parts)}});
  json["path"] = audit.path_kept ? path : Json(nullptr);
  json["busiest_link"] = audit.busiest < 0 ? Json(nullptr)
                                           : Json{{"link", audit.busiest},
                                                  {"name", link_name(audit, audit.busiest, topology)},
                                                  {"busy_s", audit.busiest_link_time}};
  json["busiest_port"] =
      audit.busiest_port < 0 ? Json(nullptr) : Json{{"rank", audit.busiest_port}, {"busy_s", audit.busiest_port_time}};
  const auto [least, median, most] = waiting(audit);
  json["waiting"] = {{"least_s", least}, {"median_s", median}, {"most_s", most}};
  json["links"] = link_loads(audit, topology);
  for (const Audit::RoundSpan& r : audit.rounds)
    rounds.push_back({{"round", r.first},
                      {"begin_s", r.asked},
                      {"end_s", r.arrived},
                      {"messages", r.messages},
                      {"queued_s", r.queued}});
  json["rounds"] = rounds;
  return json;
}

}  // namespace quadrille::cli
