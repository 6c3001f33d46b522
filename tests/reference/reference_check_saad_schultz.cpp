// Entries of the Saad & Schultz format: an algorithm on a machine with its exact counts, and the best parameters.
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"
#include "quadrille/price.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/verify.hpp"
#include "reference_saad_schultz.hpp"

namespace quadrille::reference {

namespace {

std::string check_execution(const Json& entry) {
  const std::string kind = entry.at("machine").at("kind"), name = entry.at("algorithm");
  const Spec spec = spec_of(entry);
  const std::optional<Choice> choice = translate(kind, name, entry.at("params"), spec.ranks());
  if (!choice) throw NotBuilt{"algorithm " + name};
  const Machine machine = machine_of(entry);
  const Built built = build(spec, machine, *choice);
  const Proof proof = verify(spec, machine, *built.schedule, built.claims, {.use_symmetry = false});
  if (!proof.holds) return "refused: " + proof.counterexample->text;
  const Traffic traffic = count(spec, machine, *built.schedule);
  const Json& expected = entry.at("expected");
  Comparison compare;
  const auto integer = [&](const char* field, std::int64_t found) {
    if (expected.contains(field)) compare.near(field, rational(expected.at(field)), static_cast<double>(found), 0);
  };
  const double time = seconds(traffic.cost, machine, *spec.topology);
  compare.near("time", rational(expected.at("time")), time, 1e-9 * time);
  integer("rounds", traffic.cost.startups);
  integer("messages", traffic.messages);
  integer("words_critical", traffic.critical_bytes);
  integer("shared_resource_words", traffic.busiest_link);
  integer("busiest_directed_link_words", traffic.busiest_link);
  integer("busiest_undirected_link_words", traffic.busiest_wire);
  integer("busiest_out_port_words", traffic.busiest_out_port);
  integer("busiest_in_port_words", traffic.busiest_in_port);
  integer("word_hops", traffic.byte_hops);
  const double formula = seconds(built.formula, machine, *spec.topology);
  if (built.claims.exact) compare.near("closed form", time, formula, 1e-9 * time);
  const Json& params = entry.at("params");
  if (params.contains("packets_per_path"))
    compare.equal("packets_per_path", params.at("packets_per_path"),
                  algorithm::kit::balanced_packets(
                      algorithm::sendrecv::chosen_lengths(spec, built.choice.params, algorithm::sendrecv::Least::total),
                      params.at("packets").get<std::int64_t>()));
  if (params.contains("path_lengths"))
    compare.equal("path_lengths", params.at("path_lengths"),
                  algorithm::sendrecv::chosen_lengths(spec, built.choice.params, algorithm::sendrecv::Least::longest));
  return compare.complaints();
}

/// The best split when no path waits for another: a time that is not the lockstep count's.
std::string check_unsynchronised(const Json& entry) {
  const Json &expected = entry.at("expected"), &params = entry.at("params");
  const Spec spec = spec_of(entry);
  const Machine machine = machine_of(entry);
  const Built built = build(spec, machine, parse_choice("sendrecv_unsynchronised"));
  const Proof proof = verify(spec, machine, *built.schedule, built.claims, {.use_symmetry = false});
  if (!proof.holds) return "refused: " + proof.counterexample->text;
  const algorithm::kit::Lengths lengths =
      algorithm::sendrecv::chosen_lengths(spec, built.choice.params, algorithm::sendrecv::Least::total);
  const auto time_of = [&](const algorithm::kit::Split& split) {
    return algorithm::kit::split_time(lengths, split, machine.alpha, machine.beta);
  };
  const auto simulated = [&](const algorithm::kit::Split& split) {
    const Params parts{{"bytes", split.bytes}, {"packets", split.packets}};
    const Built eager = build(spec, machine, {built.choice.algorithm, parts});
    return simulate(spec, machine, *eager.schedule, {Order::eager, Network::store_and_forward}).makespan;
  };
  const double time = rational(expected.at("time"));
  Comparison compare;
  compare.equal("path_lengths", params.at("path_lengths"), lengths);
  const algorithm::kit::Split best{built.choice.params.list("bytes"), built.choice.params.list("packets")};
  compare.near("time", time, time_of(best), 1e-9);
  compare.near("simulated time", time, simulated(best), 1e-9);
  if (expected.contains("words_on_short_path_one_optimum")) {
    algorithm::kit::Split split;
    split.bytes = {expected.at("words_on_short_path_one_optimum").get<Bytes>()};
    split.bytes.push_back(spec.bytes - split.bytes[0]);
    for (const std::size_t j : {0U, 1U})
      split.packets.push_back(
          algorithm::kit::best_packets({lengths.at(j), split.bytes[j]}, machine.alpha, machine.beta));
    compare.near("time of the words given", time, time_of(split), 1e-9);
    compare.near("simulated time of the words given", time, simulated(split), 1e-9);
  }
  return compare.complaints();
}

std::string check_optimum(const Json& entry) {
  const Json &expected = entry.at("expected"), &params = entry.at("params");
  const std::string name = entry.at("algorithm"), kind = entry.at("machine").at("kind");
  Comparison compare;
  if (name == "multi-path-balanced") {
    const algorithm::kit::Lengths lengths = params.at("path_lengths").get<algorithm::kit::Lengths>();
    const Bytes words = params.at("N");
    const double tau = rational(entry.at("cost").at("tau")), g = rational(entry.at("cost").at("time_per_word"));
    const Bytes packet = algorithm::kit::best_packet_bytes(lengths, words, tau, g);
    const Cost cost = algorithm::kit::balanced_cost(lengths, words, packet);
    const std::int64_t packets = (words + packet - 1) / packet;
    compare.near("time", rational(expected.at("time")),
                 static_cast<double>(cost.startups) * tau + static_cast<double>(cost.bytes) * g, 1e-9);
    compare.equal("packet_words", expected.at("packet_words"), packet);
    compare.equal("packets", expected.at("packets"), packets);
    compare.equal("rounds", expected.at("rounds"), cost.startups);
    compare.equal("packets_per_path", expected.at("packets_per_path"),
                  algorithm::kit::balanced_packets(lengths, packets));
    return compare.complaints();
  }
  if (name.ends_with("p2p-two-path-unsynchronised")) return check_unsynchronised(entry);
  const Spec spec = spec_of(entry);
  const Machine machine = machine_of(entry);
  const std::optional<Choice> choice = translate(kind, name,
                                                 Json{{"nu", 1},
                                                      {"nu_per_path", 1},
                                                      {"nu_per_tree", 1},
                                                      {"nu_per_half", 1},
                                                      {"nu_phase1", 1},
                                                      {"nu_phase2", 1},
                                                      {"packet_words", 1}},
                                                 spec.ranks());
  if (!choice) throw NotBuilt{"algorithm " + name};
  Params fixed;
  if (const auto given = lengths_given(*choice->algorithm, params)) fixed.set("lengths", *given);
  const Built built = build(spec, machine, {choice->algorithm, fixed});
  const Traffic traffic = count(spec, machine, *built.schedule);
  const double time = seconds(traffic.cost, machine, *spec.topology);
  compare.near("time", rational(expected.at("time")), time, 1e-9 * time);
  if (expected.contains("nu_best_integer"))
    compare.equal("nu_best_integer", expected.at("nu_best_integer"), built.choice.params.get("packets", 0));
  return compare.complaints();
}

}  // namespace

void check_saad_schultz(const Json& file, Tally& tally) {
  for (const Json& entry : file) {
    const std::string kind = entry.value("kind", "");
    if (kind == "readme") continue;
    tally.entry(entry.value("id", "entry without id"), [&]() -> std::string {
      if (kind == "execution" || kind == "optimum") {
        const std::string complaints = kind == "execution" ? check_execution(entry) : check_optimum(entry);
        return complaints.empty() ? check_forms(entry, rational(entry.at("expected").at("time"))) : complaints;
      }
      if (kind == "structure") return check_structure(entry);
      return "unknown kind '" + kind + "'";
    });
  }
}

}  // namespace quadrille::reference
