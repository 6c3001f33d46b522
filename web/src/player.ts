// The schedule in motion: play, pause, step and scrub; who holds what; details of a rank, a link or a message.
import type { ReportDocument } from "./document";
import { h, reducedMotion, whenShown, whileShown } from "./dom";
import { choices, rankChoice } from "./choices";
import { Details } from "./details";
import type { Following } from "./following";
import { percent, some } from "./format";
import type { Layout } from "./layout";
import type { Load, Loads } from "./loads";
import { Bar } from "./playback";
import { listen } from "./pointing";
import type { Progress, Schedule } from "./schedule";
import { Stage } from "./stage";

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
        }), this.holderText, rankChoice(schedule.ranks, (rank) => this.select(rank)), this.details),
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
    };
  }

  /// A round that stands still, and what a rank does in it; after the last one where `round` is -1.
  show(round: number, rank: number): void {
    this.pause();
    this.seek(round < 0 ? this.schedule.rounds : round);
    this.select(rank);
  }

  seek(tau: number): void {
    this.tau = Math.max(0, Math.min(this.schedule.rounds, tau));
    this.message = -1;
    this.frame();
    this.describe();
  }

  private get round(): number {
    return Math.min(this.schedule.rounds - 1, Math.floor(this.tau));
  }

  private step(by: number): void {
    this.pause();
    this.seek(by > 0 ? Math.floor(this.tau + 1e-9) + by : Math.ceil(this.tau - 1e-9) + by);
  }

  play(): void {
    if (this.schedule.rounds === 0) return;
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
    this.describe();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    this.tau = Math.min(this.schedule.rounds, this.tau + (Math.max(0, now - this.last) / 1000) * this.speed);
    this.last = now;
    ++this.frames;
    if (now > this.since) this.fps = (1000 * this.frames) / (now - this.since);
    this.frame();
    if (this.tau >= this.schedule.rounds) return this.pause();
    requestAnimationFrame((next) => this.tick(next));
  }

  /// Draws the moment; what stands still only when its round is new.
  private frame(): void {
    const round = this.round;
    this.bar.at(this.tau);
    if (round !== this.prepared) this.prepare(round);
    else if (Math.floor(this.tau + 1e-9) !== this.painted) this.paintBelow();
    this.stage.paintAbove(this.tau >= this.schedule.rounds ? 0 : this.tau - round, this.message);
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
    this.stage.paintBelow({ share }, this.byLoad ? this.load : null, this.most || (this.load?.most ?? 0), marked, holding ? "holds" : "level");
    const text = this.statusText();
    this.bar.says(text);
    this.status.textContent = text;
    this.onDone(done);
  }

  private repaint(): void {
    this.prepared = -1;
    this.frame();
  }

  private statusText(): string {
    const rounds = this.schedule.rounds;
    const done = Math.floor(this.tau + 1e-9);
    let text = done >= rounds ? `After all ${some(rounds, "round")}` : `Round ${done + 1} of ${rounds}`;
    if (done < rounds && this.load !== null) {
      const m = this.schedule.messages(this.round);
      text += `: ${some(m.count, "message")}`;
      if (!this.report.network.shared_medium && this.load.competition > 0) text += `, at most ${this.load.competition} on one link`;
    }
    if (this.progress !== null) {
      let wanted = 0;
      for (const w of this.progress.wanted) wanted += w;
      text += `. ${percent(this.progress.total[done], wanted)} of ${this.schedule.contributions === null ? "what must arrive is in place" : "the contributions to results are combined"}`;
    }
    return text + ".";
  }

  private holders(tau: number): number {
    const done = Math.floor(tau + 1e-9);
    let n = 0;
    for (let r = 0; r < this.schedule.ranks; ++r) if (this.holding!.share(r, done) >= 1) ++n;
    return n;
  }

  private explainColours(): void {
    const { contributions, withBlocks, steps } = this.schedule;
    const fills = contributions !== null ? "A rank fills up from below with the contributions that it has combined." : withBlocks ? "A rank fills up from below with what it must have." : "";
    const what = this.holding ? `A full rank ${this.holding.full}.` : fills;
    const carried =
      contributions === null ? "colour (and number) tells whose block they carry"
      : steps.blocks.count > 1 ? "colour (and number) tells which block of the vector they carry"
      : this.schedule.pieces > 1 ? "colour tells which piece of the vector they carry, their number of how many contributions"
      : "colour (and number) tells how many contributions are in them";
    const dots = this.byLoad ? "Wide and strong lines carry most bytes in this round." : withBlocks ? `Dots are messages; their ${carried}.` : "Dots are messages, coloured by sender.";
    this.legend.textContent = `${this.layout.says} ${what} ${dots}`;
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
    this.details.replaceChildren(...this.teller.lines({ tau: this.tau, round: this.round, rank: this.selected, message: this.message, progress: this.progress }));
  }
}
