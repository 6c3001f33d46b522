// The worker's side: takes the compiled program, then questions, and answers each.
import { Engine, type Answer, type Content } from "./engine.js";

export interface Start {
  module: WebAssembly.Module;
}
export interface Question {
  id: number;
  words: readonly string[];
  files: Record<string, Content>;
}
/// `id` is -1 when the program has started. `broken`: it came to no end, and answers nothing any more.
export interface Reply {
  id: number;
  answer?: Answer;
  broken?: string;
}

/// Begins to listen. Questions are answered in the order in which they come.
export function serve(listen: (receive: (message: Start | Question) => void) => void, reply: (message: Reply) => void): void {
  let engine: Promise<Engine> | null = null;
  const failed = (id: number) => (error: unknown) => reply({ id, broken: String(error) });
  listen((message) => {
    if ("module" in message) {
      engine = Engine.start(message.module);
      void engine.then(() => reply({ id: -1 }), failed(-1));
      return;
    }
    const { id, words, files } = message;
    void engine?.then((ready) => reply({ id, answer: ready.run(words, files) })).catch(failed(id));
  });
}
