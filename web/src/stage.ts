// The network on two canvases: wires and ranks below, messages on their way above.
import { interpolateRainbow, interpolateViridis } from "d3-scale-chromatic";
import { colour, h } from "./dom";
import type { Layout } from "./layout";
import type { Load } from "./loads";
import type { Schedule, Messages } from "./schedule";

/// What is shown of the ranks: a share from 0 to 1 each, and how it reads.
export interface Shares {
  share(rank: number): number;
}

interface Flight {
  points: Float32Array;
  length: number;
  hue: number;
  label: string;
}

const hues = 48;
/// Which hues need white text on them.
const dark = Array.from({ length: hues }, (_, i) => {
  const [r, g, b] = interpolateRainbow(i / hues).match(/\d+/g)!.map(Number);
  return 0.3 * r + 0.59 * g + 0.11 * b < 120;
});

export class Stage {
  readonly element: HTMLElement;
  private readonly below = h("canvas", { "aria-hidden": "true" });
  readonly above = h("canvas", { tabindex: "0", role: "application", "aria-roledescription": "network" });
  private scale = 1;
  private offX = 0;
  private offY = 0;
  private width = 0;
  private height = 0;
  private flights: Flight[] = [];
  private order: Int32Array = new Int32Array(0);
  private byLoad = false;
  private radius = 4;

  constructor(
    private readonly schedule: Schedule,
    private readonly layout: Layout,
  ) {
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
    let best = -1;
    let least = 100;
    this.flights.forEach((f, i) => {
      const [x, y] = at(f, u);
      const d = (x - px) ** 2 + (y - py) ** 2;
      if (d < least) [least, best] = [d, i];
    });
    return best;
  }

  /// Prepares the messages of a round.
  load(messages: Messages, round: number, way: (from: number, to: number) => number[], byLoad: boolean, only: number | null): void {
    this.byLoad = byLoad;
    const few = messages.count <= 96 && this.radius > 6;
    this.flights = [];
    for (let i = 0; i < messages.count; ++i) {
      const raw = way(messages.from[i], messages.to[i]);
      const points = new Float32Array(raw.length);
      for (let k = 0; k < raw.length; k += 2) {
        points[k] = raw[k] * this.scale + this.offX;
        points[k + 1] = raw[k + 1] * this.scale + this.offY;
      }
      aside(points, few ? 5.5 : Math.min(4, this.radius * 0.45));
      let length = 0;
      for (let k = 2; k < points.length; k += 2) length += gap(points, k);
      const first = messages.items[i] > 0 ? this.schedule.first(messages.items[i], messages.from[i], round) : null;
      const carries = only === null || this.schedule.carries(messages.items[i], messages.from[i], only);
      this.flights.push({ points, length, hue: carries ? this.hue(first, messages.from[i]) : -1, label: few && first ? this.label(first) : "" });
    }
    this.order = Int32Array.from(this.flights.keys()).sort((a, b) => this.flights[a].hue - this.flights[b].hue);
  }

  private hue(first: { block: number; piece: number } | null, from: number): number {
    const s = this.schedule;
    const kind = s.steps.blocks.kind;
    if (first === null) return Math.floor((from * hues) / s.nodes);
    if (kind === "owner") return Math.floor((first.block * hues) / s.ranks);
    if (kind === "pair") return Math.floor((Math.floor(first.block / s.ranks) * hues) / s.ranks);
    const count = s.steps.blocks.count;
    return count > 1 ? Math.floor((first.block * hues) / count) : Math.floor((first.piece * hues) / Math.max(1, s.pieces)) % hues;
  }

  private label(first: { block: number; piece: number }): string {
    const kind = this.schedule.steps.blocks.kind;
    if (kind === "plain" && this.schedule.steps.blocks.count === 1) return this.schedule.pieces > 1 ? String(first.piece) : "";
    return kind === "pair" ? String(Math.floor(first.block / this.schedule.ranks)) : String(first.block);
  }

