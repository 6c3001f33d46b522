// What the tests of the page share: a page with a question, and what is read from it.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, quadrille } from "../browser/browser.mjs";

const file = pathToFileURL(resolve(process.argv[5], "play.html")).href;
let browser;
before(async () => (browser = await launch()));
after(async () => browser?.close());

/// The page with a question, once it is at rest. Whatever the browser complains of, and any request, fails the test.
export async function open(fragment = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1180, height: 820 }, colorScheme: "light", ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(file) && !/^(data|blob):/.test(request.url())) complaints.push(`fetches ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`opens a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${file}${fragment === "" ? "" : "#"}${fragment}`);
  await page.waitForFunction(() => window.play !== undefined);
  await rest(page);
  page.finish = async () => {
    assert.deepEqual(complaints, []);
    await context.close();
  };
  return page;
}
/// Until the report of what is asked now is shown.
export async function rest(page) {
  await page.evaluate(() => window.play.rest());
}
/// Changes something, and waits for what follows from it.
export async function change(page, act) {
  await act();
  await rest(page);
}
export const answer = (page) => page.locator(".top-answer .choice").first().textContent().then((text) => text.replaceAll("\u200b", "").replace(" ", ":"));
export const part = (page, name) => page.locator(`[data-part="${name}"]`).first();
export const line = (page) => page.locator(".links .line").first().textContent();
export const fragment = (page) => page.evaluate(() => location.hash);
export const plan = (...words) => JSON.parse(quadrille("plan", ...words, "--json"));
export const best = (...words) => plan(...words).best.choice;
/// The words of a line for a shell; no word has a blank.
export const words = (text, from = 2) => text.replaceAll("'", "").split(" ").slice(from);
