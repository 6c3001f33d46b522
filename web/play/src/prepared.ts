// Questions of the papers, and some that a lecture asks.
import { plain, type Question } from "./question";

export interface Prepared {
  title: string;
  says: string;
  q: Question;
}
const ask = (title: string, says: string, q: Partial<Question>): Prepared => ({ title, says, q: { ...plain, ...q } });

export const prepared: { from: string; questions: Prepared[] }[] = [
  {
    from: "Nicol & Bokhari 1994: complete exchanges on the iPSC/860",
    questions: [
      ask("32 B on 64 nodes", "Two phases of three dimensions each; the chart of sizes is the paper's figure for d = 6.", { topology: "hypercube:6", machine: "ipsc860", bytes: "32" }),
      ask("100 B on 64 nodes", "Larger blocks want fewer bytes, smaller ones fewer rounds.", { topology: "hypercube:6", machine: "ipsc860", bytes: "100" }),
      ask("100 B on 128 nodes", "Partitions of seven dimensions.", { topology: "hypercube:7", machine: "ipsc860", bytes: "100" }),
      ask("Direct, one phase", "What the paper compares with.", { topology: "hypercube:6", machine: "ipsc860", bytes: "100", algorithm: "alltoall_direct" }),
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
      ask("30 sources in rows of a 10 x 10 mesh", "All ranks get what the sources have.", { collective: "multibcast", topology: "mesh:10x10", machine: "paragon-h95", bytes: "2KiB", options: { sources: "R(30)" } }),
      ask("30 sources on the diagonal", "The same number, spread otherwise.", { collective: "multibcast", topology: "mesh:10x10", machine: "paragon-h95", bytes: "2KiB", options: { sources: "DR(30)" } }),
    ],
  },
  {
    from: "For a lecture",
    questions: [
      ask("A torus with a broken link", "Routes go round it; the limit moves.", { collective: "allgather", topology: "torus:4x4!0-1", machine: "unit", bytes: "64" }),
      ask("The same torus, whole", "To compare with.", { collective: "allgather", topology: "torus:4x4", machine: "unit", bytes: "64" }),
      ask("Gradients on a fat tree", "Where is a large all-reduce bound?", { collective: "allreduce", topology: "fattree:4", machine: "cluster", bytes: "64MiB" }),
      ask("Eight GPUs", "Links of a DGX-1, some of them double.", { collective: "allreduce", topology: "dgx1-v100", machine: "cluster", bytes: "64MiB" }),
      ask("A wrong schedule", "Refuted, with the place where it fails.", { collective: "bcast", topology: "path:4", machine: "unit", bytes: "64", schedule: "# Rank 1 sends in round 0 what it gets in round 0.\nround 0: r > r+1: 0  for r in 0..P-2" }),
      ask("The same, right", "Each round a step further.", { collective: "bcast", topology: "path:4", machine: "unit", bytes: "64", schedule: "# Rank 0 has the message; each passes it on to the next.\nround r: r > r+1: 0  for r in 0..P-2" }),
    ],
  },
];
