#include "algorithm/scan/shared/axes.hpp"

#include "algorithm/pattern/axes.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::scan {

namespace {

/// More axes than two are priced message by message.
constexpr Rank most_ranks_counted = 1024;

/// Axes are counted from the one along which ranks run fastest. A rank that is the last along the first k of them is
/// the end of line k: it has the total of its line along axis k - 1, which is its contribution to its line along axis
/// k. Every rank has one line in which it is not the last, or the line along the last axis: its own.
class Lines {
 public:
  Lines(const pattern::Axes& axes, std::int64_t packets, bool in_turns, bool with_own)
      : axes_(axes), packets_(packets), in_turns_(in_turns), with_own_(with_own), starts_{0} {
    for (int k = 0; k < last(); ++k) starts_.push_back(starts_.back() + side(k) - 1);
  }

  /// To the end of the last line, and back along all others.
  Round rounds() const { return (packets_ + depth() - 1) * (in_turns_ ? 2 : 1); }
  Round depth() const { return 2 * starts_.back() + side(last()) - 1; }
  /// What is before each line along all axes but the last; and the total, where that is not the result.
  Slot vectors() const { return last() + (with_own_ ? 0 : 1); }

  /// On half-duplex links the ranks of one colour send first, then the others, which are their neighbours.
  void operator()(Round t, Rank r, Steps& out) const {
    const Round now = in_turns_ ? t / 2 : t;
    const bool sends = !in_turns_ || t % 2 == colour(r), receives = !in_turns_ || !sends;
    const int own = own_line(r);
    if (sends) send(now, r, own, out);
    if (!receives) return;
    for (int k = 0; k <= own; ++k)
      if (place(r, k) > 0) take_total(r, own, k, packet(now, starts(k) + place(r, k) - 1), out);
    if (own < last() && has_before(r, own)) take_before(r, own, packet(now, comes_back(r, own) - 1), out);
  }

 private:
  int last() const { return axes_.count() - 1; }
  int axis(int k) const { return last() - k; }
  Rank side(int k) const { return axes_.side(axis(k)); }
  Rank step(int k) const { return axes_.step(axis(k)); }
  Rank place(Rank r, int k) const { return axes_.coordinate(r, axis(k)); }
  bool at_end(Rank r, int k) const { return place(r, k) + 1 == side(k); }
  Round starts(int k) const { return starts_[static_cast<std::size_t>(k)]; }
  int colour(Rank r) const {
    Rank sum = 0;
    for (int k = 0; k <= last(); ++k) sum += place(r, k);
    return static_cast<int>(sum % 2);
  }
  int own_line(Rank r) const {
    int k = 0;
    while (k < last() && at_end(r, k)) ++k;
    return k;
  }
  /// Whether there are ranks before the line along axis k.
  bool has_before(Rank r, int k) const { return r >= step(k + 1); }
  /// The round from which the rank has the first packet of what is before its line along axis k.
  Round comes_back(Rank r, int k) const {
    Round round = starts(last()) + place(r, last());
    for (int j = k; j < last(); ++j) round += side(j) - 1 - place(r, j);
    return round;
  }
  /// The packet whose turn it is in a stream that begins in round `first`; -1: none.
  Slot packet(Round t, Round first) const { return t < first || t >= first + packets_ ? -1 : t - first; }

  struct Vector {
    Buffer buffer;
    Slot first, stride;
    Slot slot(Slot p) const { return first + p * stride; }
  };
  Vector before_line(int k) const { return {Buffer::tmp, k, vectors()}; }
  static Vector result() { return {Buffer::out, 0, 1}; }
  static Vector own() { return {Buffer::in, 0, 1}; }
  /// All from the start of the rank's own line to the rank, once something has come from there.
  Vector total() const { return with_own_ ? result() : Vector{Buffer::tmp, last(), vectors()}; }

