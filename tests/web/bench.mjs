// How fast the web build is: beside the program, question by question; and in the page, from opening to moving sliders.
// Times of processor are the kernel's own counts, which hold on a machine that does other work, too; those by the clock do not.
// Usage: node tests/web/bench.mjs PROGRAM WEB OUT BUILD
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { launch } from "../browser/browser.mjs";
import { all, renderers, times } from "./cpu.mjs";

const [program, , , build] = process.argv.slice(2).map((path) => resolve(path));
const row = (what, value) => console.log(`${what.padEnd(66)} ${value}`);
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const page = join(build, "play.html");
row("the page", `${(statSync(page).size / 2 ** 20).toFixed(2)} MiB, compressed ${(gzipSync(readFileSync(page)).length / 2 ** 20).toFixed(2)} MiB`);

// Long enough that the start of a process does not count. None is searched for: what was found is kept for the next time,
// which a process does not have.
const questions = [
  "sweep alltoall hypercube --ranks 8..1024 --bytes 1..64KiB*2 --machine ipsc860 --threads 1 --json",
  "sweep allreduce torus:4x4 hypercube:5 --bytes 1KiB..16MiB*4 --machine cluster --threads 1 --json",
  "verify allgather torus:32x32 --machine paragon --algorithm allgather_axes --json",
  "simulate alltoall hypercube:10 --machine ipsc860 --algorithm alltoall_direct --quick --json",
  "verify alltoall torus:16x16 --machine paragon --json",
];
const { start } = await import(pathToFileURL(join(build, "package/node.js")).href);
const web = await start();
await web.ask(questions[0].split(" ")); // what is compiled when it is first called, is compiled
const spent = (before) => (({ user, system }) => (user + system) / 1000)(process.cpuUsage(before));
/// Milliseconds of processor of the program, as the shell counts them: its own, and those of the system for it.
function native(words) {
  const said = execFileSync("bash", ["-c", '"$0" "$@" > /dev/null 2> /dev/null; times', program, ...words], { encoding: "utf8" });
  const [minutes, seconds, more, rest] = said.split("\n")[1].match(/[\d.]+/g).map(Number); // the second line is of children
  return 1000 * (60 * (minutes + more) + seconds + rest);
}
async function here(words) {
  const before = process.cpuUsage();
  await web.ask(words, { milliseconds: 600_000 });
  return spent(before);
}
const sums = [0, 0];
for (const line of questions) {
  const words = line.split(" ");
  const [one, other] = [[], []];
  for (let i = 0; i < 3; ++i) {
    one.push(native(words));
    other.push(await here(words));
  }
  const [there, took] = [Math.min(...one), Math.min(...other)];
  sums[0] += there;
  sums[1] += took;
  row(line.slice(0, 66), `${there.toFixed(0)} ms native, ${took.toFixed(0)} ms WebAssembly: ${(took / there).toFixed(2)} times (processor, least of 3 in turns)`);
}
row("all of them", `${(sums[1] / sums[0]).toFixed(2)} times`);
web.close();

const browser = await launch();
async function opened(fragment) {
  const shown = await browser.newPage({ viewport: { width: 1180, height: 900 } });
  await shown.goto(`${pathToFileURL(page).href}#${fragment}`);
  await shown.waitForFunction(() => window.play?.opened > 0, null, { timeout: 120_000 });
  return shown;
}
/// Of a page that is opened anew each time. Its threads are two at a time at most on two cores; those that compile run beside.
async function first(fragment) {
  const [clock, processor] = [[], []];
  for (let i = 0; i < 5; ++i) {
    const fresh = await browser.newContext();
    const before = new Set(await renderers(browser));
    const shown = await fresh.newPage();
    await shown.goto(`${pathToFileURL(page).href}#${fragment}`);
    await shown.waitForFunction(() => window.play?.opened > 0, null, { timeout: 120_000, polling: 50 });
    processor.push(times((await renderers(browser)).filter((id) => !before.has(id))));
    clock.push(await shown.evaluate(() => window.play.opened));
    await fresh.close();
  }
  const part = (name) => median(processor.map((p) => p[name])).toFixed(0);
  return `median ${(median([...clock]) / 1000).toFixed(2)} s, least ${(Math.min(...clock) / 1000).toFixed(2)} s by the clock; processor of page, workers, compilers ${part("main")}, ${part("workers")}, ${part("others")} ms`;
}
const opening = { "all-to-all, cube of 64 ranks": "collective=alltoall&topology=hypercube:6&bytes=100&machine=ipsc860", "all-reduce, fat tree of 16 ranks": "collective=allreduce&topology=fattree:4&machine=cluster&bytes=64MiB", "broadcast from 30 sources, mesh of 100 ranks": "collective=multibcast&topology=mesh:10x10&bytes=2KiB&machine=paragon-h95&sources=R(30)", "all-gather, torus with a broken link": "collective=allgather&topology=torus:4x4!0-1&bytes=64&machine=unit" };
for (const [what, fragment] of Object.entries(opening)) row(`first answer: ${what}`, await first(fragment));

/// A slider moves step by step; each step's answer is waited for, and what it costs is counted.
for (const question of ["collective=alltoall&topology=hypercube:6&machine=ipsc860", "collective=allgather&topology=torus:8x8&machine=paragon", "collective=allreduce&topology=fattree:4*4&machine=cluster", "collective=alltoall&topology=hypercube:10&machine=ipsc860", "collective=allgather&topology=torus:32x32&machine=paragon", "collective=allreduce&topology=fattree:16&machine=cluster"]) {
  const shown = await opened(`${question}&bytes=1KiB`);
  await shown.evaluate(() => window.play.rest());
  await shown.waitForTimeout(500);
  const processes = await renderers(browser);
  await shown.locator('[data-part="bytes-slider"]').focus();
  const [clock, processor] = [[], []];
  for (let i = 0; i < 30; ++i) {
    const count = await shown.evaluate(() => window.play.answers().length);
    const before = times(processes);
    await shown.keyboard.press("ArrowRight");
    await shown.waitForFunction((n) => window.play.answers().length > n, count, { timeout: 60_000, polling: 5 });
    const after = times(processes);
    processor.push(after.workers - before.workers);
    clock.push(...(await shown.evaluate((n) => window.play.answers().slice(n), count)));
  }
  await shown.evaluate(() => window.play.rest());
  const whole = await shown.evaluate(() => window.play.whole().at(-1));
  row(`while the slider moves: ${question.replace(/^collective=|&machine=.*/g, "").replace("&topology=", " ")}`, `median ${median(clock).toFixed(0)} ms, least ${Math.min(...clock).toFixed(0)} ms by the clock; processor of the planner, median ${median(processor).toFixed(0)} ms${whole === undefined ? "; always whole plans" : `; quick plans, the whole one after ${whole.toFixed(0)} ms`}`);
  await shown.close();
}
const moving = await opened("collective=allgather&topology=torus:16x16&bytes=1KiB");
await moving.evaluate(() => window.play.rest());
const frames = [];
for (let i = 0; i < 3; ++i) {
  await moving.evaluate(() => window.play.work(2000));
  await moving.getByRole("button", { name: /^(Play|Again|Replay)/ }).first().click().catch(() => undefined);
  await moving.waitForTimeout(2000);
  frames.push((await moving.evaluate(() => window.play.player().fps)));
}
row("frames a second, 256 ranks, while the planner works, most of 3", Math.max(...frames).toFixed(1));
await browser.close();
