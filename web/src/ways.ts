// The ways of messages over links that have numbers.

/// A message's way: points x, y, x, y, ... (a NaN pair where it leaves at one edge and comes back at the other), and
/// the links it takes up, by number. Of a message that is divided among ways the points of the widest, the links of all,
/// and what part of it crosses each.
export interface Way {
  points: number[];
  links: number[];
  shares?: number[] | undefined;
}
/// How a pair's messages are divided: how many of its links are those of the widest way, and what part crosses each.
export interface Division {
  widest: number;
  shares: number[];
}

/// Numbers links as they come up.
export class Links {
  private readonly index = new Map<number, number>();
  readonly lines: number[][] = [];
  readonly names: string[] = [];
  number(key: number, line: () => number[], name: () => string): number {
    let at = this.index.get(key);
    if (at === undefined) {
      at = this.lines.length;
      this.index.set(key, at);
      this.lines.push(line());
      this.names.push(name());
    }
    return at;
  }
}

/// Tail and head of links, each pair once whatever its direction.
export function pairsOf(ends: number[]): [number, number][] {
  const seen = new Map<string, [number, number]>();
  for (let i = 0; i < ends.length; i += 2) {
    const [a, b] = ends[i] < ends[i + 1] ? [ends[i], ends[i + 1]] : [ends[i + 1], ends[i]];
    seen.set(`${a} ${b}`, [a, b]);
  }
  return [...seen.values()];
}

/// Ways over links by their numbers; straight where none is known.
export function overLinks(ends: number[] | undefined, via: (from: number, to: number) => number[], links: Links, segment: (a: number, b: number) => number[], name: (vertex: number) => string, divided: (from: number, to: number) => Division | undefined = () => undefined): (from: number, to: number) => Way {
  const step = (key: number, a: number, b: number) => links.number(key, () => segment(a, b), () => `${name(a)} \u2192 ${name(b)}`);
  return (from, to) => {
    const known = ends === undefined ? [] : via(from, to);
    const used = known.length > 0 ? known.map((link) => step(link, ends![2 * link], ends![2 * link + 1])) : [step(-1 - from * 65536 - to, from, to)];
    const division = divided(from, to);
    const drawn = used.slice(0, division?.widest);
    return { points: drawn.flatMap((link, i) => (i === 0 ? links.lines[link] : links.lines[link].slice(2))), links: used, shares: division?.shares };
  };
}

/// Left, top, right and bottom of lines.
export function bounds(lines: number[][]): [number, number, number, number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of lines)
    for (let i = 0; i < line.length; i += 2)
      if (!Number.isNaN(line[i])) {
        left = Math.min(left, line[i]);
        right = Math.max(right, line[i]);
        top = Math.min(top, line[i + 1]);
        bottom = Math.max(bottom, line[i + 1]);
      }
  return [left, top, right, bottom];
}
