// Names that the document gives to ranks, as each rank sees the others.
import type { Steps } from "./document";

/// Turns names as seen from a rank into ranks, and back.
export class Naming {
  readonly names: number;
  private readonly radix: number[];

  constructor(
    private readonly kind: Steps["naming"]["kind"],
    private readonly sides: number[],
    private readonly ranks: number,
    nodes: number,
  ) {
    this.radix = kind === "mesh" ? sides.map((side) => 2 * side - 1) : sides;
    this.names = kind === "mesh" ? this.radix.reduce((a, b) => a * b, 1) : nodes;
  }

  rank(name: number, from: number): number {
    if (this.kind === "absolute") return name;
    if (this.kind === "xor") return name ^ from;
    if (this.kind === "rotate") return name + from >= this.ranks ? name + from - this.ranks : name + from;
    let rank = 0;
    for (let i = this.sides.length - 1, scale = 1; i >= 0; --i) {
      const side = this.sides[i];
      const digit = name % this.radix[i];
      const here = from % side;
      const there = this.kind === "torus" ? (here + digit) % side : here + digit - side + 1;
      rank += there * scale;
      scale *= side;
      name = (name - digit) / this.radix[i];
      from = (from - here) / side;
    }
    return rank;
  }

  name(seen: number, from: number): number {
    if (this.kind === "absolute") return seen;
    if (this.kind === "xor") return seen ^ from;
    if (this.kind === "rotate") return seen >= from ? seen - from : seen - from + this.ranks;
    let name = 0;
    for (let i = this.sides.length - 1, scale = 1; i >= 0; --i) {
      const side = this.sides[i];
      const step = (seen % side) - (from % side);
      name += scale * (this.kind === "mesh" ? step + side - 1 : step < 0 ? step + side : step);
      scale *= this.radix[i];
      seen = Math.floor(seen / side);
      from = Math.floor(from / side);
    }
    return name;
  }
}
