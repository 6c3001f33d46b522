// Time against message size for everything that can run, drawn and read out.
import type { ReportDocument } from "./document";
import { h, whenShown } from "./dom";
import { bytes, slower, time } from "./format";
import { marks } from "./measured";
import { SizeChart, type Line } from "./size_chart";
import { explain, term } from "./terms";

/// What is asked for in bytes: a reduction's vector, or the block of one rank.
const noun = (d: ReportDocument) => (d.request.operands === undefined || d.request.collective === "reduce_scatter" ? "Block" : "Vector");

/// The lines of all algorithms that run at some size.
function linesOf(d: ReportDocument): Line[] {
  const last = (points: Line["points"]) => points.reduceRight<number | null>((found, p) => found ?? p?.[0] ?? null, null);
  return d.crossover.series
    .flatMap((line) => {
      const end = last(line.points);
      return end === null ? [] : [{ ...line, last: end }];
    })
    .sort((a, b) => a.algorithm.localeCompare(b.algorithm));
}

/// What is the fastest at the size with number `i`, and what is next.
function readOut(d: ReportDocument, lines: Line[], i: number): string {
  const size = `${noun(d)}s of ${bytes(d.crossover.bytes[i])}`;
  const at = lines
    .map((line) => ({ name: line.points[i]?.[1] ?? line.algorithm, t: line.points[i]?.[0] ?? Infinity }))
    .filter((l) => Number.isFinite(l.t))
    .sort((a, b) => a.t - b.t);
  if (at.length === 0) return `${size}: nothing can run.`;
  return `${size}: ${at[0].name} is the fastest, ${time(at[0].t)}; the limit is ${time(d.crossover.bound_s[i])}.${at[1] ? ` Next: ${at[1].name}, ${slower(at[1].t, at[0].t)}.` : ""}`;
}

/// From which size on which algorithm takes over.
function takeOvers(d: ReportDocument, lines: Line[]): (HTMLElement | null)[] {
  const thresholds = d.crossover.thresholds.map((t) => h("li", {}, `from ${bytes(t.from)} on `, h("code", {}, t.above), " instead of ", h("code", {}, t.below)));
  const first = lines.length > 0 ? d.crossover.thresholds[0]?.below : undefined;
  return [
    first ? h("p", {}, `Best for small ${noun(d).toLowerCase()}s: `, h("code", {}, first), "; then") : null,
    thresholds.length > 0 ? h("ul", {}, ...thresholds) : h("p", {}, lines.length > 0 ? "One algorithm is the fastest at every size shown." : ""),
  ];
}

function introduction(d: ReportDocument): HTMLElement {
  const chosen = h("span", { class: "term" }, "thick");
  explain(chosen, "The algorithm that this report shows.");
  const measured = d.crossover.measured.length > 0 ? "; single marks are times that came out." : ".";
  return h("p", {}, `Time of every algorithm at its best parameters, over ${noun(d).toLowerCase()} size. Where lines meet (`, term("crossover"), ") another one becomes the fastest. The ", chosen, " line is this report's; the hatched one is the ", term("limit"), measured);
}

export function crossover(d: ReportDocument): HTMLElement {
  const data = d.crossover;
  const block = noun(d).toLowerCase();
  const box = h("div", { class: "chart" });
  const keys = h("ul", { class: "keys" });
  const readout = h("p", { class: "readout", "aria-live": "polite" });
  const pick = h("input", { type: "range", min: 0, max: data.bytes.length - 1, value: Math.max(0, data.bytes.indexOf(d.request.bytes)), "aria-label": `${noun(d)} size` });
  const lines = linesOf(d);
  const timed = data.measured.length > 0 || data.bound_s.some((t) => t > 0) || lines.some((l) => l.points.some((p) => p && p[0] > 0));
  const say = () => {
    const i = Number(pick.value);
    pick.setAttribute("aria-valuetext", bytes(data.bytes[i]));
    readout.textContent = readOut(d, lines, i);
    paint();
  };
  const paint = () => {
    if (box.clientWidth === 0 || !timed) return;
    const chart = new SizeChart(d, lines, block, box.clientWidth);
    const drawn = chart.draw(Number(pick.value), (at) => {
      if (at === Number(pick.value)) return;
      pick.value = String(at);
      say();
    });
    keys.replaceChildren(...chart.keys());
    box.replaceChildren(drawn);
  };
  pick.addEventListener("input", say);
  whenShown(box, paint);
  say();
  return h(
    "section",
    { id: "sizes", "aria-labelledby": "sizes-title" },
    h("h2", { id: "sizes-title" }, d.request.operands === undefined ? "What if the message were smaller or larger?" : `What if ${block}s were smaller or larger?`),
    introduction(d),
    box,
    keys,
    marks(data.measured),
    h("p", { class: "row" }, h("label", {}, "Read at a size ", pick)),
    readout,
    ...takeOvers(d, lines),
  );
}
