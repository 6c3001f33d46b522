// Numbers for people: the same words as the command line uses.

export function count(n: number): string {
  return Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

export function bytes(n: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let i = 0;
  while (n >= 1024 && i + 1 < units.length) {
    n /= 1024;
    ++i;
  }
  return `${i === 0 ? Number(n.toPrecision(4)) : Number(n.toPrecision(3))} ${units[i]}`;
}

function seconds(t: number): string {
  if (t === 0) return "0 s";
  const steps: [number, string][] = [
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "\u00b5s"],
    [1e-9, "ns"],
  ];
  if (t >= 7200) return `${Number((t / 3600).toPrecision(4))} h`;
  if (t >= 120) return `${Math.floor(t / 60)} min ${Math.round(t % 60)} s`;
  for (const [unit, name] of steps) if (t >= unit * 0.9999 || unit === 1e-9) return `${(t / unit).toPrecision(4)} ${name}`;
  return `${t} s`;
}

let counts = false;
/// On machines of unit constants times are counts.
export function timesAreCounts(value: boolean): void {
  counts = value;
}
export function time(t: number): string {
  if (!counts) return seconds(t);
  return Number.isInteger(t) ? count(t) : t.toPrecision(4);
}
export const timeUnit = () => (counts ? "start-ups + bytes" : "s");

export function ratio(r: number): string {
  return r < 10 ? r.toFixed(2) : r < 100 ? r.toFixed(1) : count(r);
}

export function percent(part: number, whole: number): string {
  if (!(whole > 0)) return "-";
  const p = (100 * part) / whole;
  return p > 0 && p < 0.05 ? "< 0.1 %" : `${p > 0 && p < 0.95 ? p.toFixed(1) : p.toFixed(0)} %`;
}

export function slower(t: number, best: number): string {
  if (t <= best * (1 + 1e-12)) return "just as fast";
  if (!(best > 0)) return "slower";
  const r = t / best;
  if (r < 1.0005) return "less than 0.1 % slower";
  if (r >= 2) return `${ratio(r)} times as long`;
  const p = 100 * (r - 1);
  return `${p < 9.95 ? p.toFixed(1) : p.toFixed(0)} % slower`;
}

export const some = (n: number, noun: string) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