  paintBelow(shares: Shares, load: Load | null, most: number, marked: number[], mark: "level" | "holds"): void {
    const c = this.below.getContext("2d")!;
    c.clearRect(0, 0, this.width, this.height);
    const ink = colour("--ink");
    c.strokeStyle = colour("--wire");
    c.lineWidth = this.layout.wires.length > 3000 ? 0.25 : this.schedule.nodes > 300 ? 0.6 : 1;
    c.beginPath();
    for (const wire of this.layout.wires) this.trace(c, wire);
    c.stroke();
    if (load !== null) this.paintLoad(c, load, most);
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
    const [has, bare] = [colour(mark === "holds" ? "--holds" : "--has"), colour("--card")];
    const square = this.schedule.nodes > 300;
    const text = this.radius >= 7.5;
    c.lineWidth = square ? 0.7 : 1.2;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.font = `${Math.min(13, Math.max(8, this.radius * 0.95))}px system-ui, sans-serif`;
    const r = this.radius;
    for (let i = 0; i < this.schedule.ranks; ++i) {
      const [x, y] = this.place(i);
      const share = Math.max(0, Math.min(1, shares.share(i)));
      c.strokeStyle = ink;
      c.fillStyle = bare;
      if (square) {
        c.fillRect(x - r, y - r, 2 * r, 2 * r);
        c.fillStyle = has;
        c.fillRect(x - r, y + r - 2 * r * share, 2 * r, 2 * r * share);
        c.strokeRect(x - r, y - r, 2 * r, 2 * r);
      } else {
        c.beginPath();
        c.arc(x, y, r, 0, 2 * Math.PI);
        c.fill();
        if (share > 0) {
          const angle = Math.acos(1 - 2 * share);
          c.fillStyle = has;
          c.beginPath();
          c.arc(x, y, r, Math.PI / 2 - angle, Math.PI / 2 + angle);
          c.fill();
        }
        c.lineWidth = share >= 1 ? 2 : 1.2;
        c.beginPath();
        c.arc(x, y, r, 0, 2 * Math.PI);
        c.stroke();
      }
      if (text) {
        c.fillStyle = share > 0.5 ? colour("--on-has") : ink;
        c.fillText(String(i), x, y + 0.5);
      }
    }
    if (this.layout.again !== null) {
      c.strokeStyle = ink;
      c.fillStyle = bare;
      for (let i = 0; i < this.schedule.ranks; ++i) {
        const [x, y] = [this.layout.again[2 * i] * this.scale + this.offX, this.layout.again[2 * i + 1] * this.scale + this.offY];
        c.fillRect(x - r * 0.8, y - r * 0.8, 1.6 * r, 1.6 * r);
        c.strokeRect(x - r * 0.8, y - r * 0.8, 1.6 * r, 1.6 * r);
        if (text) {
          c.fillStyle = ink;
          c.fillText(String(i), x, y + 0.5);
          c.fillStyle = bare;
        }
      }
    }
    c.strokeStyle = colour("--accent");
    c.lineWidth = 3;
    for (const i of marked) {
      const [x, y] = this.place(i);
      c.beginPath();
      c.arc(x, y, r + 4, 0, 2 * Math.PI);
      c.stroke();
    }
    c.fillStyle = ink;
    for (const box of this.layout.boxes) c.fillText(box.name, box.x * this.scale + this.offX, box.y * this.scale + this.offY);
  }

