// Where prefixes inside nodes, totals of nodes and prefixes of these lie, and in which order they are made.
#include "algorithm/scan/shared/levels.hpp"

#include "algorithm/kit/vectors.hpp"

namespace quadrille::algorithm::scan {

namespace {

using kit::Level;
using kit::OnNodes;
using kit::Schedules;
using kit::Tier;
using schedule::Among;
using schedule::Lot;

/// Vectors of scratch: the node's total, that of the nodes before, and from `further` on those of the levels.
constexpr Slot total = 0, ahead = 1, further = 2;

/// A scan's last rank in a node has the total as its result. An exscan's has to put its contribution behind it.
bool has_total(const Spec& spec) { return spec.collective == Collective::scan; }

class Prefixes {
 public:
  Prefixes(const Spec& spec, const OnNodes& on) : spec_(spec), on_(on) {}

  Level inside() const { return kit::of_vector("inner", Tier::inside, spec_.collective, spec_, on_); }
  /// The same question from the last rank of a node.
  Level from_last(Level level) const {
    level.asked.root = on_.cores - 1;
    return level;
  }

  schedule::Phase inside(const Level& level, SchedulePtr inner) const {
    return kit::vector_phase(spec_, level, std::move(inner), Among::node, 0,
                             [](Rank, Buffer b, Slot label, std::vector<Lot>& lots) {
                               lots.push_back({.buffer = b, .label = b == Buffer::tmp ? further + label : 0});
                             });
  }
  /// The last rank's contribution behind what the ranks before it have.
  schedule::Phase totals() const {
    const auto step = [](Round, Rank r, Steps& out) {
      out.send(r, Buffer::in, kit::at(0));
      out.combine(r, Buffer::out, kit::at(0), {.incoming = Combine::Incoming::right, .buffer = Buffer::tmp});
    };
    const auto place = [](Rank, Buffer b, Slot, std::vector<Lot>& lots) {
      if (b == Buffer::out) return lots.push_back({.buffer = Buffer::tmp, .label = total});
      lots.push_back({.buffer = b == Buffer::tmp ? Buffer::out : b});
    };
    return alone(on_.nodes, 1, step, Among::leaders, on_.cores - 1, place);
  }
  /// Where a rank has the node's total, or its part.
  Lot total_of(Rank r) const {
    if (has_total(spec_) && r % on_.cores == on_.cores - 1) return {.buffer = Buffer::out};
    return {.buffer = Buffer::tmp, .label = total};
  }
  /// The last rank deals out the total; its own part stays where it is.
  schedule::Place dealt() const {
    return [*this](Rank r, Buffer b, Slot, std::vector<Lot>& lots) {
      lots.push_back(total_of(r));
      if (b == Buffer::out) lots.back().base = r % on_.cores * on_.share;
    };
  }
  /// From totals to those of the nodes before; every core from `share` times its number on.
  schedule::Place between(Bytes share) const {
    return [*this, share](Rank r, Buffer b, Slot label, std::vector<Lot>& lots) {
      if (b == Buffer::in)
        lots.push_back(total_of(r));
      else
        lots.push_back({.buffer = Buffer::tmp, .label = b == Buffer::out ? ahead : further + label});
      lots.back().base = r % on_.cores * share;
    };
  }
  /// In every node that has nodes before it.
  schedule::Phase told(const Level& level, SchedulePtr inner) const {
    schedule::Phase phase = kit::vector_phase(
        spec_, level, std::move(inner), Among::node, 0,
        [](Rank, Buffer, Slot, std::vector<Lot>& lots) { lots.push_back({.buffer = Buffer::tmp, .label = ahead}); });
    phase.first = 1;
    return phase;
  }
  /// What the nodes before have comes before what the rank has, if it has anything: the first of a node has its
  /// contribution, which is its prefix where that is not made of lower ranks only.
  schedule::Phase put_together() const {
    const auto step = [all_have = has_total(spec_)](Round, Rank r, Steps& out) {
      out.send(r, Buffer::in, kit::at(0));
      if (r == 0 && !all_have) return out.recv(r, Buffer::out, kit::at(0));
      const Buffer own = r == 0 ? Buffer::tmp : Buffer::out;
      out.combine(r, Buffer::out, kit::at(0), {.incoming = Combine::Incoming::left, .buffer = own});
    };
    const auto place = [](Rank, Buffer b, Slot, std::vector<Lot>& lots) {
      if (b == Buffer::in) return lots.push_back({.buffer = Buffer::tmp, .label = ahead});
      lots.push_back({.buffer = b == Buffer::tmp ? Buffer::in : b});
    };
    schedule::Phase phase = alone(on_.cores, 1, step, Among::node, 0, place);
    phase.first = 1;
    return phase;
  }