  void send(Round t, Rank r, int own_line, Steps& out) const {
    const auto to = [&](Rank peer, const Vector& from, Slot p) {
      if (p >= 0) out.send(peer, from.buffer, kit::at(from.slot(p)));
    };
    if (!at_end(r, own_line))
      to(r + step(own_line), own_line == 0 && place(r, 0) == 0 ? own() : total(),
         packet(t, starts(own_line) + place(r, own_line)));
    for (int k = 0; k <= own_line && k < last(); ++k)
      if (place(r, k) > 0 && has_before(r, k)) to(r - step(k), before_line(k), packet(t, comes_back(r, k)));
  }

  /// A packet from one peer, which is stored once at most and put before what is there already.
  class Incoming {
   public:
    Incoming(Rank peer, Slot p, Steps& out) : peer_(peer), p_(p), out_(out) {}
    void store(const Vector& to) {
      out_.recv(peer_, to.buffer, kit::at(to.slot(p_)));
      again_ = true;
    }
    void put_before(const Vector& operand, const Vector& to) {
      out_.combine(
          peer_, to.buffer, kit::at(to.slot(p_)),
          {.incoming = Combine::Incoming::left, .again = again_, .buffer = operand.buffer, .with = operand.slot(p_)});
      again_ = true;
    }
    void put_before(const Vector& there) { put_before(there, there); }

   private:
    Rank peer_;
    Slot p_;
    Steps& out_;
    bool again_ = false;
  };

  /// What the ranks before this one in the line along axis k have together.
  void take_total(Rank r, int own_line, int k, Slot p, Steps& out) const {
    if (p < 0) return;
    Incoming incoming(r - step(k), p, out);
    if (k > 0) keep(incoming, k - 1);
    const Vector contribution = k == 0 ? own() : total();
    if (with_own_) return incoming.put_before(contribution, result());
    if (k == 0)
      incoming.store(result());
    else
      incoming.put_before(result());
    if (!at_end(r, own_line)) incoming.put_before(contribution, total());
  }

  /// What is before the rank's own line.
  void take_before(Rank r, int own_line, Slot p, Steps& out) const {
    if (p < 0) return;
    Incoming incoming(r + step(own_line), p, out);
    const bool first = place(r, own_line) == 0, nothing_yet = first && own_line == 0;
    keep(incoming, first ? own_line - 1 : own_line);
    if (!nothing_yet)
      incoming.put_before(result());
    else if (with_own_)
      incoming.put_before(own(), result());
    else
      incoming.store(result());
  }

  /// What comes is before the line along axis k, and before what the rank knows of shorter ones.
  void keep(Incoming& incoming, int k) const {
    if (k >= 0) incoming.store(before_line(k));
    for (int shorter = 0; shorter < k; ++shorter) incoming.put_before(before_line(shorter));
  }

  pattern::Axes axes_;
  std::int64_t packets_;
  bool in_turns_, with_own_;
  std::vector<Round> starts_;  ///< when the first packet leaves the first rank of lines along each axis
};

pattern::Axes axes_of(const Spec& spec) {
  const std::vector<Rank> cube(static_cast<std::size_t>(kit::dimension(spec)), 2);
  return kit::is_cube(spec) ? pattern::axes_of(cube, false) : pattern::axes_of(spec);
}

Lines lines(const Spec& spec, const Machine& machine, std::int64_t packets) {
  return {axes_of(spec), packets, kit::half_duplex(machine), spec.collective == Collective::scan};
}

SchedulePtr axes_build(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  const Lines steps = lines(spec, machine, packets);
  return kit::vector_schedule(spec, steps.rounds(), steps.vectors(), {steps}, packets);
}

std::string axes_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if ((!kit::is_cube(spec) && kit::grid(spec) == nullptr) || axes_of(spec).count() < 2)
    return fmt::format("needs a mesh, torus or hypercube of at least two axes, and {} is none; nearest: mesh:2x{}",
                       spec.topology->text(), std::max<Rank>(2, spec.ranks() / 2));
  if (axes_of(spec).count() > 2 && spec.ranks() > most_ranks_counted)
    return fmt::format("more than two axes are priced message by message, on no more than {} ranks; nearest: mesh:2x{}",
                       most_ranks_counted, spec.ranks() / 2);
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  return kit::vector_packets_illegal(spec, params);
}