  private paintLoad(c: CanvasRenderingContext2D, load: Load, most: number): void {
    const dark = document.documentElement.dataset.dark === "yes";
    for (let i = 0; i < load.link.length; ++i) {
      const part = most > 0 ? load.bytes[i] / most : 0;
      c.strokeStyle = interpolateViridis(dark ? 0.25 + 0.75 * part : 0.85 - 0.85 * part);
      c.lineWidth = 1 + 5 * part * Math.min(1, this.radius / 6);
      c.beginPath();
      const line = this.layout.line(load.link[i]);
      const moved = new Float32Array(line.length);
      for (let k = 0; k < line.length; ++k) moved[k] = line[k] * this.scale + (k % 2 === 0 ? this.offX : this.offY);
      aside(moved, Math.min(4, this.radius * 0.45));
      for (let k = 0; k < moved.length; k += 2)
        if (k === 0 || Number.isNaN(moved[k - 2])) c.moveTo(moved[k], moved[k + 1]);
        else if (!Number.isNaN(moved[k])) c.lineTo(moved[k], moved[k + 1]);
      c.stroke();
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
  paintAbove(u: number, chosen: number): void {
    const c = this.above.getContext("2d")!;
    c.clearRect(0, 0, this.width, this.height);
    const n = this.flights.length;
    if (n === 0 || u <= 0) return;
    const size = n > 1500 ? 1.7 : n > 300 ? 2.6 : this.radius > 6 && n <= 96 ? 7 : 4;
    const spot: [number, number] = [0, 0];
    let last = -2;
    const ink = colour("--ink");
    const pale = colour("--pale");
    const card = colour("--card");
    c.font = "9px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    for (let k = 0; k < n; ++k) {
      const i = this.order[k];
      const f = this.flights[i];
      if (f.hue !== last) {
        last = f.hue;
        c.fillStyle = f.hue < 0 ? pale : this.byLoad ? ink : interpolateRainbow(f.hue / hues);
        c.strokeStyle = ink;
      }
      place(f, u, spot);
      const r = f.hue < 0 ? size * 0.6 : size;
      if (n > 300) {
        c.fillRect(spot[0] - r, spot[1] - r, 2 * r, 2 * r);
        continue;
      }
      c.beginPath();
      c.arc(spot[0], spot[1], r, 0, 2 * Math.PI);
      c.fill();
      c.lineWidth = 1;
      c.stroke();
      if (f.label !== "" && f.hue >= 0 && size >= 7) {
        const before = c.fillStyle;
        c.fillStyle = this.byLoad ? card : dark[f.hue] ? "#fff" : "#111";
        c.fillText(f.label, spot[0], spot[1] + 0.5);
        c.fillStyle = before;
      }
    }
    if (chosen >= 0 && chosen < n) {
      place(this.flights[chosen], u, spot);
      c.strokeStyle = colour("--accent");
      c.lineWidth = 2.5;
      c.beginPath();
      c.arc(spot[0], spot[1], size + 4, 0, 2 * Math.PI);
      c.stroke();
    }
  }
}

/// Length of the stretch that ends at point k; nothing across a jump.
function gap(p: Float32Array, k: number): number {
  const d = Math.hypot(p[k] - p[k - 2], p[k + 1] - p[k - 1]);
  return Number.isNaN(d) ? 0 : d;
}

function place(f: Flight, u: number, spot: [number, number]): void {
  const p = f.points;
  let left = u * f.length;
  for (let k = 2; k < p.length; k += 2) {
    const d = gap(p, k);
    if (d >= left && d > 0) {
      const part = left / d;
      spot[0] = p[k - 2] + part * (p[k] - p[k - 2]);
      spot[1] = p[k - 1] + part * (p[k + 1] - p[k - 1]);
      return;
    }
    left -= d;
  }
  spot[0] = p[p.length - 2];
  spot[1] = p[p.length - 1];
}

function at(f: Flight, u: number): [number, number] {
  const spot: [number, number] = [0, 0];
  place(f, u, spot);
  return spot;
}

/// Moves a line to its right, so that both directions of a wire are seen.
function aside(p: Float32Array, by: number): void {
  let [nx, ny] = [0, 0];
  const old = p.slice();
  for (let k = 0; k < p.length; k += 2) {
    const dx = old[k + 2] - old[k];
    const dy = old[k + 3] - old[k + 1];
    const d = Math.hypot(dx, dy);
    if (d > 0) [nx, ny] = [-dy / d, dx / d];
    p[k] += nx * by;
    p[k + 1] += ny * by;
  }
}
