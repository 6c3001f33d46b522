// What the tests and the benchmark of the page share: the program, the browser, and where to put things.
// Usage of both: node FILE PROGRAM WEB OUT   WEB: a folder with node_modules, as tools/check_web leaves it
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const skipped = 77;
const [program, web, out] = process.argv.slice(2).map((path) => resolve(path));
export const folder = out;
export const source = resolve(fileURLToPath(import.meta.url), "../../..");

function skip(why) {
  console.log(`SKIPPED: ${why}; the page was not tried in a browser`);
  process.exit(skipped);
}

export const chromium = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => path && existsSync(path));
if (!chromium) skip("chromium is not there");
if (!existsSync(`${web}/node_modules/playwright-core`)) skip("the libraries of web/ are not there");
export const require = createRequire(`${web}/`);
mkdirSync(folder, { recursive: true });

/// Runs the program; its answer may be no.
export function quadrille(...words) {
  try {
    return execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 26, cwd: folder });
  } catch (error) {
    if (error.status !== 1) throw error;
    return error.stdout;
  }
}

/// Makes a report; its address.
export function report(name, ...words) {
  const file = `${folder}/${name}.html`;
  quadrille("report", ...words, "-o", file);
  return pathToFileURL(file).href;
}

export async function launch() {
  const { chromium: driver } = require("playwright-core");
  // The driver gives it a new, empty --user-data-dir in the folder for temporary files, and removes that at the end.
  return driver.launch({
    executablePath: chromium,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}
