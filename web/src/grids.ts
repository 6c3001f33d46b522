// Layouts of networks whose ranks are wired to each other: rings, meshes and tori of any number of axes, cubes.
import type { Plane } from "./plane";

export function layOutRing(plane: Plane) {
  const { ranks } = plane.network;
  plane.circle(Math.max(1, ranks / 6.3));
  for (let r = 0; r < ranks; ++r) if (ranks > 2 || r === 0) plane.wire(r, (r + 1) % ranks);
  plane.says = "Ranks on a ring; each is wired to the two beside it.";
}

/// How far a step along each axis leads: the last two axes are the plane, a third leads slantwise, others lay grids side by side.
function stepsAcross(sides: number[]): [number, number][] {
  const axes = sides.length;
  const across: [number, number][] = [];
  let wide = sides[axes - 1] + 1.2;
  let high = (axes > 1 ? sides[axes - 2] : 1) + 1.2;
  for (let k = 0; k < axes; ++k) {
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
  return across.reverse();
}

export function layOutGrid(plane: Plane, sides: number[]) {
  const { x, y, network } = plane;
  const { ranks, wraps } = network;
  const axes = sides.length;
  const step = new Array<number>(axes).fill(1);
  for (let i = axes - 2; i >= 0; --i) step[i] = step[i + 1] * sides[i + 1];
  const across = stepsAcross(sides);
  const coordinate = (r: number, i: number) => Math.floor(r / step[i]) % sides[i];
  for (let r = 0; r < ranks; ++r)
    for (let i = 0; i < axes; ++i) {
      x[r] += coordinate(r, i) * across[i][0];
      y[r] += coordinate(r, i) * across[i][1];
    }
  const straight = plane.segment;
  plane.segment = (a, b) => {
    for (let i = 0; i < axes; ++i) {
      const off = coordinate(b, i) - coordinate(a, i);
      if (off === 0 || Math.abs(off) === 1) continue;
      const way = off < 0 ? 0.42 : -0.42;
      const [dx, dy] = [way * across[i][0], way * across[i][1]];
      return [x[a], y[a], x[a] + dx, y[a] + dy, NaN, NaN, x[b] - dx, y[b] - dy, x[b], y[b]];
    }
    return straight(a, b);
  };
  for (let r = 0; r < ranks; ++r)
    for (let i = 0; i < axes; ++i) {
      const c = coordinate(r, i);
      if (c + 1 < sides[i]) plane.wire(r, r + step[i]);
      else if (wraps && sides[i] > 2) plane.wire(r, r - c * step[i]);
    }
  plane.says = wraps
    ? "Ranks in a grid whose edges are joined: what leaves at one edge comes back at the opposite one, over the short stubs."
    : "Ranks in a grid, each wired to its neighbours.";
}

export function layOutCube(plane: Plane, bits: number) {
  const { x, y, network } = plane;
  const along: [number, number][] = [
    [1, 0],
    [0, 1],
    [0.42, -0.36],
  ];
  for (let b = 3, reach = 2; b < bits; ++b) {
    along.push(b % 2 === 1 ? [reach, 0.13 * (b - 1)] : [0.13 * (b - 2), reach]);
    if (b % 2 === 0) reach = reach * 2 + 0.2;
  }
  for (let r = 0; r < network.ranks; ++r)
    for (let b = 0; b < bits; ++b)
      if ((r >> b) & 1) {
        x[r] += along[b][0];
        y[r] += along[b][1];
      }
  for (let r = 0; r < network.ranks; ++r) for (let b = 0; b < bits; ++b) if (((r >> b) & 1) === 0) plane.wire(r, r | (1 << b));
  plane.says = "Ranks at the corners of cubes; two are wired when their numbers differ in one bit.";
}
