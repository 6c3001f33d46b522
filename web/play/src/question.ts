// A question, its words for the program, and its form in an address. The address is somebody else's text: whatever it
// holds becomes a question within limits, or none.

export const optional = ["root", "target", "sources", "demands", "element", "operands", "bits", "counts"] as const;
export type Option = (typeof optional)[number];

export interface Question {
  collective: string;
  topology: string;
  bytes: string;
  /// A preset, or a file; empty: what the program takes by itself.
  machine: string;
  /// Constants that are set, such as "alpha=2us".
  set: string[];
  options: Partial<Record<Option, string>>;
  /// Texts that the question names: networks, machines.
  files: Record<string, string>;
  /// A schedule of one's own; empty: the best that is known.
  schedule: string;
  /// An algorithm to look at in place of the best.
  algorithm: string;
  /// Null: nothing is simulated. Else how, by options of the command; those that may be repeated are parted by blanks.
  simulate: Partial<Record<Playing, string>> | null;
}
export const playing = ["order", "network", "jitter", "skew", "seed", "slow", "fail"] as const;
export type Playing = (typeof playing)[number];
/// These may be given several times.
const repeated: readonly Playing[] = ["slow", "fail"];

/// What a simulation is asked with, beside the words of the question.
export function playingWords(q: Question): string[] {
  return playing.flatMap((key) => (q.simulate?.[key]?.split(" ") ?? []).filter((v) => v !== "").map((value) => `--${key}=${value}`));
}

export const plain: Question = { collective: "alltoall", topology: "hypercube:4", bytes: "1KiB", machine: "", set: [], options: {}, files: {}, schedule: "", algorithm: "", simulate: null };

/// A barrier's messages have no size.
export const sized = (q: Question) => q.collective !== "barrier";

/// The words that are common to all commands.
export function words(q: Question): string[] {
  const all = [q.collective, q.topology];
  if (sized(q) && q.options.counts === undefined) all.push(`--bytes=${q.bytes}`);
  if (q.machine !== "") all.push(`--machine=${q.machine}`);
  for (const assignment of q.set) all.push(`--set=${assignment}`);
  for (const option of optional) if (q.options[option] !== undefined) all.push(`--${option}=${q.options[option]}`);
  return all;
}

/// As a shell takes it.
function quoted(word: string): string {
  return /^[\w\-./:=,+@%^]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/// The line that gives the same answer in a terminal.
export function commandLine(command: string, q: Question): string {
  const line = [...words(q), ...(command === "simulate" ? playingWords(q) : [])].map((word) => {
    const [, option, value] = /^(--[a-z]+)=([^]*)$/.exec(word) ?? [];
    return option === undefined ? quoted(word) : `${option} ${quoted(value)}`;
  });
  const algorithm = q.schedule !== "" ? " --algorithm file:schedule.json" : q.algorithm !== "" ? ` --algorithm ${quoted(q.algorithm)}` : "";
  return `quadrille ${command} ${line.join(" ")}${algorithm}`;
}

/// What follows # in an address. Characters that read well stay.
const encoded = (text: string) => encodeURIComponent(text).replace(/%(?:3A|2C|2F|40|3D)/g, (code) => decodeURIComponent(code));

export function toFragment(q: Question): string {
  const pairs: [string, string][] = [["collective", q.collective], ["topology", q.topology]];
  if (sized(q)) pairs.push(["bytes", q.bytes]);
  if (q.machine !== "") pairs.push(["machine", q.machine]);
  for (const assignment of q.set) pairs.push(["set", assignment]);
  for (const option of optional) if (q.options[option] !== undefined) pairs.push([option, q.options[option]!]);
  if (q.simulate !== null) pairs.push(["ask", "simulate"]);
  if (q.algorithm !== "") pairs.push(["algorithm", q.algorithm]);
  for (const key of playing) for (const value of q.simulate?.[key]?.split(" ") ?? []) if (value !== "") pairs.push([key, value]);
  for (const [name, text] of Object.entries(q.files)) pairs.push([`file.${name}`, text]);
  if (q.schedule !== "") pairs.push(["schedule", q.schedule]);
  return pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encoded(value)}`).join("&");
}

const longest = 200;
const mostFiles = 8;
export const mostText = 1 << 18;
const fine = (value: string, most = longest) => value.length <= most && !/[\0-\x1f\x7f]/.test(value) && !value.startsWith("-");
const fileName = /^[A-Za-z0-9][\w .+=,-]{0,60}$/;

/// The question in an address; null where there is none, or one that nobody would write.
export function fromFragment(fragment: string): Question | null {
  const text = fragment.replace(/^#/, "");
  if (text === "" || text.length > 4 * mostText) return null;
  const q: Question = { ...plain, set: [], options: {}, files: {} };
  let known = false;
  for (const pair of text.split("&").slice(0, 100)) {
    const at = pair.indexOf("=");
    if (at < 0) continue;
    let key: string, value: string;
    try {
      [key, value] = [pair.slice(0, at), pair.slice(at + 1)].map((part) => decodeURIComponent(part.replaceAll("+", "%2B"))) as [string, string];
    } catch {
      continue;
    }
    if (key.startsWith("file.")) {
      const name = key.slice(5);
      if (fileName.test(name) && value.length <= mostText && Object.keys(q.files).length < mostFiles) q.files[name] = value;
    } else if (key === "schedule") {
      if (value.length <= mostText) q.schedule = value;
    } else if (!fine(value, key === "demands" ? mostText : longest)) continue; // a list of pairs is long
    else if (key === "collective" || key === "topology" || key === "bytes" || key === "machine" || key === "algorithm") {
      q[key] = value;
      known = true;
    } else if (key === "set") {
      if (q.set.length < 40) q.set.push(value);
    } else if (key === "ask") {
      if (value === "simulate") q.simulate ??= {};
    } else if ((playing as readonly string[]).includes(key)) {
      const [name, before] = [key as Playing, q.simulate?.[key as Playing]];
      if (!/\s/.test(value)) q.simulate = { ...q.simulate, [name]: repeated.includes(name) && before ? `${before} ${value}`.slice(0, longest) : value };
    } else if ((optional as readonly string[]).includes(key)) q.options[key as Option] = value;
  }
  return known && q.collective !== "" && q.topology !== "" ? q : null;
}

export const copy = (q: Question): Question => structuredClone(q);
