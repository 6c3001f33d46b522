// The chart of times against message sizes, both on logarithmic axes: lines of algorithms, marks of what was measured.
import { scaleLog, type ScaleLogarithmic } from "d3-scale";
import type { ReportDocument } from "./document";
import { h, s } from "./dom";
import { bytes, count, time, timeUnit } from "./format";
import { shape } from "./measured";

/// Powers of ten stay round: 1 000 s and not 16 min 40 s.
const tick = (t: number) => (t >= 100 ? `${count(t)}${timeUnit() === "s" ? " s" : ""}` : time(t).replace(/\.0+(?=\D|$)/, ""));

/// Lines differ in their dashes first, then in colour.
const styles = ["", "9 4", "2 3", "12 3 2 3", "5 2", "16 3 5 3", "7 2 2 2 2 2"];

const dashes = (k: number) => styles[Math.floor(k / 7 + k) % 7];

/// Which line is whose, where a narrow window has no room beside their ends.
const key = (algorithm: string, k: number, chosen: boolean): HTMLElement =>
  h("li", {}, s("svg", { width: 34, height: 12, viewBox: "0 0 34 12", "aria-hidden": "true" }, s("path", { d: "M0 6L34 6", class: `series s${k % 7}${chosen ? " chosen" : ""}`, "stroke-dasharray": dashes(k) })), ` ${algorithm.replaceAll("_", "_\u200b")}`);

type Scale = ScaleLogarithmic<number, number>;
type Point = [number, number] | null;

export interface Line {
  algorithm: string;
  /// Time and choice at each size; null where it cannot run.
  points: ([number, string] | null)[];
  /// The time at the largest size where it runs.
  last: number;
}

export class SizeChart {
  private readonly svg;
  private readonly narrow: boolean;
  private readonly height: number;
  private readonly margin;
  private readonly x: Scale;
  private readonly y: Scale;

