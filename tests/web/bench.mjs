// How fast the web build is: beside the program, question by question; and in the page, from opening to moving sliders.
// Usage: node tests/web/bench.mjs PROGRAM WEB OUT BUILD
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { launch } from "../browser/browser.mjs";

const [program, , , build] = process.argv.slice(2).map((path) => resolve(path));
const row = (what, value) => console.log(`${what.padEnd(66)} ${value}`);
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const page = join(build, "play.html");
row("the page", `${(statSync(page).size / 2 ** 20).toFixed(2)} MiB, compressed ${(gzipSync(readFileSync(page)).length / 2 ** 20).toFixed(2)} MiB`);

// Long enough that the start of a process does not count.
const questions = [
  "sweep alltoall hypercube --ranks 8..1024 --bytes 1..64KiB*2 --machine ipsc860 --threads 1 --json",
  "sweep allreduce torus:4x4 hypercube:5 --bytes 1KiB..16MiB*4 --machine cluster --threads 1 --json",
  "sweep bcast mesh:16x16 ring:64 --bytes 1KiB..1MiB*4 --machine paragon --threads 1 --json",
  "simulate alltoall hypercube:10 --machine ipsc860 --algorithm alltoall_direct --quick --json",
  "verify alltoall torus:16x16 --machine paragon --json",
];
const { start } = await import(pathToFileURL(join(build, "package/node.js")).href);
const web = await start();
await web.ask(questions[0].split(" ")); // what is compiled when it is first called, is compiled
const sums = [0, 0];
for (const line of questions) {
  const words = line.split(" ");
  const native = () => execFileSync(program, words, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  const time = async (act) => {
    const took = [];
    for (let i = 0; i < 3; ++i) {
      const began = performance.now();
      await act();
      took.push(performance.now() - began);
    }
    return median(took);
  };
  const [there, here] = [await time(native), await time(() => web.ask(words, { milliseconds: 120_000 }))];
  sums[0] += there;
  sums[1] += here;
  row(line.slice(0, 66), `${there.toFixed(0)} ms native, ${here.toFixed(0)} ms WebAssembly: ${(here / there).toFixed(2)} times`);
}
row("all of them", `${(sums[1] / sums[0]).toFixed(2)} times`);
web.close();

const browser = await launch();
async function opened(fragment) {
  const shown = await browser.newPage({ viewport: { width: 1180, height: 900 } });
  await shown.goto(`${pathToFileURL(page).href}#${fragment}`);
  await shown.waitForFunction(() => window.play?.opened > 0);
  return shown;
}
const first = [];
for (let i = 0; i < 5; ++i) {
  const shown = await opened("collective=alltoall&topology=hypercube:6&bytes=100&machine=ipsc860");
  first.push(await shown.evaluate(() => window.play.opened));
  await shown.close();
}
row("first answer after opening, median of 5", `${(median(first) / 1000).toFixed(2)} s`);
for (const question of ["collective=alltoall&topology=hypercube:6&machine=ipsc860", "collective=allgather&topology=torus:8x8&machine=paragon", "collective=allreduce&topology=fattree:4*4&machine=cluster", "collective=alltoall&topology=hypercube:10&machine=ipsc860", "collective=allgather&topology=torus:32x32&machine=paragon", "collective=allreduce&topology=fattree:16&machine=cluster"]) {
  const shown = await opened(`${question}&bytes=1`);
  await shown.evaluate(() => window.play.rest());
  await shown.locator('[data-part="bytes-slider"]').focus();
  const before = await shown.evaluate(() => window.play.answers().length);
  for (let i = 0; i < 60; ++i) {
    await shown.keyboard.press("ArrowRight");
    await shown.waitForTimeout(30);
  }
  await shown.waitForTimeout(1000);
  const took = (await shown.evaluate(() => window.play.answers())).slice(before);
  row(`answers while the slider moves: ${question.replace(/^collective=|&machine=.*/g, "").replace("&topology=", " ")}`, `median ${median(took).toFixed(0)} ms, most ${Math.max(...took).toFixed(0)} ms, ${took.length} of 60 steps`);
  await shown.close();
}
const moving = await opened("collective=allgather&topology=torus:16x16&bytes=1KiB");
await moving.evaluate(() => window.play.rest());
await moving.evaluate(() => window.play.work(2000));
await moving.getByRole("button", { name: "Play", exact: true }).click();
await moving.waitForTimeout(2000);
row("frames a second, 256 ranks, while the planner works", (await moving.evaluate(() => window.play.player().fps)).toFixed(1));
await browser.close();
