// What the limit counts on, to be drawn into the network: a choice of its arguments, and each in a sentence.
import type { BoundPart } from "../library/src/answers";
import type { ReportDocument } from "./document";
import { h } from "./dom";
import { some } from "./format";
import type { Binding } from "./still";
import { term } from "./terms";

const drawable = (part: BoundPart) => (part.links?.length ?? 0) + (part.ports?.length ?? 0) > 0;

/// "links 0 \u2192 16, 1 \u2192 16 and 3 more"; how much they count where that differs.
function listed(part: BoundPart, name: (vertex: number) => string): string {
  const most = 6;
  const links = part.links ?? [];
  const ports = part.ports ?? [];
  const times = new Set(links.map(([, , n]) => n));
  const text = links.slice(0, most).map(([a, b, n]) => `${name(a)} \u2192 ${name(b)}${times.size > 1 ? ` (${n} times)` : ""}`);
  const rest = links.length > most ? ` and ${some(links.length - most, "link")} more` : "";
  return [
    links.length > 0 ? `${links.length === 1 ? "Link" : "Links"} ${text.join(", ")}${rest}.${times.size > 1 ? " The wider it is drawn, the more a crossing counts." : ""}` : "",
    ports.length > 0 ? `The port of ${ports.length === 1 ? "rank" : "ranks"} ${ports.slice(0, most).join(", ")}${ports.length > most ? ` and of ${some(ports.length - most, "rank")} more` : ""}.` : "",
  ].join(" ").trim();
}

/// Null where no argument is about links.
export function binds(d: ReportDocument, show: (binding: Binding | null) => void): HTMLElement | null {
  const parts = d.bound.parts.filter((p) => p.time_s > 0 && drawable(p));
  if (parts.length === 0) return null;
  const name = (vertex: number) => d.network.names?.[vertex] ?? (vertex < d.network.nodes ? String(vertex) : `switch ${vertex}`);
  const most = d.bound.parts.find((p) => p.name === d.bound.binding);
  const first = most && parts.includes(most) ? most : parts.reduce((a, b) => (b.time_s > a.time_s ? b : a));
  const says = h("p", { class: "note", "aria-live": "polite" });
  const select = h("select", { "aria-label": "What of the limit is drawn", id: "binds" }, ...parts.map((p, i) => h("option", { value: i, selected: p === first }, p === most ? `${p.name} (it binds)` : p.name)), h("option", { value: -1 }, "nothing"));
  const chosen = () => {
    const part = parts[Number(select.value)];
    show(part ? { links: part.links ?? [], ports: part.ports ?? [] } : null);
    const undrawn = most && !parts.includes(most) ? `What binds most is ${most.name}, which no link decides: ${most.why}. ` : "";
    says.textContent = undrawn + (part ? `${part === first && undrawn !== "" ? `Drawn is what comes next, ${part.name}. ` : ""}${part.why.charAt(0).toUpperCase()}${part.why.slice(1)}. ${listed(part, name)}` : "");
  };
  select.addEventListener("change", chosen);
  chosen();
  return h("fieldset", { class: "binds" }, h("legend", {}, term("binds", "What binds"), ", drawn"), h("label", {}, "of the limit, ", select), says);
}
