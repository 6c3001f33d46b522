// The network on two canvases: wires and ranks below; above, by flights.ts, messages on their way.
import { interpolateViridis } from "d3-scale-chromatic";
import { colour, h } from "./dom";
import { fillCircle, fillSquare } from "./filled";
import { aside, Flights, type View } from "./flights";
import type { Layout } from "./layout";
import type { Load } from "./loads";
import type { Schedule, Messages } from "./schedule";
import type { Binding, Still } from "./still";

export class Stage implements View {
  readonly element: HTMLElement;
  private readonly below = h("canvas", { "aria-hidden": "true" });
  readonly above = h("canvas", { tabindex: "0", role: "application", "aria-roledescription": "network" });
  scale = 1;
  offX = 0;
  offY = 0;
  private width = 0;
  private height = 0;
  private readonly flights: Flights;
  radius = 4;

  constructor(
    private readonly schedule: Schedule,
    private readonly layout: Layout,
  ) {
    this.flights = new Flights(schedule);
    this.element = h("div", { class: "stage" }, this.below, this.above);
  }

  /// Fits the canvases to the element's width; false when nothing can be seen.
  resize(): boolean {
    const width = this.element.clientWidth;
    if (width === 0) return false;
    const l = this.layout;
    const margin = 26;
    const wide = Math.max(0.001, l.right - l.left);
    const high = Math.max(0.001, l.bottom - l.top);
    const height = Math.max(200, Math.min(innerHeight * 0.72, 640, (width - 2 * margin) * Math.min(1, Math.max(0.3, high / wide)) + 2 * margin));
    const dense = Math.min(2, devicePixelRatio || 1);
    for (const canvas of [this.below, this.above]) {
      canvas.width = Math.round(width * dense);
      canvas.height = Math.round(height * dense);
      canvas.style.height = `${height}px`;
      canvas.getContext("2d")!.setTransform(dense, 0, 0, dense, 0, 0);
    }
    this.element.style.height = `${height}px`;
    this.scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
    this.offX = (width - this.scale * (l.left + l.right)) / 2;
    this.offY = (height - this.scale * (l.top + l.bottom)) / 2;
    this.width = width;
    this.height = height;
    this.radius = Math.max(1.6, Math.min(15, this.nearest() * this.scale * 0.3));
    return true;
  }

  /// The least distance between two ranks, in the layout's units.
  private nearest(): number {
    const { x, y } = this.layout;
    const order = Array.from(x.keys()).sort((a, b) => x[a] - x[b]);
    let least = Infinity;
    for (let i = 0; i < order.length; ++i)
      for (let k = i + 1; k < order.length && x[order[k]] - x[order[i]] < least; ++k) {
        const d = Math.hypot(x[order[k]] - x[order[i]], y[order[k]] - y[order[i]]);
        if (d > 1e-9) least = Math.min(least, d);
      }
    return Number.isFinite(least) ? least : 1;
  }

  place(rank: number): [number, number] {
    return [this.layout.x[rank] * this.scale + this.offX, this.layout.y[rank] * this.scale + this.offY];
  }

  /// The rank near a place on the canvas, or -1.
  rankAt(px: number, py: number): number {
    let best = -1;
    let least = Math.max(14, this.radius + 4) ** 2;
    for (let r = 0; r < this.schedule.nodes; ++r) {
      const [x, y] = this.place(r);
      const d = (x - px) ** 2 + (y - py) ** 2;
      if (d < least) [least, best] = [d, r];
    }
    return best;
  }

  /// The message near a place, `u` of its way through, or -1.
  messageAt(px: number, py: number, u: number): number {
    return this.flights.near(px, py, u);
  }

  /// Prepares the messages of a round.
  load(messages: Messages, round: number, way: (from: number, to: number) => number[], byLoad: boolean, only: ((items: number, from: number) => boolean) | null): void {
    this.flights.load({ messages, round, way, byLoad, only }, this);
  }

  /// A line of the layout, as it is on the canvas.
  private onCanvas(line: number[]): Float32Array {
    const moved = new Float32Array(line.length);
    for (let k = 0; k < line.length; ++k) moved[k] = line[k] * this.scale + (k % 2 === 0 ? this.offX : this.offY);
    return moved;
  }

