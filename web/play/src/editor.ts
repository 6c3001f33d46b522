// The drawing of a network: nodes are dragged or moved with the arrow keys, links are made between two of them, and the
// file beside it is the same network as text.
import type { Bound } from "../../library/src/answers";
import { h, s } from "../../src/dom";
import { example, freeName, most, readGraph, writeGraph, type Graph, type Node } from "./graph";
import { mostText, type Question } from "./question";

export const file = "drawn.net";

export class Editor {
  readonly element: HTMLElement;
  private graph: Graph = { nodes: [], wires: [], others: [] };
  private selected: string | null = null; // a node's name, or "wire:" and a number
  private linking = false;
  private counted = new Set<string>(); // links that bind, both ways
  private readonly svg = s("svg", { viewBox: "0 0 600 300", class: "drawing", role: "group", "aria-label": "The network. Tab walks through nodes and links; arrow keys move a node; L begins a link and ends it at another node; Delete removes." });
  private readonly side = h("div", { class: "row selected" });
  private readonly text = h("textarea", { rows: 8, spellcheck: "false", autocomplete: "off", maxlength: mostText, "aria-label": "The network as a file" });
  private readonly note = h("p", { class: "note", role: "status" });
  private readonly bound = h("p", { class: "bound" });

  constructor(private readonly change: (text: string) => void) {
    const button = (text: string, act: () => void) => h("button", { type: "button", click: act }, text);
    this.text.addEventListener("input", () => this.pasted(this.text.value));
    const opened = h("input", { type: "file", "aria-label": "Open a file with a network" });
    opened.addEventListener("change", () => void opened.files?.[0]?.text().then((text) => ((this.text.value = text), this.pasted(text))));
    this.element = h(
      "details",
      { class: "editor" },
      h("summary", {}, "Draw a network, or paste a file"),
      h("div", { class: "row" }, button("Add a host", () => this.add("host")), button("Add a switch", () => this.add("switch")), button("Link", () => this.link()), button("An example", () => this.pasted(example, true)), h("label", {}, "or open a file ", opened)),
      this.svg,
      this.side,
      this.bound,
      this.note,
      h("details", {}, h("summary", {}, "The same as a file"), this.text),
    );
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  set(q: Question): void {
    const text = q.files[file] ?? "";
    const used = q.topology === `graph:${file}`;
    if (used) (this.element as HTMLDetailsElement).open = true;
    else this.binds(null);
    if (document.activeElement === this.text || text === this.text.value || this.svg.contains(document.activeElement)) return;
    this.text.value = text;
    this.graph = readGraph(text) ?? { nodes: [], wires: [], others: [] };
    this.paint();
  }

  /// What the answer says binds here: links are drawn wide, and ranks on the one side of a cut.
  binds(bound: Bound | null): void {
    const part = bound?.parts.find((p) => p.name === bound.binding);
    const text = bound ? `What binds: ${bound.binding}. ${part?.why ?? ""}` : "";
    const names = [...this.graph.nodes.filter((n) => n.kind === "host"), ...this.graph.nodes.filter((n) => n.kind === "switch")].map((n) => n.name);
    this.counted = new Set(part?.links?.flatMap(([a, b]) => [`${names[a]} ${names[b]}`, `${names[b]} ${names[a]}`]));
    this.bound.textContent = text;
    this.paint(text);
  }

  private pasted(text: string, whole = false): void {
    const graph = readGraph(text);
    this.note.textContent = graph ? "" : `It is used as it is, and not drawn: there are more than ${most} nodes, or lines that are not understood here.`;
    this.graph = graph ?? { nodes: [], wires: [], others: [] };
    if (whole) this.text.value = text;
    this.selected = null;
    this.paint();
    if (text.trim() !== "") this.change(text);
  }

  private changed(): void {
    this.text.value = writeGraph(this.graph);
    this.paint();
    if (this.graph.nodes.some((n) => n.kind === "host")) this.change(this.text.value);
  }

  private node = (name: string | null) => this.graph.nodes.find((n) => n.name === name);

  private add(kind: Node["kind"]): void {
    if (this.graph.nodes.length >= most) return void (this.note.textContent = `At most ${most} nodes are drawn.`);
    const name = freeName(this.graph, kind);
    const near = this.node(this.selected);
    const count = this.graph.nodes.filter((n) => n.kind === kind).length;
    const node: Node = { name, kind, x: 40 + ((count * 75) % 530), y: kind === "host" ? 240 : 70 };
    this.graph.nodes.push(node);
    if (near) this.graph.wires.push({ a: name, b: near.name, rate: this.usualRate(), failed: false, more: "" });
    else this.selected = name;
    this.changed();
  }

  private usualRate = () => this.graph.wires[this.graph.wires.length - 1]?.rate ?? "25GB/s";

  private link(): void {
    this.linking = this.node(this.selected) !== undefined && !this.linking;
    this.note.textContent = this.linking ? `Now choose the node to link ${this.selected} to.` : "Choose a node first.";
  }

  private select(what: string): void {
    const from = this.node(this.selected);
    if (this.linking && from && this.node(what) && what !== from.name) {
      this.graph.wires.push({ a: from.name, b: what, rate: this.usualRate(), failed: false, more: "" });
      this.linking = false;
      this.note.textContent = "";
      this.selected = `wire:${this.graph.wires.length - 1}`;
      return this.changed();
    }
    this.selected = what;
    this.paint();
    this.svg.querySelector<SVGElement>(`[data-what="${CSS.escape(what)}"]`)?.focus();
  }

  private remove(): void {
    const node = this.node(this.selected);
    if (node) {
      this.graph.nodes = this.graph.nodes.filter((n) => n !== node);
      this.graph.wires = this.graph.wires.filter((w) => w.a !== node.name && w.b !== node.name);
    } else if (this.selected?.startsWith("wire:")) this.graph.wires.splice(Number(this.selected.slice(5)), 1);
    this.selected = null;
    this.changed();
  }

  private key(event: KeyboardEvent): void {
    const what = (event.target as Element).getAttribute("data-what");
    if (what === null) return;
    const by = { ArrowRight: [12, 0], ArrowLeft: [-12, 0], ArrowDown: [0, 12], ArrowUp: [0, -12] }[event.key];
    const node = this.node(what);
    if (by && node) this.move(node, node.x + by[0], node.y + by[1]);
    else if (event.key === "Enter" || event.key === " ") this.select(what);
    else if (event.key === "l" || event.key === "L") {
      if (!this.linking) this.selected = what;
      this.linking ? this.select(what) : this.link();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.selected = what;
      this.remove();
    } else return;
    event.preventDefault();
    if (by) this.svg.querySelector<SVGElement>(`[data-what="${CSS.escape(what)}"]`)?.focus();
  }

  private move(node: Node, x: number, y: number): void {
    node.x = Math.round(Math.max(15, Math.min(585, x)));
    node.y = Math.round(Math.max(15, Math.min(285, y)));
    this.text.value = writeGraph(this.graph);
    this.paint();
  }

  private drag(node: Node, event: PointerEvent): void {
    this.select(node.name);
    const scale = 600 / this.svg.getBoundingClientRect().width;
    const [x, y, px, py] = [node.x, node.y, event.clientX, event.clientY];
    const on = (moved: PointerEvent) => this.move(node, x + (moved.clientX - px) * scale, y + (moved.clientY - py) * scale);
    const end = () => {
      removeEventListener("pointermove", on);
      removeEventListener("pointerup", end);
      if (node.x !== x || node.y !== y) this.changed();
    };
    addEventListener("pointermove", on);
    addEventListener("pointerup", end);
    event.preventDefault();
  }

  private paint(why = this.bound.textContent ?? ""): void {
    const ranks = this.graph.nodes.filter((n) => n.kind === "host");
    const bound = ranksIn(why);
    const wires = this.graph.wires.map((w, i) => {
      const [a, b] = [this.node(w.a)!, this.node(w.b)!];
      const what = `wire:${i}`;
      const label = `link ${w.a} to ${w.b}${w.rate ? `, ${w.rate}` : ""}${w.failed ? ", failed" : this.counted.has(`${w.a} ${w.b}`) ? ", binds" : ""}`;
      return s("g", { class: `wire${w.failed ? " failed" : this.counted.has(`${w.a} ${w.b}`) ? " binding" : ""}${this.selected === what ? " chosen" : ""}`, tabindex: 0, role: "button", "aria-label": label, "data-what": what, click: () => this.select(what) }, s("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: "hit" }), s("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y }), s("text", { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 4, "text-anchor": "middle" }, w.failed ? "failed" : w.rate));
    });
    const nodes = this.graph.nodes.map((n) => {
      const rank = ranks.indexOf(n);
      const label = rank >= 0 ? `host ${n.name}, rank ${rank}` : `switch ${n.name}`;
      const shape = n.kind === "host" ? s("circle", { cx: n.x, cy: n.y, r: 13 }) : s("rect", { x: n.x - 13, y: n.y - 13, width: 26, height: 26, rx: 3 });
      return s("g", { class: `node ${n.kind}${this.selected === n.name ? " chosen" : ""}${bound.has(rank) ? " binding" : ""}`, tabindex: 0, role: "button", "aria-label": label, "data-what": n.name, pointerdown: (event: PointerEvent) => this.drag(n, event) }, shape, s("text", { x: n.x, y: n.y + 4, "text-anchor": "middle" }, rank >= 0 ? String(rank) : n.name));
    });
    this.svg.replaceChildren(...wires, ...nodes);
    this.side.replaceChildren(...this.properties());
  }

