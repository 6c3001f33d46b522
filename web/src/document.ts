// The data in the page, as docs/reference/report.md describes it.

export interface Parts {
  startup_s: number;
  circuit_s: number;
  wire_s: number;
  permute_s: number;
  combine_s: number;
  barrier_s: number;
}
export interface Counts {
  startups: number;
  hops: number;
  bytes: number;
  permuted_bytes: number;
  combined_bytes: number;
  packed_bytes: number;
  barriers: number;
}
export interface Priced {
  price_s: number;
  parts: Parts;
  counts: Counts;
}
export interface Candidate extends Priced {
  algorithm: string;
  choice: string;
  params: Record<string, number[]>;
  exact: boolean;
}
export interface Answer extends Candidate {
  summary: string;
  source: string;
  parameters: Record<string, string>;
}
export interface Network {
  family: string;
  text: string;
  ranks: number;
  nodes: number;
  wires: number;
  diameter: number;
  bisection: number;
  direct: boolean;
  shared_medium: boolean;
  /// What is regular about it, where something is: a grid, a cube, a ring, stages of switches.
  sides?: number[];
  wraps?: boolean;
  dimension?: number;
  ring?: boolean;
  arity?: number;
  stages?: number;
  shuffled?: boolean;
  two_sided?: boolean;
  /// Else pairs of nodes that are wired.
  joined?: [number, number][];
}
export interface Steps {
  detail: "blocks" | "contributions" | "messages" | "matrix";
  rounds: number;
  pieces: number;
  pieces_move: boolean;
  naming: { kind: "absolute" | "rotate" | "xor" | "torus" | "mesh"; sides: number[] };
  blocks: { kind: "pair" | "owner" | "plain"; count: number };
  items: number[][];
  actions: number[][];
  steps: number[][];
  initial: number[];
  wanted: number[];
  /// Of reductions: sets of contributions, and what ranks have combined after every round.
  sets?: number[][];
  made?: number[][];
  routes: [number, number[]][];
  pair_routes: [number, number[]][];
  routes_known: boolean;
}
export interface Rounds {
  round: number[];
  time_s: number[];
  messages: number[];
  largest_bytes: number[];
  charged_bytes: number[];
  contention: number[];
  hops: number[];
  copied_bytes: number[];
  barrier: number[];
}
/// What ranks do when, by the simulator: one entry a stay, columns of equal length; begin, sent and end in ticks.
export interface Events {
  order: string;
  network: string;
  simulated_s: number;
  tick_s: number;
  why_names: string[];
  /// Ranks shown; not all where they are many.
  ranks: number[];
  rank: number[];
  round: number[];
  begin: number[];
  sent: number[];
  end: number[];
  why: number[];
  because: number[];
}
export interface Crossover {
  bytes: number[];
  bound_s: number[];
  series: { algorithm: string; points: ([number, string] | null)[] }[];
  thresholds: { from: number; below: string; above: string }[];
  /// choice and price_s: null where nothing is predicted.
  measured: { bytes: number; time_s: number; label: string; choice: string | null; price_s: number | null }[];
}
export interface ReportDocument {
  format: string;
  version: number;
  provenance: { program: string; version: string; command: string };
  question: string;
  request: {
    collective: string;
    describes: string;
    topology: string;
    ranks: number;
    bytes: number;
    size_text: string;
    root?: number;
    target?: number;
    sources?: number[];
    /// Of reductions.
    operands?: string;
  };
  machine: {
    name: string;
    description: string;
    counts: boolean;
    constants: { key: string; meaning: string; value: number | string | boolean; unit: string; source: string; honesty: string }[];
  };
  network: Network;
  bound: { time_s: number; binding: string; parts: { name: string; why: string; time_s: number }[] };
  notes: string[];
  algorithms: Record<string, { summary: string; source: string }>;
  candidates: Candidate[];
  refused: { algorithm: string; reason: string }[];
  crossover: Crossover;
  answer: Answer | null;
  runner_up: Candidate | null;
  proof?: {
    holds: boolean | null;
    statements?: string[];
    counterexample?: string | null;
    deliveries?: number;
    duplicates?: number;
    by_symmetry?: boolean;
    /// Of a reduction: order, bits and depth of what is computed.
    result?: string | null;
    why_not?: string;
  };
  rounds?: Rounds | null;
  counted?: (Priced & { messages: number; contention: number; equals_formula: boolean }) | null;
  schedule?: Steps;
  matrix?: { groups: number; ranks: number; bytes: number[] } | null;
  events?: Events | null;
}

/// The document in the page. Throws where there is none, or one of another version.
export function readDocument(): ReportDocument {
  const element = document.getElementById("document");
  const value = JSON.parse(element?.textContent ?? "null") as ReportDocument | null;
  if (value?.format !== "quadrille-report" || value.version !== 2) throw new Error("this page holds no report that it can show");
  return value;
}
