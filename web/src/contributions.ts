// Reductions: which contributions every rank has combined of every part of the vector, after every round.
import type { Steps } from "./document";
import type { Progress, Schedule } from "./schedule";

/// Bytes of states that are kept, so that going back is quick.
const most = 1 << 26;

interface State {
  /// By rank * parts + part.
  sets: Int32Array;
  made: Int32Array;
}

export class Contributions {
  /// Blocks times pieces; part = piece * blocks + block.
  readonly parts: number;
  /// The set that a rank must end with, by rank * parts + part; 0: none.
  readonly wanted: Int32Array;
  private readonly steps: Steps;
  private readonly sizes: Int32Array;
  private readonly every: number;
  private readonly kept: State[] = [];
  private now: State;
  private done = 0;

  constructor(private readonly schedule: Schedule) {
    this.steps = schedule.steps;
    this.parts = this.steps.blocks.count * schedule.pieces;
    this.sizes = Int32Array.from(this.steps.sets!, (list) => {
      let size = 0;
      for (let i = 1; i < list.length; i += 3) size += list[i + 1];
      return size;
    });
    const cells = schedule.nodes * this.parts;
    this.every = Math.max(32, Math.ceil((schedule.rounds * cells * 4) / most));
    const begin = (runs: number[]): Int32Array => {
      const sets = new Int32Array(cells);
      for (let i = 0; i < runs.length; i += 3) for (let r = runs[i]; r < runs[i] + runs[i + 1]; ++r) this.put(sets, r, runs[i + 2], 0);
      return sets;
    };
    this.wanted = begin(this.steps.wanted);
    this.now = { sets: begin(this.steps.initial), made: new Int32Array(schedule.nodes) };
    this.keep();
  }

  private keep(): void {
    if (this.done % this.every === 0 && this.kept.length === this.done / this.every) this.kept.push({ sets: this.now.sets.slice(), made: this.now.made.slice() });
  }

  private put(sets: Int32Array, rank: number, items: number, round: number, change?: (cell: number, set: number) => void): void {
    this.schedule.visit(items, rank, round, (piece, block, set) => {
      const cell = rank * this.parts + piece * this.steps.blocks.count + block;
      change?.(cell, set);
      sets[cell] = set;
    });
  }

  private step(change?: (cell: number, set: number) => void): void {
    const runs = this.steps.made![this.done];
    for (let i = 0; i < runs.length; i += 3) this.now.made.fill(runs[i + 2], runs[i], runs[i] + runs[i + 1]);
    for (let r = 0; r < this.schedule.nodes; ++r) if (this.now.made[r] > 0) this.put(this.now.sets, r, this.now.made[r], this.done, change);
    ++this.done;
    this.keep();
  }

  /// What ranks have combined after so many rounds, by rank * parts + part. Valid until the next call.
  after(done: number): Int32Array {
    if (done < this.done || done >= this.done + this.every) {
      const k = Math.min(this.kept.length - 1, Math.floor(done / this.every));
      if (done < this.done || k * this.every > this.done) {
        this.now = { sets: this.kept[k].sets.slice(), made: this.kept[k].made.slice() };
        this.done = k * this.every;
      }
    }
    while (this.done < done) this.step();
    return this.now.sets;
  }

  size(set: number): number {
    return this.sizes[set];
  }
  inOrder(set: number): boolean {
    return this.steps.sets![set][0] === 1;
  }
  has(set: number, from: number, contributor: number): boolean {
    const list = this.steps.sets![set];
    const name = this.schedule.naming.name(contributor, from);
    for (let i = 1; i < list.length; i += 3) {
      const off = name - list[i];
      if (off >= 0 && off % list[i + 2] === 0 && off / list[i + 2] < list[i + 1]) return true;
    }
    return false;
  }
  /// Calls visit(rank) for every contribution in a set of rank `from`.
  each(set: number, from: number, visit: (rank: number) => void): void {
    const list = this.steps.sets![set];
    for (let i = 1; i < list.length; i += 3) for (let n = 0; n < list[i + 1]; ++n) visit(this.schedule.naming.rank(list[i] + n * list[i + 2], from));
  }
  /// Whether a rank has what it must have of a part; null where it gets no result of it.
  complete(cell: number, set: number): boolean | null {
    return this.wanted[cell] === 0 ? null : this.sizes[set] === this.sizes[this.wanted[cell]];
  }

  /// "ranks 0 to 2 and 5", "rank 3", "all 8 ranks".
  text(set: number, from: number): string {
    const all: number[] = [];
    this.each(set, from, (rank) => all.push(rank));
    if (all.length === 0) return "none";
    if (all.length === this.schedule.ranks && all.length > 1) return `all ${all.length} ranks`;
    all.sort((a, b) => a - b);
    const runs: string[] = [];
    for (let i = 0; i < all.length; ) {
      let k = i;
      while (k + 1 < all.length && all[k + 1] === all[k] + 1) ++k;
      runs.push(k === i ? String(all[i]) : k === i + 1 ? `${all[i]}, ${all[k]}` : `${all[i]} to ${all[k]}`);
      i = k + 1;
    }
    return `rank${all.length === 1 ? "" : "s"} ${runs.slice(0, 6).join(", ")}${runs.length > 6 ? " and others" : ""}`;
  }
  /// "block 3", "piece 2 of block 1", "the vector".
  partText(part: number): string {
    const blocks = this.steps.blocks.count;
    const block = this.schedule.blockText(part % blocks);
    return this.schedule.pieces > 1 ? `piece ${Math.floor(part / blocks)} of ${block}` : block;
  }

  /// How far ranks are, after every round: contributions of those that their results are made of, or, at a rank that
  /// gets no result, of all.
  async follow(): Promise<Progress> {
    const { nodes, ranks, rounds } = this.schedule;
    const wanted = new Int32Array(nodes);
    for (let cell = 0; cell < this.wanted.length; ++cell) wanted[Math.floor(cell / this.parts)] += this.sizes[this.wanted[cell]];
    const of = wanted.map((n, r) => (n > 0 ? n : r < ranks ? this.parts * ranks : 0));
    const counts = (cell: number) => this.wanted[cell] > 0 || wanted[Math.floor(cell / this.parts)] === 0;
    const have = (rounds + 1) * nodes <= 1 << 23 ? new Int32Array((rounds + 1) * nodes) : null;
    const total = new Float64Array(rounds + 1);
    const now = new Int32Array(nodes);
    this.after(0);
    this.now.sets.forEach((set, cell) => {
      if (counts(cell)) now[Math.floor(cell / this.parts)] += this.sizes[set];
    });
    const keep = (t: number) => {
      have?.set(now, t * nodes);
      for (let r = 0; r < nodes; ++r) if (wanted[r] > 0) total[t] += now[r];
    };
    keep(0);
    let began = performance.now();
    for (let t = 0; t < rounds; ++t) {
      this.after(t); // somebody may have looked at another round meanwhile
      this.step((cell, set) => {
        if (counts(cell)) now[Math.floor(cell / this.parts)] += this.sizes[set] - this.sizes[this.now.sets[cell]];
      });
      keep(t + 1);
      if (performance.now() - began > 12) {
        await new Promise((go) => setTimeout(go, 0));
        began = performance.now();
      }
    }
    const end = this.after(rounds);
    return { wanted, of, have, total, complete: this.wanted.every((_, cell) => this.complete(cell, end[cell]) !== false) };
  }
}
