// Times that were measured or simulated, beside what was predicted.
import type { ReportDocument } from "./document";
import { h, s } from "./dom";
import { bytes, count, ratio, some, time } from "./format";
import { term } from "./terms";

type Point = ReportDocument["crossover"]["measured"][number];

/// One shape for each kind of time, around (0, 0).
const shapes = ["M-4-4l8 8m0-8l-8 8", "M-5.5 0h11m-5.5-5.5v11", "M0-5.5l5.5 9.5h-11z", "M-4.5-4.5h9v9h-9z", "M0-6l6 6l-6 6l-6-6z"];
const kinds = (points: Point[]) => [...new Set(points.map((p) => p.label || "measured"))];
export const shape = (points: Point[], p: Point) => shapes[kinds(points).indexOf(p.label || "measured") % shapes.length];

/// What the marks in the chart are.
export function marks(points: Point[]): HTMLElement | null {
  const names = kinds(points).slice(0, 12);
  if (names.length === 0) return null;
  return h("p", { class: "key" }, "Marks:", ...names.flatMap((name, i) => [s("svg", { class: "swatch", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, s("path", { d: shapes[i % shapes.length], class: "measured" })), name]));
}

const compared = (p: Point) => (p.price_s !== null && p.price_s > 0 ? p.time_s / p.price_s : null);

/// For the first screen: what came out for the algorithm and size that the report is about.
export function cameOut(d: ReportDocument): string | null {
  const point = d.crossover.measured.find((p) => p.choice === d.answer?.choice && p.bytes === d.request.bytes);
  if (!point) return null;
  const r = compared(point);
  const label = point.label || "measured";
  return `${label.charAt(0).toUpperCase() + label.slice(1)}: ${time(point.time_s)}${r === null ? "" : `, ${ratio(r)} times what is predicted`}.`;
}

export function measured(d: ReportDocument): HTMLElement | null {
  const points = [...d.crossover.measured].sort((a, b) => a.bytes - b.bytes || a.time_s - b.time_s);
  if (points.length === 0) return null;
  const ratios = points.map(compared).filter((r) => r !== null).sort((a, b) => a - b);
  const shown = points.slice(0, 500);
  const head = ["what", "how", "block size", "took", "predicted", "took / predicted"];
  return h(
    "section",
    { id: "measured", "aria-labelledby": "measured-title" },
    h("h2", { id: "measured-title" }, "What came out"),
    h(
      "p",
      {},
      `${some(points.length, "time")}, measured or simulated, beside the `,
      term("closed form", "price"),
      ` on machine ${d.machine.name}.`,
      ratios.length > 0 && ` They are ${ratio(ratios[0])} to ${ratio(ratios[ratios.length - 1])} times what is predicted, in the median ${ratio(ratios[Math.floor((ratios.length - 1) / 2)])}.`,
    ),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Times that came out" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...head.map((t, i) => h("th", { scope: "col", class: i === 1 ? "text" : null }, t)))),
        h(
          "tbody",
          {},
          ...shown.map((p) => {
            const r = compared(p);
            return h(
              "tr",
              { class: p.choice !== null && p.choice === d.answer?.choice ? "chosen" : null },
              h("th", { scope: "row" }, (p.choice ?? p.label ?? "").replaceAll("_", "_\u200b") || "-"),
              h("td", { class: "text" }, p.label || "measured"),
              ...[bytes(p.bytes), time(p.time_s), p.price_s === null ? "-" : time(p.price_s), r === null ? "-" : ratio(r)].map((v) => h("td", {}, v)),
            );
          }),
        ),
      ),
    ),
    shown.length < points.length && h("p", { class: "note" }, `${count(points.length - shown.length)} more are in the data of this page.`),
  );
}
