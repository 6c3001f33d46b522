// The line for a terminal, and the address of the question.
import { h } from "../../src/dom";
import { commandLine, toFragment, type Question } from "./question";

function copied(what: string, text: () => string): HTMLElement {
  const button = h("button", { type: "button" }, what);
  button.addEventListener("click", () => {
    void navigator.clipboard?.writeText(text()).then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = "Select and copy by hand"),
    );
    setTimeout(() => (button.textContent = what), 2000);
  });
  return button;
}

export class Links {
  private readonly line = h("pre", { tabindex: "0", class: "line" });
  /// Whether the next address takes the place of the one that is there, which somebody has just gone to.
  replaces = true;
  private readonly note = h("p", { class: "note" });
  readonly element: HTMLElement;

  constructor() {
    this.element = h("div", { class: "links" }, h("div", { class: "command" }, this.line, copied("Copy", () => this.line.textContent ?? ""), copied("Copy link", () => location.href)), this.note);
  }

  /// The line of the best schedule, where one's own cannot be read.
  best(q: Question): void {
    this.line.textContent = commandLine("plan", { ...q, schedule: "" });
    this.note.textContent = "The same answer in a terminal. The address of this page holds your schedule, too.";
  }

  /// `others`: questions beside the first.
  set(q: Question, others: Question[]): void {
    this.line.textContent = commandLine(q.simulate !== null ? "simulate" : q.schedule !== "" ? "verify" : q.algorithm !== "" ? "report" : "plan", q) + (q.algorithm !== "" && q.schedule === "" && q.simulate === null ? " -o report.html" : "");
    const files = [...Object.keys(q.files), ...(q.schedule !== "" ? ["schedule.json"] : [])];
    this.note.textContent = files.length > 0 ? `The same answer in a terminal, beside ${files.join(" and ")}. The address of this page holds the whole question, with its files.` : "The same answer in a terminal. The address of this page holds the whole question.";
    const fragment = [toFragment(q), ...others.map((other) => `compare=${encodeURIComponent(toFragment(other))}`)].join("&");
    if (location.hash === `#${fragment}`) return;
    try {
      if (this.replaces || location.hash === "") history.replaceState(null, "", `#${fragment}`);
      else history.pushState(null, "", `#${fragment}`); // so that the browser's Back asks the question before
      this.replaces = false;
    } catch {
      // Browsers let a page change its address some hundred times a minute only; the next change has it.
    }
  }
}
