// What the tests of a report's page share: the browser, a page that fails on complaints, and the reports that are tried.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launch } from "./browser.mjs";

export let browser;
before(async () => (browser = await launch()));
after(async () => browser?.close());

/// A page that has shown a report; it fails on whatever the browser complains of, and on any request but the file's.
export async function open(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1180, height: 820 }, colorScheme: "light", ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) complaints.push(`fetches ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`opens a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  await page.evaluate(() => window.quadrille.ready);
  page.finish = async () => {
    assert.deepEqual(complaints, []);
    await context.close();
  };
  return page;
}
export const state = (page) => page.evaluate(() => window.quadrille.player());
export const inside = (page) => page.evaluate(() => JSON.parse(document.getElementById("document").textContent));
export const seek = (page, tau) =>
  page.locator(".player input[type=range]").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input"));
  }, tau);

export const requests = {
  torus: ["allgather", "torus:8x8", "--machine", "paragon", "--bytes", "4KiB"],
  cube: ["alltoall", "hypercube:6", "--machine", "ipsc860", "--bytes", "32"],
  ring: ["bcast", "ring:24", "--machine", "ipsc-1985", "--bytes", "64KiB"],
  omega: ["alltoall", "omega:4", "--machine", "unit"],
  memory: ["alltoall", "memory:8", "--machine", "memory-1986"],
  bus: ["allgather", "bus:12", "--machine", "bus-1986"],
  mesh: ["alltoall", "mesh:4x4", "--machine", "unit"],
  switch: ["alltoall", "crossbar:12", "--machine", "cs2"],
  tree: ["alltoall", "fattree:4", "--machine", "cluster", "--bytes", "64KiB"],
  groups: ["allgather", "dragonfly:2,2,1", "--machine", "cluster", "--bytes", "64KiB"],
  nodes: ["allgather", "torus:2x2*2", "--machine", "cluster", "--bytes", "1MiB"],
  broken: ["allgather", "torus:4x4!0-1", "--machine", "unit", "--bytes", "64"],
  boxes: ["alltoall", "dgx-a100:2", "--machine", "cluster", "--bytes", "64KiB"],
  levels: ["allgather", "dragonfly:4,2,2", "--machine", "cluster", "--bytes", "1KiB"],
  pairs: ["alltoallv", "ring:8", "--machine", "cluster", "--demands", "0-4:1MiB,1-5:64KiB,6-2:3000"],
  circuits: ["alltoall", "hypercube:4", "--machine", "ipsc860", "--bytes", "1KiB", "--algorithm", "alltoall_direct"],
};
