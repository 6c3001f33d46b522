// What `tc` is told: rates and fairness. Why these settings is in docs/how-it-works/lab.md.
#include <fmt/format.h>

#include <set>

#include "blueprint.hpp"

namespace quadrille::lab {

namespace {

constexpr std::string_view queue_limit = "32mb";  // nothing is dropped below it
constexpr int header = 14;                        // of Ethernet, which the kernel counts

/// The rate of a class: its share when all are busy. What no host of the network sent gets next to none of it.
Rate share(const Shaper& shaper) {
  return shaper.rate / static_cast<Rate>(std::max<std::size_t>(shaper.sources.size(), 1));
}
Rate rest(const Shaper& shaper) { return std::max<Rate>(shaper.rate / 1000, 8); }

std::string bucket(std::string_view verb, const Shaper& shaper, int mtu) {
  return fmt::format("qdisc {} dev {} root tbf rate {} burst {} limit {}\n", verb, shaper.device,
                     format_rate(shaper.rate), 2 * (mtu + header), queue_limit);
}

/// One class for all, in it one of each source host and one for what is left. Hosts in `known` have theirs already.
std::string classes(const Shaper& shaper, int mtu, const std::set<int>& known, std::string_view verb) {
  const int packet = mtu + header;
  const std::string all = format_rate(shaper.rate);
  std::string batch = fmt::format("class {0} dev {1} parent 1: classid 1:fffe htb rate {2} burst {3} cburst {3}\n",
                                  verb, shaper.device, all, packet);
  const auto put = [&](std::string_view how, int number, Rate rate) {
    batch += fmt::format(
        "class {0} dev {1} parent 1:fffe classid 1:{2:x} htb rate {3}bit ceil {4} burst {5} cburst {5} quantum {5}\n",
        how, shaper.device, number, rate, all, packet);
  };
  for (const int source : shaper.sources) put(known.contains(source) ? verb : "add", source + 1, share(shaper));
  put(verb, 0xffff, rest(shaper));
  return batch;
}

/// What waits, and whose packets wait where.
std::string queues(const Shaper& shaper, const std::set<int>& known) {
  std::string batch;
  for (const int source : shaper.sources)
    if (!known.contains(source))
      batch += fmt::format(
          "qdisc add dev {0} parent 1:{1:x} bfifo limit {2}\n"
          "filter add dev {0} parent 1: protocol ip u32 match ip src {3} flowid 1:{1:x}\n",
          shaper.device, source + 1, queue_limit, address(source));
  return batch;
}

}  // namespace

std::string shaping_batch(const Blueprint& blueprint, int number) {
  const Node& node = blueprint.nodes[static_cast<std::size_t>(number)];
  std::string batch;
  for (const Shaper& shaper : node.shapers) {
    if (blueprint.options.fifo) {
      batch += bucket("add", shaper, blueprint.options.mtu);
      continue;
    }
    batch += fmt::format("qdisc add dev {} root handle 1: htb default ffff\n", shaper.device);
    batch += classes(shaper, blueprint.options.mtu, {}, "add") + queues(shaper, {});
    batch += fmt::format("qdisc add dev {} parent 1:ffff bfifo limit {}\n", shaper.device, queue_limit);
  }
  if (blueprint.wiring.medium == Medium::bus && number >= blueprint.wiring.hosts)
    for (const Port& port : node.ports)  // what arrives goes through the bus before the bridge sees it
      batch += fmt::format(
          "qdisc add dev {0} ingress\n"
          "filter add dev {0} parent ffff: protocol all u32 match u32 0 0 action mirred egress redirect dev bus\n",
          port.device);
  return batch;
}

std::string reshaping_batch(const Blueprint& blueprint, const Blueprint& before, int number) {
  std::string batch;
  const std::vector<Shaper>& now = blueprint.nodes[static_cast<std::size_t>(number)].shapers;
  const std::vector<Shaper>& then = before.nodes[static_cast<std::size_t>(number)].shapers;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].rate == then[i].rate && now[i].sources == then[i].sources) continue;
    const std::set<int> known(then[i].sources.begin(), then[i].sources.end());
    batch += blueprint.options.fifo ? bucket("change", now[i], blueprint.options.mtu)
                                    : classes(now[i], blueprint.options.mtu, known, "change") + queues(now[i], known);
  }
  return batch;
}

}  // namespace quadrille::lab
