// The data in the page, as docs/reference/report.md describes it.
import type { Bound, Counterexample, Planned, Priced, Refusal, Spec, Stays } from "../library/src/answers";

export type Candidate = Planned;
export interface Answer extends Planned {
  summary: string;
  source: string;
  parameters: Record<string, string>;
}
/// A part of a picture: a vertex, or parts in rows; of a ring, what is in the middle and what is around it.
export type Part = number | { rows: Part[][]; ring?: boolean; name?: string };
/// What is needed to draw a network.
export interface Shape {
  ranks: number;
  nodes: number;
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
  /// Else how people draw it: parts, or as another network is drawn, of whose vertices these are the places; `per_node`
  /// ranks are in each place of a rank there.
  drawn?: Exclude<Part, number> | { like: Shape; places?: number[]; per_node?: number };
}
export interface Network extends Shape {
  family: string;
  text: string;
  wires: number;
  diameter: number;
  bisection: number;
  /// Pairs of nodes that are wired; where routes lead through switches, tail and head of each link by its number.
  joined?: [number, number][];
  vertices?: number;
  links?: number[];
  /// Of vertices, where they are not their numbers.
  names?: string[];
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
  /// Pairs whose messages are divided: how many links of pair_routes are those of the widest way, which come first, and
  /// what part of a message crosses each.
  divided?: [number, number, number[]][];
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
  request: Spec & { describes: string; size_text: string };
  machine: {
    name: string;
    description: string;
    counts: boolean;
    constants: { key: string; meaning: string; value: number | string | boolean; unit: string; source: string; honesty: string }[];
  };
  network: Network;
  bound: Bound;
  notes: string[];
  algorithms: Record<string, { summary: string; source: string }>;
  candidates: Candidate[];
  refused: Refusal[];
  crossover: Crossover;
  answer: Answer | null;
  runner_up: Candidate | null;
  proof?: {
    holds: boolean | null;
    statements?: string[];
    counterexample?: Counterexample | null;
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
  events?: Stays | null;
}

/// The document in the page. Throws where there is none, or one of another version.
export function readDocument(): ReportDocument {
  const element = document.getElementById("document");
  const value = JSON.parse(element?.textContent ?? "null") as ReportDocument | null;
  if (value?.format !== "quadrille-report" || value.version !== 3) throw new Error("this page holds no report that it can show");
  return value;
}
