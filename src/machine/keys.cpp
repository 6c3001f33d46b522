#include "machine/keys.hpp"

#include <algorithm>

namespace quadrille::machine {

namespace {

std::string_view duplex_words(Duplex duplex) {
  switch (duplex) {
    case Duplex::half:
      return "a wire carries one direction at a time";
    case Duplex::full:
      return "a wire carries both directions at once";
    case Duplex::node_half:
      return "a node sends or receives, not both at once";
  }
  return "";
}

std::string_view switching_words(Switching switching) {
  switch (switching) {
    case Switching::store_and_forward:
      return "messages go from neighbour to neighbour, whole";
    case Switching::circuit:
      return "a message holds all links of its way at once";
    case Switching::wormhole:
      return "a message flows through the nodes on its way";
  }
  return "";
}

/// What ranks and wires may do at once.
std::vector<MachineKey> permissions() {
  return {{.name = "ports",
           .field = &Machine::ports,
           .shown = 110,
           .meaning = "messages a rank sends and receives at once",
           .brief_of = [](const Machine& m) -> std::string_view {
             return m.ports == Ports::one ? "a rank sends, and receives, one message at a time"
                                          : "a rank sends, and receives, a message on each of its links at once";
           }},
          {.name = "duplex",
           .field = &Machine::duplex,
           .shown = 120,
           .meaning = "whether both directions of a wire work at once",
           .brief_of = [](const Machine& m) -> std::string_view { return duplex_words(m.duplex); }},
          {.name = "switching",
           .field = &Machine::switching,
           .shown = 130,
           .meaning = "how messages pass nodes on their way",
           .brief_of = [](const Machine& m) -> std::string_view { return switching_words(m.switching); }},
          {.name = "circuit",
           .field = &Machine::circuit,
           .shown = 140,
           .meaning = "how hops are charged",
           .brief_of = [](const Machine& m) -> std::string_view {
             return m.circuit == CircuitCost::average ? "hops of a message: half the diameter, whatever its way"
                                                      : "hops of a message: the links it crosses";
           },
           .shown_in_table = 55},
          {.name = "multicast",
           .field = &Machine::multicast,
           .shown = 150,
           .meaning = "the same data to several neighbours at once",
           .brief_of = [](const Machine& m) -> std::string_view {
             return m.multicast ? "the same data to several neighbours is one message at the port"
                                : "the same data to several neighbours is a message to each";
           }},
          {.name = "shared",
           .field = &Machine::shared,
           .shown = 160,
           .meaning = "accesses a bus or shared memory serves at once"}};
}

/// What messages, bytes and barriers cost.
std::vector<MachineKey> charges() {
  return {{.name = "alpha", .field = TimeField{&Machine::alpha}, .shown = 10, .meaning = "start-up of one message"},
          {.name = "overhead_send",
           .field = TimeField{&Machine::overhead_send},
           .shown = 20,
           .meaning = "processor time of a rank for each message that it sends",
           .brief = "processor time of each message a rank sends"},
          {.name = "overhead_receive",
           .field = TimeField{&Machine::overhead_receive},
           .shown = 30,
           .meaning = "processor time of a rank for each message that it receives",
           .brief = "processor time of each message a rank receives"},
          {.name = "per_hop",
           .field = TimeField{&Machine::per_hop},
           .shown = 50,
           .meaning = "set-up of a circuit, for each link it crosses",
           .brief = "circuit set-up per link crossed"},
          {.name = "beta",
           .field = PerByteField{&Machine::beta},
           .shown = 60,
           .meaning = "one byte on a wire",
           .brief = "a byte on a wire"},
          {.name = "gamma",
           .field = PerByteField{&Machine::gamma},
           .shown = 70,
           .meaning = "reducing one byte in a rank",
           .brief = "a byte of local reduction"},
          {.name = "rho",
           .field = PerByteField{&Machine::rho},
           .shown = 80,
           .meaning = "copying one byte within a rank",
           .brief = "a byte of local permutation"},
          {.name = "barrier", .field = TimeField{&Machine::barrier}, .shown = 90, .meaning = "barrier of all ranks"},
          {.name = "barrier_log2",
           .field = TimeField{&Machine::barrier_log2},
           .shown = 100,
           .meaning = "... and for each doubling of the ranks",
           .brief = "and this times log2 of the ranks"},
          {.name = "eager_limit",
           .field = BytesField{&Machine::eager_limit},
           .shown = 40,
           .meaning = "with overheads: shorter messages are done at their sender at once, where they are simulated",
           .brief = "with overheads: shorter messages are done at their sender at once; simulated only"},
          {.name = "burst",
           .field = TimeField{&Machine::burst},
           .shown = 105,
           .meaning = "wire time an idle link lets through at once, where messages are simulated",
           .brief = "wire time an idle link lets through at once; simulated only"}};
}

std::vector<const MachineKey*> sorted_by(int MachineKey::*place) {
  std::vector<const MachineKey*> all;
  for (const MachineKey& key : machine_keys()) all.push_back(&key);
  std::sort(all.begin(), all.end(),
            [place](const MachineKey* a, const MachineKey* b) { return a->*place < b->*place; });
  return all;
}

}  // namespace

const std::vector<MachineKey>& machine_keys() {
  static const std::vector<MachineKey> all = [] {
    std::vector<MachineKey> keys = permissions();
    const std::vector<MachineKey> charged = charges();
    keys.insert(keys.end(), charged.begin(), charged.end());
    return keys;
  }();
  return all;
}

std::vector<const MachineKey*> keys_named(std::string_view name) {
  if (name == "overhead") return {find_key("overhead_send"), find_key("overhead_receive")};
  if (const MachineKey* key = find_key(name)) return {key};
  return {};
}

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const MachineKey& key : machine_keys()) {
    if (key.name == "overhead_send") names.emplace_back("overhead");
    names.emplace_back(key.name);
  }
  return names;
}

const MachineKey* find_key(std::string_view name) {
  const auto& keys = machine_keys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const MachineKey& k) { return k.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

bool is_left_out(const MachineKey& key, const Machine& machine) {
  return may_be_missing(key) && write_value(machine, key) == write_value(Machine{}, key);
}

std::vector<const MachineKey*> keys_as_shown() { return sorted_by(&MachineKey::shown); }
std::vector<const MachineKey*> keys_as_in_table() { return sorted_by(&MachineKey::shown_in_table); }

std::string_view brief_of(const Machine& machine, const MachineKey& key) {
  if (key.brief_of != nullptr) return key.brief_of(machine);
  return key.brief.empty() ? key.meaning : key.brief;
}

}  // namespace quadrille::machine
