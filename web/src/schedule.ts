// The schedule as the document tells it, played: who sends what in a round, who holds a
// block when, and whether all have what they must have at the end.
import { Contributions } from "./contributions";
import type { ReportDocument, Steps } from "./document";
import { Naming } from "./naming";

/// The messages of a round, one entry each.
export interface Messages {
  count: number;
  from: Int32Array;
  to: Int32Array;
  bytes: Float64Array;
  items: Int32Array;
}

/// When every rank has which piece of one block: rank * pieces + piece -> rounds done by then; Infinity: never.
export interface Holding {
  block: number;
  since: Float64Array;
}

/// How far the run is: what ranks have of what they must have, after every round.
export interface Progress {
  /// Pieces wanted by each rank; of a reduction, contributions to each of them.
  wanted: Int32Array;
  /// What is drawn full: the same, but where a rank of a reduction gets no result, all that it could combine.
  of: Int32Array;
  /// (rounds + 1) x ranks: what a rank has of that after so many rounds; null where that is too much to keep.
  have: Int32Array | null;
  /// After every number of rounds, all ranks together, of what is wanted.
  total: Float64Array;
  /// Whether all ranks have everything after the last round, counted piece by piece in this page.
  complete: boolean;
}

const checkpointEvery = 32;

export class Schedule {
  readonly steps: Steps;
  readonly ranks: number;
  readonly nodes: number;
  readonly rounds: number;
  readonly pieces: number;
  readonly naming: Naming;
  /// Of a reduction.
  readonly contributions: Contributions | null;
  private readonly header: number; // of a group of pieces in a set
  private readonly checkpoints: Int32Array[] = [];
  private readonly now: Int32Array;
  private at = -1;
  private cached: { round: number; messages: Messages } | null = null;

  constructor(report: ReportDocument) {
    this.steps = report.schedule!;
    this.ranks = report.network.ranks;
    this.nodes = report.network.nodes;
    this.rounds = this.steps.rounds;
    this.pieces = this.steps.pieces;
    this.naming = new Naming(this.steps.naming.kind, this.steps.naming.sides, this.ranks, this.nodes);
    this.now = new Int32Array(this.nodes);
    this.header = this.steps.detail === "contributions" ? 4 : 3;
    this.contributions = this.steps.detail === "contributions" ? new Contributions(this) : null;
  }

  /// Whether it is known what messages carry.
  get withBlocks(): boolean {
    return this.steps.detail === "blocks" || this.contributions !== null;
  }

  /// Every rank's action in a round, as an index into the document's actions. Valid until the next call.
  private actions(round: number): Int32Array {
    if (this.at > round) {
      const k = Math.floor(round / checkpointEvery);
      this.now.set(this.checkpoints[k]);
      this.at = k * checkpointEvery;
    }
    while (this.at < round) {
      const runs = this.steps.steps[++this.at];
      for (let i = 0; i < runs.length; i += 3) this.now.fill(runs[i + 2], runs[i], runs[i] + runs[i + 1]);
      if (this.at % checkpointEvery === 0 && this.checkpoints.length === this.at / checkpointEvery) this.checkpoints.push(this.now.slice());
    }
    return this.now;
  }

  /// The messages of a round; the latest one asked for is kept.
  messages(round: number): Messages {
    if (this.cached?.round === round) return this.cached.messages;
    const actions = this.actions(round);
    let count = 0;
    for (let r = 0; r < this.nodes; ++r) count += this.steps.actions[actions[r]].length / 3;
    const m: Messages = {
      count,
      from: new Int32Array(count),
      to: new Int32Array(count),
      bytes: new Float64Array(count),
      items: new Int32Array(count),
    };
    for (let r = 0, i = 0; r < this.nodes; ++r) {
      const action = this.steps.actions[actions[r]];
      for (let k = 0; k < action.length; k += 3, ++i) {
        m.from[i] = r;
        m.to[i] = this.naming.rank(action[k], r);
        m.bytes[i] = action[k + 1];
        m.items[i] = action[k + 2];
      }
    }
    this.cached = { round, messages: m };
    return m;
  }

  /// A block's name as seen from a rank.
  blockName(block: number, from: number): number {
    const kind = this.steps.blocks.kind;
    if (kind === "plain") return block;
    if (kind === "owner") return this.naming.name(block, from);
    const p = this.ranks;
    return this.naming.name(Math.floor(block / p), from) * this.naming.names + this.naming.name(block % p, from);
  }

  block(name: number, from: number): number {
    const kind = this.steps.blocks.kind;
    if (kind === "plain") return name;
    if (kind === "owner") return this.naming.rank(name, from);
    const names = this.naming.names;
    return this.naming.rank(Math.floor(name / names), from) * this.ranks + this.naming.rank(name % names, from);
  }

  /// "block of rank 5", "block 3 -> 7", "the message".
  blockText(block: number): string {
    if (this.contributions !== null) return this.steps.blocks.count === 1 ? "the vector" : `block ${block}`;
    if (this.steps.blocks.kind === "plain") return this.steps.blocks.count === 1 ? "the message" : `block of source ${block}`;
    if (this.steps.blocks.kind === "owner") return `block of rank ${block}`;
    return `block ${Math.floor(block / this.ranks)} \u2192 ${block % this.ranks}`;
  }

