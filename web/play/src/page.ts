// The page: questions, what follows from them, and when what is asked.
import type { ReportDocument } from "../../src/document";
import { h } from "../../src/dom";
import { theme } from "../../src/theme";
import type { PlanAnswer } from "../../library/src/answers";
import { comparison } from "./compare";
import { Editor, file as drawn } from "./editor";
import { Links } from "./links";
import { Own } from "./own";
import type { Planner } from "./planner";
import { prepared } from "./prepared";
import type { Described } from "./provisional";
import { copy, words, type Question } from "./question";
import type { Known } from "./sentence";
import { Side, type Timing } from "./side";
import { Simulate } from "./simulate";

const calm = 220; // milliseconds without a change, after which the report is made

/// Links to a part of the page do not become its address, which is the question.
function goToPart(event: Event): void {
  const link = (event.target as Element).closest('a[href^="#"]');
  const part = link && document.getElementById(link.getAttribute("href")!.slice(1));
  if (!part) return;
  event.preventDefault();
  part.tabIndex = -1;
  part.focus();
  part.scrollIntoView();
}

export class Page {
  readonly timing: Timing = { answers: [], whole: [] };
  private questions: Question[];
  private readonly sides: Side[] = [];
  private readonly links = new Links();
  private readonly editor: Editor;
  private readonly own: Own;
  private readonly simulated: Simulate;
  private readonly compared = h("div", { class: "compared" });
  private readonly columns = h("div", { class: "columns" });
  private readonly compareButton = h("button", { type: "button", click: () => this.toggleCompare() }, "Compare with another");
  private timer: ReturnType<typeof setTimeout> | undefined;
  private report = new AbortController();
  private settled: (() => void)[] = [];
  private moving = true;
  /// Of the report that is shown, for tests.
  competition: number[] = [];

  constructor(
    private readonly quick: Planner,
    private readonly thorough: Planner,
    private readonly known: Known,
    private readonly algorithms: Map<string, Described>,
    questions: Question[],
  ) {
    this.questions = questions;
    this.editor = new Editor((text) => this.change(0, { ...copy(this.questions[0]), topology: `graph:${drawn}`, files: { ...this.questions[0].files, [drawn]: text }, schedule: "", algorithm: "" }));
    this.own = new Own(thorough, (schedule) => this.change(0, { ...copy(this.questions[0]), schedule, algorithm: "" }));
    this.own.onShow = () => this.showFault();
    this.simulated = new Simulate((simulate, algorithm) => this.change(0, { ...copy(this.questions[0]), simulate, algorithm }));
  }

  /// Everything into the element.
  begin(element: HTMLElement): void {
    const main = h("main", { id: "main" }, this.compared, this.columns, h("div", { class: "row" }, this.compareButton, this.questionsOfPapers()), this.links.element, this.simulated.element, this.editor.element, this.own.element);
    this.side(0);
    main.append(this.sides[0].result.parts);
    element.replaceChildren(h("a", { class: "skip", href: "#main" }, "To the question"), h("div", { class: "top" }, h("span", { class: "mark" }, "Quadrille"), h("span", { class: "motto" }, "which schedule, how long, and why"), theme()), main);
    element.addEventListener("click", goToPart);
    this.all();
  }

  /// Other questions, such as those of a new address.
  put(questions: Question[]): void {
    this.questions = questions;
    this.all();
  }

  /// The questions of an address that somebody has gone to.
  arrive(questions: Question[]): void {
    this.links.replaces = true;
    this.put(questions);
  }

  /// When the report of what is asked now is shown.
  rest(): Promise<void> {
    return this.moving ? new Promise((done) => this.settled.push(done)) : Promise.resolve();
  }
  async work(milliseconds: number): Promise<void> {
    for (const end = performance.now() + milliseconds; performance.now() < end; ) await this.thorough.json(["report", ...words(this.questions[0])], this.questions[0].files);
  }
  player = () => this.sides[0].result.player?.state() ?? null;

  private side(i: number): Side {
    if (this.sides[i]) return this.sides[i];
    const side = new Side(this.quick, this.known, this.algorithms, i === 0 ? "" : `-${i}`, (q) => this.change(i, q), (q, plan) => this.answered(i, q, plan), this.timing);
    this.sides[i] = side;
    return side;
  }

