// Where ranks and wires are drawn, and the way of a message between them. One plane for every kind of network, in units
// of about the distance of neighbours.
import type { Network, Shape, Steps } from "./document";
import { placeLike, placeOnNodes, placeParts, type Places } from "./drawn";
import { layOutCube, layOutGrid, layOutRing } from "./grids";
import { layOutAround, layOutBus, layOutStages } from "./media";
import { Plane } from "./plane";
import { bounds, overLinks, pairsOf } from "./ways";

const nothing: Steps = { detail: "messages", rounds: 0, pieces: 1, pieces_move: false, naming: { kind: "absolute", sides: [] }, blocks: { kind: "plain", count: 1 }, items: [], actions: [], steps: [], initial: [], wanted: [], routes: [], pair_routes: [], routes_known: true };

const ofShape = (shape: Shape) => layOut({ family: "", text: "", wires: 0, diameter: 0, bisection: 0, ...shape }, nothing);

/// Places of a picture that the network says itself.
function drawn({ network, x, y }: Plane): Places | null {
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

function layOutDrawn(plane: Plane, { frames, says, segment }: Places) {
  const { network } = plane;
  const { ranks, nodes, links, names } = network;
  Object.assign(plane, { frames, says, segment });
  for (const [a, b] of network.joined ?? pairsOf(links ?? [])) plane.wire(a, b);
  if (network.drawn && "like" in network.drawn && !network.drawn.per_node) plane.gone = missing(network.drawn.like, plane.wires);
  if (plane.gone.length > 0) plane.says += " Dashed wires have failed.";
  const moved = placesOf(network).findIndex((place, vertex) => place !== vertex);
  if (moved >= 0 && moved < ranks)
    plane.says += ` Nodes that are not there have no circle, and ranks are numbered without them: rank ${moved} is node ${placesOf(network)[moved]}.`;
  if (network.direct) return;
  plane.way = overLinks(links, (from, to) => plane.via(from, to), plane.links, segment, (v) => names?.[v] ?? (v < nodes ? String(v) : `switch ${v}`), (from, to) => plane.divided(from, to));
}

export interface Layout extends Plane {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function layOut(network: Network, steps: Steps): Layout {
  const plane = new Plane(network, steps);
  const places = drawn(plane);
  if (places !== null) layOutDrawn(plane, places);
  else if (network.ring) layOutRing(plane);
  else if (network.sides) layOutGrid(plane, network.sides);
  else if (network.dimension) layOutCube(plane, network.dimension);
  else if (network.stages) layOutStages(plane, network.stages, network.arity!, steps.naming.kind === "xor");
  else if (network.shared_medium && network.nodes === network.ranks) layOutBus(plane);
  else layOutAround(plane);
  const { wires, frames, x, y } = plane;
  const [left, top, right, bottom] = bounds([...wires, ...frames.map((f) => [f.left, f.top, f.right, f.bottom]), ...Array.from(x, (v, i) => [v, y[i]])]);
  return Object.assign(plane, { left, top, right, bottom });
}
