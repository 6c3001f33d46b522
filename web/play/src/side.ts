// One question with its answer; a page has one, or two to compare.
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
}

export class Side {
  readonly sentence: Sentence;
  readonly constants: Constants;
  readonly result: Result;
  readonly element: HTMLElement;
  plan: PlanAnswer | null = null;
  private readonly latest: Latest<{ told: Told<PlanAnswer>; q: Question; began: number }>;

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
    this.constants = new Constants(change);
    this.result = new Result(id);
    this.element = h("div", { class: "side-by-side" }, this.sentence.element, this.constants.element, this.result.top, this.result.says);
    this.latest = new Latest(({ told, q, began }) => this.show(told, q, began));
  }

  /// Asks; what is shown follows.
  ask(q: Question): void {
    this.sentence.set(q);
    this.result.waiting();
    const began = performance.now();
    this.latest.ask(async () => ({ told: await this.quick.json<PlanAnswer>(["plan", ...words(q)], q.files), q, began }));
  }

  private show(told: Told<PlanAnswer>, q: Question, began: number): void {
    if (told === null) return;
    if ("refused" in told) {
      this.plan = null;
      this.result.refused(told.refused);
      return this.answered(q, null);
    }
    this.plan = told.value;
    this.result.answered(provisional(told.value, this.algorithms));
    this.timing.answers.push(performance.now() - began);
    this.answered(q, told.value);
  }

  reported(q: Question, d: ReportDocument): void {
    this.constants.set(q, d.machine.constants);
    if (d.answer !== null && (q.schedule !== "" || q.algorithm !== "")) this.result.answered(d);
  }
}
