// Time against message size for everything that can run, both on logarithmic axes.
import { scaleLog } from "d3-scale";
import type { ReportDocument } from "./document";
import { h, s, whenShown } from "./dom";
import { bytes, count, slower, time, timeUnit } from "./format";
import { marks, shape } from "./measured";
import { explain, term } from "./terms";

/// Powers of ten stay round: 1 000 s and not 16 min 40 s.
const tick = (t: number) => (t >= 100 ? `${count(t)}${timeUnit() === "s" ? " s" : ""}` : time(t).replace(/\.0+(?=\D|$)/, ""));

/// Lines differ in their dashes first, then in colour.
const styles = ["", "9 4", "2 3", "12 3 2 3", "5 2", "16 3 5 3", "7 2 2 2 2 2"];

const dashes = (k: number) => styles[Math.floor(k / 7 + k) % 7];

/// Which line is whose, where a narrow window has no room beside their ends.
const key = (algorithm: string, k: number, chosen: boolean): HTMLElement =>
  h("li", {}, s("svg", { width: 34, height: 12, viewBox: "0 0 34 12", "aria-hidden": "true" }, s("path", { d: "M0 6L34 6", class: `series s${k % 7}${chosen ? " chosen" : ""}`, "stroke-dasharray": dashes(k) })), ` ${algorithm.replaceAll("_", "_\u200b")}`);

/// What is asked for in bytes: a reduction's vector, or the block of one rank.
const noun = (d: ReportDocument) => (d.request.operands === undefined || d.request.collective === "reduce_scatter" ? "Block" : "Vector");

