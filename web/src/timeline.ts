// Ranks over time, with zoom: what the simulator saw, or where it was not asked the lockstep clock of the price.
import { scaleLinear, type ScaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomTransform } from "d3-zoom";
import type { ReportDocument } from "./document";
import { colour, h, whenShown } from "./dom";
import { count, some, time } from "./format";
import type { Schedule } from "./schedule";
import { term } from "./terms";

/// A stretch of a rank's time.
interface Bar {
  row: number;
  begin: number;
  /// Until here it was at work on its messages, then it waited.
  sent: number;
  end: number;
  round: number;
  text: string;
  works: boolean; // copies or combines after it has sent, or is at a barrier
}

const left = 58;
const foot = 34;

export class TimelineChart {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { tabindex: "0", role: "application", "aria-roledescription": "timeline" });
  private readonly readout = h("p", { class: "readout", "aria-live": "polite" });
  private readonly bars: Bar[] = [];
  private readonly rows: number[] = [];
  private readonly end: number;
  private view: ZoomTransform = zoomIdentity;
  private readonly zoomer = zoom<HTMLCanvasElement, unknown>();
  private width = 0;
  private height = 0;
  private chosen = -1;
  onPick: (round: number) => void = () => undefined;

  constructor(
    private readonly report: ReportDocument,
    schedule: Schedule | null,
  ) {
    const events = report.events ?? null;
    this.end = events ? this.fromEvents() : schedule ? this.fromRounds(schedule) : 0;
    const about = events
      ? h("p", {}, term("simulated", "Simulated"), ` message by message, ${events.order === "dataflow" ? "each rank going on as soon as its own messages are through" : events.order === "eager" ? "each message going as soon as its data and its links are there" : "all ranks beginning each round together"}: ${time(events.simulated_s)} in all${report.counted ? `, where the price says ${time(report.counted.price_s)}` : ""}. Full bars: its messages are leaving; pale: it waits for what it needs; hatched, where rows are tall enough: it copies, is at a barrier, or waits for what comes and combines it. ${events.ranks.length < report.network.ranks ? `${count(events.ranks.length)} ranks of ${count(report.network.ranks)} are shown.` : ""}`)
      : h("p", {}, "The ", term("lockstep"), " clock of the price: every round lasts as long as its busiest link or port, for all ranks. Full bars: the rank sends or receives; pale: it waits.");
    const button = (label: string, text: string, act: () => void) => h("button", { type: "button", "aria-label": label, title: label, click: act }, text);
    this.canvas.setAttribute("aria-label", "What every rank does when. Plus and minus zoom, arrow keys move, Home shows all, Page up and down walk from bar to bar.");
    const by = (k: number) => select(this.canvas).call(this.zoomer.scaleBy, k);
    const along = (pixels: number) => select(this.canvas).call(this.zoomer.translateBy, pixels / this.view.k, 0);
    const all = () => select(this.canvas).call(this.zoomer.transform, zoomIdentity);
    this.element = h(
      "section",
      { id: "timeline", "aria-labelledby": "timeline-title" },
      h("h2", { id: "timeline-title" }, "Who does what when"),
      about,
      h("div", { class: "controls", role: "group", "aria-label": "Zoom" }, button("Zoom in", "+", () => by(2)), button("Zoom out", "\u2212", () => by(0.5)), button("Earlier", "\u2190", () => along(120)), button("Later", "\u2192", () => along(-120)), button("Show all", "All", all)),
      h("div", { class: "chart" }, this.canvas),
      this.readout,
    );
    this.zoomer
      .scaleExtent([1, Math.max(8, (report.schedule?.rounds ?? 1) * 4)])
      .filter((event: Event) => event.type !== "wheel" || (event as WheelEvent).ctrlKey || document.activeElement === this.canvas)
      .on("zoom", (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => {
        this.view = event.transform;
        this.paint();
      });
    select(this.canvas).call(this.zoomer);
    this.canvas.addEventListener("pointermove", (event) => this.point(event.offsetX, event.offsetY));
    this.canvas.addEventListener("click", (event) => {
      this.point(event.offsetX, event.offsetY);
      if (this.chosen >= 0) this.onPick(this.bars[this.chosen].round);
    });
    this.canvas.addEventListener("keydown", (event) => {
      if (event.key === "+" || event.key === "=") by(2);
      else if (event.key === "-") by(0.5);
      else if (event.key === "ArrowRight") along(-80);
      else if (event.key === "ArrowLeft") along(80);
      else if (event.key === "Home") all();
      else if (event.key === "PageDown" || event.key === "PageUp") this.choose(Math.max(0, Math.min(this.bars.length - 1, this.chosen + (event.key === "PageDown" ? 1 : -1))));
      else if (event.key === "Enter" && this.chosen >= 0) this.onPick(this.bars[this.chosen].round);
      else return;
      event.preventDefault();
    });
    whenShown(this.canvas.parentElement!, () => {
      this.size();
      this.paint();
    });
    const most = this.end;
    this.readout.textContent = `${some(this.rows.length, "rank")}, ${time(most)} from left to right. Zoom with + and \u2212, or with the wheel after a click.`;
  }

  get bar(): number {
    return this.bars.length;
  }
  zoomLevel(): number {
    return this.view.k;
  }

  private fromEvents(): number {
    const e = this.report.events!;
    const row = new Map(e.ranks.map((r, i) => [r, i]));
    this.rows.push(...e.ranks);
    e.rank.forEach((rank, i) => {
      const why = e.why_names[e.why[i]];
      const because = e.because[i];
      const round = e.round[i];
      const reason = why === "arrived" ? `the message from ${because} had come` : why === "barrier" ? `rank ${because} came last to the barrier` : why === "copied" ? "it had copied" : why === "combined" ? "it had combined what came" : why === "sent" ? "its own had left" : why;
      this.bars.push({
        row: row.get(rank)!,
        begin: e.begin[i] * e.tick_s,
        sent: e.sent[i] * e.tick_s,
        end: e.end[i] * e.tick_s,
        round,
        works: why === "barrier" || why === "copied" || why === "combined",
        text: `Rank ${rank}, round ${round}: ${time(e.begin[i] * e.tick_s)} to ${time(e.end[i] * e.tick_s)}; it went on when ${reason}.`,
      });
    });
    return e.simulated_s;
  }

  private fromRounds(schedule: Schedule): number {
    const rounds = this.report.rounds;
    if (!rounds) return 0;
    const most = 60_000;
    const every = Math.max(1, Math.ceil((schedule.ranks * rounds.round.length) / most));
    for (let r = 0; r < schedule.ranks; r += every) this.rows.push(r);
    let now = 0;
    rounds.round.forEach((round, i) => {
      const end = now + rounds.time_s[i];
      const m = schedule.messages(round);
      const busy = new Uint8Array(schedule.nodes);
      for (let k = 0; k < m.count; ++k) busy[m.from[k]] = busy[m.to[k]] = 1;
      this.rows.forEach((rank, row) => {
        const works = busy[rank] === 1;
        this.bars.push({ row, begin: now, sent: works ? end : now, end, round, works: false, text: `Rank ${rank}, round ${round}: ${time(now)} to ${time(end)}, ${works ? "sends or receives" : "waits"}.` });
      });
      now = end;
    });
    return now;
  }

  private size(): void {
    const box = this.canvas.parentElement!;
    this.width = box.clientWidth;
    this.height = Math.max(90, Math.min(420, this.rows.length * 14)) + foot;
    const dense = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = this.width * dense;
    this.canvas.height = this.height * dense;
    this.canvas.style.height = `${this.height}px`;
    this.canvas.getContext("2d")!.setTransform(dense, 0, 0, dense, 0, 0);
    this.zoomer.extent([
      [left, 0],
      [this.width, this.height],
    ]);
    this.zoomer.translateExtent([
      [left, 0],
      [this.width, this.height],
    ]);
  }

  private scale() {
    return scaleLinear([0, this.end || 1], [this.view.applyX(left), this.view.applyX(this.width - 8)]);
  }

  private point(px: number, py: number): void {
    const t = this.scale().invert(px);
    const row = Math.floor((py / (this.height - foot)) * this.rows.length);
    this.choose(this.bars.findIndex((b) => b.row === row && b.begin <= t && t < b.end));
  }

  private choose(i: number): void {
    if (i === this.chosen) return;
    this.chosen = i;
    if (i >= 0) this.readout.textContent = this.bars[i].text;
    this.paint();
  }

  private paint(): void {
    if (this.width === 0 || this.end === 0) return;
    const c = this.canvas.getContext("2d")!;
    const x = this.scale();
    const rows = this.rows.length;
    const high = this.height - foot;
    const tall = high / rows;
    c.clearRect(0, 0, this.width, this.height);
    c.save();
    c.beginPath();
    c.rect(left, 0, this.width - left, this.height);
    c.clip();
    const ink = colour("--ink");
    this.paintBars(c, x, tall);
    if (tall > 7) this.hatch(c, x, tall, ink);
    if (this.chosen >= 0) {
      const b = this.bars[this.chosen];
      c.strokeStyle = colour("--accent");
      c.lineWidth = 2;
      c.strokeRect(x(b.begin), b.row * tall + 0.5, Math.max(2, x(b.end) - x(b.begin)), Math.max(2, tall - 1));
    }
    this.paintAxis(c, x, ink);
    c.restore();
    c.fillStyle = ink;
    c.textAlign = "right";
    c.textBaseline = "middle";
    const every = Math.max(1, Math.ceil(15 / tall));
    for (let i = 0; i < rows; i += every) c.fillText(i === 0 ? `rank ${this.rows[0]}` : String(this.rows[i]), left - 6, Math.max(8, (i + 0.5) * tall));
    c.textBaseline = "alphabetic";
  }

  private paintBars(c: CanvasRenderingContext2D, x: ScaleLinear<number, number>, tall: number): void {
    const gap = tall > 6 ? 1.5 : 0;
    const [busy, wait, other] = [colour("--has"), colour("--pale"), colour("--copied")];
    for (const [fill, part] of [
      [wait, 0],
      [busy, 1],
      [other, 2],
    ] as const) {
      c.fillStyle = fill;
      c.beginPath();
      for (const b of this.bars) {
        const [from, to] = part === 1 ? [b.begin, b.sent] : b.works === (part === 2) ? [b.sent, b.end] : [0, 0];
        if (to <= from) continue;
        const [a, e] = [x(from), x(to)];
        if (e < left || a > this.width) continue;
        c.rect(a, b.row * tall + gap / 2, Math.max(0.6, e - a - (e - a > 4 ? 1 : 0)), Math.max(0.6, tall - gap));
      }
      c.fill();
    }
  }

  private paintAxis(c: CanvasRenderingContext2D, x: ScaleLinear<number, number>, ink: string): void {
    const high = this.height - foot;
    c.font = "12px system-ui, sans-serif";
    c.fillStyle = ink;
    c.strokeStyle = ink;
    c.textAlign = "center";
    c.lineWidth = 1;
    const [from, to] = [x.invert(left), x.invert(this.width - 8)];
    for (const t of scaleLinear([from, to], [0, 1]).ticks(Math.max(2, Math.floor(this.width / 130)))) {
      const px = x(t);
      c.beginPath();
      c.moveTo(px, high);
      c.lineTo(px, high + 5);
      c.stroke();
      c.fillText(time(Math.max(0, t)).replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, ""), Math.min(this.width - 26, Math.max(left + 14, px)), high + 17);
    }
  }

  /// Copying, barriers and combining are told by lines across, too.
  private hatch(c: CanvasRenderingContext2D, x: (t: number) => number, tall: number, ink: string): void {
    c.strokeStyle = ink;
    c.lineWidth = 0.6;
    c.beginPath();
    for (const b of this.bars) {
      if (!b.works) continue;
      const [a, e] = [Math.max(left, x(b.sent)), Math.min(this.width, x(b.end))];
      for (let p = a; p + tall / 2 < e; p += 5) {
        c.moveTo(p, (b.row + 1) * tall - 1);
        c.lineTo(p + tall / 2, b.row * tall + 1);
      }
    }
    c.stroke();
  }
}

