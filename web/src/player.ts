// The schedule in motion: play, pause, step and scrub; who holds what; details of a rank, a link or a message.
import type { ReportDocument } from "./document";
import { h, reducedMotion, whenShown, whileShown } from "./dom";
import { binds } from "./binds";
import { choices, rankChoice } from "./choices";
import { Details } from "./details";
import type { Following } from "./following";
import { Fault } from "./fault";
import type { Layout } from "./layout";
import { legend, status } from "./legend";
import type { Load, Loads } from "./loads";
import { Bar } from "./playback";
import { listen } from "./pointing";
import type { Progress, Schedule } from "./schedule";
import { Stage } from "./stage";
import type { Binding } from "./still";

/// What the page knows of itself, for its own tests and benchmark.
export interface PlayerState {
  round: number;
  rounds: number;
  playing: boolean;
  atEnd: boolean;
  frames: number;
  /// Frames a second over the last stretch of play.
  fps: number;
  selected: number;
  complete: boolean | null;
  holders: number;
  /// Whether the place is shown where a wrong schedule fails.
  failing: boolean;
}

export class Player {
  readonly element: HTMLElement;
  private tau = 0;
  private playing = false;
  private speed = 1;
  private byLoad = false;
  private selected = -1;
  private message = -1;
  private holding: Following | null = null;
  private progress: Progress | null = null;
  private prepared = -1; // the round whose messages are ready to be drawn
  private painted = -1; // rounds done in what stands still
  private load: Load | null = null;
  private most = 0;
  private frames = 0;
  private since = 0;
  private last = 0;
  private fps = 0;
  private binding: Binding | null = null;
  private readonly fault: Fault | null;
  private until: number; // where playing ends
  private readonly stage: Stage;
  private readonly teller: Details;
  private readonly bar: Bar;
  private readonly status = h("p", { class: "status" });
  private readonly details = h("div", { class: "details", "aria-live": "polite" });
  private readonly legend = h("p", { class: "legend" });
  private readonly holderText = h("p", { class: "holders", "aria-live": "polite" });
  onRound: (round: number) => void = () => undefined;
  /// Rounds that are done at the moment shown.
  onDone: (done: number) => void = () => undefined;

  constructor(
    private readonly report: ReportDocument,
    private readonly schedule: Schedule,
    private readonly layout: Layout,
    private readonly loads: Loads,
  ) {
    this.stage = new Stage(schedule, layout);
    this.teller = new Details(report, schedule, layout, loads);
    this.fault = report.proof?.counterexample ? new Fault(report.proof.counterexample, schedule, layout) : null;
    this.until = schedule.rounds;
    const jumps = { toggle: () => (this.playing ? this.pause() : this.play()), step: (by: number) => this.step(by) };
    this.bar = new Bar(schedule.rounds, Math.max(0.5, Math.min(4, schedule.rounds / 30)), {
      ...jumps,
      pause: () => this.pause(),
      seek: (tau) => this.seek(tau),
      pace: (rounds) => (this.speed = rounds),
    });
    this.element = h(
      "div",
      { class: "player" },
      h(
        "div",
        { class: "stagebox" },
        this.stage.element,
        this.bar.element,
        this.fault && h("p", {}, h("button", { type: "button", click: () => this.playFault() }, "Play it to where it fails")),
        this.status,
        this.legend,
      ),
      h("div", { class: "side" }, choices(schedule, this.report.request.root ?? 0, {
          byLoad: (yes) => {
            this.byLoad = yes;
            this.repaint();
            this.explainColours();
          },
          hold: (what) => {
            this.holding = what;
            this.repaint();
            this.describe();
            this.explainColours();
          },
        }), binds(report, (binding) => ((this.binding = binding), this.painted >= 0 && this.repaint())), this.holderText, rankChoice(schedule.ranks, (rank) => this.select(rank)), this.details),
    );
    listen(
      this.stage,
      {
        ...jumps,
        ranks: schedule.ranks,
        selected: () => this.selected,
        select: (rank) => this.select(rank),
        hover: (x, y) => this.hover(x, y),
        start: () => this.seek(0),
        end: () => this.seek(schedule.rounds),
      },
      layout.says,
    );
    whenShown(this.stage.element, () => this.stage.resize() && this.repaint());
    addEventListener("beforeprint", () => this.pause(), whileShown());
    whileShown().signal.addEventListener("abort", () => this.pause());
    this.explainColours();
    this.describe();
  }

  /// Called once the page has followed every piece.
  followed(progress: Progress): void {
    this.progress = progress;
    this.repaint();
    this.describe();
  }
  /// The busiest link of all rounds, for the scale of loads.
  scaleLoads(most: number): void {
    this.most = most;
    this.repaint();
  }

  state(): PlayerState {
    return {
      round: Math.floor(this.tau),
      rounds: this.schedule.rounds,
      playing: this.playing,
      atEnd: this.tau >= this.schedule.rounds,
      frames: this.frames,
      fps: this.fps,
      selected: this.selected,
      complete: this.progress?.complete ?? null,
      holders: this.holding === null ? -1 : this.holders(this.tau),
      failing: this.failing,
    };
  }

