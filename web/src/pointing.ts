// What a mouse, a finger and the keyboard do on the picture of the network.
import type { Stage } from "./stage";

/// What there is to be done.
export interface Pointed {
  ranks: number;
  selected: () => number;
  select: (rank: number) => void;
  /// Over no rank, at a place on the canvas.
  hover: (x: number, y: number) => void;
  toggle: () => void;
  step: (by: number) => void;
  start: () => void;
  end: () => void;
}

export function listen(stage: Stage, on: Pointed, says: string): void {
  const canvas = stage.above;
  canvas.setAttribute("aria-label", `${says} Space plays and pauses, comma and full stop step a round, arrow keys walk from rank to rank, Escape lets go.`);
  canvas.addEventListener("pointermove", (event) => {
    const rank = stage.rankAt(event.offsetX, event.offsetY);
    if (rank < 0) on.hover(event.offsetX, event.offsetY);
    else if (rank !== on.selected() && rank < on.ranks) on.select(rank);
  });
  canvas.addEventListener("click", (event) => {
    const rank = stage.rankAt(event.offsetX, event.offsetY);
    if (rank < on.ranks) on.select(rank);
  });
  canvas.addEventListener("keydown", (event) => {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (way) on.select(beside(stage, on, way[0], way[1]));
    else if (event.key === " ") on.toggle();
    else if (event.key === ".") on.step(1);
    else if (event.key === ",") on.step(-1);
    else if (event.key === "Home") on.start();
    else if (event.key === "End") on.end();
    else if (event.key === "Escape") on.select(-1);
    else return;
    event.preventDefault();
  });
}

/// The nearest rank in a direction.
function beside(stage: Stage, on: Pointed, dx: number, dy: number): number {
  const from = on.selected();
  if (from < 0) return 0;
  const [x, y] = stage.place(from);
  let best = from;
  let least = Infinity;
  for (let r = 0; r < on.ranks; ++r) {
    const [a, b] = stage.place(r);
    const along = (a - x) * dx + (b - y) * dy;
    const across = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    if (r === from || along <= 0.5) continue;
    const cost = along + 2.2 * across;
    if (cost < least) [least, best] = [cost, r];
  }
  return best;
}
