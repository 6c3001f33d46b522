// Two answers side by side, in words.
import { h } from "../../src/dom";
import { ratio, time } from "../../src/format";
import type { PlanAnswer } from "../../library/src/answers";

export function comparison(left: PlanAnswer | null, right: PlanAnswer | null): HTMLElement {
  const box = (...text: (string | HTMLElement)[]) => h("p", { class: "comparison", role: "status", "aria-live": "polite" }, ...text);
  if (!left?.best || !right?.best) return box("One of them has no answer to compare.");
  const [a, b] = [left.best.price_s, right.best.price_s];
  const times = Math.max(a, b) / Math.min(a, b);
  const faster = !(times > 1.0005) ? "Both take as long. " : a > b ? `The second is ${ratio(times)} times as fast as the first. ` : `The first is ${ratio(times)} times as fast as the second. `;
  const same = left.best.choice === right.best.choice ? `Both use ${left.best.choice}. ` : `The first uses ${left.best.choice}, the second ${right.best.choice}. `;
  const limits = left.bound.time_s > 0 && right.bound.time_s > 0 ? `Their limits are ${time(left.bound.time_s)} (${left.bound.binding}) and ${time(right.bound.time_s)} (${right.bound.binding}).` : "";
  return box(h("b", {}, faster), same, limits);
}
