// Where vertices are drawn that the network's own picture has a place for: parts in rows and rings, or as another network
// is drawn.
import type { Part, Shape } from "./document";

/// A box with a name.
export interface Frame {
  left: number;
  top: number;
  right: number;
  bottom: number;
  name: string;
}
/// Vertices and frames around a middle, and how much room they take.
interface Sketch {
  spots: [number, number, number][];
  frames: Frame[];
  wide: number;
  high: number;
}

const margin = 0.35;
const title = 0.75; // above what is framed

function moved(sketch: Sketch, x: number, y: number): Sketch {
  return {
    ...sketch,
    spots: sketch.spots.map(([v, a, b]) => [v, a + x, b + y]),
    frames: sketch.frames.map((f) => ({ ...f, left: f.left + x, right: f.right + x, top: f.top + y, bottom: f.bottom + y })),
  };
}

/// Turned so that what was above faces the middle of a ring, from where it lies in direction `angle`.
function facing(sketch: Sketch, angle: number): Sketch {
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  return { ...sketch, spots: sketch.spots.map(([v, x, y]) => [v, x * s + y * c, y * s - x * c]) };
}

function together(sketches: Sketch[], wide: number, high: number): Sketch {
  return { spots: sketches.flatMap((s) => s.spots), frames: sketches.flatMap((s) => s.frames), wide, high };
}

function row(parts: Part[]): Sketch {
  const all = parts.map(sketch);
  const wide = all.reduce((sum, s) => sum + s.wide, 0);
  const high = all.reduce((most, s) => Math.max(most, s.high), 0);
  let left = -wide / 2;
  const placed = all.map((s) => {
    const at = moved(s, left + s.wide / 2, 0);
    left += s.wide;
    return at;
  });
  return together(placed, wide, high);
}

/// Rows one under the other; single vertices spread over the whole width, as switches do over what is below them.
function rows(parts: Part[][]): Sketch {
  const all = parts.filter((r) => r.length > 0).map(row);
  const wide = all.reduce((most, r) => Math.max(most, r.wide), 0);
  const deep = parts.some((r) => r.some((p) => typeof p !== "number"));
  const gap = deep ? 0.7 + Math.min(12, 0.085 * wide) : 0.25;
  const spread = all.map((r) => (deep && r.frames.length === 0 && r.high === 1 ? { ...r, spots: r.spots.map(([v, x, y]) => [v, (x * wide) / r.wide, y] as [number, number, number]) } : r));
  const high = all.reduce((sum, r) => sum + r.high, 0) + gap * (all.length - 1);
  let top = -high / 2;
  const placed = spread.map((r) => {
    const at = moved(r, 0, top + r.high / 2);
    top += r.high + gap;
    return at;
  });
  return together(placed, wide, high);
}

function ring([inside, outside]: Part[][]): Sketch {
  const middle = row(inside);
  const all = outside.map(sketch);
  const room = all.map((s) => (s.frames.length > 0 ? Math.hypot(s.wide, s.high) * 0.92 : s.wide * 1.15));
  const deepest = all.reduce((most, s) => Math.max(most, s.high), 0);
  const least = inside.length > 0 ? Math.max(middle.wide, middle.high) / 2 + deepest / 2 + 0.6 : deepest;
  const radius = Math.max(least, room.reduce((a, b) => a + b, 0) / (2 * Math.PI));
  const placed = all.map((s, i) => {
    const angle = (2 * Math.PI * i) / all.length - Math.PI / 2;
    return moved(s.frames.length > 0 || s.spots.length === 1 ? s : facing(s, angle), radius * Math.cos(angle), radius * Math.sin(angle));
  });
  const wide = 2 * radius + all.reduce((most, s) => Math.max(most, s.wide, s.high), 0);
  return together([middle, ...placed], wide, wide);
}

function sketch(part: Part): Sketch {
  if (typeof part === "number") return { spots: [[part, 0, 0]], frames: [], wide: 1, high: 1 };
  const inner = part.ring ? ring(part.rows) : rows(part.rows);
  if (!part.name) return inner;
  const low = moved(inner, 0, title / 2);
  const [w, h] = [inner.wide / 2 + margin / 2, (inner.high + title) / 2];
  return { spots: low.spots, frames: [...low.frames, { left: -w, right: w, top: -h, bottom: h, name: part.name }], wide: inner.wide + 2 * margin, high: inner.high + title + margin };
}

export interface Places {
  frames: Frame[];
  says: string;
  /// A line between two vertices.
  segment(a: number, b: number): number[];
}

