// Under node.
import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { Quadrille, type Spawn } from "./client.js";

export { Quadrille, Stopped, type Answer, type Asking, type Content } from "./client.js";
export * from "./answers.js";

const spawn: Spawn = (receive, failed) => {
  const worker = new Worker(new URL("./node-worker.js", import.meta.url));
  worker.on("message", receive);
  worker.on("error", (error) => failed(String(error)));
  return { send: (message) => worker.postMessage(message), end: () => void worker.terminate() };
};

/// Compiles the program, which is beside this file.
export async function start(): Promise<Quadrille> {
  return new Quadrille(await WebAssembly.compile(await readFile(new URL("./quadrille.wasm", import.meta.url))), spawn);
}
