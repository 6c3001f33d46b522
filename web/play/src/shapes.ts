// How many blocks a question's buffers have: the program says it of a schedule of its own, or of the smallest wrong one.
import type { Shape } from "./own_schedule";
import type { Planner } from "./planner";
import { words, type Question } from "./question";

let last: { key: string; shape: Shape } | null = null;

/// Null: nobody waits for it.
export async function shapeOf(planner: Planner, q: Question, signal: AbortSignal): Promise<Shape | { message: string } | null> {
  const asked = words(q);
  const key = JSON.stringify([asked, q.files]);
  if (last?.key === key) return last.shape;
  // On a crossbar everything can run; what buffers hold does not depend on the network, only on how many ranks it has.
  const ranks = await planner.json<{ ranks: number }>(["topology", q.topology], q.files, signal);
  if (ranks === null) return null;
  if ("refused" in ranks) return { message: ranks.refused.message };
  if (ranks.value.ranks > 512) return { message: "A schedule of one's own is for at most 512 ranks here." };
  const elsewhere = [asked[0], `crossbar:${ranks.value.ranks}`, ...asked.slice(2).filter((word) => !word.startsWith("--machine=") && !word.startsWith("--set=")), "--set=ports=all"];
  const text = await planner.text(["export", "json", ...elsewhere, "-o", "-"], q.files);
  if (!text.startsWith("{")) return { message: "There is no schedule of this collective to take the number of blocks from." };
  const { spec, blocks } = JSON.parse(text) as Shape;
  const { topology: _elsewhere, ...asFiled } = spec;
  const shape = { spec: asFiled as Shape["spec"], blocks };
  last = { key, shape };
  return shape;
}
