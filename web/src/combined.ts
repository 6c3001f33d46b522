// Who has combined what of a reduction: a row for each rank, a field for each contribution to each part of the vector.
import { clamp } from "./controls";
import type { Contributions } from "./contributions";
import { colour, h, whenShown } from "./dom";
import { some } from "./format";
import type { Schedule } from "./schedule";
import { term } from "./terms";

const left = 46;
const gap = 5;

export class CombinedChart {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { tabindex: "0", role: "application", "aria-roledescription": "chart" });
  private readonly readout = h("p", { class: "readout", "aria-live": "polite" });
  private readonly choice: HTMLElement;
  private part = 0; // shown alone, where there is no room for all
  private shown: number[] = [];
  private done = 0;
  private row = 0;
  private column = 0; // among the shown parts
  private cell = 1; // width of a contribution
  private tall = 1;
  private pointed = false;

  constructor(
    private readonly schedule: Schedule,
    private readonly contributions: Contributions,
  ) {
    this.canvas.setAttribute("aria-label", "Contributions by rank and part of the vector. Arrow keys walk through ranks and parts.");
    const input = h("input", { type: "number", min: 0, max: contributions.parts - 1, value: 0, class: "number", id: "part" });
    input.addEventListener("input", () => {
      this.part = clamp(Number(input.value), 0, contributions.parts - 1);
      this.column = 0;
      this.paint();
    });
    this.choice = h("p", { class: "row" }, h("label", { for: "part" }, `Part of the vector, of ${contributions.parts}: `), input);
    this.element = h(
      "section",
      { id: "contributions", "aria-labelledby": "contributions-title" },
      h("h2", { id: "contributions-title" }, "Who has combined what"),
      h(
        "p",
        {},
        "A row for each rank; in it a field for the ",
        term("contribution"),
        ` of each rank, left to right${contributions.parts > 1 ? ", part of the vector by part" : ""}. Filled: the rank has combined it by now. Pale: its result needs it. `,
        h("span", { class: "sample whole" }, "Like this"),
        ": the result is complete.",
      ),
      this.choice,
      h("div", { class: "chart" }, this.canvas),
      this.readout,
    );
    this.canvas.addEventListener("pointermove", (event) => this.point(event.offsetX, event.offsetY));
    this.canvas.addEventListener("pointerleave", () => this.leave());
    this.canvas.addEventListener("blur", () => this.leave());
    this.canvas.addEventListener("keydown", (event) => {
      const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
      if (!way) return;
      event.preventDefault();
      this.go(this.column + way[0], this.row + way[1]);
    });
    whenShown(this.canvas.parentElement!, () => this.paint());
  }

  /// Shows what ranks have after so many rounds.
  at(done: number): void {
    if (done === this.done) return;
    this.done = done;
    this.paint();
  }

  private get ranks(): number {
    return this.schedule.ranks;
  }

  private point(x: number, y: number): void {
    this.go(Math.floor((x - left) / (this.cell * this.ranks + gap)), Math.floor((y - this.top) / this.tall));
  }
  private go(column: number, row: number): void {
    this.column = clamp(column, 0, this.shown.length - 1);
    this.row = clamp(row, 0, this.ranks - 1);
    this.pointed = true;
    this.paint();
  }
  private leave(): void {
    this.pointed = false;
    this.paint();
  }

  private say(sets: Int32Array): void {
    const c = this.contributions;
    if (this.pointed) {
      const part = this.shown[this.column];
      const cell = this.row * c.parts + part;
      const [set, wanted] = [sets[cell], c.wanted[cell]];
      const size = c.size(set);
      const made = size === 0 ? "nothing that its result contains" : `the contribution${size === 1 ? "" : "s"} of ${c.text(set, this.row)}${size > 1 ? `, ${c.inOrder(set) ? "" : "not "}in the order of ranks` : ""}`;
      const rest = wanted === 0 ? "it gets no result of it" : size === c.size(wanted) ? "the result" : `its result needs ${c.text(wanted, this.row)}`;
      this.readout.textContent = `Rank ${this.row}, ${c.partText(part)}: ${made}; ${rest}.`;
      return;
    }
    let [results, whole] = [0, 0];
    c.wanted.forEach((set, cell) => {
      if (set === 0) return;
      ++results;
      if (c.complete(cell, sets[cell])) ++whole;
    });
    const when = this.done === 0 ? "Before the first round" : `After ${some(this.done, "round")}`;
    this.readout.textContent = `${when} ${whole} of ${some(results, "result")} ${whole === 1 ? "is" : "are"} complete.`;
  }

  private get top(): number {
    return this.contributions.parts > 1 ? 18 : 4;
  }

  private paint(): void {
    const width = this.canvas.parentElement!.clientWidth;
    if (width === 0 || this.ranks === 0) return;
    const c = this.contributions;
    const ranks = this.ranks;
    const room = width - left - 4;
    const all = c.parts * (2 * ranks + gap) <= room;
    this.choice.style.display = all ? "none" : "";
    this.shown = all ? Array.from({ length: c.parts }, (_, p) => p) : [this.part];
    this.cell = Math.min(18, room / this.shown.length / ranks - gap / ranks);
    this.tall = Math.max(1, Math.min(18, 480 / ranks));
    const height = this.top + this.tall * ranks + 4;
    const dense = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = width * dense;
    this.canvas.height = height * dense;
    this.canvas.style.height = `${height}px`;
    const g = this.canvas.getContext("2d")!;
    g.setTransform(dense, 0, 0, dense, 0, 0);
    const sets = c.after(this.done);
    const inks = { has: colour("--has"), holds: colour("--holds"), pale: colour("--pale"), line: colour("--line"), ink: colour("--ink") };
    this.shown.forEach((part, i) => this.paintPart(g, part, left + i * (this.cell * ranks + gap), sets, inks));
    this.paintNames(g, inks.ink);
    if (this.pointed) {
      g.strokeStyle = colour("--accent");
      g.lineWidth = 2;
      g.strokeRect(left + this.column * (this.cell * ranks + gap) - 1, this.top + this.row * this.tall - 1, this.cell * ranks + 2, this.tall + 2);
    }
    this.say(sets);
  }

  private paintPart(g: CanvasRenderingContext2D, part: number, x: number, sets: Int32Array, inks: Record<string, string>): void {
    const c = this.contributions;
    const inset = this.cell >= 4 && this.tall >= 4 ? 0.5 : 0;
    const box = (rank: number, row: number) => g.fillRect(x + rank * this.cell + inset, this.top + row * this.tall + inset, this.cell - 2 * inset, this.tall - 2 * inset);
    for (let row = 0; row < this.ranks; ++row) {
      const cell = row * c.parts + part;
      g.fillStyle = inks.pale;
      c.each(c.wanted[cell], row, (rank) => box(rank, row));
      const whole = c.complete(cell, sets[cell]) === true;
      g.fillStyle = whole ? inks.holds : inks.has;
      c.each(sets[cell], row, (rank) => box(rank, row));
    }
    g.strokeStyle = inks.line;
    g.lineWidth = 1;
    g.strokeRect(x - 0.5, this.top - 0.5, this.cell * this.ranks + 1, this.tall * this.ranks + 1);
  }

  private paintNames(g: CanvasRenderingContext2D, ink: string): void {
    g.fillStyle = ink;
    g.font = "12px system-ui, sans-serif";
    g.textBaseline = "middle";
    g.textAlign = "right";
    const step = Math.ceil(13 / this.tall);
    for (let row = 0; row < this.ranks; row += step) g.fillText(String(row), left - 6, this.top + (row + 0.5) * this.tall);
    if (this.top < 10) return;
    const blocks = this.schedule.steps.blocks.count;
    const wide = this.cell * this.ranks + gap;
    g.textAlign = "left";
    const names = this.shown.map((part) => (blocks === 1 ? `piece ${part}` : this.schedule.pieces === 1 ? `block ${part}` : `block ${part % blocks}, piece ${Math.floor(part / blocks)}`));
    const fits = Math.max(...names.map((name) => g.measureText(name).width)) + 4 < wide;
    const short = Math.ceil(24 / wide);
    names.forEach((name, i) => {
      if (fits || i % short === 0) g.fillText(fits || this.shown.length === 1 ? name : String(this.shown[i]), left + i * wide, 8);
    });
  }
}
