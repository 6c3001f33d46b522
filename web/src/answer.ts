// The first screen: what to use, how fast, how far from the limit, and why not the others.
import type { BoundPart, Parts } from "../library/src/answers";
import type { Candidate, ReportDocument } from "./document";
import { h, s } from "./dom";
import { count, percent, ratio, slower, some, time } from "./format";
import { cameOut } from "./measured";
import { boundTerm, explain, term } from "./terms";

export const partNames: [keyof Parts, string, string][] = [
  ["startup_s", "start-up", "start-up"],
  ["overhead_s", "overhead", "overhead"],
  ["circuit_s", "hops", "circuit"],
  ["wire_s", "wire", "wire"],
  ["permute_s", "copying", "copying"],
  ["combine_s", "operator", "operator"],
  ["barrier_s", "barriers", "barrier"],
];

function card(title: HTMLElement | string, value: Node | string, ...below: (HTMLElement | string)[]): HTMLElement {
  return h("div", { class: "card" }, h("h2", {}, title), h("p", { class: "value" }, value), ...below.map((b) => (typeof b === "string" ? h("p", {}, b) : b)));
}

/// "62 % wire, 30 % start-up (28 rounds)".
function whereTimeGoes(c: Candidate): string {
  const parts = partNames
    .map(([key, name]) => [c.parts[key], name] as const)
    .filter(([t]) => t >= 0.005 * c.price_s && t > 0)
    .sort((a, b) => b[0] - a[0]);
  return parts.length === 0 ? "" : parts.map(([t, name]) => `${percent(t, c.price_s).replace(" ", "\u00a0")} ${name}`).join(", ");
}

/// The best of every algorithm, best first.
export function bestOfEach(candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter((c) => !seen.has(c.algorithm) && seen.add(c.algorithm));
}

function cards(d: ReportDocument, together: BoundPart[]): HTMLElement {
  const a = d.answer!;
  const gap = d.bound.time_s > 0 ? a.price_s / d.bound.time_s : 1;
  const own = a.algorithm === "file";
  const best = d.candidates[0];
  const fastest = !best || best.choice === a.choice;
  const wrong = d.proof?.holds === false;
  const besides = wrong ? "One that is right" : !fastest && best.price_s < a.price_s ? "Faster" : "The best of the others";
  const binding = d.bound.parts.find((p) => p.name === d.bound.binding);
  const binds = together.length > 1 ? together : binding ? [binding] : [];
  const out = cameOut(d);
  const [name, ...rest] = a.choice.split(":");
  const chosen = h("span", { class: "choice" }, name.replaceAll("_", "_\u200b"), rest.length > 0 && h("small", {}, ` ${rest.join(":").replaceAll("_", "_\u200b")}`));
  const use = card(
    h("span", {}, fastest ? "Use this " : "Shown here: an ", term("algorithm")),
    chosen,
    a.summary.charAt(0).toUpperCase() + a.summary.slice(1) + ".",
    ...Object.entries(a.parameters)
      .filter(([key]) => a.params[key] !== undefined)
      .map(([key, meaning]) => h("p", { class: "note" }, h("code", {}, `${key}=${String(a.params[key])}`), ` (${meaning})`)),
    ...(fastest ? [] : [h("p", { class: "warn" }, `${besides}: ${best.choice.replaceAll("_", "_\u200b")}, in ${time(best.price_s)}.`)]),
  );
  const fast = card(
    "How fast",
    time(a.price_s),
    h("p", {}, count(a.counts.startups), " ", term(a.counts.startups === 1 ? "round" : "rounds"), ` with messages. Time goes to: ${whereTimeGoes(a) || "nothing"}.`),
    ...(out === null ? [] : [h("p", { class: "out" }, out)]),
    ...(d.runner_up && fastest ? [h("p", {}, term("runner-up", "Runner-up"), `: ${d.runner_up.choice.replaceAll("_", "_\u200b")}, ${slower(d.runner_up.price_s, a.price_s)}.`)] : []),
    own ? h("p", { class: "note" }, term("counted", "Counted"), " from the messages of your schedule.") : h("p", { class: "note" }, a.exact ? h("span", {}, "The ", term("closed form"), " equals the count of messages.") : h("span", {}, "The ", term("closed form"), ` is an estimate${d.counted ? `; counted: ${time(d.counted.price_s)}` : ""}.`)),
  );
  const far = card(
    h("span", {}, "Against the ", term("limit")),
    wrong ? "none, as it is wrong" : gap < 1 + 1e-9 ? "nothing can be faster" : gap < 1.0005 ? "within 0.1 % of it" : h("span", { class: "choice" }, `${ratio(gap)} \u00d7`, h("small", {}, " the limit")),
    d.bound.time_s > 0
      ? h("p", {}, `No schedule takes less than ${time(d.bound.time_s)}. What `, term("binds"), ": ", ...binds.flatMap((p, i) => [i > 0 ? "; and " : "", boundTerm(p.name), `, ${p.why}`]), ".", ...((binding?.links?.length ?? 0) > 0 ? [" ", h("a", { href: "#watch" }, "Its links in the picture"), "."] : []))
      : h("p", {}, "There is nothing to move."),
  );
  const proof = d.proof;
  const proven = card(
    h("span", {}, "Is it ", term("proven", "right?")),
    proof?.holds ? "proven" : proof?.holds === false ? "WRONG" : "not proven here",
    proof?.holds && proof.result
      ? `Every result is made of each contribution exactly once${proof.by_symmetry ? "; shown for ranks that stand for all" : ""}. ${proof.result.charAt(0).toUpperCase() + proof.result.slice(1)}.`
      : proof?.holds
      ? proof.deliveries === undefined
        ? "Every rank ends with what it must have."
        : `Every rank ends with what it must have: ${some(proof.deliveries ?? 0, "delivery").replace("deliverys", "deliveries")}, ${proof.duplicates === 0 ? "none twice" : `${count(proof.duplicates ?? 0)} of them twice`}${proof.by_symmetry ? "; shown for ranks that stand for all" : ""}.`
      : (proof?.counterexample?.text ?? proof?.why_not ?? ""),
  );
  return h("div", { class: "cards" }, use, fast, far, proven);
}

