// The question as a sentence. Its parts are the browser's own controls, so that keyboards and screen readers know them.
import { h } from "../../src/dom";
import { nearest, sizeOf, sizeSteps, sizeText } from "./amounts";
import { demandsKind, demandsNumber, demandsPart, matrixFile, matrixPart } from "./demands_part";
import { networkPart } from "./network_part";
import { copy, optional, sized, type Option, type Question } from "./question";

export interface Known {
  collectives: string[];
  families: { name: string; form: string; summary: string; example: string }[];
  /// With their constants: "alpha_s", "beta_s_per_byte", "ports" and so on.
  machines: ({ name: string; description: string } & Record<string, unknown>)[];
}

const phrases: Record<string, string> = {
  sendrecv: "one message from a rank to another (sendrecv)",
  bcast: "a broadcast (bcast)",
  multibcast: "a broadcast from several sources (multibcast)",
  allgather: "an all-gather (allgather)",
  scatter: "a scatter",
  gather: "a gather",
  alltoall: "a complete exchange (alltoall)",
  alltoallv: "an irregular exchange (alltoallv)",
  transpose: "a transpose",
  reduce: "a reduction to one rank (reduce)",
  allreduce: "a reduction for all (allreduce)",
  reduce_scatter: "a reduction that is scattered (reduce_scatter)",
  scan: "a scan (prefix sums)",
  exscan: "an exclusive scan (exscan)",
  barrier: "a barrier",
};
const whole = new Set(["sendrecv", "bcast"]);
const vectors = new Set(["reduce", "allreduce", "scan", "exscan"]);

/// Options that a collective may have; the first of them are asked for in the sentence.
const takes: Record<string, Option[]> = {
  sendrecv: ["root", "target"],
  bcast: ["root"],
  scatter: ["root"],
  gather: ["root"],
  multibcast: ["sources"],
  alltoallv: ["demands"],
  reduce: ["root", "element", "operands", "bits"],
  allreduce: ["element", "operands", "bits"],
  reduce_scatter: ["element", "operands", "bits", "counts"],
  scan: ["element", "operands"],
  exscan: ["element", "operands"],
};
/// Options that are one of some words; the first is usual.
const among: Partial<Record<Option, [string, string][]>> = {
  operands: [["", "in any order (commutative)"], ["ordered", "in the order of ranks (ordered)"]],
  bits: [["", "the same on all ranks"], ["any", "any"], ["canonical", "those of one expression (canonical)"]],
};
const asked: Record<Option, [string, string]> = {
  root: ["root", "rank 0"],
  target: ["to", "the farthest"],
  sources: ["from the ranks", "0,3,5 or R(30)"],
  demands: ["for whom", ""],
  element: ["in elements of", "1 B"],
  operands: ["operands", "commutative"],
  bits: ["bits", "same"],
  counts: ["lengths", "all alike"],
};

const hints: Partial<Record<Option, string>> = {
  sources: "Ranks, such as 0,3,5; or so many on a mesh as Hambrusch et al. place them: E(30) equally spread, R in rows, C in columns, DR and DL on diagonals, Cr in a cross, B in a square block",
};

/// Calls back with a new question.
export type Change = (q: Question) => void;

/// A list of choices that has the focus stays, as somebody may be typing the name of a choice; all around it is new. False
/// where it is no part of the new sentence.
function renewAround(held: HTMLSelectElement, element: HTMLElement, parts: (HTMLElement | string)[]): boolean {
  const [line, ...others] = parts, old = held.parentElement!;
  const fresh = line instanceof HTMLElement ? line.querySelector(`[data-part="${CSS.escape(held.dataset.part ?? "")}"]`) : null;
  if (!fresh || fresh.parentElement !== line || old.parentElement !== element) return false;
  while (held.previousSibling) held.previousSibling.remove();
  while (held.nextSibling) held.nextSibling.remove();
  while (line.firstChild && line.firstChild !== fresh) old.insertBefore(line.firstChild, held);
  fresh.remove();
  old.append(...line.childNodes);
  while (old.nextSibling) old.nextSibling.remove();
  while (old.previousSibling) old.previousSibling.remove();
  element.append(...others);
  return true;
}

