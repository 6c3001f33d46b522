// What is below a question: the answer, which follows every move of a slider, and the parts of the report, which come when
// the question stands still.
import { answer, barWidth } from "../../src/answer";
import type { ReportDocument } from "../../src/document";
import { beginAnew, h } from "../../src/dom";
import { ratio, time, timesAreCounts } from "../../src/format";
import type { Player } from "../../src/player";
import { sections } from "../../src/sections";
import type { Refused } from "./planner";

export class Result {
  readonly top = h("div", { class: "top-answer" });
  readonly parts = h("div", { class: "parts" });
  readonly says = h("p", { class: "hidden", role: "status", "aria-live": "polite" });
  player: Player | null = null;
  private shown: ReportDocument | null = null;
  private width = 0;
  private late: ReturnType<typeof setTimeout> | undefined;

  /// `id`: of two results on a page, whose elements have different names.
  constructor(private readonly id: string) {}

  /// The first screen.
  answered(d: ReportDocument): void {
    this.shown = d;
    this.arrived();
    timesAreCounts(d.machine.counts);
    const shown = answer(d, h("span", {}), this.width);
    for (const element of shown.querySelectorAll("[id]")) element.id += this.id;
    for (const element of shown.querySelectorAll("[aria-labelledby]")) element.setAttribute("aria-labelledby", element.getAttribute("aria-labelledby") + this.id);
    const open = this.top.querySelector("details")?.open ?? false;
    this.top.replaceChildren(shown);
    const details = this.top.querySelector("details");
    if (details) details.open = open;
    if (d.proof?.holds === false) this.says.textContent = "Refuted: this schedule is wrong.";
    else this.says.textContent = d.answer ? `${d.answer.choice}: ${time(d.answer.price_s)}${d.bound.time_s > 0 ? `, ${ratio(d.answer.price_s / d.bound.time_s)} times the limit` : ""}.` : "Nothing can run here.";
  }

  /// The time that the width of its bars stands for by itself.
  get barsWidth(): number {
    return this.shown?.answer ? barWidth(this.shown) : 0;
  }
  /// Bars of two questions beside each other have one scale.
  scaled(width: number): void {
    if (this.width === width) return;
    this.width = width;
    const note = this.top.querySelector(".first-answer")?.textContent;
    if (this.shown) this.answered(this.shown);
    if (note) this.first(note);
  }

  /// Says that the answer that is shown is not the last word.
  first(text: string): void {
    this.top.querySelector(".first-answer")?.remove();
    this.top.prepend(h("p", { class: "note first-answer" }, text));
  }

  /// The rest of the report. The one that was shown before listens to nothing any more.
  reported(d: ReportDocument): { counted: Promise<number[]> } {
    beginAnew();
    timesAreCounts(d.machine.counts);
    const { elements, player, counted } = sections(d);
    this.parts.replaceChildren(...elements);
    this.parts.removeAttribute("aria-busy");
    this.player = player;
    player?.playFault();
    return { counted };
  }

  /// What is shown is of a question before; it fades where the answer takes a moment.
  waiting(): void {
    this.parts.setAttribute("aria-busy", "true");
    this.late ??= setTimeout(() => this.top.setAttribute("aria-busy", "true"), 300);
  }

  private arrived(): void {
    clearTimeout(this.late);
    this.late = undefined;
    this.top.removeAttribute("aria-busy");
  }

  refused(why: Refused): void {
    this.arrived();
    this.shown = null;
    this.top.replaceChildren(h("div", { class: "refusal", role: "alert" }, h("h2", {}, "This cannot be answered"), h("p", {}, why.message)));
    this.says.textContent = "";
    this.nothing();
  }

  /// A schedule of one's own that cannot be read.
  notYours(): void {
    this.first("This is the best that is known, not your schedule: what is wrong with its text stands below it.");
  }

  nothing(): void {
    beginAnew();
    this.player = null;
    this.parts.replaceChildren();
    this.parts.removeAttribute("aria-busy");
  }
}
