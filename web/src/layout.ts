// Where ranks and wires are drawn, and the way of a message between them. One plane for every kind of network, in units
// of about the distance of neighbours.
import type { Network, Shape, Steps } from "./document";
import { mostVertex, placeLike, placeOnNodes, placeParts, type Frame, type Places } from "./drawn";
import { Naming } from "./naming";
import { bounds, Links, overLinks, pairsOf, type Way } from "./ways";

export interface Layout {
  x: Float64Array;
  y: Float64Array;
  /// Wires that are there whether used or not: points each.
  wires: number[][];
  /// Where the same ranks are drawn a second time, as receivers: x, y by rank.
  again: Float64Array | null;
  /// Wires that have failed.
  gone: number[][];
  /// Vertices behind the ranks that relay: their places are in x and y, too.
  vertices: number;
  /// Big parts with a name: the memory.
  boxes: { x: number; y: number; r: number; name: string }[];
  frames: Frame[];
  left: number;
  top: number;
  right: number;
  bottom: number;
  way(from: number, to: number): Way;
  /// A line between two vertices, wired or not.
  segment(from: number, to: number): number[];
  /// Points of a link by its number, and what it is called.
  line(link: number): number[];
  linkName(link: number): string;
  links(): number;
  /// One sentence on how to read the picture.
  says: string;
}

const circle = (n: number, radius: number, x: Float64Array, y: Float64Array) => {
  for (let r = 0; r < n; ++r) {
    const angle = (2 * Math.PI * r) / n - Math.PI / 2;
    x[r] = radius * Math.cos(angle);
    y[r] = radius * Math.sin(angle);
  }
};

const nothing: Steps = { detail: "messages", rounds: 0, pieces: 1, pieces_move: false, naming: { kind: "absolute", sides: [] }, blocks: { kind: "plain", count: 1 }, items: [], actions: [], steps: [], initial: [], wanted: [], routes: [], pair_routes: [], routes_known: true };

const ofShape = (shape: Shape) => layOut({ family: "", text: "", wires: 0, diameter: 0, bisection: 0, ...shape }, nothing);

/// Places of a picture that the network says itself.
function drawn(network: Network, x: Float64Array, y: Float64Array): Places | null {
  const picture = network.drawn;
  if (picture === undefined) return null;
  if (!("like" in picture)) return placeParts(picture, x, y);
  const base = ofShape(picture.like);
  return picture.per_node ? placeOnNodes(base, picture.like, network.ranks, picture.per_node, x, y) : placeLike(base, picture.places, x, y);
}

/// Wires of another network that this one does not have, by their lines.
function missing(shape: Shape, present: number[][]): number[][] {
  const key = (line: number[]) => line.map((v) => v.toFixed(3)).join(" ");
  const there = new Set(present.map(key));
  const turned = (line: number[]) => Array.from({ length: line.length / 2 }, (_, i) => [line[line.length - 2 - 2 * i], line[line.length - 1 - 2 * i]]).flat();
  return ofShape(shape).wires.filter((line) => !there.has(key(line)) && !there.has(key(turned(line))));
}

/// Where the vertices of a part of a network were in the whole of it; empty where it is whole.
const placesOf = ({ drawn }: Network): number[] => (drawn && "like" in drawn && !drawn.per_node ? (drawn.places ?? []) : []);

