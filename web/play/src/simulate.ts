// "Simulate it": the schedule message by message, how it is played, and what the time is made of.
import type { SimulateAnswer } from "../../library/src/answers";
import { h } from "../../src/dom";
import { percent, ratio, some, time } from "../../src/format";
import type { Planner } from "./planner";
import { playingWords, words, type Playing, type Question } from "./question";

const orders = ["lockstep", "dataflow", "eager"];
const networks = ["free", "store-and-forward", "cut-through", "circuit", "fluid", "fluid-latency", "wormhole"];
const texts: [Playing, string, string][] = [
  ["slow", "slow links", "0-1=2"],
  ["fail", "links that carry nothing", "0-1"],
  ["jitter", "times that vary by", "5%"],
  ["skew", "ranks that begin late by up to", "2us"],
  ["seed", "seed", "1"],
];
const made: [string, string][] = [["startup_s", "start-up"], ["circuit_s", "hops"], ["wire_s", "wire"], ["port_wait_s", "waiting for a port"], ["link_wait_s", "waiting for a link"], ["peer_wait_s", "waiting for the receiver"], ["permute_s", "copying"], ["combine_s", "operator"], ["barrier_s", "barriers"], ["skew_s", "a late start"]];

export class Simulate {
  readonly element: HTMLElement;
  private readonly form = h("div", { class: "row" });
  private readonly says = h("div", { id: "simulated", role: "status", "aria-live": "polite" });
  private readonly button = h("button", { type: "button", click: () => this.change(this.q?.simulate ? null : {}, this.q?.algorithm ?? "") });
  private q: Question | null = null;

  constructor(private readonly change: (simulate: Question["simulate"], algorithm: string) => void) {
    this.element = h("details", { class: "simulate" }, h("summary", {}, "Simulate it, message by message"), h("p", {}, "How long it takes when every message waits for its port and its links. What ranks do when is drawn below, under 'Who does what when'."), h("p", { class: "row" }, this.button), this.form, this.says);
  }

  set(q: Question): void {
    this.q = q;
    this.button.textContent = q.simulate ? "Simulate no more" : "Simulate";
    if (q.simulate) (this.element as HTMLDetailsElement).open = true;
    else this.says.replaceChildren();
    if (!q.simulate) return this.form.replaceChildren();
    if (!this.form.contains(document.activeElement)) this.form.replaceChildren(...this.controls(q));
  }

  private put(key: Playing, value: string): void {
    const simulate = { ...this.q!.simulate };
    if (value === "") delete simulate[key];
    else simulate[key] = value.split(/[\s,]+/).join(" ");
    this.change(simulate, this.q!.algorithm);
  }

  private controls(q: Question): HTMLElement[] {
    const choice = (key: Playing, label: string, all: string[]) => {
      const select = h("select", { "aria-label": label, "data-part": key }, h("option", { value: "" }, "as the machine has it"), ...all.map((word) => h("option", { value: word, selected: q.simulate?.[key] === word }, word)));
      select.addEventListener("change", () => this.put(key, select.value));
      return h("label", {}, `${label} `, select);
    };
    const text = (label: string, part: string, value: string, usual: string, put: (value: string) => void) => {
      const input = h("input", { type: "text", class: "text", size: 8, maxlength: 100, value, placeholder: usual, "data-part": part, spellcheck: "false", autocomplete: "off" });
      input.addEventListener("change", () => put(input.value.trim()));
      return h("label", {}, `${label} `, input);
    };
    return [
      ...(q.schedule === "" ? [text("algorithm", "algorithm", q.algorithm, "the best", (value) => this.change({ ...this.q!.simulate }, value))] : []),
      choice("order", "ranks go on in order", orders),
      choice("network", "network", networks),
      ...texts.map(([key, label, usual]) => text(label, key, q.simulate?.[key] ?? "", usual, (value) => this.put(key, value))),
    ];
  }

  /// Null where it cannot be, which is said, or nobody waits for it.
  async play(planner: Planner, q: Question, files: Record<string, string>, signal: AbortSignal): Promise<SimulateAnswer | null> {
    const which = q.schedule !== "" ? ["--algorithm=file:schedule.json"] : q.algorithm !== "" ? [`--algorithm=${q.algorithm}`] : [];
    const told = await planner.json<SimulateAnswer>(["simulate", ...words(q), ...which, ...playingWords(q), "--timeline"], files, signal);
    if (told === null || signal.aborted) return null;
    if ("refused" in told) {
      this.says.replaceChildren(h("p", { class: "warn" }, told.refused.message));
      return null;
    }
    this.tell(told.value);
    return told.value;
  }

  private tell(a: SimulateAnswer): void {
    const parts = made.map(([key, name]) => [a.critical?.[key] ?? 0, name] as const).filter(([t]) => t > 0).sort((x, y) => y[0] - x[0]);
    const price = a.price_s > 0 ? `; the price says ${time(a.price_s)}, so it takes ${ratio(a.simulated_s / a.price_s)} times as long` : "";
    const gap = a.bound.time_s > 0 ? ` No schedule that ranks run in this order takes less than ${time(a.bound.time_s)} (${a.bound.binding}): ${ratio(a.simulated_s / a.bound.time_s)} times that limit. The limit above is of rounds that all ranks begin together.` : "";
    this.says.replaceChildren(
      h("p", {}, h("b", {}, `${a.choice}: ${time(a.simulated_s)} simulated`), `${price}.${gap}`),
      h("p", {}, `${some(a.messages, "message")}, ${a.order}, on a ${a.network} network. ${parts.length > 0 ? `The longest chain of messages is made of ${parts.map(([t, name]) => `${percent(t, a.simulated_s)} ${name}`).join(", ")}.` : ""}${a.queued_s > 0 ? ` All messages together waited ${time(a.queued_s)} for links.` : ` No message waited for a link.`}`),
      h("p", {}, h("a", { href: "#timeline" }, "Who does what when")),
    );
  }
}
