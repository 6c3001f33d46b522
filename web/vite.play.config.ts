// Builds play.html: one file that holds the planner, too. QUADRILLE_WASM names quadrille.wasm.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";
import { singleFile } from "./single_file";

const packed = gzipSync(readFileSync(process.env.QUADRILLE_WASM!), { level: 9 }).toString("base64");

export default defineConfig({
  base: "./",
  root: resolve(import.meta.dirname, "play"),
  define: { __WASM__: JSON.stringify(packed) },
  worker: { format: "iife" },
  build: {
    outDir: resolve(import.meta.dirname, "play-dist"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1 << 14,
    rollupOptions: { input: { play: resolve(import.meta.dirname, "play/play.html") } },
  },
  plugins: [singleFile("'wasm-unsafe-eval'", "worker-src blob:")],
});
