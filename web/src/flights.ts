// The messages of a round on their way: where each is, what colour and label it has, and how they are drawn.
import { interpolateRainbow } from "d3-scale-chromatic";
import { colour } from "./dom";
import type { Messages, Schedule } from "./schedule";

/// How the layout's units become pixels, and how large ranks are.
export interface View {
  scale: number;
  offX: number;
  offY: number;
  radius: number;
}

/// A round to be drawn.
interface Round {
  messages: Messages;
  round: number;
  /// The points a message passes, in the layout's units.
  way: (from: number, to: number) => number[];
  byLoad: boolean;
  /// Which messages keep their colours; null: all do.
  only: ((items: number, from: number) => boolean) | null;
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

export class Flights {
  private all: Flight[] = [];
  private order: Int32Array = new Int32Array(0);
  private byLoad = false;

  constructor(private readonly schedule: Schedule) {}

  /// The message near a place, `u` of its way through, or -1.
  near(px: number, py: number, u: number): number {
    let best = -1;
    let least = 100;
    this.all.forEach((f, i) => {
      const [x, y] = at(f, u);
      const d = (x - px) ** 2 + (y - py) ** 2;
      if (d < least) [least, best] = [d, i];
    });
    return best;
  }

  /// Prepares the messages of a round.
  load({ messages, round, way, byLoad, only }: Round, view: View): void {
    this.byLoad = byLoad;
    const few = messages.count <= 96 && view.radius > 6;
    this.all = [];
    for (let i = 0; i < messages.count; ++i) {
      const raw = way(messages.from[i], messages.to[i]);
      const points = new Float32Array(raw.length);
      for (let k = 0; k < raw.length; k += 2) {
        points[k] = raw[k] * view.scale + view.offX;
        points[k + 1] = raw[k + 1] * view.scale + view.offY;
      }
      aside(points, few ? 5.5 : Math.min(4, view.radius * 0.45));
      let length = 0;
      for (let k = 2; k < points.length; k += 2) length += gap(points, k);
      const first = messages.items[i] > 0 ? this.schedule.first(messages.items[i], messages.from[i], round) : null;
      const carries = only === null || only(messages.items[i], messages.from[i]);
      this.all.push({ points, length, hue: carries ? this.hue(first, messages.from[i]) : -1, label: few && first ? this.label(first) : "" });
    }
    this.order = Int32Array.from(this.all.keys()).sort((a, b) => this.all[a].hue - this.all[b].hue);
  }

  private hue(first: { block: number; piece: number; set: number } | null, from: number): number {
    const s = this.schedule;
    const kind = s.steps.blocks.kind;
    if (first === null) return Math.floor((from * hues) / s.nodes);
    if (kind === "owner") return Math.floor((first.block * hues) / s.ranks);
    if (kind === "pair") return Math.floor((Math.floor(first.block / s.ranks) * hues) / s.ranks);
    const count = s.steps.blocks.count;
    if (count === 1 && s.pieces === 1 && s.contributions !== null) return Math.floor(((s.contributions.size(first.set) - 1) * hues) / s.ranks);
    return count > 1 ? Math.floor((first.block * hues) / count) : Math.floor((first.piece * hues) / Math.max(1, s.pieces)) % hues;
  }

  private label(first: { block: number; piece: number; set: number }): string {
    const c = this.schedule.contributions;
    if (c !== null && this.schedule.steps.blocks.count === 1) return String(c.size(first.set));
    const kind = this.schedule.steps.blocks.kind;
    if (kind === "plain" && this.schedule.steps.blocks.count === 1) return this.schedule.pieces > 1 ? String(first.piece) : "";
    return kind === "pair" ? String(Math.floor(first.block / this.schedule.ranks)) : String(first.block);
  }

  /// The messages, a share `u` of their ways through.
  paint(c: CanvasRenderingContext2D, u: number, chosen: number, radius: number): void {
    const n = this.all.length;
    if (n === 0 || u <= 0) return;
    const size = n > 1500 ? 1.7 : n > 300 ? 2.6 : radius > 6 && n <= 96 ? 7 : 4;
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
      const f = this.all[i];
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
      place(this.all[chosen], u, spot);
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
export function aside(p: Float32Array, by: number): void {
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