  private stroke(c: CanvasRenderingContext2D, points: ArrayLike<number>): void {
    c.beginPath();
    for (let k = 0; k < points.length; k += 2)
      if (k === 0 || Number.isNaN(points[k - 2])) c.moveTo(points[k], points[k + 1]);
      else if (!Number.isNaN(points[k])) c.lineTo(points[k], points[k + 1]);
    c.stroke();
  }

  /// Frames with their names, switches, and wires that have failed.
  private paintAround(c: CanvasRenderingContext2D): void {
    const { frames, gone, vertices, x, y } = this.layout;
    c.strokeStyle = colour("--line");
    c.fillStyle = colour("--soft");
    c.lineWidth = 1;
    c.textAlign = "left";
    c.textBaseline = "top";
    c.font = `${Math.max(8, Math.min(12, 0.55 * this.scale))}px system-ui, sans-serif`;
    for (const f of frames) {
      const [left, top, wide, high] = [f.left * this.scale + this.offX, f.top * this.scale + this.offY, (f.right - f.left) * this.scale, (f.bottom - f.top) * this.scale];
      c.beginPath();
      c.roundRect(left, top, wide, high, Math.min(8, wide / 8));
      c.stroke();
      if (f.name !== "" && c.measureText(f.name).width < wide - 8) c.fillText(f.name, left + 5, top + 3);
    }
    c.setLineDash([4, 4]);
    c.strokeStyle = colour("--accent");
    for (const line of gone) this.stroke(c, this.onCanvas(line));
    c.setLineDash([]);
    c.strokeStyle = colour("--ink");
    c.fillStyle = colour("--pale");
    const r = Math.max(1.5, this.radius * 0.62);
    for (let v = this.schedule.nodes; v < vertices; ++v) {
      const [px, py] = [x[v] * this.scale + this.offX, y[v] * this.scale + this.offY];
      c.fillRect(px - r, py - r, 2 * r, 2 * r);
      c.strokeRect(px - r, py - r, 2 * r, 2 * r);
    }
  }

  /// Links and ports that a limit counts on, wide where a crossing counts much.
  private paintBinding(c: CanvasRenderingContext2D, binding: Binding): void {
    c.strokeStyle = colour("--accent");
    const most = Math.max(1, ...binding.links.map(([, , times]) => times));
    for (const [from, to, times] of binding.links) {
      c.lineWidth = 1.5 + (3.5 * times) / most;
      const line = this.onCanvas(this.layout.segment(from, to));
      aside(line, Math.min(3, this.radius * 0.35));
      this.stroke(c, line);
    }
    c.lineWidth = 2.5;
    c.setLineDash([3, 3]);
    for (const rank of binding.ports) this.circle(c, rank, this.radius + 3);
    c.setLineDash([]);
  }

  private circle(c: CanvasRenderingContext2D, rank: number, r: number): void {
    const [x, y] = this.place(rank);
    c.beginPath();
    c.arc(x, y, r, 0, 2 * Math.PI);
    c.stroke();
  }

  /// A message that is wrong: its way, and a cross in the middle of it.
  private paintFault(c: CanvasRenderingContext2D, points: number[]): void {
    const line = this.onCanvas(points);
    c.strokeStyle = colour("--accent");
    c.lineWidth = 2;
    c.setLineDash([6, 4]);
    this.stroke(c, line);
    c.setLineDash([]);
    const k = 2 * Math.floor((line.length / 2 - 1) / 2);
    const end = Number.isNaN(line[k + 2]) ? k : k + 2;
    const [x, y] = [(line[k] + line[end]) / 2, (line[k + 1] + line[end + 1]) / 2];
    c.lineWidth = 4;
    this.stroke(c, [x - 8, y - 8, x + 8, y + 8, NaN, NaN, x + 8, y - 8, x - 8, y + 8]);
  }

  paintBelow({ shares, load, most, marked, mark, binding }: Still): void {
    const c = this.below.getContext("2d")!;
    c.clearRect(0, 0, this.width, this.height);
    const ink = colour("--ink");
    c.strokeStyle = colour("--wire");
    c.lineWidth = this.layout.wires.length > 3000 ? 0.25 : this.schedule.nodes > 300 ? 0.6 : 1;
    c.beginPath();
    for (const wire of this.layout.wires) this.trace(c, wire);
    c.stroke();
    if (binding !== null) this.paintBinding(c, binding);
    if (load !== null) this.paintLoad(c, load, most);
    this.paintAround(c);
    this.paintBoxes(c, ink);
    this.paintRanks(c, shares, mark);
    if (this.layout.again !== null) this.paintAgain(c, this.layout.again);
    c.strokeStyle = colour("--accent");
    c.lineWidth = 3;
    for (const i of marked) this.circle(c, i, this.radius + 4);
    c.fillStyle = ink;
    for (const box of this.layout.boxes) c.fillText(box.name, box.x * this.scale + this.offX, box.y * this.scale + this.offY);
  }

