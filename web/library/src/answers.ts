// The JSON that commands answer with: what most callers read of it. docs/schema/ of Quadrille has all of it.

export interface Failure {
  error: { kind: string; message: string; status: number };
}
export interface Spec {
  collective: string;
  topology: string;
  ranks: number;
  bytes: number;
  root?: number;
  target?: number;
  sources?: number[];
  /// Of an alltoallv: [from, to, bytes].
  demands?: [number, number, number][];
  /// Of reductions.
  operands?: string;
}
export interface Parts {
  startup_s: number;
  overhead_s: number;
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
export interface Proof {
  state: "proven" | "too large" | "stops" | "wrong";
  why: string | null;
  result: string | null;
}
export interface Priced {
  price_s: number;
  parts: Parts;
  counts: Counts;
}
/// An algorithm with values for its parameters, priced. A parameter that names another algorithm is a text.
export interface Planned extends Priced {
  algorithm: string;
  choice: string;
  params: Record<string, number[] | string>;
  exact: boolean;
}
export interface Candidate extends Planned {
  proof: Proof | null;
}
export interface Refusal {
  algorithm: string;
  reason: string;
}
/// An argument for a limit. `links` that it counts on: from, to (ranks, and behind them switches), and how much a crossing
/// counts; `ports` of ranks that have one.
export interface BoundPart {
  name: string;
  why: string;
  time_s: number;
  links?: [number, number, number][];
  ports?: number[];
}
export interface Bound {
  time_s: number;
  binding: string;
  parts: BoundPart[];
}
/// What is wrong first: `message` is its sender and receiver; `content` what a slot has and must have, `block` by number or -1.
export interface Counterexample {
  kind: string;
  /// -1: after the last one.
  round: number;
  rank: number;
  text: string;
  message: [number, number] | null;
  content: { rank: number; buffer: string; slot: number; has: string; must: string; block: number } | null;
}
/// What ranks do when, by the simulator: one entry a stay, columns of equal length; begin, sent and end in ticks.
export interface Stays {
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
export interface PlanAnswer {
  spec: Spec;
  machine: { name: string; description: string; alpha_s: number; beta_s_per_byte: number; default: boolean };
  machine_notes: string[];
  best: Candidate | null;
  second: Candidate | null;
  runner_up: Candidate | null;
  bound: Bound;
  gap: number | null;
  facts: string[];
  candidates: Candidate[];
  refused: Refusal[];
}
export interface SimulateAnswer {
  spec: Spec;
  choice: string;
  order: string;
  network: string;
  simulated_s: number;
  price_s: number;
  messages: number;
  queued_s: number;
  bound: Bound;
  /// What the time of the longest chain of messages is made of; not with --quick.
  critical?: Record<string, number>;
  /// With --timeline.
  timeline?: Stays | null;
}
export interface VerifyAnswer {
  spec: Spec;
  holds: boolean;
  proofs: {
    algorithm: string;
    choice: string;
    holds: boolean;
    statements: string[];
    counterexample: Counterexample | null;
    unproven: string | null;
    stops: string | null;
    rounds: number;
    messages: number;
    deliveries: number;
  }[];
}

/// The object in an answer's output; throws where there is none.
export function parsed<T extends object>(answer: { stdout: string; stderr: string }): T | Failure {
  if (!answer.stdout.startsWith("{")) throw new Error(answer.stderr || answer.stdout || "no answer");
  return JSON.parse(answer.stdout) as T | Failure;
}
export const failed = (value: object): value is Failure => "error" in value;
