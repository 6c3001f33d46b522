// The program, which answers in a worker: started once from what the page carries.
import worker from "../../library/src/worker?worker&inline";
import { Quadrille, Stopped, type Answer } from "../../library/src/client";
import { commandLine, type Question } from "./question";

declare const __WASM__: string; // quadrille.wasm, compressed, as text: vite.play.config.ts puts it here

/// Compressed bytes in text, unpacked.
async function unpacked(text: string): Promise<ArrayBuffer> {
  const bytes = atob(text);
  const packed = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; ++i) packed[i] = bytes.charCodeAt(i); // Uint8Array.from takes ten times as long
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export interface Refused {
  kind: string;
  message: string;
}
/// An object, or why there is none. `null`: nobody waits for it any more.
export type Told<T> = { value: T; status: number } | { refused: Refused } | null;

export class Planner {
  private constructor(private readonly quadrille: Quadrille) {}

  /// One that is never kept waiting, and one for what takes longer.
  static async pair(): Promise<{ quick: Planner; thorough: Planner }> {
    const module = await WebAssembly.compile(await unpacked(__WASM__));
    const begin = () =>
      new Planner(
        new Quadrille(module, (receive, failed) => {
          const made = new worker();
          made.onmessage = (event: MessageEvent) => receive(event.data);
          made.onerror = (event: ErrorEvent) => failed(event.message);
          return { send: (message) => made.postMessage(message), end: () => made.terminate() };
        }),
      );
    return { quick: begin(), thorough: begin() };
  }

  /// The answer to the words, as JSON.
  async json<T>(words: string[], files: Record<string, string>, signal: AbortSignal | null = null, milliseconds = 10_000): Promise<Told<T>> {
    let answer: Answer;
    try {
      answer = await this.quadrille.ask([...words, "--json"], { files, milliseconds, ...(signal ? { signal } : {}) });
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      if (error.why === "signal") return null;
      const message = error.why === "time" ? `It was stopped, as it took more than ${milliseconds / 1000} s. Try fewer ranks, or the command in a terminal.` : `The program came to no end here (${error.message}).`;
      return { refused: { kind: error.why, message } };
    }
    if (!answer.stdout.startsWith("{")) return { refused: { kind: "usage", message: answer.stderr.trim() || "no answer" } };
    const value = JSON.parse(answer.stdout) as T & { error?: Refused };
    return value.error ? { refused: value.error } : { value, status: answer.status };
  }

  /// What a command writes to standard output.
  async text(words: string[], files: Record<string, string>): Promise<string> {
    return (await this.quadrille.ask(words, { files, milliseconds: 10_000 })).stdout;
  }
}

/// Asks again and again while the question changes: one question is at work, the latest one waits, those between are left
/// out. So an answer comes as often as there can be one, and the last one is of the last question.
export class Latest<T> {
  private waiting: (() => Promise<T>) | null = null;
  private busy = false;
  private resting: (() => void)[] = [];

  constructor(private readonly show: (value: T) => void) {}

  ask(make: () => Promise<T>): void {
    this.waiting = make;
    if (!this.busy) void this.work();
  }

  private async work(): Promise<void> {
    this.busy = true;
    while (this.waiting !== null) {
      const make = this.waiting;
      this.waiting = null;
      this.show(await make());
    }
    this.busy = false;
    for (const done of this.resting.splice(0)) done();
  }

  /// When nothing waits for an answer.
  rest(): Promise<void> {
    return this.busy ? new Promise((done) => this.resting.push(done)) : Promise.resolve();
  }
}

export const line = (q: Question) => commandLine(q.schedule !== "" ? "verify" : "plan", q);
