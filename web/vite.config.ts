// Builds report.html and papers.html, each one file.
import { resolve } from "node:path";
import { defineConfig } from "vite";
import { singleFile } from "./single_file";

export default defineConfig({
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: { input: { report: resolve(import.meta.dirname, "report.html"), papers: resolve(import.meta.dirname, "papers.html") } },
  },
  plugins: [singleFile()],
});