  /// Visits every piece and block of a set, named by rank `from` in `round`, in a reduction with its contributions;
  /// stops when `visit` returns false.
  visit(items: number, from: number, round: number, visit: (piece: number, block: number, set: number) => boolean | void): void {
    const list = this.steps.items[items];
    const moved = this.steps.pieces_move ? round : 0;
    for (let i = 0; i < list.length; ) {
      const first = list[i] + moved;
      const pieces = list[i + 1];
      const begin = i + this.header;
      const end = begin + 3 * list[begin - 1];
      for (let k = begin; k < end; k += 3)
        for (let n = 0; n < list[k + 1]; ++n) {
          const block = this.block(list[k] + n * list[k + 2], from);
          for (let p = 0; p < pieces; ++p) if (visit(first + p, block, list[i + 2]) === false) return;
        }
      i = end;
    }
  }

  /// Blocks in a set, and one of them.
  first(items: number, from: number, round: number): { block: number; piece: number; set: number } | null {
    let found: { block: number; piece: number; set: number } | null = null;
    this.visit(items, from, round, (piece, block, set) => {
      found = { block, piece, set };
      return false;
    });
    return found;
  }

  /// The pieces of one block in a set: visits ranges.
  private piecesOf(items: number, name: number, moved: number, visit: (first: number, count: number) => void): void {
    const list = this.steps.items[items];
    for (let i = 0; i < list.length; ) {
      const begin = i + this.header;
      const end = begin + 3 * list[begin - 1];
      for (let k = begin; k < end; k += 3) {
        const off = name - list[k];
        if (off >= 0 && off % list[k + 2] === 0 && off / list[k + 2] < list[k + 1]) {
          visit(list[i] + moved, list[i + 1]);
          break;
        }
      }
      i = end;
    }
  }

  /// Whether a message of a round carries a piece of the block.
  carries(items: number, from: number, block: number): boolean {
    let found = false;
    this.piecesOf(items, this.blockName(block, from), 0, () => (found = true));
    return found;
  }

  holding(block: number): Holding {
    const since = new Float64Array(this.nodes * this.pieces).fill(Infinity);
    const note = (rank: number, first: number, count: number, when: number) => {
      for (let p = first; p < first + count; ++p) {
        const i = rank * this.pieces + p;
        if (since[i] > when) since[i] = when;
      }
    };
    this.ends(this.steps.initial, (rank, items) => this.piecesOf(items, this.blockName(block, rank), 0, (f, c) => note(rank, f, c, 0)));
    for (let t = 0; t < this.rounds; ++t) {
      const m = this.messages(t);
      const moved = this.steps.pieces_move ? t : 0;
      for (let i = 0; i < m.count; ++i)
        this.piecesOf(m.items[i], this.blockName(block, m.from[i]), moved, (f, c) => note(m.to[i], f, c, t + 1));
    }
    return { block, since };
  }

  private ends(runs: number[], visit: (rank: number, items: number) => void): void {
    for (let i = 0; i < runs.length; i += 3) for (let r = runs[i]; r < runs[i] + runs[i + 1]; ++r) visit(r, runs[i + 2]);
  }

  /// Whether this page can follow every piece to its end.
  get followable(): boolean {
    return this.withBlocks && (this.contributions !== null || this.ranks * this.wantedPerRank <= 1 << 25);
  }
  private get wantedPerRank(): number {
    const b = this.steps.blocks;
    return (b.kind === "pair" ? this.ranks : b.count) * this.pieces;
  }

  /// Follows every piece that is wanted, a slice of time after the other so that the page stays alive.
  async follow(): Promise<Progress> {
    if (this.contributions !== null) return this.contributions.follow();
    const per = this.wantedPerRank;
    const pair = this.steps.blocks.kind === "pair";
    const wants = new Uint8Array(this.nodes * per);
    const wanted = new Int32Array(this.nodes);
    const place = (rank: number, piece: number, block: number): number => {
      if (pair) {
        if (block % this.ranks !== rank) return -1;
        block = Math.floor(block / this.ranks);
      }
      return rank * per + block * this.pieces + piece;
    };
    this.ends(this.steps.wanted, (rank, items) =>
      this.visit(items, rank, 0, (piece, block) => {
        const i = place(rank, piece, block);
        if (i >= 0) wants[i] = 1;
        ++wanted[rank];
      }),
    );
    const rows = this.rounds + 1;
    const have = rows * this.nodes <= 1 << 23 ? new Int32Array(rows * this.nodes) : null;
    const total = new Float64Array(rows);
    const now = new Int32Array(this.nodes);
    const receive = (rank: number, piece: number, block: number) => {
      const i = place(rank, piece, block);
      if (i >= 0 && wants[i] === 1) {
        wants[i] = 2;
        ++now[rank];
      }
    };
    const keep = (t: number) => {
      have?.set(now, t * this.nodes);
      for (let r = 0; r < this.nodes; ++r) total[t] += now[r];
    };
    this.ends(this.steps.initial, (rank, items) => this.visit(items, rank, 0, (piece, block) => receive(rank, piece, block)));
    keep(0);
    let began = performance.now();
    for (let t = 0; t < this.rounds; ++t) {
      const m = this.messages(t);
      for (let i = 0; i < m.count; ++i) this.visit(m.items[i], m.from[i], t, (piece, block) => receive(m.to[i], piece, block));
      keep(t + 1);
      if (performance.now() - began > 12) {
        await new Promise((go) => setTimeout(go, 0));
        began = performance.now();
      }
    }
    let complete = true;
    for (let r = 0; r < this.nodes; ++r) complete &&= now[r] === wanted[r];
    return { wanted, of: wanted, have, total, complete };
  }
}
