// What the picture can show of ranks, other than all that they must have: one block, one contribution.
import type { Contributions } from "./contributions";
import { count, some } from "./format";
import type { Schedule } from "./schedule";

export interface Following {
  /// What a full rank has.
  full: string;
  /// Of so many ranks that are full: "3 ranks of 8 hold the block of rank 2."
  says(ranks: number): string;
  share(rank: number, done: number): number;
  /// Whether a message has to do with it.
  carries(items: number, from: number): boolean;
}

const of = (n: number, ranks: number) => `${some(n, "rank")} of ${count(ranks)}`;

export function followBlock(schedule: Schedule, block: number): Following {
  const { since } = schedule.holding(block);
  const pieces = schedule.pieces;
  const text = schedule.blockText(block);
  return {
    full: `holds ${text}; coloured messages carry it`,
    says: (n) => `${of(n, schedule.ranks)} hold${n === 1 ? "s" : ""} ${text}${pieces > 1 ? " whole" : ""}.`,
    share: (rank, done) => {
      let held = 0;
      for (let p = 0; p < pieces; ++p) if (since[rank * pieces + p] <= done) ++held;
      return held / pieces;
    },
    carries: (items, from) => schedule.carries(items, from, block),
  };
}

/// How many contributions each rank has combined of one block of the vector.
export function followPart(schedule: Schedule, contributions: Contributions, block: number): Following {
  const { pieces, ranks } = schedule;
  const blocks = schedule.steps.blocks.count;
  return {
    full: `has combined all contributions to ${schedule.blockText(block)}; coloured messages carry some of it`,
    says: (n) => `${of(n, ranks)} ha${n === 1 ? "s" : "ve"} combined all contributions to ${schedule.blockText(block)}.`,
    share: (rank, done) => {
      const sets = contributions.after(done);
      let size = 0;
      for (let p = 0; p < pieces; ++p) size += contributions.size(sets[rank * contributions.parts + p * blocks + block]);
      return size / (pieces * ranks);
    },
    carries: (items, from) => schedule.carries(items, from, block),
  };
}

/// In how many parts of the vector each rank has combined one rank's contribution.
export function followContribution(schedule: Schedule, contributions: Contributions, who: number): Following {
  return {
    full: `has the contribution of rank ${who} in all parts of the vector; coloured messages carry it`,
    says: (n) => `${of(n, schedule.ranks)} ha${n === 1 ? "s" : "ve"} the contribution of rank ${who} in all parts of the vector.`,
    share: (rank, done) => {
      const sets = contributions.after(done);
      let has = 0;
      for (let p = 0; p < contributions.parts; ++p) if (contributions.has(sets[rank * contributions.parts + p], rank, who)) ++has;
      return has / contributions.parts;
    },
    carries: (items, from) => {
      let found = false;
      schedule.visit(items, from, 0, (_piece, _block, set) => !(found = contributions.has(set, from, who)));
      return found;
    },
  };
}
