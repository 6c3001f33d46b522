// The pictures in docs/pictures are what reports look like. With UPDATE=1 they are made anew.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { folder, quadrille, report, require, source } from "./browser.mjs";
import { browser, open, requests, seek } from "./report_page.mjs";

const { PNG } = require("pngjs");
const { default: pixelmatch } = await import(pathToFileURL(require.resolve("pixelmatch")).href);

/// The share of pixels that differ clearly; pictures of another size differ altogether.
function difference(a, b) {
  if (a.width !== b.width || Math.abs(a.height - b.height) > 40) return 1;
  const height = Math.min(a.height, b.height);
  const cut = (p) => p.data.subarray(0, 4 * p.width * height);
  return pixelmatch(cut(a), cut(b), null, a.width, height, { threshold: 0.25 }) / (a.width * height);
}

async function picture(name, page, locator) {
  const bytes = await (locator ? page.locator(locator) : page).screenshot({ animations: "disabled", caret: "hide" });
  const expected = `${source}/docs/pictures/${name}.png`;
  writeFileSync(`${folder}/${name}.png`, bytes);
  if (process.env.UPDATE === "1") {
    mkdirSync(`${source}/docs/pictures`, { recursive: true });
    writeFileSync(expected, bytes);
  }
  assert.ok(existsSync(expected), `${expected} is missing; make it with UPDATE=1`);
  const off = difference(PNG.sync.read(bytes), PNG.sync.read(readFileSync(expected)));
  assert.ok(off < 0.12, `${name}: ${(100 * off).toFixed(1)} % of the picture differs; see ${folder}/${name}.png`);
}

test("pictures look as they did", async () => {
  let page = await open(report("cube", ...requests.cube));
  await picture("answer", page);
  await seek(page, 9.4);
  await page.locator("input[value=load]").check();
  await page.mouse.move(0, 0);
  await picture("hypercube", page, ".stage");
  await picture("sizes", page, "#sizes");
  await picture("links", page, "#links");
  await picture("timeline", page, "#timeline");
  await page.finish();
  page = await open(report("torus", ...requests.torus));
  await seek(page, 8.45);
  await page.mouse.move(0, 0);
  await picture("torus", page, "#watch");
  await page.finish();
  page = await open(report("ring", ...requests.ring), { colorScheme: "dark", viewport: { width: 390, height: 760 } });
  await seek(page, 20.3);
  await page.locator("#watch").scrollIntoViewIfNeeded();
  await picture("phone", page);
  await page.finish();
});

test("all papers are one page without script", async () => {
  quadrille("reproduce", "all", "-o", `${folder}/papers.html`);
  const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width: 1000, height: 900 } });
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(pathToFileURL(`${folder}/papers.html`).href);
  assert.equal(await page.locator("section").count(), 4);
  assert.ok((await page.locator("figure svg").count()) >= 19);
  assert.ok((await page.locator(".erratum").count()) > 40);
  assert.notEqual(await page.locator("nav").evaluate((e) => getComputedStyle(e).position).catch(() => "sticky"), "static");
  assert.deepEqual(complaints, []);
  await picture("papers", page);
  await page.close();
});
