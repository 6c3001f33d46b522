#include "cli/parts/algorithm_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

namespace quadrille::cli {

namespace {

constexpr ClosedForm forms[] = {
    {"sendrecv_balanced", "ceil((m/w + S)/p)", "w ceil((m/w + S)/p)", "ring, packets of w bytes, w divides m", counted},
    {"sendrecv_direct", "1", "m", "crossbar"},
    {"sendrecv_multipath", "nu + L - 1", "(nu + L - 1) m/(p nu)", "ring, p nu divides m",
     "nu + max(0, min(nu + D - L, D - 1))"},
    {"sendrecv_pipelined", "nu + D - 1", "m + (D - 1) ceil(m/nu)", "ring"},
    {"sendrecv_unsynchronised", "", "", "the longest of its paths, each as sendrecv_pipelined with its own share"},

    {"bcast_adst", "nu + s + floor(s/2) - 1", "(nu + s + floor(s/2) - 1) m/(4 nu)",
     "square torus, full duplex, 4 nu divides m", counted},
    {"bcast_axes", "nu1 + nu2 + V + H - 2", "2 m + (V - 1) ceil(m/nu1) + (H - 1) ceil(m/nu2)", "torus", "nu1 + nu2"},
    {"bcast_binomial", "ceil(log2(P))", "ceil(log2(P)) m", "switch"},
    {"bcast_bintree", "2 (nu - 1) + 2 (n - 1)", "(2 (nu - 1) + 2 (n - 1)) m/nu", "switch, P = 2^n > 2, nu divides m"},
    {"bcast_catchup", "max(nu - 1 + V + H, 2 nu - 1 + max(V, H))", "max(nu - 1 + V + H, 2 nu - 1 + max(V, H)) m/(2 nu)",
     "torus, 2 nu divides m", counted},
    {"bcast_chain", "nu + P - 2", "m + (P - 2) ceil(m/nu)", "ring"},
    {"bcast_circulant", "nu - 1 + ceil(log2(P))", "(nu - 1 + ceil(log2(P))) m/nu", "switch, nu divides m"},
    {"bcast_earliest", "", "", "rounds of the plan, a start-up each, or more where messages outnumber ports; counted"},
    {"bcast_esbt", "nu + n", "(nu + n) m/(n nu)", "hypercube, full duplex, n nu divides m", "(n - 1) (nu + n)"},
    {"bcast_exchange", "nu + n - 1", "(nu + n - 1) m/nu", "hypercube, full duplex, nu divides m"},
    {"bcast_halving", "ceil(log2(R)) + ceil(log2(C))", "(ceil(log2(R)) + ceil(log2(C))) m", "torus, circuits"},
    {"bcast_late", "max(nu - 1 + V + H, nu + ceil(nu/2) + max(V, H))",
     "max(nu - 1 + V + H, nu + ceil(nu/2) + max(V, H)) m/(2 nu)", "torus, 2 nu divides m", counted},
    {"bcast_lin", "", "", "ceil(log2(P)) start-ups; what meets on wires is counted"},
    {"bcast_logp", "", "", "levels of the tree, a start-up each, or more where children outnumber ports; counted"},
    {"bcast_memory", "1 + ceil((P - 1)/k)", "(1 + ceil((P - 1)/k)) m", "memory, one packet"},
    {"bcast_pipelined", "nu + D - 1", "m + (D - 1) ceil(m/nu)", "ring", "nu"},
    {"bcast_relayed", "nu + 1", "(nu + 1) m/((P - 1) nu)", "crossbar, (P - 1) nu divides m", "nu (P - 2) + P - 3"},
    {"bcast_scatter_allgather", "2 n", "2 (P - 1) m/P", "switch, P = 2^n divides m"},
    {"bcast_two_edst", "nu + 7 s/4 - 3", "(nu + 7 s/4 - 3) m/(2 nu)", "square torus, 4 divides s, 2 nu divides m",
     counted},
    {"bcast_two_trees", "nu - 1 + max(V + H, H + 2, V + 2)", "(nu - 1 + max(V + H, H + 2, V + 2)) m/(2 nu)",
     "torus, full duplex, 2 nu divides m", counted},

    {"multibcast_lin", "", "", "at most ceil(log2(P)) start-ups; counted"},
    {"multibcast_memory", "", "", "as allgather_memory with the sources for the writers; counted"},
    {"multibcast_part_lin", "", "", "at most ceil(log2(P)) + 2 start-ups; counted"},
    {"multibcast_part_xy_source", "", "", "at most ceil(log2(R)) + ceil(log2(C)) + 2 start-ups; counted"},
    {"multibcast_repos", "", "", "at most ceil(log2(R)) + ceil(log2(C)) + 1 start-ups; counted"},
    {"multibcast_repos_lin", "", "", "at most ceil(log2(P)) + 1 start-ups; counted"},
    {"multibcast_repos_xy_dim", "", "", "at most ceil(log2(R)) + ceil(log2(C)) + 1 start-ups; counted"},
    {"multibcast_sequential", "", "", "a start-up for every source, and the bytes of all"},
    {"multibcast_twostep", "", "", "a message from every source, then ceil(log2(P)) of all blocks; counted"},
    {"multibcast_xor", "", "", "at most 2^ceil(log2(P)) - 1 start-ups; counted"},
    {"multibcast_xy_dim", "", "", "at most ceil(log2(R)) + ceil(log2(C)) start-ups; counted"},
    {"multibcast_xy_source", "", "", "at most ceil(log2(R)) + ceil(log2(C)) start-ups; counted"},

    {"allgather_adea", "n", "(P - 1) m", "hypercube, full duplex"},
    {"allgather_adea_rotated", "n", "(P - 1) ceil(m/n)", "hypercube, full duplex", "n (n - 1)"},
    {"allgather_axes", "R + C - 2", "(P - 1) m", "torus"},
    {"allgather_axes_rotated", "2 (s - 1)", "(P - 1) ceil(m/2)", "square torus, one way round", "2 (s - 1)"},
    {"allgather_daisy", "P - 1", "(P - 1) m", "ring"},
    {"allgather_doubling", "ceil(log2(P))", "(P - 1) m", "switch"},
    {"allgather_flood", "R + C - 2", "(P - 1) m", "mesh, full duplex",
     "min(1, R - 2) floor((R + 1)/2) + min(1, C - 2) floor((C + 1)/2)"},
    {"allgather_lin", "", "", "at most ceil(log2(R)) + ceil(log2(C)) start-ups; counted"},
    {"allgather_linear", "1", "m", "crossbar, all ports", "P - 2"},
    {"allgather_memory", "2 ceil(P/k)", "ceil(P/k) P m", "memory"},
    {"allgather_sequential", "P", "P m", "bus, one packet"},
    {"allgather_tea1", "n", "2^(n - 1) m", "hypercube, full duplex", "n (n - 1)"},
    {"allgather_tea1_grouped", "n + 1", "2^n m", "hypercube, half duplex", "(n + 1) (n - 1)"},
    {"allgather_tea2", "n", "((P - 2)/n + 1) m", "hypercube, full duplex, n prime; else sum of ceil(binomial(n, i)/n)",
     "(n - 1)^2"},
    {"allgather_tea2_grouped", "", "",
     "hypercube, half duplex: n + 1 start-ups, n (n - 1) further messages, sum of ceil((binomial(n, h - 1) + "
     "binomial(n, h))/n) blocks over the "
     "half-steps"},
    {"allgather_twoway", "floor(P/2)", "floor(P/2) m", "ring, full duplex, whole blocks", "floor((P - 1)/2)"},

    {"scatter_axes", "V + H", "(H R + V) m", "torus, along the root's row first",
     "floor((R - 1)/2) + floor((C - 1)/2)"},
    {"scatter_axes_rotated", "2 floor(s/2)", "floor(s/2) (s + 1) ceil(m/2)", "square torus, one way round",
     "2 (floor(s/2) + 2 floor((s - 1)/2))"},
    {"scatter_chain", "P - 1", "(P - 1) m", "ring"},
    {"scatter_direct", "P - 1", "(P - 1) m", "switch"},
    {"scatter_halving", "ceil(log2(R)) + ceil(log2(C))", "(P - 1) m", "torus, circuits"},
    {"scatter_memory", "1 + ceil((P - 1)/k)", "(P - 1 + ceil((P - 1)/k)) m", "memory, one batch"},
    {"scatter_rotated", "n", "(P - 1) ceil(m/n)", "hypercube", "n (n - 1)"},
    {"scatter_star", "1", "(P - 1) m", "bus"},
    {"scatter_tree", "ceil(log2(P))", "(P - 1) m", "switch"},
    {"scatter_twoway", "floor(P/2)", "floor(P/2) m", "ring, whole blocks", "floor((P - 1)/2)"},
    {"gather_axes", "V + H", "(H R + V) m", "torus, along the root's row last", "floor((R - 1)/2) + floor((C - 1)/2)"},
    {"gather_axes_rotated", "2 floor(s/2)", "floor(s/2) (s + 1) ceil(m/2)", "square torus, one way round",
     "2 (floor(s/2) + 2 floor((s - 1)/2))"},
    {"gather_chain", "P - 1", "(P - 1) m", "ring"},
    {"gather_direct", "P - 1", "(P - 1) m", "switch"},
    {"gather_halving", "ceil(log2(R)) + ceil(log2(C))", "(P - 1) m", "torus, circuits"},
    {"gather_linear", "1", "m", "crossbar, all ports", "P - 2"},
    {"gather_memory", "1 + ceil((P - 1)/k)", "(P - 1 + ceil((P - 1)/k)) m", "memory, one batch"},
    {"gather_rotated", "n", "(P - 1) ceil(m/n)", "hypercube", "n (n - 1)"},
    {"gather_tree", "ceil(log2(P))", "(P - 1) m", "switch"},
    {"gather_twoway", "floor(P/2)", "floor(P/2) m", "ring, whole blocks", "floor((P - 1)/2)"},

    {"alltoall_bidir", "P - 1", "floor(P^2/4) m", "ring, half duplex"},
    {"alltoall_bidir_rotated", "2 (s - 1)", "2 s floor(s^2/4) ceil(m/2)", "square torus, half duplex", "2 (s - 1)"},
    {"alltoall_bruck", "n", "n P/2 m", "switch, P = 2^n, radix 2"},
    {"alltoall_cycle", "P - 1", "floor(P^2/4) m", "mesh, half duplex"},
    {"alltoall_direct", "P - 1", "(P - 1) m", "hypercube, full duplex, circuits"},
    {"alltoall_gathers", "n P", "P (P - 1) m", "hypercube"},
    {"alltoall_linear", "1", "m", "crossbar, all ports", "P - 2"},
    {"alltoall_mce", "", "",
     "hypercube, circuits: 2^n_i - 1 start-ups and (2^n_i - 1) 2^(n - n_i) blocks in every phase n_i"},
    {"alltoall_memory", "2 ceil(P/k)", "2 ceil(P/k) (P - 1) m", "memory"},
    {"alltoall_mtadea", "n", "n P/2 m", "hypercube, full duplex"},
    {"alltoall_mtadea_rotated", "n", "n P/2 ceil(m/n)", "hypercube, full duplex", "n (n - 1)"},
    {"alltoall_pairwise", "P - 1", "(P - 1) m", "switch"},
    {"alltoall_rotate", "P - 1", "P (P - 1)/2 m", "ring"},
    {"alltoall_scatters", "P", "P (P - 1) m", "bus"},
    {"alltoall_halves", "n", "(P - 1) P/2 m", "ring, P = 2^n, full duplex, circuits"},
    {"alltoall_signed", "t", "P (P - 1)/6 m", "ring, P = 3^t, radix 3, full duplex, circuits", "t"},
    {"alltoall_standard", "n", "n P/2 m", "hypercube, full duplex"},
    {"alltoall_tournament", "2 (P - 1) ceil(P/(2 k))", "2 (P - 1) ceil(P/(2 k)) m", "bus, P even"},

    {"transpose_diagonal", "2 floor(s/2)", "2 floor(s/2) m", "square torus", "2 floor((s - 1)/2)"},
    {"transpose_direct", "1", "m", "switch, P = s^2; elsewhere the messages on the busiest link"},
    {"transpose_memory", "2 ceil((P - s)/k)", "2 ceil((P - s)/k) m", "memory, P = s^2"},
    {"transpose_swap", "2 ceil(s (s - 1)/(2 k))", "2 ceil(s (s - 1)/(2 k)) m", "bus, P = s^2"},
};

}  // namespace

const ClosedForm& closed_form(std::string_view algorithm) {
  const auto found = std::find_if(std::begin(forms), std::end(forms),
                                  [&](const ClosedForm& form) { return form.algorithm == algorithm; });
  if (found == std::end(forms)) throw std::out_of_range("no closed form of " + std::string(algorithm));
  return *found;
}

std::string to_text(const ClosedForm& form) {
  if (form.startups.empty()) return std::string(form.where);
  const std::string further = form.further.empty() ? "" : fmt::format("; further messages {}", form.further);
  return fmt::format("start-ups {}; bytes {}{}; {}", form.startups, form.bytes, further, form.where);
}

std::string_view closed_form_letters() {
  return "P ranks, n = log2 P; m bytes of a block, of the message in sendrecv and bcast; nu packets; D links to the "
         "farthest rank or the target; torus of R x C or s x s ranks, V = floor(R/2), H = floor(C/2); k what a medium "
         "serves at once; p paths, L links of the longest, S those of all less p";
}

}  // namespace quadrille::cli
