// The side panel in words: what happens at a rank, or with a message.
import type { Contributions } from "./contributions";
import type { ReportDocument } from "./document";
import { h } from "./dom";
import { bytes, count, some, time } from "./format";
import type { Layout } from "./layout";
import type { Loads } from "./loads";
import type { Progress, Schedule } from "./schedule";

/// What is shown.
export interface Moment {
  tau: number;
  round: number;
  rank: number;
  message: number;
  progress: Progress | null;
}

export class Details {
  constructor(
    private readonly report: ReportDocument,
    private readonly schedule: Schedule,
    private readonly layout: Layout,
    private readonly loads: Loads,
  ) {}

  lines(now: Moment): HTMLElement[] {
    if (this.schedule.rounds === 0) return [h("p", {}, "Nothing has to be sent.")];
    const m = this.schedule.messages(now.round);
    if (now.message >= 0 && now.message < m.count) {
      const i = now.message;
      const way = this.loads.way(m.from[i], m.to[i]);
      return [
        h("h3", {}, `Message ${m.from[i]} \u2192 ${m.to[i]}`),
        h("p", {}, `${bytes(m.bytes[i])} over ${some(way.links.length, "link")}${way.shares ? ", divided among several ways" : ""}${way.links.length <= 6 ? ": " + way.links.map((l) => this.layout.links.names[l]).join(", ") : ""}.`),
        h("p", {}, this.carried(m.items[i], m.from[i], now.round)),
      ];
    }
    const r = now.rank;
    if (r < 0) return [h("p", { class: "note" }, "Point at a rank or a message, or walk with the arrow keys, to see what it does.")];
    const lines: HTMLElement[] = [h("h3", {}, `Rank ${r}`)];
    const done = Math.floor(now.tau + 1e-9);
    if (this.schedule.contributions !== null) lines.push(...this.combined(r, done, this.schedule.contributions));
    else if (now.progress?.have != null)
      lines.push(h("p", {}, `Has ${count(now.progress.have[done * this.schedule.nodes + r])} of ${count(now.progress.wanted[r])} ${this.schedule.pieces > 1 ? "pieces" : "blocks"} it must have.`));
    if (done >= this.schedule.rounds) return lines;
    const list = (title: string, other: (i: number) => number, mine: (i: number) => number) => {
      const rows: string[] = [];
      let n = 0;
      for (let i = 0; i < m.count; ++i)
        if (mine(i) === r && ++n <= 8) rows.push(`${other(i)}: ${bytes(m.bytes[i])}${m.items[i] > 0 ? `, ${this.carried(m.items[i], m.from[i], now.round)}` : ""}`);
      if (n > 8) rows.push(`and ${n - 8} more`);
      lines.push(h("p", {}, n === 0 ? `${title.split(" ")[0]} nothing in this round.` : `${title}:`));
      if (n > 0) lines.push(h("ul", {}, ...rows.map((row) => h("li", {}, row))));
    };
    list("Sends to", (i) => m.to[i], (i) => m.from[i]);
    list("Receives from", (i) => m.from[i], (i) => m.to[i]);
    const rounds = this.report.rounds;
    const at = rounds?.round.indexOf(now.round) ?? -1;
    if (rounds && at >= 0) lines.push(h("p", { class: "note" }, `The round lasts ${time(rounds.time_s[at])}.`));
    return lines;
  }

  /// What a rank has combined, part by part of the vector.
  private combined(rank: number, done: number, c: Contributions): HTMLElement[] {
    if (rank >= this.schedule.ranks) return [];
    const sets = c.after(done);
    const rows: string[] = [];
    for (let part = 0; part < c.parts && rows.length < 6; ++part) {
      const cell = rank * c.parts + part;
      if (c.wanted[cell] === 0 && c.size(sets[cell]) < 2) continue;
      rows.push(`${c.partText(part)}: ${c.text(sets[cell], rank)}${c.complete(cell, sets[cell]) ? ", the result" : ""}`);
    }
    if (rows.length === 0) return [h("p", {}, "Has combined nothing with its own contribution.")];
    return [h("p", {}, "Has combined:"), h("ul", {}, ...rows.map((row) => h("li", {}, row)), rows.length === 6 && c.parts > 6 && h("li", {}, "and more, below the picture"))];
  }

  /// "block of rank 3", "4 blocks: of ranks 3, 4, ...", "block 2 of ranks 0 to 3".
  private carried(items: number, from: number, round: number): string {
    if (items === 0) return "blocks not followed";
    const c = this.schedule.contributions;
    if (c !== null) return this.carriedValues(items, from, round, c);
    const blocks = new Set<number>();
    let pieces = 0;
    let only = 0;
    this.schedule.visit(items, from, round, (piece, block) => {
      blocks.add(block);
      only = piece;
      ++pieces;
      return pieces < 4096;
    });
    const names = [...blocks].slice(0, 4).map((b) => this.schedule.blockText(b));
    const part = this.schedule.pieces > 1 && pieces < blocks.size * this.schedule.pieces ? (pieces === 1 ? `piece ${only} of ` : `${some(pieces, "piece")} of `) : "";
    return `${part}${names.join(", ")}${blocks.size > 4 ? ` and ${blocks.size - 4} more` : ""}`;
  }

  private carriedValues(items: number, from: number, round: number, c: Contributions): string {
    const bySet = new Map<number, number[]>();
    let n = 0;
    this.schedule.visit(items, from, round, (piece, block, set) => {
      bySet.set(set, [...(bySet.get(set) ?? []), piece * this.schedule.steps.blocks.count + block].slice(0, 5));
      return ++n < 4096;
    });
    const values = [...bySet].slice(0, 3).map(([set, parts]) => `${parts.slice(0, 4).map((part) => c.partText(part)).join(", ")}${parts.length > 4 ? " and more" : ""}, contributed by ${c.text(set, from)}`);
    return `${values.join("; ")}${bySet.size > 3 ? " and more" : ""}`;
  }
}
