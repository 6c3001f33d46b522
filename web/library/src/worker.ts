// The worker in a browser.
import { serve, type Question, type Reply, type Start } from "./serve.js";

const scope = globalThis as unknown as { onmessage: ((event: { data: Start | Question }) => void) | null; postMessage(message: Reply): void };
serve(
  (receive) => (scope.onmessage = (event) => receive(event.data)),
  (message) => scope.postMessage(message),
);
