// Starts the program, and the page with the question of its address.
import { h } from "../../src/dom";
import type { PlayerState } from "../../src/player";
import { Page } from "./page";
import { Planner } from "./planner";
import type { Described } from "./provisional";
import { fromFragment, plain, type Question } from "./question";
import type { Known } from "./sentence";

/// What the page's own tests and its benchmark look at.
interface Inside {
  /// Milliseconds from the start of loading until the first answer was shown; 0 before.
  opened: number;
  rest: () => Promise<void>;
  player: () => PlayerState | null;
  competition: () => number[];
  answers: () => number[];
  whole: () => number[];
  /// Keeps the planner at work for so long.
  work: (milliseconds: number) => void;
}
declare global {
  interface Window {
    play: Inside;
  }
}

const usual: Question = { ...plain, topology: "hypercube:6", machine: "ipsc860", bytes: "100" };

/// All questions of an address: the first, and one to compare it with.
function questions(): Question[] {
  const parts = location.hash.replace(/^#/, "").split(/&compare=/);
  const decoded = parts.slice(0, 2).map((part, i) => {
    try {
      return fromFragment(i === 0 ? part : decodeURIComponent(part));
    } catch {
      return null;
    }
  });
  return [decoded[0] ?? usual, ...(decoded[1] ? [decoded[1]] : [])];
}

async function told<T>(planner: Planner, words: string[]): Promise<T> {
  const answer = await planner.json<T>(words, {});
  if (answer === null || "refused" in answer) throw new Error(answer?.refused.message ?? "no answer");
  return answer.value;
}

async function begin(element: HTMLElement): Promise<void> {
  const { quick, thorough } = await Planner.pair();
  const [families, machines, algorithms] = await Promise.all([told<{ families: Known["families"] }>(quick, ["topology"]), told<{ machines: Known["machines"] }>(quick, ["machine"]), told<{ algorithms: Described[] }>(quick, ["algorithm", "--list"])]);
  const known: Known = { families: families.families, machines: machines.machines, collectives: [...new Set(algorithms.algorithms.map((a) => a.collective))] };
  const page = new Page(quick, thorough, known, new Map(algorithms.algorithms.map((a) => [a.algorithm, a])), questions());
  window.play = { opened: 0, rest: () => page.rest(), player: () => page.player(), competition: () => page.competition, answers: () => page.timing.answers, whole: () => page.timing.whole, work: (milliseconds) => void page.work(milliseconds) };
  page.begin(element);
  const shown = () => (page.timing.answers.length > 0 ? (window.play.opened = performance.now()) : requestAnimationFrame(shown));
  requestAnimationFrame(shown);
  addEventListener("popstate", () => page.arrive(questions())); // another address, or the browser's Back
}

const element = document.getElementById("page")!;
begin(element).catch((error: unknown) => {
  element.replaceChildren(h("h1", {}, "This page cannot be shown"), h("p", {}, "It needs a browser with WebAssembly, its exceptions, and DecompressionStream: Chromium 95, Firefox 113, Safari 16.4 or later."), h("p", {}, String(error)));
});
