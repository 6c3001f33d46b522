// All candidates, all refusals, and where every number comes from.
import type { ReportDocument } from "./document";
import { h } from "./dom";
import { bytes, count, ratio, some, time } from "./format";
import { explain, term } from "./terms";

export function candidates(d: ReportDocument): HTMLElement {
  const best = d.candidates[0]?.price_s ?? 0;
  const head = ["candidate", "time", "vs best", "rounds", "on the wire", "copied", "barriers"];
  const tips = ["", "by the closed form", "time divided by the fastest one's", "rounds with a message", "bytes on the busiest link or port of each round, added up", "bytes a rank rearranges", "waits of all ranks for all"];
  const rows = d.candidates.map((c, i) =>
    h(
      "tr",
      { class: c.choice === d.answer?.choice ? "chosen" : null },
      h("th", { scope: "row" }, c.choice.replaceAll("_", "_\u200b"), i === 0 && h("b", {}, " \u2190 fastest")),
      ...[time(c.price_s) + (c.exact ? "" : " *"), best > 0 ? ratio(c.price_s / best) : "-", count(c.counts.startups), bytes(c.counts.bytes), bytes(c.counts.permuted_bytes + c.counts.packed_bytes), count(c.counts.barriers)].map((v) => h("td", {}, v)),
    ),
  );
  const cell = (text: string, i: number) => {
    const th = h("th", { scope: "col" }, text);
    if (tips[i]) explain(th, tips[i]);
    return th;
  };
  return h(
    "section",
    { id: "candidates", "aria-labelledby": "candidates-title" },
    h("h2", { id: "candidates-title" }, "What could be used, and what is left out"),
    d.candidates.length > 0 && h("p", {}, `${count(d.candidates.length)} `, term("candidate", d.candidates.length === 1 ? "candidate" : "candidates"), `${d.candidates.length === 1 ? " was" : " were"} priced${d.candidates.some((c) => !c.exact) ? "; * marks estimates" : ""}.`),
    d.candidates.length > 0 && h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Candidates" }, h("table", {}, h("thead", {}, h("tr", {}, ...head.map(cell))), h("tbody", {}, ...rows))),
    d.refused.length > 0 && h("h3", {}, `${count(d.refused.length)} left out (`, term("refused"), ")"),
    d.refused.length > 0 &&
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Refused algorithms" },
        h("table", { class: "refused" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "algorithm"), h("th", { scope: "col" }, "why not"))), h("tbody", {}, ...d.refused.map((r) => h("tr", {}, h("th", { scope: "row" }, r.algorithm.replaceAll("_", "_\u200b")), h("td", { class: "text" }, r.reason))))),
      ),
  );
}

function quantity(value: number | string | boolean, unit: string, counts: boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (unit === "s") return counts ? String(value) : time(value);
  if (unit === "s/B") return counts ? `${value} per byte` : `${time(value)} per byte${value > 0 ? ` (${bytes(1 / value)}/s)` : ""}`;
  return String(value);
}

export function provenance(d: ReportDocument): HTMLElement {
  const honesty: Record<string, string> = {
    text: "printed in the source",
    elsewhere: "found elsewhere than in the source",
    recalled: "recalled, not verified",
    measured: "measured",
    unit: "a unit, not a measurement",
  };
  const copy = h("button", { type: "button" }, "Copy");
  copy.addEventListener("click", () => {
    void navigator.clipboard?.writeText(d.provenance.command).then(
      () => (copy.textContent = "Copied"),
      () => (copy.textContent = "Select and copy by hand"),
    );
  });
  return h(
    "section",
    { id: "sources", "aria-labelledby": "sources-title" },
    h("h2", { id: "sources-title" }, "Where the numbers come from"),
    d.answer && h("p", {}, "The algorithm: ", h("code", {}, d.answer.algorithm), `, ${d.answer.source}.`),
    h("p", {}, "The machine: ", h("b", {}, d.machine.name), d.machine.description ? `, ${d.machine.description}.` : "."),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Constants of the machine" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...["constant", "value", "what it is", "source", "how far to trust it"].map((t, i) => h("th", { scope: "col", class: i > 1 ? "text" : null }, t)))),
        h(
          "tbody",
          {},
          ...d.machine.constants.map((c) =>
            h("tr", {}, h("th", { scope: "row" }, c.key), h("td", {}, quantity(c.value, c.unit, d.machine.counts)), h("td", { class: "text" }, c.meaning), h("td", { class: "text" }, c.source || "default, or set by hand"), h("td", { class: "text" }, honesty[c.honesty] ?? c.honesty)),
          ),
        ),
      ),
    ),
    d.proof?.statements && h("details", {}, h("summary", {}, "What was proven"), h("ul", {}, ...d.proof.statements.map((t) => h("li", {}, t)))),
    h("p", {}, "This page is made again by"),
    h("div", { class: "command" }, h("pre", { tabindex: "0" }, d.provenance.command), copy),
    h("p", { class: "note" }, `Quadrille ${d.provenance.version}; network ${d.network.text}: ${count(d.network.ranks)} ranks, ${some(d.network.wires, "link")}, diameter ${d.network.diameter}, ${some(d.network.bisection, "link")} across its narrowest even cut. This file needs no network.`),
  );
}
