// What of the picture stands still while messages fly.
import type { Load } from "./loads";

/// What is shown of the ranks: a share from 0 to 1 each, and how it reads.
export interface Shares {
  share(rank: number): number;
}

/// Links (from, to, how much a crossing counts) and ports that a limit counts on.
export interface Binding {
  links: [number, number, number][];
  ports: number[];
}

/// What stands still while messages fly.
export interface Still {
  shares: Shares;
  load: Load | null;
  most: number;
  marked: number[];
  mark: "level" | "holds";
  binding: Binding | null;
}
