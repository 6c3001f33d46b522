// In a browser, from files on a web server: worker.js must be beside this, as in the package.
import { Quadrille, type Spawn } from "./client.js";

export { Quadrille, Stopped, type Answer, type Asking, type Content } from "./client.js";
export * from "./answers.js";

/// Workers of a script.
export const workers =
  (script: string | URL, type: WorkerOptions["type"] = "module"): Spawn =>
  (receive, failed) => {
    const worker = new Worker(script, { type: type ?? "module" });
    worker.onmessage = (event) => receive(event.data);
    worker.onerror = (event) => failed(event.message);
    return { send: (message) => worker.postMessage(message), end: () => worker.terminate() };
  };

/// Fetches and compiles the program.
export async function start(wasm: string | URL = new URL("./quadrille.wasm", import.meta.url)): Promise<Quadrille> {
  const module = await WebAssembly.compileStreaming(fetch(wasm));
  return new Quadrille(module, workers(new URL("./worker.js", import.meta.url)));
}