  private paintBoxes(c: CanvasRenderingContext2D, ink: string): void {
    for (const box of this.layout.boxes) {
      const [x, y, r] = [box.x * this.scale + this.offX, box.y * this.scale + this.offY, box.r * this.scale];
      c.fillStyle = colour("--card");
      c.strokeStyle = ink;
      c.lineWidth = 1.5;
      c.beginPath();
      c.roundRect(x - r, y - r * 0.7, 2 * r, 1.4 * r, 6);
      c.fill();
      c.stroke();
    }
  }

  /// How much of what it must have each rank has.
  private paintRanks(c: CanvasRenderingContext2D, shares: Still["shares"], mark: Still["mark"]): void {
    const [has, bare, ink] = [colour(mark === "holds" ? "--holds" : "--has"), colour("--card"), colour("--ink")];
    const square = this.schedule.nodes > 300;
    const r = this.radius;
    c.lineWidth = square ? 0.7 : 1.2;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.font = `${Math.min(13, Math.max(8, r * 0.95))}px system-ui, sans-serif`;
    for (let i = 0; i < this.schedule.ranks; ++i) {
      const [x, y] = this.place(i);
      const share = Math.max(0, Math.min(1, shares.share(i)));
      c.strokeStyle = ink;
      c.fillStyle = bare;
      (square ? fillSquare : fillCircle)(c, x, y, r, share, has);
      if (this.numbered()) {
        c.fillStyle = share > 0.5 ? colour("--on-has") : ink;
        c.fillText(String(i), x, y + 0.5);
      }
    }
  }

  /// Numbers fit into the circles of ranks.
  private numbered(): boolean {
    return this.radius >= 7.5;
  }

  /// Ranks once more, as receivers.
  private paintAgain(c: CanvasRenderingContext2D, again: Float64Array): void {
    const r = this.radius;
    for (let i = 0; i < this.schedule.ranks; ++i) {
      const [x, y] = [again[2 * i] * this.scale + this.offX, again[2 * i + 1] * this.scale + this.offY];
      c.strokeStyle = colour("--ink");
      c.fillStyle = colour("--card");
      c.fillRect(x - r * 0.8, y - r * 0.8, 1.6 * r, 1.6 * r);
      c.strokeRect(x - r * 0.8, y - r * 0.8, 1.6 * r, 1.6 * r);
      if (!this.numbered()) continue;
      c.fillStyle = colour("--ink");
      c.fillText(String(i), x, y + 0.5);
    }
  }

  private paintLoad(c: CanvasRenderingContext2D, load: Load, most: number): void {
    const dark = document.documentElement.dataset.dark === "yes";
    for (let i = 0; i < load.link.length; ++i) {
      const part = most > 0 ? load.bytes[i] / most : 0;
      c.strokeStyle = interpolateViridis(dark ? 0.25 + 0.75 * part : 0.85 - 0.85 * part);
      c.lineWidth = 1 + 5 * part * Math.min(1, this.radius / 6);
      const moved = this.onCanvas(this.layout.links.lines[load.link[i]]);
      aside(moved, Math.min(4, this.radius * 0.45));
      this.stroke(c, moved);
    }
  }

  private trace(c: CanvasRenderingContext2D, line: number[]): void {
    for (let k = 0; k < line.length; k += 2) {
      if (Number.isNaN(line[k])) continue;
      const [x, y] = [line[k] * this.scale + this.offX, line[k + 1] * this.scale + this.offY];
      if (k === 0 || Number.isNaN(line[k - 2])) c.moveTo(x, y);
      else c.lineTo(x, y);
    }
  }

  /// The messages, a share `u` of their ways through.
  /// `fault`: the way of a message that is wrong.
  paintAbove(u: number, chosen: number, fault: number[] | null): void {
    const c = this.above.getContext("2d")!;
    c.clearRect(0, 0, this.width, this.height);
    this.flights.paint(c, u, chosen, this.radius);
    if (fault !== null) this.paintFault(c, fault);
  }
}
