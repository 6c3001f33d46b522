// The picture in words: what colours mean, and how far the run is.
import type { Following } from "./following";
import { percent, some } from "./format";
import type { Layout } from "./layout";
import type { Load } from "./loads";
import type { Progress, Schedule } from "./schedule";

export function legend(schedule: Schedule, layout: Layout, holding: Following | null, byLoad: boolean): string {
  const { contributions, withBlocks, steps } = schedule;
  const fills = contributions !== null ? "A rank fills up from below with the contributions that it has combined." : withBlocks ? "A rank fills up from below with what it must have." : "";
  const what = holding ? `A full rank ${holding.full}.` : fills;
  const carried =
    contributions === null ? "colour (and number) tells whose block they carry"
    : steps.blocks.count > 1 ? "colour (and number) tells which block of the vector they carry"
    : schedule.pieces > 1 ? "colour tells which piece of the vector they carry, their number of how many contributions"
    : "colour (and number) tells how many contributions are in them";
  const dots = byLoad ? "Wide and strong lines carry most bytes in this round; what binds is drawn when colours are by block." : withBlocks ? `Dots are messages; their ${carried}.` : "Dots are messages, coloured by sender.";
  return `${layout.says} ${what} ${dots}`;
}

/// After `done` rounds, with the next one under way.
export function status(schedule: Schedule, done: number, load: Load | null, shared: boolean, progress: Progress | null): string {
  const rounds = schedule.rounds;
  let text = done >= rounds ? `After all ${some(rounds, "round")}` : `Round ${done} of 0 to ${rounds - 1}`;
  if (done < rounds && load !== null) {
    const messages = schedule.messages(done).count;
    text += messages > 0 ? `: ${some(messages, "message")}` : ": no message, ranks only rearrange what they have";
    if (!shared && load.competition > 0) text += `, at most ${load.competition} on one link`;
  }
  if (progress !== null) {
    let wanted = 0;
    for (const w of progress.wanted) wanted += w;
    text += `. ${percent(progress.total[done], wanted)} of ${schedule.contributions === null ? "what must arrive is in place" : "the contributions to results are combined"}`;
  }
  return text + ".";
}
