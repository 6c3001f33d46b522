// What the layouts of all networks draw on: places of vertices, wires, and the ways of messages over them.
import type { Network, Steps } from "./document";
import { mostVertex, type Frame } from "./drawn";
import { Naming } from "./naming";
import { type Division, Links, type Way } from "./ways";

export class Plane {
  /// With the vertices behind the ranks that relay.
  readonly vertices: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /// Wires that are there whether used or not: points each.
  readonly wires: number[][] = [];
  /// Wires that have failed.
  gone: number[][] = [];
  frames: Frame[] = [];
  /// Big parts with a name: the memory.
  readonly boxes: { x: number; y: number; r: number; name: string }[] = [];
  readonly links = new Links();
  readonly naming: Naming;
  /// Where the same ranks are drawn a second time, as receivers: x, y by rank.
  again: Float64Array | null = null;
  /// One sentence on how to read the picture.
  says = "";
  private readonly routes: Map<number, number[]>;
  private readonly pairs: Map<number, number[]>;
  private readonly divisions: Map<number, Division>;

  constructor(
    readonly network: Network,
    steps: Steps,
  ) {
    this.vertices = Math.max(network.nodes, network.vertices ?? 0, mostVertex(network));
    this.x = new Float64Array(this.vertices);
    this.y = new Float64Array(this.vertices);
    this.naming = new Naming(steps.naming.kind, steps.naming.sides, network.ranks, network.nodes);
    this.routes = new Map(steps.routes);
    this.pairs = new Map(steps.pair_routes);
    this.divisions = new Map((steps.divided ?? []).map(([pair, widest, shares]) => [pair, { widest, shares }]));
  }

  /// A line between two vertices, wired or not.
  segment = (a: number, b: number): number[] => [this.x[a], this.y[a], this.x[b], this.y[b]];

  /// From node to node over wires that join neighbours.
  way = (from: number, to: number): Way => {
    const points: number[] = [];
    const used: number[] = [];
    let a = from;
    for (const name of [...this.via(from, to), -1]) {
      const b = name < 0 ? to : this.naming.rank(name, from);
      const [p, q] = [a, b];
      const number = this.links.number(p * this.network.nodes + q, () => this.segment(p, q), () => `${p} \u2192 ${q}`);
      const line = this.links.lines[number];
      points.push(...(points.length === 0 ? line : line.slice(2)));
      used.push(number);
      a = b;
    }
    return { points, links: used };
  };

  /// The nodes on a message's way, or in stages of switches the wires; between other switches no place is known.
  via(from: number, to: number): number[] {
    const { direct, stages, links, nodes } = this.network;
    if (!direct && stages === undefined && links === undefined) return [];
    return this.pairs.get(from * nodes + to) ?? this.routes.get(this.naming.name(to, from)) ?? [];
  }

  /// Among which ways messages are divided; undefined: they take one.
  divided(from: number, to: number): Division | undefined {
    return this.divisions.get(from * this.network.nodes + to);
  }

  wire(a: number, b: number) {
    this.wires.push(this.segment(a, b));
  }

  /// The ranks on a circle, from the top on.
  circle(radius: number) {
    const { ranks } = this.network;
    for (let r = 0; r < ranks; ++r) {
      const angle = (2 * Math.PI * r) / ranks - Math.PI / 2;
      this.x[r] = radius * Math.cos(angle);
      this.y[r] = radius * Math.sin(angle);
    }
  }
}
