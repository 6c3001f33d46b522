// On a grid whose ranks are counted row by row, in packets: every row makes its prefixes from left to right; the last
// column adds up the rows from top to bottom; and what all rows above have together goes back along each row.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::scan_axes {

namespace {

/// Of a rank in the first row the prefix of its row is the result. Else it is in the first vector of tmp, and what the
/// rows above have together in the second.
constexpr Slot of_row = 0, above = 1, vectors = 2;

class Axes {
 public:
  Axes(Rank rows, Rank cols, std::int64_t packets, bool halves)
      : rows_(rows), cols_(cols), packets_(packets), halves_(halves) {}

  Round rounds() const { return (packets_ + 2 * (cols_ - 1) + rows_ - 2) * (halves_ ? 2 : 1); }
  /// On half-duplex links the ranks of one colour send first, then the others, which are their neighbours.
  void operator()(Round t, Rank r, Steps& out) const {
    const Rank colour = (r / cols_ + r % cols_) % 2;
    const Round now = halves_ ? t / 2 : t;
    if (!halves_ || t % 2 == colour) send(now, r, out);
    if (!halves_ || t % 2 != colour) receive(now, r, out);
  }

 private:
  /// The packet that is at its `first` round's hop; -1: none.
  Slot packet(Round t, Round first) const { return t < first || t >= first + packets_ ? -1 : t - first; }
  /// When the first packet leaves: to the right, down the last column, and back to the left.
  Round leaves_right(Rank col) const { return col; }
  Round leaves_down(Rank row) const { return cols_ - 1 + row; }
  Round leaves_left(Rank row, Rank col) const { return 2 * (cols_ - 1) + row - col; }

  struct Place {
    Buffer buffer;
    Slot vector, vectors;
    Slots packet(Slot p) const { return kit::at(p * vectors + vector); }
  };
  Place prefix_of_row(Rank row, Rank col) const {
    if (col == 0) return {Buffer::in, 0, 1};
    return row == 0 ? Place{Buffer::out, 0, 1} : Place{Buffer::tmp, of_row, vectors};
  }

  void send(Round t, Rank r, Steps& out) const {
    const Rank row = r / cols_, col = r % cols_;
    const auto to = [&](Rank peer, const Place& from, Slot p) {
      if (p >= 0) out.send(peer, from.buffer, from.packet(p));
    };
    if (col + 1 < cols_) to(r + 1, prefix_of_row(row, col), packet(t, leaves_right(col)));
    if (col + 1 == cols_ && row + 1 < rows_) to(r + cols_, {Buffer::out, 0, 1}, packet(t, leaves_down(row)));
    if (row > 0 && col > 0) to(r - 1, {Buffer::tmp, above, vectors}, packet(t, leaves_left(row, col)));
  }

  void receive(Round t, Rank r, Steps& out) const {
    const Rank row = r / cols_, col = r % cols_;
    if (col > 0)
      if (const Slot p = packet(t, leaves_right(col - 1)); p >= 0) {
        const Place prefix = prefix_of_row(row, col);
        out.combine(r - 1, prefix.buffer, prefix.packet(p), before(Buffer::in, p));
      }
    if (row == 0) return;
    if (col + 1 == cols_) add_above(r - cols_, row, col, packet(t, leaves_down(row - 1)), out);
    if (col + 1 < cols_) add_above(r + 1, row, col, packet(t, leaves_left(row, col + 1)), out);
  }

  /// What the rows above have comes from the right or from above; it is kept where it goes further.
  void add_above(Rank peer, Rank row, Rank col, Slot p, Steps& out) const {
    if (p < 0) return;
    if (col > 0) out.recv(peer, Buffer::tmp, kit::at(p * vectors + above));
    const Place prefix = prefix_of_row(row, col);
    Combine how = before(prefix.buffer, prefix.packet(p).first);
    how.again = col > 0;
    out.combine(peer, Buffer::out, kit::at(p), how);
  }
  static Combine before(Buffer operand, Slot with) {
    return {.incoming = Combine::Incoming::left, .buffer = operand, .with = with};
  }

  Rank rows_, cols_;
  std::int64_t packets_;
  bool halves_;
};

Axes axes(const Spec& spec, const Machine& machine, std::int64_t packets) {
  const std::vector<Rank>& sides = kit::grid(spec)->sides();
  return {sides[0], sides[1], packets, kit::half_duplex(machine)};
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  const topology::Grid* grid = kit::grid(spec);
  if (grid == nullptr || grid->sides().size() != 2 || grid->sides()[0] < 2 || grid->sides()[1] < 2)
    return fmt::format("needs a mesh or torus of at least 2x2, and {} is none; nearest: mesh:2x{}",
                       spec.topology->text(), std::max<Rank>(2, spec.ranks() / 2));
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  return kit::vector_packets_illegal(spec, params);
}

/// In the rounds in which the second row's last rank takes packets both from its row and from above, it combines two.
Cost formula(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  const Round rounds = axes(spec, machine, packets).rounds();
  const Bytes packet = base::checked_multiply(base::ceil_div(kit::elements(spec), packets), spec.element, "bytes");
  Cost cost = kit::neighbour_cost(rounds, base::checked_multiply(rounds, packet, "bytes"));
  cost.combined = base::checked_multiply(rounds + packets - 1, packet, "bytes combined");
  const Rank rows =
      kit::grid(spec)->sides()[0];  // of them, those between the first and last send down and left at once
  cost.further = rows == 2 ? packets - 1 : rows - 2 + (packets > 1 ? packets : 0);
  return cost;
}

bool is_exact(const Spec& spec, const Machine& machine, const Params& params) {
  return !kit::half_duplex(machine) && kit::elements(spec) % kit::packets_of(params) == 0;
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const std::vector<Rank>& sides = kit::grid(spec)->sides();
  return kit::vector_pipe_variants(spec, machine, 2 * (sides[1] - 1) + sides[0] - 1);
}

}  // namespace

Algorithm describe() {
  return {.name = "scan_axes",
          .collective = Collective::scan,
          .summary = "prefixes of rows, then of the rows' totals down the last column, which go back along the rows",
          .source = "extra",
          .closed_form = {.startups = "nu + 2 (C - 1) + R - 2",
                          .bytes = "(nu + 2 (C - 1) + R - 2) m/nu",
                          .further = "nu + R - 2",
                          .where = "torus, full duplex, nu divides m"},
          .parameters = {kit::packets_parameter()},
          .claims = [](const Spec& s, const Machine& m,
                       const Params& p) { return Claims{.exact = is_exact(s, m, p), .in_order = true}; },
          .illegal = illegal,
          .variants = variants,
          .cost = formula,
          .build =
              [](const Spec& s, const Machine& m, const Params& p) {
                const Axes steps = axes(s, m, kit::packets_of(p));
                return kit::vector_schedule(s, steps.rounds(), vectors, {steps}, kit::packets_of(p));
              }};
}

}  // namespace quadrille::algorithm::scan_axes
