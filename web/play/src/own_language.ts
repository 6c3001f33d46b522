// A schedule in a few lines of text. Every line says which messages there are, with loops behind "for":
//
//   round t: r > (r+1) % P: (r-t) % P  for t in 0..P-2, r in 0..P-1
//
// It is a form, not a program: what it says is counted before it is made, so that a text from an address ends soon.

export class Mistake extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

type Values = Map<string, number>;
type Expression = (values: Values) => number;
const buffers = ["in", "out", "tmp"] as const;
type Buffer = (typeof buffers)[number];
interface Place {
  buffer: Buffer;
  block: Expression;
  piece: Expression | null;
}
interface Item {
  from: Place;
  to: Place;
  /// What comes in is combined with this; it is the left operand, unless `after`.
  with: Place | null;
  after: boolean;
}
interface Rule {
  line: number;
  round: Expression;
  sender: Expression;
  receiver: Expression;
  items: Item[];
  loops: { name: string; low: Expression; high: Expression }[];
  when: Expression | null;
}
export interface Text {
  pieces: number;
  blocks: number | null;
  tmp: number;
  rules: Rule[];
}

const most = 200_000;
const token = /\s*(?:(\d+)|([A-Za-z_]\w*)|(->|\.\.|==|!=|<=|>=|[-+*/%()<>:,]))/y;

/// The words of one line, read from the left.
class Reader {
  private readonly tokens: string[] = [];
  private at = 0;

  constructor(
    readonly line: number,
    text: string,
  ) {
    token.lastIndex = 0;
    for (let end = 0; text.slice(end).trim() !== ""; end = token.lastIndex) {
      token.lastIndex = end;
      const found = token.exec(text);
      if (found === null) this.fail(`${JSON.stringify(text.slice(end).trim()[0])} means nothing here`);
      this.tokens.push(found[1] ?? found[2] ?? found[3]);
    }
  }

  fail(why: string): never {
    throw new Mistake(this.line, why);
  }
  get next(): string | undefined {
    return this.tokens[this.at];
  }
  get after(): string | undefined {
    return this.tokens[this.at + 1];
  }
  take(word: string): boolean {
    if (this.next !== word) return false;
    ++this.at;
    return true;
  }
  expect(word: string, where: string): void {
    if (!this.take(word)) this.fail(`expected "${word}" ${where}${this.next === undefined ? "" : `, not "${this.next}"`}`);
  }
  pop(): string {
    return this.tokens[this.at++] ?? this.fail("something is missing at the end");
  }
}

const kept = new Set(["for", "in", "if", "out", "tmp", "piece", "with", "after", "round", "xor"]);

function factor(r: Reader): Expression {
  const word = r.pop();
  if (/^\d+$/.test(word)) {
    const value = Number(word);
    return () => value;
  }
  if (word === "-") {
    const negated = factor(r);
    return (v) => -negated(v);
  }
  if (word === "(") {
    const inner = sum(r);
    r.expect(")", "after what is in brackets");
    return inner;
  }
  if (!/^[A-Za-z_]/.test(word) || kept.has(word)) r.fail(`expected a number, not "${word}"`);
  return (v) => v.get(word) ?? r.fail(`"${word}" has no value; names get theirs behind "for"`);
}

function divided(r: Reader, a: number, b: number): number {
  if (b === 0) r.fail("a division by 0");
  return Math.floor(a / b);
}

function product(r: Reader): Expression {
  let left = factor(r);
  for (;;) {
    const a = left;
    if (r.take("*")) {
      const b = factor(r);
      left = (v) => a(v) * b(v);
    } else if (r.take("/")) {
      const b = factor(r);
      left = (v) => divided(r, a(v), b(v));
    } else if (r.take("%")) {
      const b = factor(r);
      left = (v) => a(v) - b(v) * divided(r, a(v), b(v));
    } else return left;
  }
}

export function sum(r: Reader): Expression {
  let left = product(r);
  for (;;) {
    const a = left;
    if (r.take("+")) {
      const b = product(r);
      left = (v) => a(v) + b(v);
    } else if (r.take("-")) {
      const b = product(r);
      left = (v) => a(v) - b(v);
    } else if (r.take("xor")) {
      const b = product(r);
      left = (v) => a(v) ^ b(v);
    } else return left;
  }
}

