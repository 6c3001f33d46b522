// Questions of the papers, and some that a lecture asks.
import { plain, type Question } from "./question";

export interface Prepared {
  title: string;
  says: string;
  q: Question;
}
const ask = (title: string, says: string, q: Partial<Question>): Prepared => ({ title, says, q: { ...plain, ...q } });

const exchange = (d: number, bytes: string, algorithm = ""): Partial<Question> => ({ topology: `hypercube:${d}`, machine: "ipsc860", bytes, algorithm });
const sources = (mesh: string, bytes: string, list: string): Partial<Question> => ({ collective: "multibcast", topology: `mesh:${mesh}`, machine: "paragon-h95", bytes, options: { sources: list } });
const halo = (topology: string, machine: string, grid: string): Partial<Question> => ({ collective: "alltoallv", topology, machine, bytes: "20480", options: { demands: `halo(${grid})` } });

const last = (topology: string): Partial<Question> => ({ collective: "alltoallv", topology, machine: "ncube2", bytes: "16KiB", options: { demands: "shift(8)" } });

export const prepared: { from: string; questions: Prepared[] }[] = [
  {
    from: "Nicol & Bokhari 1994: complete exchanges on the iPSC/860",
    questions: [
      ask("Figure 2: 32 nodes", "The chart of sizes below has the paper's curves for d = 5.", exchange(5, "100")),
      ask("32 B on 64 nodes", "Two phases of three dimensions each; the chart of sizes is the paper's figure 3, for d = 6.", exchange(6, "32")),
      ask("100 B on 64 nodes", "Larger blocks want fewer bytes, smaller ones fewer rounds.", exchange(6, "100")),
      ask("100 B on 128 nodes", "Partitions of seven dimensions.", exchange(7, "100")),
      ask("Direct, one phase", "What the paper compares with.", exchange(6, "100", "alltoall_direct")),
    ],
  },
  {
    from: "Saad & Schultz 1989: what the network decides",
    questions: [
      ask("A broadcast round a ring", "Packets follow one another.", { collective: "bcast", topology: "ring:16", machine: "ring-1986", bytes: "4KiB" }),
      ask("A scatter in a cube", "Half of what is left goes over each dimension.", { collective: "scatter", topology: "hypercube:4", machine: "ipsc-1985", bytes: "1KiB" }),
      ask("An all-gather on a bus", "The medium is the limit.", { collective: "allgather", topology: "bus:12", machine: "bus-1986", bytes: "1KiB" }),
      ask("A transpose on a torus", "A matrix by rows becomes one by columns.", { collective: "transpose", topology: "torus:4x4", machine: "ring-1986", bytes: "1KiB" }),
    ],
  },
  {
    from: "Hambrusch et al. 1995: several sources on the Paragon's mesh",
    questions: [
      ask("Figure 2: 40 sources of 4 KiB, equally spread", "All ranks get what the sources have.", sources("10x10", "4KiB", "E(40)")),
      ask("Figure 3: 30 sources on right diagonals, 1 KiB", "Short messages: rounds count.", sources("10x10", "1KiB", "DR(30)")),
      ask("Figure 4: 16 sources of 1 KiB on 256 processors", "About as many sources as the square root of the processors.", sources("16x16", "1KiB", "DR(16)")),
      ask("30 sources in rows of a 10 x 10 mesh", "Figure 5, a distribution that is hard for some algorithms.", sources("10x10", "2KiB", "R(30)")),
      ask("30 sources on the diagonal", "Figure 5: the same number, spread otherwise.", sources("10x10", "2KiB", "DR(30)")),
      ask("Figure 6: 80 KiB in all from 20 sources", "As many bytes from few or from many.", sources("10x10", "4KiB", "DR(20)")),
      ask("Figure 7: 120 processors as 8 x 15", "The shape of the mesh, with 30 sources of 4 KiB.", sources("8x15", "4KiB", "E(30)")),
      ask("Figure 8: 20 sources in rows, 2 KiB", "A time that the paper prints.", sources("10x10", "2KiB", "R(20)")),
      ask("Figure 9: 8 x 8, 15 sources in a cross", "A time that the paper prints.", sources("8x8", "2KiB", "Cr(15)")),
    ],
  },
  {
    from: "Foster 1995, section 3.7: messages that compete for wires",
    questions: [
      ask("Finite differences on a line of 16", "Each rank exchanges 5120 words with both neighbours; nothing competes.", halo("ring:16", "paragon", "16")),
      ask("The same on a bus", "All messages share the medium.", halo("bus:16", "bus-1986", "16")),
      ask("A butterfly's last step on a cube of 16", "Ranks eight apart exchange: one wire for each pair.", last("hypercube:4")),
      ask("A butterfly's last step on a line of 16", "The same messages compete for the middle of the line.", last("mesh:16")),
    ],
  },
  {
    from: "For a lecture",
    questions: [
      ask("A torus with a broken link", "Routes go round it; the limit moves.", { collective: "allgather", topology: "torus:4x4!0-1", machine: "unit", bytes: "64" }),
      ask("The same torus, whole", "To compare with.", { collective: "allgather", topology: "torus:4x4", machine: "unit", bytes: "64" }),
      ask("Gradients on a fat tree", "Where is a large all-reduce bound?", { collective: "allreduce", topology: "fattree:4", machine: "cluster", bytes: "64MiB" }),
      ask("Some ranks for some others", "An irregular exchange: each rank for two others, with sizes that differ.", { collective: "alltoallv", topology: "torus:4x4", machine: "cluster", bytes: "64KiB", options: { demands: "random(2)" } }),
      ask("Eight GPUs", "Links of a DGX-1, some of them double.", { collective: "allreduce", topology: "dgx1-v100", machine: "cluster", bytes: "64MiB" }),
      ask("A wrong schedule", "Refuted, with the place where it fails.", { collective: "bcast", topology: "path:4", machine: "unit", bytes: "64", schedule: "# Rank 1 sends in round 0 what it gets in round 0.\nround 0: r > r+1: 0  for r in 0..P-2" }),
      ask("The same, right", "Each round a step further.", { collective: "bcast", topology: "path:4", machine: "unit", bytes: "64", schedule: "# Rank 0 has the message; each passes it on to the next.\nround r: r > r+1: 0  for r in 0..P-2" }),
    ],
  },
];
