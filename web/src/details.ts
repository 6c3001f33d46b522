// The side panel in words: what happens at a rank, or with a message.
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
        h("p", {}, `${bytes(m.bytes[i])} over ${some(way.links.length, "link")}${way.links.length <= 6 ? ": " + way.links.map((l) => this.layout.linkName(l)).join(", ") : ""}.`),
        h("p", {}, this.carried(m.items[i], m.from[i], now.round)),
      ];
    }
    const r = now.rank;
    if (r < 0) return [h("p", { class: "note" }, "Point at a rank or a message, or walk with the arrow keys, to see what it does.")];
    const lines: HTMLElement[] = [h("h3", {}, `Rank ${r}`)];
    const done = Math.floor(now.tau + 1e-9);
    if (now.progress?.have != null)
      lines.push(h("p", {}, `Has ${count(now.progress.have[done * this.schedule.nodes + r])} of ${count(now.progress.wanted[r])} ${this.schedule.pieces > 1 ? "pieces" : "blocks"} it must have.`));
    if (done >= this.schedule.rounds) return lines;
    const list = (title: string, other: (i: number) => number, mine: (i: number) => number) => {
      const rows: string[] = [];
      let n = 0;
      for (let i = 0; i < m.count; ++i)
        if (mine(i) === r && ++n <= 8) rows.push(`${other(i)}: ${bytes(m.bytes[i])}${m.items[i] > 0 ? `, ${this.carried(m.items[i], m.from[i], now.round)}` : ""}`);
      if (n > 8) rows.push(`and ${n - 8} more`);
      lines.push(h("p", {}, n === 0 ? `${title} nothing in this round.` : `${title}:`));
      if (n > 0) lines.push(h("ul", {}, ...rows.map((row) => h("li", {}, row))));
    };
    list("Sends to", (i) => m.to[i], (i) => m.from[i]);
    list("Receives from", (i) => m.from[i], (i) => m.to[i]);
    const rounds = this.report.rounds;
    const at = rounds?.round.indexOf(now.round) ?? -1;
    if (rounds && at >= 0) lines.push(h("p", { class: "note" }, `The round lasts ${time(rounds.time_s[at])}.`));
    return lines;
  }

  /// "block of rank 3", "4 blocks: of ranks 3, 4, ...".
  private carried(items: number, from: number, round: number): string {
    if (items === 0) return "blocks not followed";
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
}