  /// From the first round to the place where a wrong schedule fails; without motion, straight to it.
  playFault(): void {
    if (this.fault === null) return;
    this.pause();
    this.select(Math.min(this.fault.found.rank, this.schedule.ranks - 1));
    if (reducedMotion() || this.fault.moment === 0) return this.seek(this.fault.moment);
    this.seek(0);
    this.play(this.fault.moment);
  }

  seek(tau: number): void {
    this.tau = Math.max(0, Math.min(this.schedule.rounds, tau));
    this.message = -1;
    this.frame();
    this.describe();
  }

  private get failing(): boolean {
    return !this.playing && this.fault !== null && this.fault.shows(this.tau);
  }

  private get round(): number {
    return Math.min(this.schedule.rounds - 1, Math.floor(this.tau));
  }

  private step(by: number): void {
    this.pause();
    this.seek(by > 0 ? Math.floor(this.tau + 1e-9) + by : Math.ceil(this.tau - 1e-9) + by);
  }

  play(until = this.schedule.rounds): void {
    if (this.schedule.rounds === 0) return;
    this.until = until;
    if (this.tau >= this.schedule.rounds) this.tau = 0;
    if (reducedMotion()) return this.step(1); // one still picture after the other
    this.playing = true;
    this.bar.showPlaying(true);
    this.last = this.since = performance.now();
    this.frames = 0;
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.bar.showPlaying(false);
    this.frame();
    this.describe();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    this.tau = Math.min(this.until, this.tau + (Math.max(0, now - this.last) / 1000) * this.speed);
    this.last = now;
    ++this.frames;
    if (now > this.since) this.fps = (1000 * this.frames) / (now - this.since);
    this.frame();
    if (this.tau >= this.until) return this.pause();
    requestAnimationFrame((next) => this.tick(next));
  }

  /// Draws the moment; what stands still only when its round is new.
  private frame(): void {
    const round = this.round;
    this.bar.at(this.tau);
    if (round !== this.prepared) this.prepare(round);
    else if (Math.floor(this.tau + 1e-9) !== this.painted) this.paintBelow();
    this.stage.paintAbove(this.tau >= this.schedule.rounds ? 0 : this.tau - round, this.message, this.failing ? (this.fault?.way ?? null) : null);
  }

  private prepare(round: number): void {
    this.prepared = round;
    if (round < 0) return;
    const messages = this.schedule.messages(round);
    this.load = this.loads.of(round);
    this.stage.load(messages, round, (a, b) => this.loads.way(a, b).points, this.byLoad, this.holding?.carries ?? null);
    this.paintBelow();
    this.onRound(round);
  }

  private paintBelow(): void {
    const done = Math.floor(this.tau + 1e-9);
    this.painted = done;
    const { progress, schedule, holding } = this;
    const share = (rank: number): number => {
      if (holding !== null) return holding.share(rank, done);
      if (progress?.have == null || progress.of[rank] === 0) return 0;
      return progress.have[done * schedule.nodes + rank] / progress.of[rank];
    };
    const marked = this.selected >= 0 ? [this.selected] : [];
    this.stage.paintBelow({ shares: { share }, load: this.byLoad ? this.load : null, most: this.most || (this.load?.most ?? 0), marked, mark: holding ? "holds" : "level", binding: this.byLoad ? null : this.binding });
    const text = status(schedule, done, this.load, this.report.network.shared_medium, progress);
    this.bar.says(text);
    this.status.textContent = text;
    if (this.playing) this.describe();
    this.onDone(done);
  }

  private repaint(): void {
    this.prepared = -1;
    this.frame();
  }

  private holders(tau: number): number {
    const done = Math.floor(tau + 1e-9);
    let n = 0;
    for (let r = 0; r < this.schedule.ranks; ++r) if (this.holding!.share(r, done) >= 1) ++n;
    return n;
  }

  private explainColours(): void {
    this.legend.textContent = legend(this.schedule, this.layout, this.holding, this.byLoad);
  }

  private select(rank: number): void {
    this.selected = rank;
    this.message = -1;
    this.paintBelow();
    this.frame();
    this.describe();
    const input = this.element.querySelector<HTMLInputElement>("#rank");
    if (input && document.activeElement !== input) input.value = rank < 0 ? "" : String(rank);
  }

  /// Over no rank a message may be pointed at, while all stand still.
  private hover(x: number, y: number): void {
    if (this.playing || this.schedule.rounds === 0) return;
    const found = this.stage.messageAt(x, y, this.tau - this.round);
    if (found === this.message) return;
    this.message = found;
    this.frame();
    this.describe();
  }

  /// The side panel: what happens at the chosen rank, or with the chosen message.
  private describe(): void {
    this.holderText.textContent = this.holding === null ? "" : this.holding.says(this.holders(this.tau));
    this.details.replaceChildren(...(this.failing ? this.fault!.lines() : []), ...this.teller.lines({ tau: this.tau, round: this.round, rank: this.selected, message: this.message, progress: this.progress }));
  }
}
