// Amounts on sliders: bytes, seconds and seconds per byte, over many powers of ten.

const units: Record<string, number> = { "": 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, K: 1024 };

/// Bytes of a size as the program reads it; NaN for what is none.
export function sizeOf(text: string): number {
  const [, number, unit] = /^([\d.]+(?:e[+-]?\d+)?) ?([A-Za-z]*)$/.exec(text.trim()) ?? [];
  return number === undefined || units[unit] === undefined ? NaN : Number(number) * units[unit];
}

/// A whole number of bytes, in the largest unit that leaves it whole.
export function sizeText(bytes: number): string {
  let n = Math.round(bytes);
  let at = 0;
  const names = ["", "KiB", "MiB", "GiB"];
  while (n > 0 && n % 1024 === 0 && at < 3) {
    n /= 1024;
    ++at;
  }
  return `${n}${names[at]}`;
}

/// Sizes on a slider, four to an octave: 0, 1, 2, ... 2^30.
export const sizeSteps: number[] = (() => {
  const all = [0];
  for (let step = 0; step <= 120; ++step) {
    const exact = 2 ** (step / 4);
    const grain = exact < 64 ? 1 : 2 ** (Math.floor(Math.log2(exact)) - 4);
    const size = Math.round(exact / grain) * grain;
    if (size !== all[all.length - 1]) all.push(size);
  }
  return all;
})();

/// The step that is nearest to a value.
export function nearest(steps: readonly number[], value: number): number {
  let best = 0;
  steps.forEach((step, i) => {
    if (Math.abs(Math.log((step + 0.5) / (value + 0.5))) < Math.abs(Math.log((steps[best] + 0.5) / (value + 0.5)))) best = i;
  });
  return best;
}

/// Values of a constant, twelve to a power of ten, and 0 at the left end.
export function constantSteps(unit: string): number[] {
  const [low, high] = unit === "s" ? [-9, 1] : unit === "s/B" ? [-12, 0] : [0, 9];
  const all = [0];
  for (let step = 12 * low; step <= 12 * high; ++step) all.push(Number((10 ** (step / 12)).toPrecision(3)));
  return unit === "B" ? [...new Set(all.map(Math.round))] : all;
}

/// What constantText() writes, in seconds, bytes or seconds per byte; null for anything else.
export function constantOf(text: string): number | null {
  const sizes: Record<string, number> = { "": 1, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };
  const [, number, unit] = /^(\d*\.?\d+) ?([a-z]*)(?:\/B)?$/.exec(text.trim()) ?? [];
  return number === undefined || sizes[unit] === undefined ? null : Number(number) * sizes[unit];
}

/// As the program reads it: "95us", "0.394us/B", "16384".
export function constantText(value: number, unit: string): string {
  if (unit === "B" || unit === "") return String(Math.round(value));
  const per = unit === "s/B" ? "/B" : "";
  if (value === 0) return `0s${per}`;
  for (const [size, name] of [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]] as [number, string][])
    if (value >= size || name === "ns") return `${Number((value / size).toPrecision(4))}${name}${per}`;
  return `${value}s${per}`;
}