export function layOut(network: Network, steps: Steps): Layout {
  const { ranks, nodes } = network;
  const ends = network.links;
  const vertices = Math.max(nodes, network.vertices ?? 0, mostVertex(network));
  const x = new Float64Array(vertices);
  const y = new Float64Array(vertices);
  const wires: number[][] = [];
  let gone: number[][] = [];
  let frames: Frame[] = [];
  const boxes: Layout["boxes"] = [];
  const links = new Links();
  const naming = new Naming(steps.naming.kind, steps.naming.sides, ranks, nodes);
  const routes = new Map(steps.routes);
  const pairs = new Map(steps.pair_routes);
  /// The nodes on a message's way, or in stages of switches the wires; between other switches no place is known.
  const placed = network.direct || network.stages !== undefined || ends !== undefined;
  const via = (from: number, to: number): number[] =>
    placed ? (pairs.get(from * nodes + to) ?? routes.get(naming.name(to, from)) ?? []) : [];
  let again: Float64Array | null = null;
  let says = "";
  let segment = (a: number, b: number): number[] => [x[a], y[a], x[b], y[b]];

  /// From node to node over wires that join neighbours.
  let way = (from: number, to: number): Way => {
    const points: number[] = [];
    const used: number[] = [];
    let a = from;
    for (const name of [...via(from, to), -1]) {
      const b = name < 0 ? to : naming.rank(name, from);
      const [p, q] = [a, b];
      const number = links.number(p * nodes + q, () => segment(p, q), () => `${p} \u2192 ${q}`);
      const line = links.lines[number];
      points.push(...(points.length === 0 ? line : line.slice(2)));
      used.push(number);
      a = b;
    }
    return { points, links: used };
  };
  const wire = (a: number, b: number) => wires.push(segment(a, b));

  const places = drawn(network, x, y);
  if (places !== null) {
    ({ frames, says, segment } = places);
    for (const [a, b] of network.joined ?? pairsOf(ends ?? [])) wire(a, b);
    if (network.drawn && "like" in network.drawn && !network.drawn.per_node) gone = missing(network.drawn.like, wires);
    if (gone.length > 0) says += " Dashed wires have failed.";
    const moved = placesOf(network).findIndex((place, vertex) => place !== vertex);
    if (moved >= 0 && moved < ranks) says += ` Nodes that are not there have no circle, and ranks are numbered without them: rank ${moved} is node ${placesOf(network)[moved]}.`;
    if (!network.direct) way = overLinks(ends, via, links, (a, b) => segment(a, b), (v) => network.names?.[v] ?? (v < nodes ? String(v) : `switch ${v}`));
  } else if (network.ring) {
    circle(ranks, Math.max(1, ranks / 6.3), x, y);
    for (let r = 0; r < ranks; ++r) if (ranks > 2 || r === 0) wire(r, (r + 1) % ranks);
    says = "Ranks on a ring; each is wired to the two beside it.";
  } else if (network.sides) {
    const { sides, wraps } = network;
    const axes = sides.length;
    const step = new Array<number>(axes).fill(1);
    for (let i = axes - 2; i >= 0; --i) step[i] = step[i + 1] * sides[i + 1];
    const last = sides[axes - 1];
    const above = axes > 1 ? sides[axes - 2] : 1;
    const across: [number, number][] = [];
    for (let k = 0, wide = last + 1.2, high = above + 1.2; k < axes; ++k) {
      const side = sides[axes - 1 - k];
      if (k === 0) across.push([1, 0]);
      else if (k === 1) across.push([0, 1]);
      else if (k === 2) across.push([0.62 / Math.max(1, side - 1), -0.56 / Math.max(1, side - 1)]);
      else if (k % 2 === 1) {
        across.push([wide, 0]);
        wide *= side;
      } else {
        across.push([0, high]);
        high *= side;
      }
    }
    across.reverse();
    const coordinate = (r: number, i: number) => Math.floor(r / step[i]) % sides[i];
    for (let r = 0; r < ranks; ++r)
      for (let i = 0; i < axes; ++i) {
        x[r] += coordinate(r, i) * across[i][0];
        y[r] += coordinate(r, i) * across[i][1];
      }
    segment = (a, b) => {
      for (let i = 0; i < axes; ++i) {
        const off = coordinate(b, i) - coordinate(a, i);
        if (off === 0 || Math.abs(off) === 1) continue;
        const way = off < 0 ? 0.42 : -0.42;
        const [dx, dy] = [way * across[i][0], way * across[i][1]];
        return [x[a], y[a], x[a] + dx, y[a] + dy, NaN, NaN, x[b] - dx, y[b] - dy, x[b], y[b]];
      }
      return [x[a], y[a], x[b], y[b]];
    };
    for (let r = 0; r < ranks; ++r)
      for (let i = 0; i < axes; ++i) {
        const c = coordinate(r, i);
        if (c + 1 < sides[i]) wire(r, r + step[i]);
        else if (wraps && sides[i] > 2) wire(r, r - c * step[i]);
      }
    says =
      wraps
        ? "Ranks in a grid whose edges are joined: what leaves at one edge comes back at the opposite one, over the short stubs."
        : "Ranks in a grid, each wired to its neighbours.";
  } else if (network.dimension) {
    const bits = network.dimension;
    const along: [number, number][] = [
      [1, 0],
      [0, 1],
      [0.42, -0.36],
    ];
    for (let b = 3, reach = 2; b < bits; ++b) {
      along.push(b % 2 === 1 ? [reach, 0.13 * (b - 1)] : [0.13 * (b - 2), reach]);
      if (b % 2 === 0) reach = reach * 2 + 0.2;
    }
    for (let r = 0; r < ranks; ++r)
      for (let b = 0; b < bits; ++b)
        if ((r >> b) & 1) {
          x[r] += along[b][0];
          y[r] += along[b][1];
        }
    for (let r = 0; r < ranks; ++r) for (let b = 0; b < bits; ++b) if (((r >> b) & 1) === 0) wire(r, r | (1 << b));
    says = "Ranks at the corners of cubes; two are wired when their numbers differ in one bit.";
  } else if (network.stages) {
    const n = network.stages;
    const k = network.arity!;
    const { shuffled, two_sided } = network;
    const places = Math.round(k ** n);
    const gap = Math.max(1.5, (places * 1.1) / (n + 1));
    const level = (l: number) => 0.9 + l * gap;
    const straight = gap * 0.4;
    for (let r = 0; r < ranks; ++r) {
      x[r] = r < places ? 0 : level(n) + straight + 0.9;
      y[r] = r % places;
    }
    if (!two_sided) {
      again = new Float64Array(2 * ranks);
      for (let r = 0; r < ranks; ++r) again.set([level(n) + straight + 0.9, r], 2 * r);
    }
    const line = (l: number, p: number) => [level(l), p, level(l) + straight, p];
    for (let l = 0; l <= n; ++l)
      for (let p = 0; p < places; ++p) {
        wires.push(line(l, p));
        if (l === 0) wires.push([0, p, level(0), p]);
        if (l === n) {
          wires.push([level(n) + straight, p, level(n) + straight + 0.9, p]);
          continue;
        }
        const scale = Math.round(k ** (n - 1 - l));
        for (let d = 0; d < k; ++d) {
          const to = shuffled ? (k * p + d) % places : p + (d - (Math.floor(p / scale) % k)) * scale;
          wires.push([level(l) + straight, p, level(l + 1), to]);
        }
      }
    const named = !shuffled && !two_sided && steps.naming.kind === "xor";
    way = (from, to) => {
      const points = [x[from], y[from]];
      const used: number[] = [];
      for (const name of via(from, to)) {
        const id = two_sided ? name >> 1 : named ? Math.floor(name / places) * places + naming.rank(name % places, from) : name;
        const [l, p] = [Math.floor(id / places), id % places];
        const back = two_sided === true && (name & 1) === 1;
        const number = links.number(two_sided ? name : id, () => line(l, p), () => `wire ${p} of level ${l}${back ? ", back" : ""}`);
        const [ax, ay, bx, by] = links.lines[number];
        points.push(...(back ? [bx, by, ax, ay] : [ax, ay, bx, by]));
        used.push(number);
      }
      if (again !== null) points.push(again[2 * to], again[2 * to + 1]);
      else points.push(x[to], y[to]);
      return { points, links: used };
    };
    says =
      two_sided
        ? "Ranks left and right of stages of switches, whose wires lead both ways."
        : "Ranks send at the left and receive at the right; every stage of switches in between sets one part of the way.";
  } else if (network.shared_medium && nodes === ranks) {
    const columns = ranks <= 16 ? ranks : Math.ceil(Math.sqrt(ranks * 2.4));
    const rows = Math.ceil(ranks / columns);
    const bar = (r: number) => Math.floor(r / columns) * 2 + 0.8;
    for (let r = 0; r < ranks; ++r) {
      x[r] = r % columns;
      y[r] = Math.floor(r / columns) * 2;
      wires.push([x[r], y[r], x[r], bar(r)]);
    }
    const bus: number[] = [];
    for (let row = 0; row < rows; ++row) bus.push(-0.9, row * 2 + 0.8, columns - 1 + 0.4, row * 2 + 0.8, NaN, NaN);
    bus.push(-0.9, 0.8, -0.9, (rows - 1) * 2 + 0.8);
    wires.push(bus);
    way = (from, to) => {
      const points = [x[from], y[from], x[from], bar(from)];
      if (bar(from) !== bar(to)) points.push(-0.9, bar(from), -0.9, bar(to));
      points.push(x[to], bar(to), x[to], y[to]);
      return { points, links: [links.number(0, () => bus, () => "the bus")] };
    };
    says = "All ranks share one bus: what one sends, all could hear.";
  } else {
    const radius = Math.max(1.6, ranks / 5.5);
    circle(ranks, radius, x, y);
    if (nodes > ranks) {
      boxes.push({ x: 0, y: 0, r: radius * 0.22, name: "memory" });
      for (let r = 0; r < ranks; ++r) wire(r, ranks);
      const direct = way;
      way = (from, to) => {
        if (from === ranks || to === ranks) return direct(from, to);
        const one = direct(from, ranks);
        const two = direct(ranks, to);
        return { points: [...one.points, ...two.points.slice(2)], links: [...one.links, ...two.links] };
      };
      says = "Ranks around a memory that all share: one writes there, others read.";
    } else if (network.joined) {
      for (const [a, b] of network.joined) wire(a, b);
      says = "Ranks in a circle, joined as their network joins them.";
    } else {
      for (let r = 0; r < ranks; ++r) wires.push([x[r], y[r], x[r] * 1.06, y[r] * 1.06]);
      says = "Ranks around a switch that joins any two; only wires in use are drawn.";
    }
  }
  const [left, top, right, bottom] = bounds([...wires, ...frames.map((f) => [f.left, f.top, f.right, f.bottom]), ...Array.from(x, (v, i) => [v, y[i]])]);
  return {
    x,
    y,
    wires,
    gone,
    vertices,
    again,
    boxes,
    frames,
    segment: (a, b) => segment(a, b),
    left,
    top,
    right,
    bottom,
    way,
    line: (link) => links.lines[link],
    linkName: (link) => links.names[link],
    links: () => links.lines.length,
    says,
  };
}