  private properties(): (Element | string)[] {
    const button = h("button", { type: "button", click: () => this.remove() }, "Remove");
    const node = this.node(this.selected);
    if (node) return [`${node.kind} ${node.name} `, h("button", { type: "button", click: () => this.link() }, "Link to ..."), button];
    const wire = this.selected?.startsWith("wire:") ? this.graph.wires[Number(this.selected.slice(5))] : undefined;
    if (!wire) return [h("span", { class: "note" }, this.graph.nodes.length === 0 ? "Nothing is drawn yet." : "Choose a node or a link to change it.")];
    const input = h("input", { type: "text", class: "size", size: 9, maxlength: 24, value: wire.rate, "aria-label": "Rate of the link, such as 25GB/s" });
    input.addEventListener("change", () => ((wire.rate = input.value.trim()), this.changed()));
    const failed = h("input", { type: "checkbox", checked: wire.failed });
    failed.addEventListener("change", () => ((wire.failed = failed.checked), this.changed()));
    return [`link ${wire.a} to ${wire.b} `, h("label", {}, "rate ", input), h("label", {}, failed, " failed"), button];
  }
}

/// The ranks that an argument is about: "2 ranks (0-1) must hand out ...".
function ranksIn(text: string): Set<number> {
  const all = new Set<number>();
  for (const range of /ranks? \(([\d, -]+)\)/.exec(text)?.[1].split(",") ?? []) {
    const [first, last = first] = range.split("-").map(Number);
    for (let r = first; r <= last && r < most; ++r) all.add(r);
  }
  return all;
}