  /// Inside, and what makes totals of it.
  std::vector<schedule::Phase> first_phases(const Level& level, SchedulePtr inner) const {
    std::vector<schedule::Phase> all{inside(level, std::move(inner))};
    if (!has_total(spec_)) all.push_back(totals());
    return all;
  }

 private:
  /// A round in which ranks send to none but themselves.
  template <class Step>
  schedule::Phase alone(Rank ranks, Slot scratch, Step step, Among among, Rank chosen, schedule::Place place) const {
    Spec part = spec_;
    part.topology = parse_topology(fmt::format("crossbar:{}", ranks));
    if (on_.piece) part.bytes = on_.piece->length;
    return {.inner = kit::vector_schedule(part, 1, scratch, {step}),
            .among = among,
            .chosen = chosen,
            .place = std::move(place),
            .vector = true};
  }

  Spec spec_;
  OnNodes on_;
};

/// Vectors, where the `outer`-th level is the one between nodes.
auto scratch(std::size_t outer) {
  return [outer](const Schedules& inner) {
    return further + std::max(kit::vectors_of_scratch(*inner[0]), kit::vectors_of_scratch(*inner[outer]));
  };
}

/// The last rank of a node still has to send its total when it knows its prefix, which takes the total's place.
kit::Form leaders(const Spec& spec, const OnNodes& on) {
  const Prefixes made(spec, on);
  const std::vector<Level> levels{made.inside(), kit::of_vector("outer", Tier::between, Collective::exscan, spec, on),
                                  made.from_last(kit::of_vector("after", Tier::inside, Collective::bcast, spec, on))};
  const auto phases = [=](const Schedules& inner) {
    std::vector<schedule::Phase> all = made.first_phases(levels[0], inner[0]);
    all.push_back(kit::vector_phase(spec, levels[1], inner[1], Among::leaders, on.cores - 1, made.between(0)));
    all.push_back(made.told(levels[2], inner[2]));
    all.push_back(made.put_together());
    return all;
  };
  kit::Form form = kit::vector_form(spec, on, levels, has_total(spec) ? 1 : 2, scratch(1), phases);
  form.follows = schedule::Follows::what_is_done;
  return form;
}

/// Prefixes inside are of whole vectors, whose pieces are not those of the parts between nodes.
kit::Form slices(const Spec& spec, const OnNodes& on) {
  const Prefixes made(spec, on);
  const std::vector<Level> levels{made.inside(),
                                  made.from_last(kit::of_share("before", Tier::inside, Collective::scatter, spec, on)),
                                  kit::of_share("outer", Tier::between, Collective::exscan, spec, on),
                                  kit::of_share("after", Tier::inside, Collective::allgather, spec, on)};
  const auto phases = [=](const Schedules& inner) {
    std::vector<schedule::Phase> all = made.first_phases(levels[0], inner[0]);
    all.push_back(kit::shares_phase(spec, on, levels[1], inner[1], Among::node, 0, made.dealt()));
    all.push_back(kit::shares_phase(spec, on, levels[2], inner[2], Among::slices, 0, made.between(on.share)));
    all.push_back(made.told(levels[3], inner[3]));
    all.push_back(made.put_together());
    return all;
  };
  kit::Form form = kit::vector_form(spec, on, levels, 0, scratch(2), phases);
  form.phases = nullptr;
  return form;
}

}  // namespace

std::vector<kit::Form> forms_on_nodes(const Spec& spec, const kit::OnNodes& on) {
  return {leaders(spec, on), slices(spec, on)};
}

}  // namespace quadrille::algorithm::scan
