// A schedule of one's own as the file that the program reads.
import { Mistake, messages, read, type Buffer, type Message, type Place } from "./own_language";

/// What the program's own export of some schedule says of the question.
export interface Shape {
  spec: { collective: string; ranks: number; bytes: number; element?: number } & Record<string, unknown>;
  blocks: Record<Buffer, number>;
}

type Deed = Record<string, unknown>;

/// Slots of a place: of one piece, or of all.
function slots(place: Place, values: Map<string, number>, blocks: Record<Buffer, number>, pieces: number, line: number): number[] {
  const count = blocks[place.buffer];
  const block = place.block(values);
  if (block < 0 || block >= count) throw new Mistake(line, count === 0 ? `there is no block in ${place.buffer}` : `block ${block} of ${place.buffer}: expected 0 to ${count - 1}`);
  const piece = place.piece?.(values);
  if (piece !== undefined && (piece < 0 || piece >= pieces)) throw new Mistake(line, `piece ${piece}: expected 0 to ${pieces - 1}`);
  return piece !== undefined ? [piece * count + block] : Array.from({ length: pieces }, (_, k) => k * count + block);
}

function add(deeds: Map<string, Deed[]>, m: Message, blocks: Record<Buffer, number>, pieces: number): void {
  const at = (rank: number) => {
    const key = `${rank} ${m.round}`;
    if (!deeds.has(key)) deeds.set(key, []);
    return deeds.get(key)!;
  };
  for (const item of m.items) {
    const [from, to] = [item.from, item.to].map((place) => slots(place, item.values, blocks, pieces, m.line));
    const operand = item.with && slots(item.with, item.values, blocks, pieces, m.line);
    if (from.length !== to.length || (operand && operand.length !== to.length)) throw new Mistake(m.line, "what is sent and where it goes differ in length");
    from.forEach((slot, i) => {
      at(m.from).push({ send: m.to, [item.from.buffer]: [slot] });
      at(m.to).push({ recv: m.from, [item.to.buffer]: [to[i]], ...(operand ? { incoming: item.after ? "right" : "left", with: { [item.with!.buffer]: operand[i] } } : {}) });
    });
  }
}

const reductions = new Set(["reduce", "allreduce", "reduce_scatter", "scan", "exscan", "barrier"]);

/// Throws Mistake.
export function scheduleFile(text: string, shape: Shape): string {
  if (text.trimStart().startsWith("{")) return text;
  const said = read(text);
  const own = reductions.has(shape.spec.collective);
  const count = said.blocks ?? (own && shape.spec.collective !== "reduce_scatter" ? 1 : null);
  if (said.blocks !== null && !own) throw new Mistake(1, `blocks: those of ${shape.spec.collective} are given`);
  const blocks: Record<Buffer, number> = { in: count ?? shape.blocks.in, out: count ?? shape.blocks.out, tmp: said.tmp };
  const deeds = new Map<string, Deed[]>();
  let rounds = 0;
  for (const m of messages(said, shape.spec.ranks)) {
    add(deeds, m, blocks, said.pieces);
    rounds = Math.max(rounds, m.round + 1);
  }
  const steps = [...deeds].map(([key, list]) => {
    const [rank, round] = key.split(" ").map(Number);
    return { rank, round, do: list };
  });
  const cut = { bytes: shape.spec.bytes, parts: said.pieces, packets: 1 };
  return JSON.stringify({ quadrille_schedule: 1, spec: shape.spec, cut, blocks, rounds, steps });
}

/// Texts to begin with. `{0}` and the like are not meant: P is the number of ranks.
export const samples: Record<string, { title: string; text: string }[]> = {
  bcast: [
    { title: "From rank to rank", text: "# Rank 0 has the message; each passes it on to the next.\nround r: r > r+1: 0  for r in 0..P-2" },
    { title: "A wrong one", text: "# Rank 1 sends in round 0 what it gets in round 0.\nround 0: r > r+1: 0  for r in 0..P-2" },
  ],
  allgather: [
    { title: "Round a ring", text: "# In round t rank r passes on the block that it got in the round before.\nround t: r > (r+1) % P: (r-t) % P  for t in 0..P-2, r in 0..P-1" },
    { title: "A wrong one", text: "# The same, one round short.\nround t: r > (r+1) % P: (r-t) % P  for t in 0..P-3, r in 0..P-1" },
  ],
  alltoall: [
    { title: "Straight, by turns", text: "# In round t rank r sends rank r+t its block.\nround t-1: r > (r+t) % P: in (r+t) % P -> out r  for t in 1..P-1, r in 0..P-1" },
    { title: "A wrong one", text: "# The block lands in the place of its receiver.\nround t-1: r > (r+t) % P: in (r+t) % P -> out (r+t) % P  for t in 1..P-1, r in 0..P-1" },
  ],
};
