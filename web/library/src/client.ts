// Asks a program that runs in a worker. A question that takes too long, or is not wanted any more, is stopped with its
// worker; the next one gets a new worker, with the program as it was compiled once.
import type { Answer, Content } from "./engine.js";
import type { Question, Reply, Start } from "./serve.js";

export type { Answer, Content };

/// A worker, of a browser or of node.
export interface Port {
  send(message: Start | Question): void;
  end(): void;
}
/// Makes a worker that says what it answers, or that it failed.
export type Spawn = (receive: (reply: Reply) => void, failed: (why: string) => void) => Port;

/// Why a question has no answer.
export class Stopped extends Error {
  constructor(readonly why: "time" | "signal" | "broken" | "closed", message: string) {
    super(message);
    this.name = "Stopped";
  }
}

export interface Asking {
  files?: Record<string, Content>;
  /// After so many it is stopped; default 30 000, from when its turn comes.
  milliseconds?: number;
  signal?: AbortSignal;
}

interface Waiting {
  question: Question;
  milliseconds: number;
  done: (answer: Answer) => void;
  failed: (error: Stopped) => void;
}

export class Quadrille {
  private port: Port | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting: Waiting[] = []; // the first one is being answered
  private next = 0;
  private closed = false;

  /// `module`: quadrille.wasm, compiled.
  constructor(
    private readonly module: WebAssembly.Module,
    private readonly spawn: Spawn,
  ) {
    this.begin();
  }

  /// What `quadrille` says to these words, the name of the program left out. Rejects with Stopped.
  ask(words: readonly string[], { files = {}, milliseconds = 30_000, signal }: Asking = {}): Promise<Answer> {
    return new Promise((done, failed) => {
      if (this.closed) return failed(new Stopped("closed", "the program was closed"));
      if (signal?.aborted) return failed(new Stopped("signal", "the question was taken back"));
      const question = { id: this.next++, words: [...words], files };
      this.waiting.push({ question, milliseconds, done, failed });
      signal?.addEventListener("abort", () => this.give(question.id, new Stopped("signal", "the question was taken back")), { once: true });
      if (this.waiting.length === 1) this.send();
    });
  }

  /// Ends the worker. Questions without an answer are rejected.
  close(): void {
    this.closed = true;
    this.drop();
    for (const w of this.waiting.splice(0)) w.failed(new Stopped("closed", "the program was closed"));
  }

  private begin(): void {
    this.port = this.spawn(
      (reply) => this.receive(reply),
      (why) => this.broken(why),
    );
    this.port.send({ module: this.module });
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.port?.end();
    this.port = null;
  }

  private send(): void {
    const first = this.waiting[0];
    if (first === undefined || this.closed) return;
    if (this.port === null) this.begin();
    this.port!.send(first.question);
    this.timer = setTimeout(() => this.give(first.question.id, new Stopped("time", `stopped after ${first.milliseconds / 1000} s`)), first.milliseconds);
  }

  private receive({ id, answer, broken }: Reply): void {
    if (broken !== undefined) return this.broken(broken);
    if (answer === undefined || this.waiting[0]?.question.id !== id) return;
    clearTimeout(this.timer);
    this.waiting.shift()!.done(answer);
    this.send();
  }

  private broken(why: string): void {
    const first = this.waiting[0];
    if (first === undefined) return this.drop();
    this.give(first.question.id, new Stopped("broken", why));
  }

  /// Ends one question without an answer; with its worker, where that is at work on it.
  private give(id: number, error: Stopped): void {
    const at = this.waiting.findIndex((w) => w.question.id === id);
    if (at < 0) return;
    const [given] = this.waiting.splice(at, 1);
    given.failed(error);
    if (at > 0) return;
    this.drop();
    this.send();
  }
}
