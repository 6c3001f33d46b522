// What to colour messages by, and whose block to follow.
import { clamp } from "./controls";
import { h } from "./dom";
import type { Schedule } from "./schedule";
import { explain, term } from "./terms";

export interface Choices {
  byLoad: (yes: boolean) => void;
  /// null: everything that ranks must have.
  hold: (block: number | null) => void;
}

export function choices(schedule: Schedule, root: number, act: Choices): HTMLElement {
  const radio = (name: string, value: string, text: string, checked: boolean, chosen: () => void) =>
    h("label", {}, h("input", { type: "radio", name, value, checked, change: chosen }), ` ${text}`);
  const colours = h(
    "fieldset",
    {},
    h("legend", {}, "Colour by"),
    radio("colour", "block", schedule.withBlocks ? "block" : "sender", true, () => act.byLoad(false)),
    radio("colour", "load", "link load", false, () => act.byLoad(true)),
  );
  if (!schedule.withBlocks)
    return h("div", {}, colours, h("p", { class: "note" }, "Messages are shown without their blocks: they are too many to follow, or ranks make new values of them."));
  const { kind, count } = schedule.steps.blocks;
  const p = schedule.ranks;
  const number = (label: string, most: number, value: number) => h("input", { type: "number", min: 0, max: most, value, "aria-label": label, class: "number" });
  const from = number(kind === "plain" ? "Source number" : "Rank whose block it is", (kind === "plain" ? count : p) - 1, kind === "plain" ? 0 : root);
  const to = number("Rank the block is for", p - 1, Math.min(1, p - 1));
  const pick = () => {
    const a = clamp(Number(from.value), 0, Number(from.max));
    act.hold(hold.checked ? (kind === "pair" ? a * p + clamp(Number(to.value), 0, p - 1) : a) : null);
  };
  const hold = h("input", { type: "radio", name: "show", value: "holds", change: pick });
  const all = h("input", { type: "radio", name: "show", value: "all", checked: true, change: pick });
  for (const input of [from, to])
    input.addEventListener("change", () => {
      hold.checked = true;
      pick();
    });
  const which = kind === "pair" ? [" block from ", from, " for ", to] : kind === "owner" ? [" block of rank ", from] : count > 1 ? [" block of source ", from] : [" message"];
  return h(
    "div",
    {},
    colours,
    h(
      "fieldset",
      {},
      h("legend", {}, term("who holds what", "Who holds what")),
      h("label", {}, all, " all that a rank must have"),
      h("div", { class: "row" }, h("label", {}, hold, " the"), ...which),
    ),
  );
}

/// The number of the rank whose details are shown.
export function rankChoice(ranks: number, select: (rank: number) => void): HTMLElement {
  const input = h("input", { type: "number", min: 0, max: ranks - 1, placeholder: "-", class: "number", id: "rank" });
  input.addEventListener("input", () => select(input.value === "" ? -1 : clamp(Number(input.value), 0, ranks - 1)));
  const label = h("label", { for: "rank" }, "Details of rank ");
  explain(label, "Or point at a rank in the picture, or walk there with the arrow keys.");
  return h("p", { class: "row" }, label, input);
}
