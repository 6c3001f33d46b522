// One question with its answer; a page has one, or two to compare. While a question changes, plans that take long are
// quick ones: a first answer, which the whole plan replaces when the question stands still.
import type { ReportDocument } from "../../src/document";
import { h } from "../../src/dom";
import type { PlanAnswer } from "../../library/src/answers";
import { Constants } from "./constants";
import { Latest, type Planner, type Told } from "./planner";
import { provisional, type Described } from "./provisional";
import { words, type Question } from "./question";
import { Result } from "./result";
import { Sentence, type Change, type Known } from "./sentence";

export interface Timing {
  /// Milliseconds from the change to the answer on the page, of the last answers.
  answers: number[];
  /// Of whole plans that came after a quick one, from when the question stood still.
  whole: number[];
}
const atOnce = 40; // milliseconds that a whole plan may take while a slider moves

export class Side {
  readonly sentence: Sentence;
  readonly constants: Constants;
  readonly result: Result;
  readonly element: HTMLElement;
  plan: PlanAnswer | null = null;
  private readonly latest: Latest<{ told: Told<PlanAnswer>; q: Question; began: number; quick: boolean }>;
  private readonly took = new Map<string, number>(); // milliseconds of whole plans, by what they depend on most
  private now: Question | null = null;
  private first = false; // what is shown is the answer of a quick plan

  constructor(
    private readonly quick: Planner,
    known: Known,
    private readonly algorithms: Map<string, Described>,
    id: string,
    change: Change,
    private readonly answered: (q: Question, plan: PlanAnswer | null) => void,
    readonly timing: Timing,
  ) {
    this.sentence = new Sentence(known, change);
    this.constants = new Constants(known, id, change);
    this.result = new Result(id);
    this.element = h("div", { class: "side-by-side" }, this.sentence.element, this.constants.element, this.result.top, this.result.says);
    this.latest = new Latest((given) => this.show(given.told, given.q, given.began, given.quick));
  }

  /// Asks; what is shown follows.
  ask(q: Question): void {
    this.sentence.set(q);
    this.result.waiting();
    this.now = q;
    const began = performance.now();
    const quick = !((this.took.get(kind(q)) ?? Infinity) <= atOnce);
    this.latest.ask(async () => {
      const asked = performance.now();
      const told = await this.quick.json<PlanAnswer>(["plan", ...words(q), ...(quick ? ["--quick"] : [])], q.files);
      if (!quick) this.took.set(kind(q), performance.now() - asked);
      return { told, q, began, quick };
    });
  }

  /// The whole plan, where the answer that is shown is a first one.
  async whole(planner: Planner, q: Question, signal: AbortSignal): Promise<void> {
    await this.latest.rest();
    if (!this.first || signal.aborted) return;
    const began = performance.now();
    const told = await planner.json<PlanAnswer>(["plan", ...words(q)], q.files, signal);
    if (told === null || signal.aborted) return;
    this.took.set(kind(q), performance.now() - began);
    if ("refused" in told && this.plan !== null) return this.result.first(`This is a first answer, without what is searched for. ${told.refused.message}`);
    this.show(told, q, began, false, this.timing.whole);
  }

  private show(told: Told<PlanAnswer>, q: Question, began: number, quick: boolean, times = this.timing.answers): void {
    if (told === null || (times === this.timing.whole && q !== this.now)) return;
    this.first = quick;
    if ("refused" in told) {
      this.plan = null;
      this.result.refused(told.refused);
      return this.answered(q, null);
    }
    this.plan = told.value;
    this.sentence.told(told.value.spec.ranks, told.value.machine.name);
    this.result.answered(provisional(told.value, this.algorithms));
    if (quick) this.result.first("A first answer; what takes longer to price or is searched for comes in a moment.");
    times.push(performance.now() - began);
    this.answered(q, told.value);
  }

  reported(q: Question, d: ReportDocument): void {
    this.constants.set(q, d.machine.name, d.machine.constants);
    if (d.answer !== null && (q.schedule !== "" || q.algorithm !== "")) this.result.answered(d);
  }
}

/// What a plan's time depends on most.
const kind = (q: Question) => JSON.stringify([q.collective, q.topology, q.machine, q.set.map((s) => s.split("=")[0])]);
