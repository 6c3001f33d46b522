// What the page draws into a network, and what it plays there: the links that bind, and simulations.
import assert from "node:assert/strict";
import { test } from "node:test";
import { quadrille } from "../browser/browser.mjs";
import { change, fragment, line, open, part, words } from "./page.mjs";

test("the links that bind are drawn in one's own network, and below it", async () => {
  const file = "host n0 n1 n2 n3\nswitch s0 s1\nlink n0 s0 25GB/s\nlink n1 s0 25GB/s\nlink n2 s1 25GB/s\nlink n3 s1 25GB/s\nlink s0 s1 1GB/s\n";
  const page = await open(`collective=allgather&topology=graph:drawn.net&bytes=64MiB&machine=cluster&file.drawn.net=${encodeURIComponent(file)}`);
  assert.equal(await page.locator(".drawing .wire.binding").count(), 1);
  assert.match(await page.locator(".drawing .wire.binding").getAttribute("aria-label"), /^link s0 to s1.*binds$/);
  assert.match(await page.locator(".binds").textContent(), /cut \(it binds\).*over 1 link of 1 GB\/s.*Link s[01] \u2192 s[01]\./);
  await page.finish();
});

test("a simulation is a question: by its form, by its address, and by the address that the program prints", async () => {
  const page = await open("collective=alltoall&topology=torus:4x4&bytes=1KiB&machine=ipsc860");
  await page.locator(".simulate > summary").click();
  await change(page, () => page.getByRole("button", { name: "Simulate", exact: true }).click());
  const answered = (...more) => JSON.parse(quadrille("simulate", "alltoall", "torus:4x4", "--bytes", "1KiB", "--machine", "ipsc860", ...more, "--json", "--timeline"));
  const shown = async (expected) => {
    const text = await page.locator("#simulated").textContent();
    assert.ok(text.startsWith(`${expected.choice}: `), text);
    assert.match(text, new RegExp(`${expected.messages} messages, ${expected.order}, on a ${expected.network} network`));
    assert.match(await page.locator("#timeline").textContent(), new RegExp(expected.order === "lockstep" ? "all ranks beginning each round together" : expected.order === "eager" ? "each message going" : "each rank going on"));
  };
  await shown(answered());
  await change(page, () => part(page, "order").selectOption("lockstep"));
  await shown(answered("--order", "lockstep"));
  await change(page, async () => {
    await part(page, "slow").fill("0-1=3 2-3=2");
    await page.keyboard.press("Tab");
  });
  const slow = answered("--order", "lockstep", "--slow", "0-1=3", "--slow", "2-3=2");
  await shown(slow);
  assert.equal(await line(page), "quadrille simulate alltoall torus:4x4 --bytes 1KiB --machine ipsc860 --order lockstep --slow 0-1=3 --slow 2-3=2");
  const printed = quadrille(...words(await line(page), 1), "--url").trim().split("#")[1];
  assert.equal((await fragment(page)).slice(1), printed);
  const again = await open(printed);
  assert.equal(await again.locator("#simulated").textContent(), await page.locator("#simulated").textContent());
  await again.finish();
  await change(page, async () => {
    await part(page, "fail").fill("0-1");
    await page.keyboard.press("Tab");
  });
  assert.match(await page.locator("#simulated").textContent(), /needs link (0->1|1->0), which has failed/);
  await change(page, () => page.getByRole("button", { name: "Simulate no more" }).click());
  assert.equal(await page.locator("#simulated").textContent(), "");
  await page.finish();
});
