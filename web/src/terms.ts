// Every technical term in one line, shown on hover, focus and touch.
import { h } from "./dom";

const meanings: Record<string, string> = {
  rank: "One of the processes (or processors) that take part, numbered from 0.",
  ranks: "The processes (or processors) that take part, numbered from 0.",
  link: "One direction of a wire between two neighbours.",
  wire: "Time that bytes spend on the busiest link or port of each round: bytes times seconds per byte.",
  round: "A step of the schedule: every rank sends and receives what it lists for it, then the next one begins.",
  rounds: "Steps of the schedule: every rank sends and receives what it lists for one, then the next one begins.",
  block: "What one rank contributes, or has for one other rank: the unit that is asked for.",
  piece: "A part of a block; blocks are cut so that several parts travel at once, or one behind the other.",
  contribution: "What one rank brings to a reduction: its vector, or the part of it that is spoken of.",
  "start-up": "The fixed cost of a message, whatever its length: one per round with a message.",
  overhead: "Processor time that a rank spends on each message that it sends or receives.",
  circuit: "The cost of the links a message crosses, whatever its length.",
  copying: "Time for rearranging bytes within a rank, before or after they are sent.",
  operator: "Time in which a rank combines what comes with what it has.",
  barrier: "All ranks wait until every rank has come.",
  limit: "A lower bound: no schedule whatsoever is faster on this network and machine, by an argument that is given.",
  gap: "The time divided by the limit. 1 means that nothing can be faster.",
  binds: "The argument that gives the highest limit: what would have to improve first.",
  algorithm: "A rule that says, for any number of ranks and any size, who sends what to whom in which round.",
  slot: "The place of one piece of a block in a buffer. Where blocks are not cut, slot 3 is the place of block 3.",
  candidate: "An algorithm with values for its parameters that can run here, and was priced.",
  refused: "An algorithm that is left out: it cannot run here, or another one is known to be faster. Its reason is given.",
  "competition factor": "S: the most messages that share one link in a round. A round with S = 3 takes its bytes three times as long as one without competition.",
  "link load": "Bytes that a link carries in a round.",
  "closed form": "A formula for the time, from the paper that is cited; no message is looked at.",
  counted: "Added up from the schedule's own messages on the network's own routes.",
  simulated: "Played message by message, with links and ports that are busy while they are used.",
  lockstep: "All ranks begin a round together, when the last message of the one before has arrived.",
  dataflow: "A rank goes on as soon as its own messages of the round are through, without waiting for others.",
  timeline: "What every rank does when: one row a rank, time to the right.",
  crossover: "Where two lines cross, another algorithm becomes the fastest.",
  threshold: "The size from which another algorithm is the fastest.",
  proven: "The schedule was executed on block names instead of data; every rank ends with what it must have.",
  port: "Where a rank is joined to the network; with one port a rank sends one message at a time.",
  "runner-up": "The fastest algorithm of another kind.",
  "who holds what": "The ranks that have a copy of a block, at the moment shown.",
  "who has combined what": "How many contributions ranks have put together with the operator, at the moment shown.",
};

/// What the limit argues with, by the names that the program gives.
const limitArguments: Record<string, string> = {
  latency: "Start-ups and hops that must be paid one after the other, however short the messages are.",
  port: "The bytes that one rank must send or receive, over the links or ports that it has.",
  cut: "The bytes that must leave or enter a part of the network, over the links that lead there.",
  work: "All bytes on all links together: even if every link were busy all the time, they take this long.",
  combining: "Operations that the ranks must do between them, even if all of them work all the time.",
  medium: "What all ranks share carries one message at a time, or as many as it has accesses.",
  "rounds against volume": "With few rounds blocks must be relayed, so more bytes are sent; with many rounds start-ups are paid. This is the least of the two together.",
};

let tip: HTMLElement | null = null;
let waiting: ReturnType<typeof setTimeout> | undefined;
const moment = 350; // milliseconds: a pointer that passes by opens nothing
let owner: HTMLElement | null = null;

function hide(): void {
  clearTimeout(waiting);
  tip?.remove();
  tip = null;
  owner?.removeAttribute("aria-describedby");
  owner = null;
}

/// Shows `text` beside an element until hidden.
export function showTip(at: HTMLElement, text: string): void {
  if (owner === at) return;
  hide();
  owner = at;
  tip = h("div", { class: "tip", id: "tip", role: "tooltip" }, text);
  document.body.append(tip);
  at.setAttribute("aria-describedby", "tip");
  const box = at.getBoundingClientRect();
  const width = Math.min(300, innerWidth - 16);
  tip.style.width = `${width}px`;
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8)) + scrollX}px`;
  const above = box.top > tip.offsetHeight + 60;
  tip.style.top = `${(above ? box.top - tip.offsetHeight - 6 : box.bottom + 6) + scrollY}px`;
}

export function explain(element: HTMLElement, text: string): void {
  element.tabIndex = 0;
  element.addEventListener("mouseenter", () => (clearTimeout(waiting), (waiting = setTimeout(() => showTip(element, text), moment))));
  element.addEventListener("mouseleave", hide);
  element.addEventListener("focus", () => showTip(element, text));
  element.addEventListener("blur", hide);
  element.addEventListener("click", () => showTip(element, text));
}
addEventListener("keydown", (event) => {
  if (event.key === "Escape") hide();
});

const explained = (shown: string, meaning: string): HTMLElement => {
  const element = h("span", { class: "term", role: "note" }, shown);
  explain(element, meaning);
  return element;
};

/// An argument of the limit; those that say what they are in their name stay as they are.
export const boundTerm = (name: string): HTMLElement | string => (limitArguments[name] === undefined ? name : explained(name, limitArguments[name]));

/// A word with its explanation. `shown` is what is written, if not the word itself.
export function term(word: string, shown = word): HTMLElement {
  const meaning = meanings[word];
  if (meaning === undefined) throw new Error(`no meaning for ${word}`);
  return explained(shown, meaning);
}
