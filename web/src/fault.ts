// The place where a wrong schedule fails, in words: who should have had what.
import type { Counterexample } from "../library/src/answers";
import { h } from "./dom";
import type { Layout } from "./layout";
import type { Schedule } from "./schedule";
import { term } from "./terms";

export class Fault {
  constructor(
    readonly found: Counterexample,
    private readonly schedule: Schedule,
    private readonly layout: Layout,
  ) {}

  /// When it shows, in rounds: while messages of its round are under way, or after the last one.
  get moment(): number {
    return this.found.round < 0 ? this.schedule.rounds : Math.min(this.schedule.rounds, this.found.round + 0.5);
  }
  shows(tau: number): boolean {
    return Math.abs(tau - this.moment) < 1e-9;
  }
  /// Points of the message at fault.
  get way(): number[] | null {
    const m = this.found.message;
    const there = m !== null && Math.max(...m) < this.schedule.nodes && Math.min(...m) >= 0 && m[0] !== m[1];
    return there ? this.layout.way(m[0], m[1]).points : null;
  }

  /// When a rank has the block that it must have: "only in this round ...".
  private late(): string {
    const c = this.found.content;
    if (!c || c.block < 0 || !this.schedule.withBlocks || this.schedule.contributions !== null) return "";
    const { since } = this.schedule.holding(c.block);
    const when = since[c.rank * this.schedule.pieces];
    const text = this.schedule.blockText(c.block);
    const holders = Array.from({ length: this.schedule.ranks }, (_, r) => r).filter((r) => since[r * this.schedule.pieces] <= this.moment);
    const who = holders.length === 0 ? "Nobody has it" : `It is at rank${holders.length === 1 ? "" : "s"} ${holders.slice(0, 8).join(", ")}${holders.length > 8 ? " and others" : ""}`;
    const comes = !Number.isFinite(when) ? `No message brings ${text} to rank ${c.rank}.` : when > this.found.round && this.found.round >= 0 ? `${text.charAt(0).toUpperCase()}${text.slice(1)} comes to rank ${c.rank} in round ${when - 1}, and in a round all is sent before anything comes in.` : "";
    return `${comes} ${who} at this moment.`.trim();
  }

  lines(): HTMLElement[] {
    const { kind, round, rank, text, message, content } = this.found;
    const where = round < 0 ? `At the end, rank ${rank}` : `Round ${round} of 0 to ${this.schedule.rounds - 1}, rank ${rank}`;
    const holds = content ? [content.has && `has ${content.has}`, content.must && `${round < 0 ? "must have" : "is for"} ${content.must}`].filter((part) => part) : [];
    const must = content && holds.length > 0 ? [term("slot", "Slot"), ` ${content.slot} of ${content.buffer} at rank ${content.rank} ${holds.join(" and ")}.`] : [];
    return [
      h("h3", { class: "wrong" }, `Here it fails: ${kind}`),
      h("p", {}, `${where}: ${text}.`),
      ...(message ? [h("p", {}, `The message ${message[0]} \u2192 ${message[1]}${content ? `, slot ${content.slot} of ${content.buffer}` : ""}, is marked with a cross.`)] : []),
      ...[must, [this.late()]].filter((line) => line.join("") !== "").map((line) => h("p", {}, ...line)),
    ];
  }
}
