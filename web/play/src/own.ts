// "Write your own schedule": a text, what is wrong with it, and whether it is proven.
import { h } from "../../src/dom";
import type { VerifyAnswer } from "../../library/src/answers";
import { Mistake } from "./own_language";
import { samples, scheduleFile, type Shape } from "./own_schedule";
import type { Planner } from "./planner";
import { mostText, words, type Question } from "./question";
import { shapeOf } from "./shapes";

export type Verdict = { file: string; proof: VerifyAnswer["proofs"][number] } | null;

const help = `round t: r > (r+1) % P: (r-t) % P  for t in 0..P-2, r in 0..P-1

A line is messages: in which round, who sends > who receives, and which blocks. P is the number of ranks.
"for" repeats a line, "if" leaves some out: ... for r in 0..P-1 if r % 2 == 0. Numbers: + - * / % xor and brackets.
Blocks are in the buffer out, unless in or tmp stands before them: in 3 -> out 0 sends block 3 of in, which becomes block 0 of out.
A rank's own block is in out from the start. In a round all is sent before anything comes in.
In reductions a message combines: 0 with in 0 puts what comes in before the block 0 of in, 0 after in 0 behind it.
pieces 4 cuts every block; 0 piece 2 is one of its pieces. tmp 3 is room for three blocks. # begins a remark.
Answers speak of slots: a slot is the place of one piece. Where blocks are not cut, slot 3 is the place of block 3.`;

export class Own {
  readonly element: HTMLElement;
  private readonly text = h("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", maxlength: mostText, "aria-label": "Your schedule", "aria-describedby": "own-verdict" });
  private readonly says = h("div", { id: "own-verdict", class: "verdict", role: "status", "aria-live": "polite" });
  private readonly begin = h("p", { class: "row" });
  /// Plays the schedule to the place of a counterexample.
  onShow: () => void = () => undefined;

  constructor(
    private readonly planner: Planner,
    private readonly change: (schedule: string) => void,
  ) {
    this.text.addEventListener("input", () => this.change(this.text.value));
    this.element = h(
      "details",
      { class: "own" },
      h("summary", {}, "Write your own schedule"),
      h("p", {}, "Who sends what to whom, round by round. It is proven while you write, or refuted and played to the place where it fails."),
      this.begin,
      this.text,
      this.says,
      h("details", {}, h("summary", {}, "How it is written"), h("pre", { class: "help" }, help)),
    );
  }

  set(q: Question): void {
    if (document.activeElement !== this.text && this.text.value !== q.schedule) this.text.value = q.schedule;
    if (q.schedule !== "") (this.element as HTMLDetailsElement).open = true;
    else this.says.replaceChildren();
    const begin = (title: string, text: string) => h("button", { type: "button", click: () => ((this.text.value = text), this.change(text)) }, title);
    this.begin.replaceChildren(...(samples[q.collective] ?? []).map(({ title, text }) => begin(title, text)), begin(q.schedule === "" ? "From the best one" : "None", q.schedule === "" ? "?" : ""));
    this.begin.lastElementChild?.replaceWith(...(q.schedule === "" ? [] : [begin("Back to the best one", "")]));
  }

  /// Proves it. Null where that cannot be, which is said.
  async verdict(q: Question, signal: AbortSignal): Promise<Verdict> {
    const shape = await shapeOf(this.planner, q, signal);
    if (shape === null) return null;
    if ("message" in shape) return this.wrong(shape.message);
    let file: string;
    try {
      file = scheduleFile(q.schedule, shape as Shape);
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      return this.wrong(`Line ${error.line}: ${error.message}.`);
    }
    const told = await this.planner.json<VerifyAnswer>(["verify", ...words(q), "--algorithm=file:schedule.json"], { ...q.files, "schedule.json": file }, signal);
    if (told === null) return null;
    if ("refused" in told) return this.wrong(told.refused.message);
    const proof = told.value.proofs[0];
    this.tell(proof);
    return { file, proof };
  }

  private wrong(why: string): null {
    this.says.replaceChildren(h("p", { class: "warn" }, why));
    return null;
  }

  private tell(proof: VerifyAnswer["proofs"][number]): void {
    const x = proof.counterexample;
    if (x) {
      const where = x.round < 0 ? "at the end" : `round ${x.round}`;
      const show = h("button", { type: "button", click: () => this.onShow() }, "Play it to where it fails");
      this.says.replaceChildren(h("p", { class: "wrong" }, h("b", {}, `Refuted: ${x.kind}.`), ` ${where[0].toUpperCase()}${where.slice(1)}: ${x.text}`), h("p", {}, show));
    } else if (proof.unproven || proof.stops) this.says.replaceChildren(h("p", { class: "warn" }, `Not decided: ${proof.unproven ?? proof.stops}`));
    else
      this.says.replaceChildren(
        h("p", { class: "proven" }, h("b", {}, "Proven correct"), ` in ${proof.rounds} rounds and ${proof.messages} messages.`),
        h("ul", {}, ...proof.statements.map((text) => h("li", {}, text))),
      );
  }
}