/// Puts the vertices of parts.
export function placeParts(part: Part, x: Float64Array, y: Float64Array): Places {
  const { spots, frames } = sketch(part);
  for (const [v, a, b] of spots) [x[v], y[v]] = [a, b];
  const ringed = typeof part !== "number" && part.ring === true;
  const framed = frames.length > 0 ? frames[0].name.replace(/ ?\d+$/, "") : "";
  const words: Record<string, string> = { pod: "Switches above the pods that they join; in a pod, hosts are below their switches.", leaf: "Switches above the leaves that they join; a leaf is a switch and its hosts.", group: "Groups round a circle; in each, routers above their hosts.", box: "Boxes, and what joins them.", "DGX-": "Two quads of GPUs." };
  const flat = typeof part !== "number" && !ringed && framed === "" && part.rows.every((r) => r.every((p) => typeof p === "number"));
  const says = flat ? "Ranks in rows, joined as their network joins them." : words[framed] ?? (ringed ? "Squares are switches; ranks are outside of theirs." : "Squares are switches, level above level; ranks are below.");
  return { frames, says, segment: bent(x, y) };
}

/// Lines that go round what would lie on them; long ones cross so much that it says nothing.
function bent(x: Float64Array, y: Float64Array): Places["segment"] {
  const many = x.length > 400;
  const longest = 9;
  return (a, b) => {
    const [low, high] = a < b ? [a, b] : [b, a];
    const [dx, dy] = [x[high] - x[low], y[high] - y[low]];
    const length = Math.hypot(dx, dy);
    const straight = [x[a], y[a], x[b], y[b]];
    if (many || length < 1e-9 || length > longest) return straight;
    let meets = false;
    for (let v = 0; v < x.length && !meets; ++v) {
      if (v === a || v === b) continue;
      const along = ((x[v] - x[low]) * dx + (y[v] - y[low]) * dy) / length;
      const across = Math.abs((x[v] - x[low]) * dy - (y[v] - y[low]) * dx) / length;
      meets = along > 0.2 && along < length - 0.2 && across < 0.22;
    }
    if (!meets) return straight;
    const off = Math.min(0.9, 0.22 * length) / length;
    const [cx, cy] = [(x[a] + x[b]) / 2 + 2 * off * dy, (y[a] + y[b]) / 2 - 2 * off * dx];
    const points: number[] = [];
    for (let i = 0; i <= 8; ++i) {
      const t = i / 8;
      const [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
      points.push(p * x[a] + q * cx + r * x[b], p * y[a] + q * cy + r * y[b]);
    }
    return points;
  };
}

/// What another network's picture says of its vertices.
export interface Base {
  x: Float64Array;
  y: Float64Array;
  frames: Frame[];
  says: string;
  segment: Places["segment"];
}

/// As another network is drawn, of which only some vertices may be there, under other numbers.
export function placeLike(base: Base, places: number[] | undefined, x: Float64Array, y: Float64Array): Places {
  const there = (v: number) => places?.[v] ?? v;
  for (let v = 0; v < x.length; ++v) [x[v], y[v]] = [base.x[there(v)], base.y[there(v)]];
  return { frames: base.frames, says: base.says, segment: (a, b) => base.segment(there(a), there(b)) };
}

/// As another network, each of whose ranks is a memory here with ranks below it.
export function placeOnNodes(base: Base, shape: Shape, ranks: number, perNode: number, x: Float64Array, y: Float64Array): Places {
  const columns = perNode <= 4 ? perNode : Math.ceil(Math.sqrt(2 * perNode));
  const lines = Math.ceil(perNode / columns);
  const [wide, high] = [columns + 0.8, lines + 2.1];
  for (let v = 0; v < base.x.length; ++v) [x[ranks + v], y[ranks + v]] = [base.x[v] * wide, base.y[v] * high];
  const frames = base.frames.map((f) => ({ ...f, left: f.left * wide - wide / 2, right: f.right * wide + wide / 2, top: f.top * high - high / 4, bottom: f.bottom * high + high / 2 }));
  for (let node = 0; node < shape.ranks; ++node) {
    const [cx, cy] = [x[ranks + node], y[ranks + node]];
    for (let i = 0; i < perNode; ++i) {
      const inLine = Math.min(columns, perNode - Math.floor(i / columns) * columns);
      x[node * perNode + i] = cx + (i % columns) - (inLine - 1) / 2;
      y[node * perNode + i] = cy + 1 + Math.floor(i / columns);
    }
    frames.push({ left: cx - columns / 2 - 0.15, right: cx + columns / 2 + 0.15, top: cy - 0.45, bottom: cy + lines + 0.55, name: "" });
  }
  const scaled = (line: number[]) => line.map((at, i) => at * (i % 2 === 0 ? wide : high));
  return {
    frames,
    says: `${base.says} Each node is a box: a memory, and below it the ranks that share it.`,
    segment: (a, b) => (a >= ranks && b >= ranks ? scaled(base.segment(a - ranks, b - ranks)) : [x[a], y[a], x[b], y[b]]),
  };
}

/// One more than the highest vertex that a picture names.
export function mostVertex({ drawn }: Shape): number {
  const of = (part: Part): number => (typeof part === "number" ? part + 1 : Math.max(0, ...part.rows.flat().map(of)));
  if (drawn === undefined) return 0;
  if (!("like" in drawn)) return of(drawn);
  const there = Math.max(drawn.like.nodes, mostVertex(drawn.like));
  return drawn.per_node ? drawn.like.ranks * drawn.per_node + there : drawn.places?.length ?? there;
}
