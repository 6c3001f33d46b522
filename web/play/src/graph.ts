// A drawn network as the program's network file, both ways. What the drawing does not know stays in the file as it was.

export interface Node {
  name: string;
  kind: "host" | "switch";
  x: number;
  y: number;
}
export interface Wire {
  a: string;
  b: string;
  /// "25GB/s", or a width such as "4"; empty: 1.
  rate: string;
  failed: boolean;
  /// What else its line says: a latency, a count, a kind.
  more: string;
}
export interface Graph {
  nodes: Node[];
  wires: Wire[];
  /// Lines that are not drawn.
  others: string[];
}

export const most = 64; // nodes that are drawn
const word = /^[A-Za-z0-9_.-]{1,40}$/;
const rate = /^[\d.]+(?:e[+-]?\d+)?(?:[kKMGT]?i?(?:B|bit)\/s)?$/;

/// Null for a file that is not drawn: too large, or not in lines.
export function readGraph(text: string): Graph | null {
  const graph: Graph = { nodes: [], wires: [], others: [] };
  const places = new Map<string, [number, number]>();
  const fails: [string, string][] = [];
  for (const line of text.split("\n")) {
    const [, name, x, y] = /^# at (\S+) (-?\d+) (-?\d+)$/.exec(line) ?? [];
    if (name !== undefined) {
      places.set(name, [Number(x), Number(y)]);
      continue;
    }
    const words = line.replace(/#.*/, "").trim().split(/\s+/);
    const [what, ...rest] = words;
    if ((what === "host" || what === "switch") && rest.every((w) => word.test(w))) for (const name of rest) graph.nodes.push({ name, kind: what, x: NaN, y: NaN });
    else if (what === "link" && rest.length >= 2) {
      const [a, b, ...more] = rest;
      const at = more.findIndex((w) => rate.test(w));
      graph.wires.push({ a, b, rate: at < 0 ? "" : more[at], failed: false, more: more.filter((_, i) => i !== at).join(" ") });
    } else if (what === "fail" && rest.length === 2) fails.push([rest[0], rest[1]]);
    else if (line.trim() !== "") graph.others.push(line);
  }
  if (graph.nodes.length > most || graph.wires.length > 4 * most) return null;
  for (const [a, b] of fails) {
    const hit = graph.wires.filter((w) => (w.a === a && w.b === b) || (w.a === b && w.b === a));
    if (hit.length === 0) graph.others.push(`fail ${a} ${b}`);
    for (const w of hit) w.failed = true;
  }
  const known = new Set(graph.nodes.map((n) => n.name));
  if (known.size !== graph.nodes.length || graph.wires.some((w) => !known.has(w.a) || !known.has(w.b))) return null;
  layOut(graph, places);
  return graph;
}

/// Where the file says; else hosts below and switches above.
function layOut(graph: Graph, places: Map<string, [number, number]>): void {
  for (const kind of ["host", "switch"] as const) {
    const row = graph.nodes.filter((n) => n.kind === kind);
    const ring = kind === "host" && row.length === graph.nodes.length;
    row.forEach((n, i) => {
      const angle = (2 * Math.PI * i) / row.length - Math.PI / 2;
      const [x, y] = places.get(n.name) ?? (ring ? [300 + 200 * Math.cos(angle), 150 + 110 * Math.sin(angle)] : [(600 * (i + 0.5)) / row.length, kind === "host" ? 240 : 70]);
      n.x = Math.round(Math.max(15, Math.min(585, x)));
      n.y = Math.round(Math.max(15, Math.min(285, y)));
    });
  }
}

export function writeGraph(graph: Graph): string {
  const named = (kind: Node["kind"]) => graph.nodes.filter((n) => n.kind === kind).map((n) => n.name);
  const lines: string[] = [];
  for (const kind of ["host", "switch"] as const) if (named(kind).length > 0) lines.push(`${kind} ${named(kind).join(" ")}`);
  const pairs = new Map<string, number>();
  for (const w of graph.wires) lines.push(["link", w.a, w.b, w.rate, w.more].filter((part) => part !== "").join(" "));
  for (const w of graph.wires) {
    const key = [w.a, w.b].sort().join(" ");
    pairs.set(key, (pairs.get(key) ?? 0) + 1);
    if (w.failed) lines.push(`fail ${w.a} ${w.b}${graph.wires.filter((o) => [o.a, o.b].sort().join(" ") === key).length > 1 ? ` #${pairs.get(key)}` : ""}`);
  }
  lines.push(...graph.others, ...graph.nodes.map((n) => `# at ${n.name} ${n.x} ${n.y}`));
  return lines.join("\n") + "\n";
}

/// A name that no node has.
export function freeName(graph: Graph, kind: Node["kind"]): string {
  for (let i = 0; ; ++i) {
    const name = `${kind === "host" ? "n" : "s"}${i}`;
    if (!graph.nodes.some((n) => n.name === name)) return name;
  }
}

export const example = `host n0 n1 n2 n3
switch s0 s1
link n0 s0 25GB/s
link n1 s0 25GB/s
link n2 s1 25GB/s
link n3 s1 25GB/s
link s0 s1 25GB/s
`;
