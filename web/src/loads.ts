// What the messages of a round put on links: added up in the page, link by link.
import type { Layout } from "./layout";
import type { Schedule } from "./schedule";
import type { Way } from "./ways";

/// One round: which links carry how much.
export interface Load {
  link: Int32Array;
  bytes: Float64Array;
  messages: Int32Array;
  most: number;
  /// S, and where it is reached.
  competition: number;
  at: number;
}

export class Loads {
  private ways = new Map<number, Way>();
  private bytes = new Float64Array(0);
  private messages = new Int32Array(0);

  constructor(
    private readonly schedule: Schedule,
    private readonly layout: Layout,
  ) {}

  way(from: number, to: number): Way {
    const key = from * this.schedule.nodes + to;
    let way = this.ways.get(key);
    if (way === undefined) {
      way = this.layout.way(from, to);
      if (this.ways.size > 20_000) this.ways.clear();
      this.ways.set(key, way);
    }
    return way;
  }

  of(round: number): Load {
    const m = this.schedule.messages(round);
    const touched: number[] = [];
    for (let i = 0; i < m.count; ++i)
      this.each(m.from[i], m.to[i], (link, share) => {
        if (link >= this.bytes.length) this.grow(link);
        if (this.messages[link] === 0) touched.push(link);
        this.bytes[link] += m.bytes[i] * share;
        ++this.messages[link];
      });
    const load: Load = {
      link: Int32Array.from(touched),
      bytes: new Float64Array(touched.length),
      messages: new Int32Array(touched.length),
      most: 0,
      competition: 0,
      at: -1,
    };
    touched.forEach((link, i) => {
      load.bytes[i] = this.bytes[link];
      load.messages[i] = this.messages[link];
      load.most = Math.max(load.most, this.bytes[link]);
      if (this.messages[link] > load.competition) [load.competition, load.at] = [this.messages[link], link];
      this.bytes[link] = 0;
      this.messages[link] = 0;
    });
    return load;
  }

  /// The links of a message, and what part of it crosses each.
  private each(from: number, to: number, use: (link: number, share: number) => void): void {
    const { links, shares } = this.way(from, to);
    links.forEach((link, i) => use(link, shares?.[i] ?? 1));
  }

  private grow(link: number): void {
    const size = Math.max(64, 2 * link);
    const bytes = new Float64Array(size);
    bytes.set(this.bytes);
    const messages = new Int32Array(size);
    messages.set(this.messages);
    [this.bytes, this.messages] = [bytes, messages];
  }

  /// All rounds, with pauses; null when they take too much time or memory.
  async all(): Promise<Load[] | null> {
    const loads: Load[] = [];
    let entries = 0;
    let began = performance.now();
    let spent = 0;
    for (let t = 0; t < this.schedule.rounds; ++t) {
      loads.push(this.of(t));
      entries += loads[t].link.length;
      const took = performance.now() - began;
      if (took > 12) {
        if ((spent += took) > 6000) return null;
        await new Promise((go) => setTimeout(go, 0));
        began = performance.now();
      }
      if (entries > 4_000_000) return null;
    }
    return loads;
  }
}
