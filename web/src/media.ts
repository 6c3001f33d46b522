// Layouts of networks whose ranks meet in something they share: stages of switches, a bus, a memory, one switch.
import type { Plane } from "./plane";

/// Stages of switches: levels of wires, each drawn as a short straight piece behind its switch.
class Stages {
  readonly places: number;
  private readonly gap: number;
  readonly straight: number;

  constructor(
    readonly plane: Plane,
    readonly count: number,
    readonly arity: number,
  ) {
    this.places = Math.round(arity ** count);
    this.gap = Math.max(1.5, (this.places * 1.1) / (count + 1));
    this.straight = this.gap * 0.4;
  }

  level(l: number) {
    return 0.9 + l * this.gap;
  }
  /// Where a rank receives.
  end() {
    return this.level(this.count) + this.straight + 0.9;
  }
  line(l: number, p: number) {
    return [this.level(l), p, this.level(l) + this.straight, p];
  }

  placeRanks() {
    const { x, y, network } = this.plane;
    const { ranks, two_sided } = network;
    for (let r = 0; r < ranks; ++r) {
      x[r] = r < this.places ? 0 : this.end();
      y[r] = r % this.places;
    }
    if (two_sided) return;
    const again = new Float64Array(2 * ranks);
    for (let r = 0; r < ranks; ++r) again.set([this.end(), r], 2 * r);
    this.plane.again = again;
  }

  drawWires() {
    const { wires, network } = this.plane;
    for (let l = 0; l <= this.count; ++l)
      for (let p = 0; p < this.places; ++p) {
        wires.push(this.line(l, p));
        if (l === 0) wires.push([0, p, this.level(0), p]);
        if (l === this.count) {
          wires.push([this.level(l) + this.straight, p, this.end(), p]);
          continue;
        }
        const scale = Math.round(this.arity ** (this.count - 1 - l));
        for (let d = 0; d < this.arity; ++d) {
          const to = network.shuffled
            ? (this.arity * p + d) % this.places
            : p + (d - (Math.floor(p / scale) % this.arity)) * scale;
          wires.push([this.level(l) + this.straight, p, this.level(l + 1), to]);
        }
      }
  }

  /// The way over the wires whose numbers a route lists; with two sides the last bit of a number says that it leads back.
  way(from: number, to: number, named: boolean) {
    const { x, y, again, links, naming, network } = this.plane;
    const { two_sided } = network;
    const points = [x[from], y[from]];
    const used: number[] = [];
    for (const name of this.plane.via(from, to)) {
      const id = two_sided ? name >> 1 : named ? Math.floor(name / this.places) * this.places + naming.rank(name % this.places, from) : name;
      const [l, p] = [Math.floor(id / this.places), id % this.places];
      const back = two_sided === true && (name & 1) === 1;
      const number = links.number(two_sided ? name : id, () => this.line(l, p), () => `wire ${p} of level ${l}${back ? ", back" : ""}`);
      const [ax, ay, bx, by] = links.lines[number];
      points.push(...(back ? [bx, by, ax, ay] : [ax, ay, bx, by]));
      used.push(number);
    }
    if (again !== null) points.push(again[2 * to], again[2 * to + 1]);
    else points.push(x[to], y[to]);
    return { points, links: used };
  }
}

/// `xor`: routes name the places of wires as they differ from the sender.
export function layOutStages(plane: Plane, count: number, arity: number, xor: boolean) {
  const stages = new Stages(plane, count, arity);
  const { shuffled, two_sided } = plane.network;
  stages.placeRanks();
  stages.drawWires();
  const named = !shuffled && !two_sided && xor;
  plane.way = (from, to) => stages.way(from, to, named);
  plane.says = two_sided
    ? "Ranks left and right of stages of switches, whose wires lead both ways."
    : "Ranks send at the left and receive at the right; every stage of switches in between sets one part of the way.";
}

export function layOutBus(plane: Plane) {
  const { x, y, wires, links, network } = plane;
  const { ranks } = network;
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
  plane.way = (from, to) => {
    const points = [x[from], y[from], x[from], bar(from)];
    if (bar(from) !== bar(to)) points.push(-0.9, bar(from), -0.9, bar(to));
    points.push(x[to], bar(to), x[to], y[to]);
    return { points, links: [links.number(0, () => bus, () => "the bus")] };
  };
  plane.says = "All ranks share one bus: what one sends, all could hear.";
}

/// The memory is the vertex behind the ranks.
function layOutMemory(plane: Plane, radius: number) {
  const { ranks } = plane.network;
  plane.boxes.push({ x: 0, y: 0, r: radius * 0.22, name: "memory" });
  for (let r = 0; r < ranks; ++r) plane.wire(r, ranks);
  const direct = plane.way;
  plane.way = (from, to) => {
    if (from === ranks || to === ranks) return direct(from, to);
    const one = direct(from, ranks);
    const two = direct(ranks, to);
    return { points: [...one.points, ...two.points.slice(2)], links: [...one.links, ...two.links] };
  };
  plane.says = "Ranks around a memory that all share: one writes there, others read.";
}

/// Ranks in a circle: around a memory, joined as their network says, or around a switch.
export function layOutAround(plane: Plane) {
  const { x, y, wires, network } = plane;
  const { ranks, nodes, joined } = network;
  const radius = Math.max(1.6, ranks / 5.5);
  plane.circle(radius);
  if (nodes > ranks) {
    layOutMemory(plane, radius);
  } else if (joined) {
    for (const [a, b] of joined) plane.wire(a, b);
    plane.says = "Ranks in a circle, joined as their network joins them.";
  } else {
    for (let r = 0; r < ranks; ++r) wires.push([x[r], y[r], x[r] * 1.06, y[r] * 1.06]);
    plane.says = "Ranks around a switch that joins any two; only wires in use are drawn.";
  }
}