export class Sentence {
  readonly element = h("form", { class: "sentence", "aria-label": "The question", submit: (event: Event) => event.preventDefault() });
  private q: Question | null = null;
  /// Of the network, as the last answer says it.
  ranks = 0;
  private machineName = "";

  constructor(
    private readonly known: Known,
    private readonly change: Change,
  ) {}

  /// Shows a question; controls that have the focus keep it.
  set(q: Question): void {
    const before = this.q;
    this.q = copy(q);
    if (before && shape(before) === shape(q) && this.element.childElementCount > 0) return this.refresh();
    const held = document.activeElement as HTMLElement | null, focus = held?.dataset?.part;
    const parts = this.parts(q);
    if (held instanceof HTMLSelectElement && this.element.contains(held) && renewAround(held, this.element, parts)) return;
    this.element.replaceChildren(...parts);
    if (focus) this.element.querySelector<HTMLElement>(`[data-part="${CSS.escape(focus)}"]`)?.focus();
  }

  /// What the last answer says of the question: how many ranks there are, and which machine was meant.
  told(ranks: number, machine: string): void {
    [this.ranks, this.machineName] = [ranks, machine];
    this.element.querySelector('[data-part="ranks"]')?.replaceChildren(this.ranksText());
    this.element.querySelector('[data-part="machine"] option')?.replaceChildren(this.usual());
  }
  private ranksText = () => (this.ranks > 0 ? `${this.ranks} ranks of a ` : "");
  private usual = () => (this.q?.machine === "" && this.machineName !== "" ? `the usual machine, ${this.machineName}` : "the usual machine");

  private edit(what: (q: Question) => void): void {
    const q = copy(this.q!);
    what(q);
    this.set(q);
    this.change(q);
  }

  private parts(q: Question): (HTMLElement | string)[] {
    const collectives = h("select", { "aria-label": "Collective", "data-part": "collective" }, ...this.known.collectives.map((c) => h("option", { value: c, selected: c === q.collective }, phrases[c] ?? c)));
    collectives.addEventListener("change", () =>
      this.edit((now) => {
        now.collective = collectives.value;
        for (const option of optional) if (!takes[now.collective]?.includes(option)) delete now.options[option];
        if (now.collective === "multibcast") now.options.sources ??= "0,1,2";
        if (now.collective === "alltoallv") now.options.demands ??= "random(2)";
        else delete now.files[matrixFile];
        now.schedule = now.algorithm = "";
      }),
    );
    const size = sized(q) && demandsKind(q) !== "matrix" ? [whole.has(q.collective) ? " of a message of " : vectors.has(q.collective) ? " of vectors of " : " of blocks of ", ...this.size(q)] : [];
    return [
      h("p", {}, "What is the fastest way for ", collectives, ...size, ...this.options(q), " on ", h("span", { "data-part": "ranks" }, this.ranksText()), ...networkPart(q, this.known.families, (topology) => this.edit((now) => ((now.topology = topology), (now.schedule = now.algorithm = "")))), " with the costs of ", this.machine(q), ...this.changed(q), "?"),
      ...[matrixPart(q, (what) => this.edit(what))].filter((part) => part !== null),
    ];
  }

  private size(q: Question): HTMLElement[] {
    const text = h("input", { type: "text", class: "size", size: 8, maxlength: 24, value: q.bytes, "aria-label": "Size", "data-part": "bytes", spellcheck: "false", autocomplete: "off" });
    const slider = h("input", { type: "range", class: "inline", min: 0, max: sizeSteps.length - 1, value: nearest(sizeSteps, sizeOf(q.bytes) || 0), "aria-label": "Size, on a slider", "aria-valuetext": q.bytes, "data-part": "bytes-slider" });
    text.addEventListener("change", () => this.edit((now) => (now.bytes = text.value.trim() || "0")));
    slider.addEventListener("input", () => this.edit((now) => (now.bytes = sizeText(sizeSteps[Number(slider.value)]))));
    return [text, slider];
  }

