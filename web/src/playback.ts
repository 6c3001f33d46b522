// The bar under the picture: to the ends, a round back or on, play, scrub, and how fast.
import { draw, type Icon } from "./controls";
import { h } from "./dom";

/// What the bar asks for.
export interface Playback {
  toggle: () => void;
  pause: () => void;
  step: (by: number) => void;
  seek: (tau: number) => void;
  pace: (rounds: number) => void;
}

const paces = [0.25, 0.5, 1, 2, 4, 8, 16];

export class Bar {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly play: HTMLButtonElement;

  /// `pace` rounds a second, or what is nearest to it, to begin with.
  constructor(rounds: number, pace: number, on: Playback) {
    const button = (label: string, icon: Icon, act: () => void) => h("button", { type: "button", "aria-label": label, title: label, click: act }, draw(icon));
    const jump = (tau: number) => (on.pause(), on.seek(tau));
    this.play = button("Play", "play", on.toggle);
    this.play.classList.add("play");
    this.slider = h("input", { type: "range", min: 0, max: rounds, step: "any", value: 0, "aria-label": "Position, in rounds" });
    this.slider.addEventListener("input", () => jump(Number(this.slider.value)));
    this.slider.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      on.step(by);
    });
    const near = paces.reduce((a, b) => (Math.abs(b - pace) < Math.abs(a - pace) ? b : a));
    const speed = h("select", { "aria-label": "Speed" }, ...paces.map((p) => h("option", { value: p, selected: p === near }, `${p} rounds/s`)));
    speed.addEventListener("change", () => on.pace(Number(speed.value)));
    on.pace(near);
    this.element = h(
      "div",
      { class: "controls", role: "group", "aria-label": "Playback" },
      button("To the start", "start", () => jump(0)),
      button("One round back", "back", () => on.step(-1)),
      this.play,
      button("One round on", "on", () => on.step(1)),
      button("To the end", "end", () => jump(rounds)),
      this.slider,
      h("label", { class: "speed" }, h("span", { class: "hidden" }, "Speed "), speed),
    );
  }

  showPlaying(playing: boolean): void {
    const label = playing ? "Pause" : "Play";
    this.play.replaceChildren(draw(playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", label);
    this.play.title = label;
  }
  at(tau: number): void {
    this.slider.value = String(tau);
  }
  says(text: string): void {
    this.slider.setAttribute("aria-valuetext", text);
  }
}