function condition(r: Reader): Expression {
  const a = sum(r);
  const how = r.pop();
  const b = sum(r);
  const yes: Record<string, (x: number, y: number) => boolean> = { "==": (x, y) => x === y, "!=": (x, y) => x !== y, "<": (x, y) => x < y, "<=": (x, y) => x <= y, ">": (x, y) => x > y, ">=": (x, y) => x >= y };
  const holds = Object.hasOwn(yes, how) ? yes[how] : r.fail(`expected ==, !=, <, <=, > or >= in a condition, not "${how}"`);
  return (v) => (holds(a(v), b(v)) ? 1 : 0);
}

function place(r: Reader, usual: Buffer): Place {
  const named = buffers.find((b) => b === r.next);
  if (named) r.pop();
  const block = sum(r);
  return { buffer: named ?? usual, block, piece: r.take("piece") ? sum(r) : null };
}

function item(r: Reader): Item {
  const from = place(r, "out");
  const to = r.take("->") ? place(r, "out") : from;
  const after = r.next === "after";
  const combines = after || r.next === "with";
  if (combines) r.pop();
  return { from, to, with: combines ? place(r, "out") : null, after };
}

function rule(r: Reader): Rule {
  const zero: Expression = () => 0;
  let round = zero;
  if (r.take("round")) {
    round = sum(r);
    r.expect(":", "after the round");
  }
  const sender = sum(r);
  r.expect(">", "between who sends and who receives");
  const receiver = sum(r);
  r.expect(":", "before what is sent");
  const items = [item(r)];
  while (r.take(",")) items.push(item(r));
  const loops: Rule["loops"] = [];
  if (r.take("for"))
    do {
      const name = r.pop();
      if (!/^[A-Za-z_]/.test(name) || kept.has(name)) r.fail(`expected a name behind "for", not "${name}"`);
      r.expect("in", `after ${name}`);
      const low = sum(r);
      r.expect("..", "between the first and the last value");
      loops.push({ name, low, high: sum(r) });
    } while (r.take(","));
  const when = r.take("if") ? condition(r) : null;
  if (r.next !== undefined) r.fail(`"${r.next}" is one word too many`);
  return { line: r.line, round, sender, receiver, items, loops, when };
}

/// Reads all lines. What follows # in one is for people. Throws Mistake.
export function read(text: string): Text {
  const found: Text = { pieces: 1, blocks: null, tmp: 0, rules: [] };
  text.split("\n").forEach((whole, i) => {
    const line = whole.replace(/#.*/, "").trim();
    if (line === "") return;
    const [, head, number] = /^(pieces|blocks|tmp)\s+(\d{1,6})$/.exec(line) ?? [];
    if (head === "pieces" || head === "blocks") found[head] = Math.max(1, Number(number));
    else if (head === "tmp") found.tmp = Number(number);
    else found.rules.push(rule(new Reader(i + 1, line)));
  });
  if (found.rules.length === 0) throw new Mistake(1, "no message yet; such as: round 0: 0 > 1: 0");
  return found;
}

export interface Message {
  line: number;
  round: number;
  from: number;
  to: number;
  items: { from: Place; to: Place; with: Place | null; after: boolean; values: Values }[];
}

/// All messages, in the order of the lines. Throws Mistake for ranks that are not there, and for more than can be looked at.
export function messages(text: Text, ranks: number): Message[] {
  const all: Message[] = [];
  let turns = 0;
  for (const r of text.rules) {
    const fail = (why: string): never => {
      throw new Mistake(r.line, why);
    };
    const whole = (value: number, low: number, high: number, what: string) => (Number.isInteger(value) && value >= low && value <= high ? value : fail(`${what} ${value}: expected ${low} to ${high}`));
    const go = (loop: number, values: Values): void => {
      if (++turns > 4 * most) fail(`more than ${4 * most} turns of loops`);
      if (loop < r.loops.length) {
        const { name, low, high } = r.loops[loop];
        for (let value = low(values), last = high(values); value <= last; ++value) go(loop + 1, new Map(values).set(name, value));
        return;
      }
      if (r.when !== null && r.when(values) === 0) return;
      if (all.length >= most) fail(`more than ${most} messages`);
      all.push({
        line: r.line,
        round: whole(r.round(values), 0, 1_000_000, "round"),
        from: whole(r.sender(values), 0, ranks - 1, "rank"),
        to: whole(r.receiver(values), 0, ranks - 1, "rank"),
        items: r.items.map((i) => ({ ...i, values })),
      });
    };
    go(0, new Map([["P", ranks]]));
  }
  return all;
}

export type { Buffer, Place };
