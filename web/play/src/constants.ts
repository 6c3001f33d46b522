// The machine's constants as sliders with units, and its permissions as choices.
import type { ReportDocument } from "../../src/document";
import { h } from "../../src/dom";
import { constantOf, constantSteps, constantText, nearest } from "./amounts";
import { copy, type Question } from "./question";
import type { Change, Known } from "./sentence";

const choices: Record<string, string[]> = {
  ports: ["one", "all"],
  duplex: ["full", "half", "node-half"],
  switching: ["store-and-forward", "circuit", "wormhole"],
  circuit: ["average", "exact"],
  multicast: ["no", "yes"],
};
/// Endings of the names that constants have in the program's answers, by their units.
const fields: Record<string, string> = { s: "_s", "s/B": "_s_per_byte", B: "_bytes" };
type Constant = ReportDocument["machine"]["constants"][number];

/// Both a rule and a cost have to do with circuits: each says which it is.
const meant = (c: Constant) => (c.key === "circuit" ? `how a message's links are counted: ${c.meaning}` : c.meaning);

/// What is chosen among words comes first: it changes more than a number does.
const byChoice = (all: Constant[]) => [...all.filter((c) => choices[c.key] !== undefined), ...all.filter((c) => choices[c.key] === undefined)];

export class Constants {
  readonly element = h("details", { class: "constants" }, h("summary", {}, "Change the machine: its costs and its rules"));
  private readonly rows = h("div", { class: "sliders" });
  private shown = "";
  private q: Question | null = null;

  private machine: Known["machines"][number] | undefined; // as it is by itself

  constructor(
    private readonly known: Known,
    private readonly id: string, // behind the names of its controls, which a second one has, too
    private readonly change: Change,
  ) {
    this.element.append(this.rows);
  }

  /// `constants`: of the machine of that name, which the question has, with what is set.
  set(q: Question, name: string, constants: Constant[]): void {
    this.q = copy(q);
    this.machine = this.known.machines.find((machine) => machine.name === name);
    const which = JSON.stringify([q.machine, constants.map((c) => c.key)]);
    const held = this.rows.contains(document.activeElement) && this.shown === which;
    if (held) return;
    this.shown = which;
    this.rows.replaceChildren(...byChoice(constants).map((c) => this.row(c)).filter((row) => row !== null), this.reset());
  }

  /// A value that the machine has by itself is no change.
  private assign(key: string, value: string, unit = ""): void {
    const q = copy(this.q!);
    const own = this.machine?.[`${key}${fields[unit] ?? ""}`];
    const same = typeof own === "number" ? Math.abs((constantOf(value) ?? NaN) - own) <= 1e-9 * own : String(own) === value;
    q.set = [...q.set.filter((other) => !other.startsWith(`${key}=`)), ...(same ? [] : [`${key}=${value}`])];
    this.q = q;
    this.change(q);
  }

  private reset(): HTMLElement {
    return h("button", { type: "button", click: () => ((this.shown = ""), this.change({ ...copy(this.q!), set: [] })) }, "Undo all changes");
  }

  private row(c: Constant): HTMLElement | null {
    const id = `constant-${c.key}${this.id}`;
    const label = h("label", { for: id }, h("b", {}, c.key), ` ${meant(c)}`);
    if (choices[c.key] !== undefined) {
      const now = typeof c.value === "boolean" ? (c.value ? "yes" : "no") : String(c.value);
      const select = h("select", { id }, ...choices[c.key].map((word) => h("option", { value: word, selected: word === now }, word)));
      select.addEventListener("change", () => this.assign(c.key, c.key === "multicast" ? String(select.value === "yes") : select.value));
      return h("div", { class: "slider" }, label, select);
    }
    if (typeof c.value !== "number") return null;
    const steps = constantSteps(c.unit || "B");
    const slider = h("input", { type: "range", id, min: 0, max: steps.length - 1, value: nearestConstant(steps, c.value) });
    const text = h("input", { type: "text", class: "size", size: 11, maxlength: 24, value: constantText(c.value, c.unit), "aria-label": `${c.key} as text`, spellcheck: "false", autocomplete: "off" });
    const unit = /[^\d.\s].*$/.exec(text.value)?.[0] ?? "";
    const says = (value: string) => slider.setAttribute("aria-valuetext", value);
    says(text.value);
    slider.addEventListener("input", () => {
      text.value = constantText(steps[Number(slider.value)], c.unit);
      says(text.value);
      this.assign(c.key, text.value, c.unit);
    });
    text.addEventListener("change", () => {
      const typed = text.value.trim();
      if (/^[\d.]+$/.test(typed)) text.value = typed + unit; // as what stood there
      const value = constantOf(text.value);
      if (value !== null) slider.value = String(nearestConstant(steps, value));
      says(text.value);
      this.assign(c.key, text.value.trim(), c.unit);
    });
    return h("div", { class: "slider" }, label, slider, text);
  }
}

function nearestConstant(steps: number[], value: number): number {
  if (value === 0) return 0;
  const scaled = steps.map((step) => step / value);
  return nearest(scaled.map((s) => s * 1e6), 1e6);
}
