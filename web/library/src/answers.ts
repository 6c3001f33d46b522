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
}
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
export interface Proof {
  state: "proven" | "too large" | "stops" | "wrong";
  why: string | null;
  result: string | null;
}
export interface Candidate {
  algorithm: string;
  choice: string;
  params: Record<string, number[]>;
  exact: boolean;
  price_s: number;
  parts: Parts;
  counts: Counts;
  proof: Proof | null;
}
export interface Bound {
  time_s: number;
  binding: string;
  parts: { name: string; why: string; time_s: number }[];
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
  refused: { algorithm: string; reason: string }[];
}
export interface VerifyAnswer {
  spec: Spec;
  holds: boolean;
  proofs: {
    algorithm: string;
    choice: string;
    holds: boolean;
    statements: string[];
    counterexample: { kind: string; round: number; rank: number; text: string } | null;
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
