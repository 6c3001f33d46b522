// The worker under node.
import { parentPort } from "node:worker_threads";

// What Emscripten made is for workers of browsers, which have these.
Object.assign(globalThis, { self: globalThis, location: { href: "" }, importScripts: () => undefined });
const { serve } = await import("./serve.js");
serve(
  (receive) => parentPort!.on("message", receive),
  (message) => parentPort!.postMessage(message),
);
