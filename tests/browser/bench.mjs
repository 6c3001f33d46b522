// How fast the page of the largest animated report is: an all-gather of 1024 ranks on a torus, all in motion.
// Usage: node tests/browser/bench.mjs PROGRAM WEB OUT
import { statSync } from "node:fs";
import { folder, launch, report } from "./browser.mjs";

const began = performance.now();
const url = report("bench", "allgather", "torus:32x32", "--bytes", "1KiB", "--set", "ports=all");
const made = performance.now() - began;
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1180, height: 900 } });
await page.goto(url);
const opened = await page.evaluate(async () => {
  while (window.quadrille.opened === 0) await new Promise(requestAnimationFrame);
  return window.quadrille.opened;
});
await page.evaluate(() => window.quadrille.ready);
const ready = await page.evaluate(() => performance.now());
await page.selectOption(".speed select", "4");
await page.getByRole("button", { name: "Play", exact: true }).click();
await page.waitForFunction(() => window.quadrille.player().atEnd, null, { timeout: 120_000 });
const { fps, frames, complete } = await page.evaluate(() => window.quadrille.player());
await browser.close();
const row = (what, value) => console.log(`${what.padEnd(52)} ${value}`);
row("report of a 1024-rank torus all-gather made in", `${(made / 1000).toFixed(2)} s, ${Math.round(statSync(`${folder}/bench.html`).size / 1024)} KiB`);
row("page shown after", `${(opened / 1000).toFixed(2)} s`);
row("every piece followed and every link counted after", `${(ready / 1000).toFixed(2)} s`);
row("frames a second, by the page's own counter", `${fps.toFixed(1)} (${frames} frames)`);
row("every rank has what it must have", String(complete));
