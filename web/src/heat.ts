// Links over rounds: how much each carries, and the most messages that share one.
import { interpolateViridis } from "d3-scale-chromatic";
import type { ReportDocument } from "./document";
import { colour, h, whenShown } from "./dom";
import { bytes, some, time } from "./format";
import type { Layout } from "./layout";
import type { Load } from "./loads";
import { term } from "./terms";

const barHeight = 70;
const left = 46;

export class HeatMap {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { tabindex: "0", role: "application", "aria-roledescription": "heat map" });
  private readonly readout = h("p", { class: "readout", "aria-live": "polite" });
  private loads: Load[] | null = null;
  private rows: number[] = []; // links, the busiest first
  private place = new Int32Array(0); // of a link among the rows
  private most = 1;
  private width = 0;
  private height = 0;
  private round = 0;
  private row = 0;
  private now = 0;
  onPick: (round: number) => void = () => undefined;

  constructor(
    private readonly report: ReportDocument,
    private readonly layout: Layout,
  ) {
    this.canvas.setAttribute("aria-label", "Load of links by round. Arrow keys walk through rounds and links, Enter shows the round in the picture above.");
    this.element = h(
      "section",
      { id: "links", "aria-labelledby": "links-title" },
      h("h2", { id: "links-title" }, "Where messages meet"),
      h(
        "p",
        {},
        "Bars: the ",
        term("competition factor"),
        " of every round, the most messages on one link. Below: the ",
        term("link load"),
        " of every link in every round, the busiest links on top. Faint is nothing, strong is most; values below the picture.",
      ),
      h("div", { class: "chart" }, this.canvas),
      this.readout,
    );
    this.canvas.addEventListener("pointermove", (event) => this.point(event.offsetX, event.offsetY));
    this.canvas.addEventListener("click", (event) => {
      this.point(event.offsetX, event.offsetY);
      this.onPick(this.round);
    });
    this.canvas.addEventListener("keydown", (event) => {
      const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
      if (event.key === "Enter") this.onPick(this.round);
      else if (way && this.loads) {
        this.round = Math.max(0, Math.min(this.loads.length - 1, this.round + way[0]));
        this.row = Math.max(0, Math.min(this.rows.length - 1, this.row + way[1]));
        this.say();
        this.paint();
      } else return;
      event.preventDefault();
    });
    whenShown(this.canvas.parentElement!, () => this.paint());
  }

  /// All rounds of the page's own count; null where there were too many.
  show(loads: Load[] | null): void {
    this.loads = loads;
    if (loads === null) {
      this.readout.textContent = "Too many messages to count every link here; the bars are the program's own count.";
      return this.paint();
    }
    const totals = new Map<number, number>();
    for (const load of loads)
      load.link.forEach((link, i) => {
        totals.set(link, (totals.get(link) ?? 0) + load.bytes[i]);
        this.most = Math.max(this.most, load.bytes[i]);
      });
    this.rows = [...totals.keys()].sort((a, b) => totals.get(b)! - totals.get(a)! || a - b);
    this.place = new Int32Array(this.layout.links.lines.length).fill(-1);
    this.rows.forEach((link, i) => (this.place[link] = i));
    const used = this.report.network.wires;
    this.readout.textContent = `${some(this.rows.length, "link")} carr${this.rows.length === 1 ? "ies" : "y"} something (of ${used}); the busiest ${bytes(totals.get(this.rows[0]) ?? 0)} in all, the least busy of them ${bytes(totals.get(this.rows[this.rows.length - 1]) ?? 0)}.`;
    this.paint();
  }

  /// Marks the round that is played.
  at(round: number): void {
    this.now = round;
    this.paint();
  }

  private get rounds(): number {
    return this.report.schedule?.rounds ?? 0;
  }
  private column(x: number): number {
    return Math.max(0, Math.min(this.rounds - 1, Math.floor(((x - left) / (this.width - left)) * this.rounds)));
  }

  private point(x: number, y: number): void {
    this.round = this.column(x);
    const rows = this.rows.length;
    this.row = Math.max(0, Math.min(rows - 1, Math.floor(((y - barHeight - 8) / Math.max(1, this.height - barHeight - 24)) * rows)));
    this.say();
    this.paint();
  }

  private say(): void {
    const load = this.loads?.[this.round];
    const rounds = this.report.rounds;
    const at = rounds?.round.indexOf(this.round) ?? -1;
    let text = `Round ${this.round}`;
    if (rounds && at >= 0) text += `: S = ${rounds.contention[at]}, ${some(rounds.messages[at], "message")}, lasts ${time(rounds.time_s[at])}`;
    if (load) {
      const link = this.rows[this.row];
      const i = load.link.indexOf(link);
      text += `. Link ${this.layout.links.names[link]}: ${i < 0 ? "idle" : `${bytes(load.bytes[i])} in ${some(load.messages[i], "message")}`}`;
    }
    this.readout.textContent = text + ".";
  }

  private competition(round: number): number {
    const rounds = this.report.rounds;
    const at = rounds?.round.indexOf(round) ?? -1;
    return rounds && at >= 0 ? rounds.contention[at] : (this.loads?.[round].competition ?? 0);
  }

  private paint(): void {
    const width = this.canvas.parentElement!.clientWidth;
    if (width === 0 || this.rounds === 0) return;
    const rows = this.rows.length;
    const height = barHeight + 24 + (this.loads ? Math.max(24, Math.min(260, rows * 10)) : 0);
    const dense = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = width * dense;
    this.canvas.height = height * dense;
    this.canvas.style.height = `${height}px`;
    [this.width, this.height] = [width, height];
    const c = this.canvas.getContext("2d")!;
    c.setTransform(dense, 0, 0, dense, 0, 0);
    const cell = (width - left) / this.rounds;
    const ink = colour("--ink");
    c.font = "12px system-ui, sans-serif";
    c.textBaseline = "middle";
    const s = Array.from({ length: this.rounds }, (_, t) => this.competition(t));
    const high = Math.max(1, ...s);
    c.fillStyle = ink;
    c.textAlign = "right";
    c.fillText(`S = ${high}`, left - 6, 14);
    c.fillText("0", left - 6, barHeight);
    s.forEach((v, t) => {
      const tall = ((barHeight - 10) * v) / high;
      c.fillStyle = t === this.now ? colour("--accent") : colour("--has");
      c.fillRect(left + t * cell + (cell > 4 ? 1 : 0), barHeight - tall, Math.max(1, cell - (cell > 4 ? 2 : 0)), tall);
      if (cell > 22) {
        c.fillStyle = ink;
        c.textAlign = "center";
        c.fillText(String(v), left + (t + 0.5) * cell, barHeight - tall - 7 < 6 ? barHeight - tall + 9 : barHeight - tall - 7);
      }
    });
    if (this.loads) this.paintCells(c, cell, width);
    c.fillStyle = ink;
    c.textAlign = "left";
    c.fillText("round 0", left, height - 7);
    c.textAlign = "right";
    c.fillText(String(this.rounds - 1), width - 2, height - 7);
  }

  private paintCells(c: CanvasRenderingContext2D, cell: number, width: number): void {
    const top = barHeight + 8;
    const tall = this.height - top - 16;
    const rows = this.rows.length;
    const dark = document.documentElement.dataset.dark === "yes";
    const across = Math.min(this.rounds, Math.max(1, Math.floor(width - left)));
    const down = Math.min(rows, tall);
    const sums = new Float64Array(across * down); // the most of the cells that share a spot
    this.loads!.forEach((load, t) => {
      const x = Math.floor((t * across) / this.rounds);
      load.link.forEach((link, i) => {
        const k = Math.floor((this.place[link] * down) / rows) * across + x;
        sums[k] = Math.max(sums[k], load.bytes[i]);
      });
    });
    c.strokeStyle = colour("--wire");
    c.strokeRect(left, top, width - left, tall);
    for (let y = 0; y < down; ++y)
      for (let x = 0; x < across; ++x) {
        const part = sums[y * across + x] / this.most;
        if (part === 0) continue;
        c.fillStyle = interpolateViridis(dark ? 0.2 + 0.8 * part : 0.9 - 0.9 * part);
        c.fillRect(left + (x * (width - left)) / across, top + (y * tall) / down, (width - left) / across + 0.5, tall / down + 0.5);
      }
    c.fillStyle = colour("--ink");
    c.textAlign = "right";
    c.fillText("link", left - 6, top + 8);
    c.strokeStyle = colour("--accent");
    c.lineWidth = 2;
    if (document.activeElement === this.canvas) c.strokeRect(left + this.round * cell, top + (this.row * tall) / rows, Math.max(3, cell), Math.max(3, tall / rows));
    c.beginPath();
    c.moveTo(left + (this.now + 0.5) * cell, top);
    c.lineTo(left + (this.now + 0.5) * cell, top + tall);
    c.lineWidth = 1;
    c.stroke();
  }
}

