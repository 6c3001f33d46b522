// The network in the sentence: a family, and its numbers one by one.
import { h } from "../../src/dom";
import type { Known } from "./sentence";
import type { Question } from "./question";

/// "torus", "4x4", "!0-1": the family, its numbers, and what has failed or is on the nodes.
export function taken(topology: string): { family: string; numbers: string; rest: string } {
  const [, family = topology, numbers = "", rest = ""] = /^([a-z][a-z0-9-]*)(?::([^!@~*:]*))?([^]*)$/.exec(topology) ?? [];
  return { family, numbers, rest };
}

export function networkPart(q: Question, families: Known["families"], change: (topology: string) => void): (HTMLElement | string)[] {
  const { family, numbers, rest } = taken(q.topology);
  const drawn = Object.keys(q.files).filter((name) => q.topology === `graph:${name}` || name.endsWith(".net"));
  const select = h(
    "select",
    { "aria-label": "Network", "data-part": "family" },
    ...families.filter((f) => f.name !== "graph").map((f) => h("option", { value: f.example, title: f.summary, selected: f.name === family }, f.name)),
    ...drawn.map((name) => h("option", { value: `graph:${name}`, selected: q.topology === `graph:${name}` }, `your network, ${name}`)),
    family !== "graph" && !families.some((f) => f.name === family) && h("option", { value: q.topology, selected: true }, family),
  );
  select.addEventListener("change", () => change(select.value));
  const text = h("input", { type: "text", class: "text", size: Math.max(10, Math.min(28, q.topology.length + 2)), maxlength: 200, value: q.topology, "aria-label": "Network as text, with what has failed: torus:4x4!0-1", title: "The network as text. Behind it, what has failed (!0-1), the ranks of the job (@0-3), ranks on each node (*8).", "data-part": "topology", spellcheck: "false", autocomplete: "off" });
  text.addEventListener("change", () => change(text.value.trim() || q.topology));
  if (family === "graph") return [select, " ", text, ...broken(rest, (now) => change(`${family}:${numbers}${now}`))];
  const parts = numbers.split(/(\d+)/);
  const inputs = parts.map((part, i) => {
    if (i % 2 === 0) return part === "" ? "" : h("span", { class: "between" }, part);
    const input = h("input", { type: "number", class: "number", min: 0, max: 1 << 20, value: part, "aria-label": `Number ${(i + 1) / 2} of the network`, "data-part": `number-${i}` });
    input.addEventListener("input", () => {
      if (input.value === "" || !input.checkValidity()) return;
      const now = parts.map((p, k) => (k === i ? String(Number(input.value)) : p)).join("");
      change(`${family}:${now}${rest}`);
    });
    return input;
  });
  const head = q.topology.slice(0, q.topology.length - rest.length);
  return [select, " ", ...inputs, h("span", { class: "astext" }, " ", text), ...broken(rest, (now) => change(head + now))];
}

/// What has failed, which stands behind a "!".
function broken(rest: string, change: (rest: string) => void): (HTMLElement | string)[] {
  const [, before = "", failed = "", after = ""] = /^([^!]*)(?:!([^!@~*:]*))?([^]*)$/.exec(rest) ?? [];
  const written = failed.replace(/(^|,)(?=\d+(,|$))/g, "$1n"); // nodes, which the program takes without their "n", too
  const input = h("input", { type: "text", class: "text", size: 9, maxlength: 100, value: written, placeholder: "none; 0-1, n5", title: "Links between two nodes, such as 0-1 or 0-1,4-5; or a node, such as n24", "aria-label": "Broken links or nodes, such as 0-1,n5", "data-part": "broken", spellcheck: "false", autocomplete: "off" });
  input.addEventListener("change", () => {
    const now = input.value.replace(/\s/g, "");
    const alone = now.split(",").find((part) => /^\d+$/.test(part));
    input.setCustomValidity(alone === undefined ? "" : `${alone} alone is no link. A link is two nodes, such as ${alone}-${Number(alone) + 1}; a node that failed is n${alone}.`);
    if (input.reportValidity()) change(`${before}${now === "" ? "" : `!${now}`}${after}`);
  });
  return [" with broken links or nodes ", input];
}