/// What is shown of candidates: the best of the best algorithms, and a schedule of one's own.
function barsOf(d: ReportDocument): Candidate[] {
  const shown = bestOfEach(d.candidates).slice(0, 6);
  const own = d.answer !== null && !d.candidates.some((c) => c.algorithm === d.answer!.algorithm);
  return own ? [...shown, d.answer!] : shown;
}

/// The time that all of a bar's width stands for. What takes longer is cut off.
export function barWidth(d: ReportDocument): number {
  const most = Math.max(d.bound.time_s, ...barsOf(d).map((c) => c.price_s));
  return Math.min(most, Math.max(d.bound.time_s, d.candidates[0]?.price_s ?? 0) * 3);
}

/// Bars for the limit and the best algorithms, cut into what their time goes to.
function bars(d: ReportDocument, width: number): HTMLElement {
  const best = d.candidates[0]?.price_s ?? 0;
  const shown = barsOf(d);
  const cap = Math.max(width, barWidth(d));
  const rows: HTMLElement[] = [];
  const row = (label: string, total: number, parts: [number, string, string][], note: string, kind: string) => {
    const svg = s("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": `${label}: ${time(total)}; ${parts.map(([t, n]) => `${n} ${percent(t, total)}`).join(", ")}` });
    let x = 0;
    for (const [t, name, style] of parts) {
      const width = Math.max(0, Math.min(100 - x, (100 * t) / cap));
      svg.append(s("rect", { x, y: 0, width, height: 10, class: `part ${style}` }, s("title", {}, `${name}: ${time(t)}, ${percent(t, total)}`)));
      x += width;
    }
    if (total > cap) svg.append(s("path", { d: "M96 0l2 5l-2 5h2l2-5l-2-5z", class: "cut" }));
    const name = h("span", { class: "name" }, label.replaceAll("_", "_\u200b"));
    if (d.algorithms[label]) explain(name, `${d.algorithms[label].summary}. ${d.algorithms[label].source}`);
    rows.push(h("div", { class: `barrow ${kind}` }, name, svg, h("span", { class: "amount" }, h("b", {}, time(total)), ` ${note}`)));
  };
  if (d.bound.time_s > 0) row("the limit", d.bound.time_s, [[d.bound.time_s, "limit", "limit"]], "lower bound", "limitrow");
  shown.forEach((c, i) =>
    row(
      c.algorithm === "file" ? "your schedule" : c.algorithm,
      c.price_s,
      partNames.map(([key, name]) => [c.parts[key], name, name.replace("-", "")] as [number, string, string]).filter(([t]) => t > 0),
      (i === 0 ? "the fastest" : c === d.answer && d.proof?.holds === false ? "and wrong" : c.price_s < best * (1 - 1e-9) ? "the fastest" : slower(c.price_s, best)) + (i > 0 && c.algorithm === d.answer?.algorithm ? ", shown here" : ""),
      i === 0 ? "bestrow" : "",
    ),
  );
  const used = partNames.filter(([key]) => shown.some((c) => c.parts[key] > 0));
  const key = h("p", { class: "key" }, ...used.flatMap(([, name, word]) => [s("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, s("rect", { width: 10, height: 10, class: `part ${name.replace("-", "")}` })), term(word, name)]), h("span", {}, `\u00a0 all of the width: ${time(cap)}`));
  const more = bestOfEach(d.candidates).length - shown.filter((c) => c !== d.answer).length;
  const rest = [more > 0 ? `${more} more can run but ${more === 1 ? "is" : "are"} slower` : "", d.refused.length > 0 ? `${some(d.refused.length, "algorithm")} left out` : ""].filter((t) => t !== "");
  return h(
    "section",
    { class: "why", "aria-labelledby": "why" },
    h("h2", { id: "why" }, "Why not the others?"),
    h("div", { class: "bars" }, ...rows),
    key,
    rest.length > 0 && h("p", { class: "note" }, `${rest.join("; ")}: `, h("a", { href: "#candidates" }, "all of them, with reasons"), "."),
    ...d.notes.map((note) => h("p", { class: "note" }, note.charAt(0).toUpperCase() + note.slice(1) + ".")),
  );
}

/// The parts whose times make the limit's: start-ups and bytes add up; of those that say the same, the first.
function addends({ parts, time_s }: ReportDocument["bound"]): BoundPart[] {
  const some = parts.filter((p) => p.time_s > 0).slice(0, 10);
  for (let chosen = 1; chosen < 1 << some.length; ++chosen) {
    const all = some.filter((_, i) => chosen & (1 << i));
    if (Math.abs(all.reduce((sum, p) => sum + p.time_s, 0) - time_s) <= 1e-9 * time_s) return all;
  }
  return [];
}

/// `head`: what is asked. `width`: the least time that all of a bar's width stands for.
export function answer(d: ReportDocument, head: HTMLElement = h("h1", {}, d.question), width = 0): HTMLElement {
  if (d.answer === null)
    return h("header", { class: "answer" }, head, h("p", { class: "value" }, "Nothing can run here."), h("p", {}, "Every algorithm was refused; ", h("a", { href: "#candidates" }, "the reasons"), " say what each would need."));
  const together = addends(d.bound).sort((p, q) => q.time_s - p.time_s);
  const details = h(
    "details",
    { class: "limits" },
    h("summary", {}, "How the limit is found"),
    h("ul", {}, ...d.bound.parts.filter((p) => p.time_s > 0).map((p) => h("li", {}, h("b", {}, boundTerm(p.name), `, ${time(p.time_s)}: `), p.why))),
    together.length > 1 && h("p", {}, `The limit is ${together.map((p) => p.name).join(" and ")} together, ${time(d.bound.time_s)}: all of it must be paid.`),
  );
  return h("header", { class: "answer" }, head, cards(d, together), bars(d, width), d.bound.time_s > 0 && details);
}