export function crossover(d: ReportDocument): HTMLElement {
  const data = d.crossover;
  const box = h("div", { class: "chart" });
  const keys = h("ul", { class: "keys" });
  const readout = h("p", { class: "readout", "aria-live": "polite" });
  const pick = h("input", { type: "range", min: 0, max: data.bytes.length - 1, value: Math.max(0, data.bytes.indexOf(d.request.bytes)), "aria-label": `${noun(d)} size` });
  const lines = data.series
    .map((line) => ({ ...line, shown: true, last: line.points.reduceRight<number | null>((found, p) => found ?? p?.[0] ?? null, null) }))
    .filter((line) => line.last !== null)
    .sort((a, b) => a.algorithm.localeCompare(b.algorithm));
  const say = () => {
    const i = Number(pick.value);
    const at = lines
      .map((line) => ({ name: line.points[i]?.[1] ?? line.algorithm, t: line.points[i]?.[0] ?? Infinity }))
      .filter((l) => Number.isFinite(l.t))
      .sort((a, b) => a.t - b.t);
    pick.setAttribute("aria-valuetext", bytes(data.bytes[i]));
    if (at.length === 0) readout.textContent = `${noun(d)}s of ${bytes(data.bytes[i])}: nothing can run.`;
    else
      readout.textContent = `${noun(d)}s of ${bytes(data.bytes[i])}: ${at[0].name} is the fastest, ${time(at[0].t)}; the limit is ${time(data.bound_s[i])}.${at[1] ? ` Next: ${at[1].name}, ${slower(at[1].t, at[0].t)}.` : ""}`;
    paint();
  };
  const paint = () => {
    const width = box.clientWidth;
    if (width === 0) return;
    const narrow = width < 560;
    const height = narrow ? 320 : 420;
    const margin = { left: 74, right: narrow ? 12 : 178, top: 14, bottom: 46 };
    const measured = data.measured;
    const times = [...lines.flatMap((l) => l.points.flatMap((p) => (p && p[0] > 0 ? [p[0]] : []))), ...data.bound_s.filter((t) => t > 0), ...measured.map((m) => m.time_s)];
    if (times.length === 0) return;
    const sizes = [...data.bytes, ...measured.map((m) => m.bytes)].filter((b) => b > 0);
    const x = scaleLog([Math.min(...sizes), Math.max(...sizes)], [margin.left, width - margin.right]).base(2);
    const y = scaleLog([Math.min(...times) * 0.8, Math.max(...times) * 1.25], [height - margin.bottom, margin.top]);
    const svg = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Time in ${timeUnit()} against ${noun(d).toLowerCase()} size in bytes, ${lines.length} algorithms; the text below reads it out.` });
    const every = Math.ceil(x.domain()[1] > 1 ? Math.log2(x.domain()[1]) / (narrow ? 5 : 9) : 1);
    for (let e = 0; 2 ** e <= x.domain()[1] * 1.001; e += every) {
      const px = x(2 ** e);
      if (px < margin.left - 1) continue;
      svg.append(s("line", { x1: px, x2: px, y1: margin.top, y2: height - margin.bottom, class: "grid" }), s("text", { x: px, y: height - margin.bottom + 16, "text-anchor": "middle" }, bytes(2 ** e)));
    }
    const decades = y.ticks(6).filter((t) => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
    for (const t of decades.length > 1 ? decades : y.ticks(4)) svg.append(s("line", { x1: margin.left, x2: width - margin.right, y1: y(t), y2: y(t), class: "grid" }), s("text", { x: margin.left - 6, y: y(t) + 4, "text-anchor": "end" }, tick(t)));
    svg.append(
      s("text", { x: (margin.left + width - margin.right) / 2, y: height - 8, "text-anchor": "middle", class: "axis" }, `${noun(d).toLowerCase()} size, bytes`),
      s("text", { x: 13, y: height / 2, "text-anchor": "middle", transform: `rotate(-90 13 ${height / 2})`, class: "axis" }, `time, ${timeUnit()}`),
    );
    const path = (points: ([number, number] | null)[]) => points.map((p, i) => (p === null || !(p[1] > 0) ? "" : `${i === 0 || !points[i - 1] || !(points[i - 1]![1] > 0) ? "M" : "L"}${x(p[0]).toFixed(1)} ${y(p[1]).toFixed(1)}`)).join("");
    svg.append(s("path", { d: path(data.bytes.map((b, i) => [b, data.bound_s[i]])), class: "limitline" }));
    const labels: { y: number; text: string; k: number }[] = [{ y: y(Math.max(y.domain()[0], data.bound_s[data.bound_s.length - 1])), text: "the limit", k: -1 }];
    lines.forEach((line, k) => {
      svg.append(s("path", { d: path(line.points.map((p, i) => p && [data.bytes[i], p[0]])), class: `series s${k % 7}${line.algorithm === d.answer?.algorithm ? " chosen" : ""}`, "stroke-dasharray": dashes(k) }, s("title", {}, line.algorithm)));
      labels.push({ y: y(line.last!), text: line.algorithm, k });
    });
    for (const t of data.thresholds)
      svg.append(s("line", { x1: x(t.from), x2: x(t.from), y1: margin.top, y2: height - margin.bottom, class: "threshold" }, s("title", {}, `from ${bytes(t.from)}: ${t.above}`)));
    for (const m of measured) {
      const k = lines.findIndex((line) => line.algorithm === m.choice?.split(":")[0]);
      svg.append(
        s(
          "path",
          { d: shape(measured, m), transform: `translate(${x(m.bytes).toFixed(1)} ${y(m.time_s).toFixed(1)})`, class: `measured${k < 0 ? "" : ` s${k % 7}`}` },
          s("title", {}, `${m.label || "measured"}${m.choice ? `, ${m.choice}` : ""}: ${bytes(m.bytes)}, ${time(m.time_s)}`),
        ),
      );
    }
    if (!narrow) {
      labels.sort((a, b) => a.y - b.y);
      const step = Math.min(15, (height - margin.bottom - margin.top) / labels.length);
      for (let i = 0; i < labels.length; ++i) labels[i].y = Math.max(labels[i].y, i === 0 ? margin.top : labels[i - 1].y + step);
      for (let i = labels.length - 1, low = height - margin.bottom; i >= 0; --i, low -= step) labels[i].y = Math.min(labels[i].y, low);
      for (const l of labels) svg.append(s("text", { x: width - margin.right + 6, y: l.y + 4, class: l.k < 0 ? "limittext" : `label t${l.k % 7}` }, l.text));
    }
    keys.replaceChildren(...(narrow ? lines.map((line, k) => key(line.algorithm, k, line.algorithm === d.answer?.algorithm)) : []));
    const i = Number(pick.value);
    const px = x(data.bytes[i]);
    svg.append(s("line", { x1: px, x2: px, y1: margin.top, y2: height - margin.bottom, class: "cursor" }));
    for (const [k, line] of lines.entries()) {
      const p = line.points[i];
      if (p && p[0] > 0) svg.append(s("circle", { cx: px, cy: y(p[0]), r: 3.5, class: `dot t${k % 7}` }));
    }
    svg.addEventListener("pointermove", (event) => {
      const b = x.invert(event.offsetX);
      let best = 0;
      data.bytes.forEach((size, k) => {
        if (Math.abs(Math.log(size / b)) < Math.abs(Math.log(data.bytes[best] / b))) best = k;
      });
      if (best !== Number(pick.value)) {
        pick.value = String(best);
        say();
      }
    });
    box.replaceChildren(svg);
  };
  pick.addEventListener("input", say);
  whenShown(box, paint);
  say();
  const thresholds = data.thresholds.map((t) => h("li", {}, `from ${bytes(t.from)} on `, h("code", {}, t.above), " instead of ", h("code", {}, t.below)));
  const first = lines.length > 0 ? data.thresholds[0]?.below : undefined;
  const chosen = h("span", { class: "term" }, "thick");
  explain(chosen, "The algorithm that this report shows.");
  return h(
    "section",
    { id: "sizes", "aria-labelledby": "sizes-title" },
    h("h2", { id: "sizes-title" }, d.request.operands === undefined ? "What if the message were smaller or larger?" : `What if ${noun(d).toLowerCase()}s were smaller or larger?`),
    h("p", {}, `Time of every algorithm at its best parameters, over ${noun(d).toLowerCase()} size. Where lines meet (`, term("crossover"), ") another one becomes the fastest. The ", chosen, " line is this report's; the hatched one is the ", term("limit"), data.measured.length > 0 ? "; single marks are times that came out." : "."),
    box,
    keys,
    marks(data.measured),
    h("p", { class: "row" }, h("label", {}, "Read at a size ", pick)),
    readout,
    first ? h("p", {}, `Best for small ${noun(d).toLowerCase()}s: `, h("code", {}, first), "; then") : null,
    thresholds.length > 0 ? h("ul", {}, ...thresholds) : h("p", {}, lines.length > 0 ? "One algorithm is the fastest at every size shown." : ""),
  );
}