  private all(): void {
    const two = this.questions.length > 1;
    this.columns.replaceChildren(...this.questions.map((_, i) => this.side(i).element));
    this.columns.classList.toggle("two", two);
    this.compareButton.textContent = two ? "No comparison" : "Compare with another";
    if (!two) this.compared.replaceChildren();
    this.questions.forEach((_, i) => this.follow(i));
  }

  private change(i: number, q: Question): void {
    if (JSON.stringify(q) === JSON.stringify(this.questions[i])) return;
    this.questions[i] = q;
    this.follow(i);
  }

  private follow(i: number): void {
    const q = this.questions[i];
    this.sides[i].ask(q);
    if (i === 0) {
      this.editor.set(q);
      this.own.set(q);
      this.simulated.set(q);
    }
    this.moving = true;
    this.report.abort();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.still(), calm);
  }

  private answered(i: number, q: Question, plan: PlanAnswer | null): void {
    const two = this.questions.length > 1;
    if (two) this.compared.replaceChildren(comparison(this.sides[0].plan, this.sides[1]?.plan ?? null));
    const width = two ? Math.max(...this.sides.map((side) => side.result.barsWidth)) : 0;
    for (const side of this.sides) side.result.scaled(width);
    if (i === 0 && q.topology === `graph:${drawn}`) this.editor.binds(plan?.bound ?? null);
  }

  /// Nothing has changed for a moment.
  private async still(): Promise<void> {
    this.links.set(this.questions[0], this.questions.slice(1));
    this.report.abort();
    this.report = new AbortController();
    const { signal } = this.report;
    await Promise.all(this.questions.map((q, i) => this.sides[i].whole(this.thorough, q, signal)));
    for (let i = this.questions.length - 1; i >= 0; --i) await this.makeReport(i, copy(this.questions[i]), signal);
    if (signal.aborted) return;
    this.moving = false;
    for (const done of this.settled.splice(0)) done();
  }

  private async makeReport(i: number, q: Question, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const side = this.sides[i];
    const files = { ...q.files };
    const asked = ["report", ...words(q)];
    const verdict = q.schedule !== "" && i === 0 ? await this.own.verdict(q, signal) : null;
    if (signal.aborted) return;
    if (verdict !== null) {
      files["schedule.json"] = verdict.file;
      asked.push("--algorithm=file:schedule.json");
    } else if (q.schedule !== "" && i === 0) {
      side.result.notYours();
      this.links.best(q);
      q.schedule = "";
    } else if (q.algorithm !== "") asked.push(`--algorithm=${q.algorithm}`);
    const played = i === 0 && q.simulate !== null ? await this.simulated.play(this.thorough, q, files, signal) : null;
    if (signal.aborted) return;
    if (played !== null && q.schedule === "" && q.algorithm === "") asked.push(`--algorithm=${played.choice}`);
    const told = await this.thorough.json<ReportDocument>(asked, files, signal, 20_000);
    if (told === null || signal.aborted) return;
    if ("refused" in told) return i === 0 ? side.result.refused(told.refused) : undefined;
    if (played?.timeline) told.value.events = played.timeline;
    side.reported(q, told.value);
    if (i === 0) this.competition = await side.result.reported(told.value).counted;
  }

  private showFault(): void {
    document.getElementById("watch")?.scrollIntoView();
    this.sides[0].result.player?.playFault();
  }

  private toggleCompare(): void {
    this.questions = this.questions.length > 1 ? this.questions.slice(0, 1) : [this.questions[0], { ...copy(this.questions[0]), schedule: "", algorithm: "", simulate: null }];
    this.all();
  }

  private questionsOfPapers(): HTMLElement {
    const all = prepared.flatMap((group) => group.questions);
    const select = h("select", { id: "prepared" }, h("option", { value: "" }, "choose one"), ...prepared.map((group) => h("optgroup", { label: group.from }, ...group.questions.map((p) => h("option", { value: all.indexOf(p), title: p.says }, p.title)))));
    select.addEventListener("change", () => {
      const chosen = all[Number(select.value)];
      if (select.value !== "" && chosen) this.put([copy(chosen.q)]);
      select.value = "";
    });
    return h("p", { class: "row" }, h("label", { for: "prepared" }, "Questions of the papers, and for a lecture: "), select);
  }
}
