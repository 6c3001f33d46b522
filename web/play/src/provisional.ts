// A plan's answer as the document that a report's first screen shows: what the full report adds comes a moment later.
import type { ReportDocument } from "../../src/document";
import type { PlanAnswer, Planned } from "../../library/src/answers";

export interface Described {
  algorithm: string;
  collective: string;
  summary: string;
  source: string;
  parameters: { name: string; meaning: string }[];
}

const priced = (c: Planned): Planned => ({ algorithm: c.algorithm, choice: c.choice, params: c.params, exact: c.exact, price_s: c.price_s, parts: c.parts, counts: c.counts });

export function provisional(plan: PlanAnswer, algorithms: Map<string, Described>): ReportDocument {
  const { best, bound, spec } = plan;
  const known = best ? algorithms.get(best.algorithm) : undefined;
  const notes = [...plan.machine_notes, ...plan.facts];
  const proven = best?.proof?.state === "proven";
  return {
    format: "quadrille-report",
    version: 3,
    provenance: { program: "quadrille", version: "", command: "" },
    question: "",
    request: { collective: spec.collective, describes: "", topology: spec.topology, ranks: spec.ranks, bytes: spec.bytes, size_text: "" },
    machine: { name: plan.machine.name, description: plan.machine.description, counts: plan.machine.alpha_s === 1 && plan.machine.beta_s_per_byte === 1, constants: [] },
    network: { family: "", text: spec.topology, ranks: spec.ranks, nodes: spec.ranks, wires: 0, diameter: 0, bisection: 0, direct: false, shared_medium: false },
    bound,
    notes,
    algorithms: Object.fromEntries(plan.candidates.map((c) => [c.algorithm, { summary: algorithms.get(c.algorithm)?.summary ?? "", source: algorithms.get(c.algorithm)?.source ?? "" }])),
    candidates: plan.candidates.map(priced),
    refused: plan.refused,
    crossover: { bytes: [], bound_s: [], series: [], thresholds: [], measured: [] },
    answer: best && { ...priced(best), summary: known?.summary ?? "", source: known?.source ?? "", parameters: Object.fromEntries((known?.parameters ?? []).map((p) => [p.name, p.meaning])) },
    runner_up: plan.runner_up && priced(plan.runner_up),
    ...(best ? { proof: { holds: proven ? true : null, why_not: best.proof?.why ?? "The proof comes with the schedule, below." } } : {}),
    counted: null,
  };
}