/// Beyond the ranks that are shown one by one: bytes between groups of them.
export function matrix(report: ReportDocument): HTMLElement | null {
  const m = report.matrix;
  if (!m) return null;
  const canvas = h("canvas", { role: "img", tabindex: "0", "aria-label": "Bytes from groups of ranks (rows) to groups of ranks (columns)" });
  const readout = h("p", { class: "readout", "aria-live": "polite" }, "Point at a field, or walk with the arrow keys.");
  const box = h("div", { class: "chart matrix" }, canvas);
  const most = Math.max(...m.bytes);
  let at = [0, 0];
  const per = m.ranks / m.groups;
  const range = (g: number) => `${Math.ceil(g * per)} to ${Math.ceil((g + 1) * per) - 1}`;
  const paint = () => {
    const size = Math.min(520, box.clientWidth);
    if (size === 0) return;
    canvas.width = canvas.height = size;
    canvas.style.width = `${size}px`;
    canvas.style.height = `${size}px`;
    const c = canvas.getContext("2d")!;
    const dark = document.documentElement.dataset.dark === "yes";
    const cell = size / m.groups;
    m.bytes.forEach((b, i) => {
      if (b === 0) return;
      const part = b / most;
      c.fillStyle = interpolateViridis(dark ? 0.2 + 0.8 * part : 0.9 - 0.9 * part);
      c.fillRect((i % m.groups) * cell, Math.floor(i / m.groups) * cell, cell + 0.5, cell + 0.5);
    });
    c.strokeStyle = colour("--ink");
    c.strokeRect(0.5, 0.5, size - 1, size - 1);
    c.strokeStyle = colour("--accent");
    c.lineWidth = 2;
    c.strokeRect(at[0] * cell, at[1] * cell, cell, cell);
  };
  const show = (x: number, y: number) => {
    at = [Math.max(0, Math.min(m.groups - 1, x)), Math.max(0, Math.min(m.groups - 1, y))];
    readout.textContent = `Ranks ${range(at[1])} send ${bytes(m.bytes[at[1] * m.groups + at[0]])} to ranks ${range(at[0])}.`;
    paint();
  };
  canvas.addEventListener("pointermove", (event) => {
    const cell = canvas.clientWidth / m.groups;
    show(Math.floor(event.offsetX / cell), Math.floor(event.offsetY / cell));
  });
  canvas.addEventListener("keydown", (event) => {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (!way) return;
    event.preventDefault();
    show(at[0] + way[0], at[1] + way[1]);
  });
  whenShown(box, paint);
  return h("section", { id: "watch" }, h("h2", {}, "Who sends how much to whom"), h("p", {}, `Too many ranks to show each: rows are senders and columns receivers, in groups of ${Math.round(per)}. Strong is most.`), box, readout);
}
