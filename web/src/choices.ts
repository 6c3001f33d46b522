// What to colour messages by, and whose block to follow.
import { clamp } from "./controls";
import type { Contributions } from "./contributions";
import { h } from "./dom";
import { followBlock, followContribution, followPart, type Following } from "./following";
import type { Schedule } from "./schedule";
import { explain, term } from "./terms";

export interface Choices {
  byLoad: (yes: boolean) => void;
  /// null: everything that ranks must have.
  hold: (what: Following | null) => void;
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
    return h("div", {}, colours, h("p", { class: "note" }, "Messages are shown without what they carry: that is too much to follow."));
  if (schedule.contributions !== null) return h("div", {}, colours, combined(schedule, schedule.contributions, act));
  const { kind, count } = schedule.steps.blocks;
  const p = schedule.ranks;
  const number = (label: string, most: number, value: number) => h("input", { type: "number", min: 0, max: most, value, "aria-label": label, class: "number" });
  const from = number(kind === "plain" ? "Source number" : "Rank whose block it is", (kind === "plain" ? count : p) - 1, kind === "plain" ? 0 : root);
  const to = number("Rank the block is for", p - 1, Math.min(1, p - 1));
  const pick = () => {
    const a = clamp(Number(from.value), 0, Number(from.max));
    act.hold(hold.checked ? followBlock(schedule, kind === "pair" ? a * p + clamp(Number(to.value), 0, p - 1) : a) : null);
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

/// Of a reduction: all that results are made of, one block of the vector, or one contribution.
function combined(schedule: Schedule, contributions: Contributions, act: Choices): HTMLElement {
  const count = schedule.steps.blocks.count;
  const number = (label: string, most: number) => h("input", { type: "number", min: 0, max: most, value: 0, "aria-label": label, class: "number" });
  const [block, rank] = [number("Block of the vector", count - 1), number("Rank whose contribution it is", schedule.ranks - 1)];
  const value = (input: HTMLInputElement) => clamp(Number(input.value), 0, Number(input.max));
  const radio = (value: string, checked: boolean, what: () => Following | null) => h("input", { type: "radio", name: "show", value, checked, change: () => act.hold(what()) });
  const all = radio("all", true, () => null);
  const part = radio("part", false, () => followPart(schedule, contributions, value(block)));
  const one = radio("contribution", false, () => followContribution(schedule, contributions, value(rank)));
  for (const [input, button] of [
    [block, part],
    [rank, one],
  ])
    input.addEventListener("change", () => {
      button.checked = true;
      button.dispatchEvent(new Event("change"));
    });
  return h(
    "fieldset",
    {},
    h("legend", {}, term("who has combined what", "Who has combined what")),
    h("label", {}, all, " all that results are made of"),
    count > 1 && h("div", { class: "row" }, h("label", {}, part, " of block "), block),
    h("div", { class: "row" }, h("label", {}, one, " the contribution of rank "), rank),
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