  constructor(
    private readonly report: ReportDocument,
    private readonly lines: Line[],
    private readonly noun: string,
    private readonly width: number,
  ) {
    const { bytes: asked, bound_s, measured } = report.crossover;
    this.narrow = width < 560;
    this.height = this.narrow ? 320 : 420;
    this.margin = { left: 74, right: this.narrow ? 12 : 178, top: 14, bottom: 46 };
    const { margin, height } = this;
    const times = [...lines.flatMap((l) => l.points.flatMap((p) => (p ? [p[0]] : []))), ...bound_s, ...measured.map((m) => m.time_s)].filter((t) => t > 0);
    const sizes = [...asked, ...measured.map((m) => m.bytes)].filter((b) => b > 0);
    this.x = scaleLog([Math.min(...sizes), Math.max(...sizes)], [margin.left, width - margin.right]).base(2);
    this.y = scaleLog([Math.min(...times) * 0.8, Math.max(...times) * 1.25], [height - margin.bottom, margin.top]);
    this.svg = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Time in ${timeUnit()} against ${noun} size in bytes, ${lines.length} algorithms; the text below reads it out.` });
  }

  /// `at` is the number of the size that is read out; `pick` is told another one when the pointer moves there.
  draw(at: number, pick: (at: number) => void) {
    this.drawGrid();
    this.drawLines();
    this.drawMeasured();
    if (!this.narrow) this.drawLabels();
    this.drawCursor(at);
    this.svg.addEventListener("pointermove", (event) => pick(this.nearest(event.offsetX)));
    return this.svg;
  }

  /// Which line is whose, where a narrow window has no room beside their ends.
  keys(): HTMLElement[] {
    return this.narrow ? this.lines.map((line, k) => key(line.algorithm, k, this.chosen(line))) : [];
  }

  private chosen(line: Line): boolean {
    return line.algorithm === this.report.answer?.algorithm;
  }

  private drawGrid() {
    const { svg, x, y, width, height, margin } = this;
    const most = x.domain()[1];
    const every = Math.ceil(most > 1 ? Math.log2(most) / (this.narrow ? 5 : 9) : 1);
    for (let e = 0; 2 ** e <= most * 1.001; e += every) {
      const px = x(2 ** e);
      if (px < margin.left - 1) continue;
      svg.append(s("line", { x1: px, x2: px, y1: margin.top, y2: height - margin.bottom, class: "grid" }), s("text", { x: px, y: height - margin.bottom + 16, "text-anchor": "middle" }, bytes(2 ** e)));
    }
    const decades = y.ticks(6).filter((t) => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
    for (const t of decades.length > 1 ? decades : y.ticks(4)) svg.append(s("line", { x1: margin.left, x2: width - margin.right, y1: y(t), y2: y(t), class: "grid" }), s("text", { x: margin.left - 6, y: y(t) + 4, "text-anchor": "end" }, tick(t)));
    svg.append(
      s("text", { x: (margin.left + width - margin.right) / 2, y: height - 8, "text-anchor": "middle", class: "axis" }, `${this.noun} size, bytes`),
      s("text", { x: 13, y: height / 2, "text-anchor": "middle", transform: `rotate(-90 13 ${height / 2})`, class: "axis" }, `time, ${timeUnit()}`),
    );
  }

  /// A line that breaks where there is no point.
  private path(points: Point[]): string {
    const there = (p: Point | undefined): p is [number, number] => !!p && p[1] > 0;
    return points.map((p, i) => (there(p) ? `${there(points[i - 1]) ? "L" : "M"}${this.x(p[0]).toFixed(1)} ${this.y(p[1]).toFixed(1)}` : "")).join("");
  }

  private drawLines() {
    const { svg, x, height, margin } = this;
    const { bytes: sizes, bound_s, thresholds } = this.report.crossover;
    svg.append(s("path", { d: this.path(sizes.map((b, i) => [b, bound_s[i]])), class: "limitline" }));
    this.lines.forEach((line, k) => {
      const d = this.path(line.points.map((p, i) => p && [sizes[i], p[0]]));
      svg.append(s("path", { d, class: `series s${k % 7}${this.chosen(line) ? " chosen" : ""}`, "stroke-dasharray": dashes(k) }, s("title", {}, line.algorithm)));
    });
    for (const t of thresholds)
      svg.append(s("line", { x1: x(t.from), x2: x(t.from), y1: margin.top, y2: height - margin.bottom, class: "threshold" }, s("title", {}, `from ${bytes(t.from)}: ${t.above}`)));
  }

  private drawMeasured() {
    const { measured } = this.report.crossover;
    for (const m of measured) {
      const k = this.lines.findIndex((line) => line.algorithm === m.choice?.split(":")[0]);
      const title = s("title", {}, `${m.label || "measured"}${m.choice ? `, ${m.choice}` : ""}: ${bytes(m.bytes)}, ${time(m.time_s)}`);
      const place = `translate(${this.x(m.bytes).toFixed(1)} ${this.y(m.time_s).toFixed(1)})`;
      this.svg.append(s("path", { d: shape(measured, m), transform: place, class: `measured${k < 0 ? "" : ` s${k % 7}`}` }, title));
    }
  }

  /// Names beside the ends of lines, pushed apart where they would overlap.
  private drawLabels() {
    const { svg, y, width, height, margin } = this;
    const { bound_s } = this.report.crossover;
    const labels = [{ y: y(Math.max(y.domain()[0], bound_s[bound_s.length - 1])), text: "the limit", k: -1 }, ...this.lines.map((line, k) => ({ y: y(line.last), text: line.algorithm, k }))];
    labels.sort((a, b) => a.y - b.y);
    const step = Math.min(15, (height - margin.bottom - margin.top) / labels.length);
    for (let i = 0; i < labels.length; ++i) labels[i].y = Math.max(labels[i].y, i === 0 ? margin.top : labels[i - 1].y + step);
    for (let i = labels.length - 1, low = height - margin.bottom; i >= 0; --i, low -= step) labels[i].y = Math.min(labels[i].y, low);
    for (const l of labels) svg.append(s("text", { x: width - margin.right + 6, y: l.y + 4, class: l.k < 0 ? "limittext" : `label t${l.k % 7}` }, l.text));
  }

  private drawCursor(at: number) {
    const { svg, x, y, height, margin } = this;
    const px = x(this.report.crossover.bytes[at]);
    svg.append(s("line", { x1: px, x2: px, y1: margin.top, y2: height - margin.bottom, class: "cursor" }));
    for (const [k, line] of this.lines.entries()) {
      const p = line.points[at];
      if (p && p[0] > 0) svg.append(s("circle", { cx: px, cy: y(p[0]), r: 3.5, class: `dot t${k % 7}` }));
    }
  }

  private nearest(px: number): number {
    const b = this.x.invert(px);
    const sizes = this.report.crossover.bytes;
    const far = (size: number) => Math.abs(Math.log(size / b));
    return sizes.reduce((best, size, k) => (far(size) < far(sizes[best]) ? k : best), 0);
  }
}