  private options(q: Question): (HTMLElement | string)[] {
    return (takes[q.collective] ?? []).flatMap((option) => {
      const put = (value: string) => this.edit((now) => (value === "" ? void delete now.options[option] : void (now.options[option] = value)));
      if (option === "demands") return demandsPart(q, this.ranks, (what) => this.edit(what));
      const [word, usual] = asked[option];
      if (among[option]) {
        const now = q.options[option] ?? "";
        const words = among[option].some(([value]) => value === now) ? among[option] : [...among[option], [now, now] as [string, string]];
        const select = h("select", { "aria-label": word, "data-part": option }, ...words.map(([value, says]) => h("option", { value, selected: value === now }, says)));
        select.addEventListener("change", () => put(select.value));
        return [`, ${word} `, select];
      }
      const input = h("input", { type: "text", class: option === "sources" ? "text" : "number", maxlength: 100, value: q.options[option] ?? "", placeholder: usual, title: hints[option] ?? "", "aria-label": word, "data-part": option, spellcheck: "false", autocomplete: "off" });
      input.addEventListener("change", () => put(input.value.trim()));
      return [`, ${word} `, input];
    });
  }

  private machine(q: Question): HTMLElement {
    const files = Object.keys(q.files).filter((name) => name.endsWith(".toml") && `graph:${name}` !== q.topology);
    const select = h(
      "select",
      { "aria-label": "Machine", "data-part": "machine" },
      h("option", { value: "", selected: q.machine === "" }, this.usual()),
      ...this.known.machines.map((m) => h("option", { value: m.name, title: m.description, selected: m.name === q.machine }, m.name)),
      ...files.map((name) => h("option", { value: name, selected: name === q.machine }, name)),
    );
    select.addEventListener("change", () => this.edit((now) => ((now.machine = select.value), (now.set = []))));
    return select;
  }

  /// Constants that differ from the machine's, each to be taken back.
  private changed(q: Question): (HTMLElement | string)[] {
    return q.set.flatMap((assignment, i) => {
      const [key, value = ""] = assignment.split("=", 2);
      const says = h("span", { "data-part": `set-${key}` }, `${key} = ${value}`);
      const back = h("button", { type: "button", class: "take-back", "aria-label": `${key} as the machine has it`, title: "As the machine has it", click: () => {
        this.edit((now) => (now.set = now.set.filter((other) => other.split("=", 1)[0] !== key)));
        (this.element.querySelector<HTMLElement>(".take-back") ?? this.element.querySelector<HTMLElement>('[data-part="machine"]'))?.focus();
      } }, "\u00d7");
      return [i === 0 ? ", but " : ", ", h("span", { class: "changed" }, says, " ", back)];
    });
  }

  /// Values that changed, in the controls that are there.
  private refresh(): void {
    const q = this.q!;
    const put = (part: string, value: string) => {
      const control = this.element.querySelector<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(`[data-part="${part}"]`);
      if (control && control.value !== value) control.value = value;
    };
    put("bytes", q.bytes);
    const slider = this.element.querySelector<HTMLInputElement>('[data-part="bytes-slider"]');
    if (slider && document.activeElement !== slider) slider.value = String(nearest(sizeSteps, sizeOf(q.bytes) || 0));
    slider?.setAttribute("aria-valuetext", q.bytes);
    put("machine", q.machine);
    for (const assignment of q.set) {
      const says = this.element.querySelector(`[data-part="set-${CSS.escape(assignment.split("=", 1)[0])}"]`);
      if (says) says.textContent = assignment.replace("=", " = ");
    }
    for (const option of optional) put(option, option === "demands" ? demandsNumber(q) : (q.options[option] ?? ""));
    put("matrix", q.files[matrixFile] ?? "");
  }
}

/// What decides which controls there are.
const shape = (q: Question) => JSON.stringify([q.collective, q.topology, Object.keys(q.files), demandsKind(q), q.set.map((assignment) => assignment.split("=", 1)[0])]);