/// Rounds that one of full duplex takes: on half-duplex links ranks of two colours take turns.
std::int64_t turns_of(const Machine& machine) { return kit::half_duplex(machine) ? 2 : 1; }

/// What the busiest ranks of two axes combine, in packets. In nearly every round some rank combines one. Of a scan the
/// second row's last rank takes packets from its row and from above at once. Of an exscan, last ranks of rows combine
/// what comes from above for themselves and for those below. Of only two rows no rank is below, and it is ranks inside
/// the second row that take packets from both sides.
std::int64_t combined_packets(const Spec& spec, const Machine& machine, std::int64_t packets, Round rounds) {
  if (spec.collective == Collective::scan) return rounds + packets - 1;
  const pattern::Axes axes = axes_of(spec);
  const Rank rows = axes.side(0), columns = axes.side(1);
  const std::int64_t inside = columns > 2 ? std::max<std::int64_t>(packets - 3, 0) : 0;
  const std::int64_t more = rows > 2 ? rows + 2 * packets - 4 : inside;
  return rounds - 1 + turns_of(machine) * more;
}

/// In the rounds in which the second row's last rank takes packets from its row and from above it takes two messages;
/// of the ranks below it, those between the first and the last row send down and left at once.
Cost on_two_axes(const Spec& spec, const Machine& machine, std::int64_t packets) {
  const Round rounds = lines(spec, machine, packets).rounds();
  const Bytes packet = base::checked_multiply(base::ceil_div(kit::elements(spec), packets), spec.element, "bytes");
  Cost cost = kit::neighbour_cost(rounds, base::checked_multiply(rounds, packet, "bytes"));
  cost.combined = base::checked_multiply(combined_packets(spec, machine, packets, rounds), packet, "bytes combined");
  const Rank rows = axes_of(spec).side(0);
  cost.further = turns_of(machine) * (rows == 2 ? packets - 1 : rows - 2 + (packets > 1 ? packets : 0));
  return cost;
}

Cost axes_cost(const Spec& spec, const Machine& machine, const Params& params) {
  if (axes_of(spec).count() == 2) return on_two_axes(spec, machine, kit::packets_of(params));
  return *traffic::counted(spec, machine, *axes_build(spec, machine, params));
}

bool is_exact(const Spec& spec, const Machine& machine, const Params& params) {
  return axes_of(spec).count() > 2 ||
         (!kit::half_duplex(machine) && kit::elements(spec) % kit::packets_of(params) == 0);
}

std::vector<Params> axes_variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all = kit::vector_pipe_variants(spec, machine, lines(spec, machine, 1).depth());
  // Ranks at corners send more messages than a pipeline's do, which overheads make dear.
  const std::int64_t best = all.front().get("packets", 1);
  for (const std::int64_t packets : {best / 4, best / 2, best - 1})
    if (packets > 0 && packets != all.back().get("packets", 1)) all.push_back({{"packets", {packets}}});
  return all;
}

}  // namespace

Algorithm along_axes(Collective collective, std::string_view name) {
  return {.name = name,
          .collective = collective,
          .summary =
              "prefixes of rows, then of the rows' totals along one axis after the other, which go back along the "
              "rows",
          .source = "extra",
          .closed_form = {.startups = "nu + 2 (C - 1) + R - 2",
                          .bytes = "(nu + 2 (C - 1) + R - 2) m/nu",
                          .further = "nu + R - 2",
                          .where = "torus, full duplex, nu divides m"},
          .parameters = {kit::packets_parameter()},
          .claims = [](const Spec& s, const Machine& m,
                       const Params& p) { return Claims{.exact = is_exact(s, m, p), .in_order = true}; },
          .illegal = axes_illegal,
          .variants = axes_variants,
          .cost = axes_cost,
          .build = axes_build};
}

}  // namespace quadrille::algorithm::scan
