// What a report tells of a proof: who has combined what, and where a wrong schedule fails.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { folder, quadrille, report } from "./browser.mjs";
import { inside, open, state } from "./report_page.mjs";

const reductions = {
  "reduced ring": ["allreduce", "ring:4", "--algorithm", "allreduce_ring"],
  scan: ["scan", "ring:6", "--algorithm", "scan_chain:packets=4"],
  reduced: ["reduce", "torus:4x4", "--bytes", "4KiB"],
  scattered: ["reduce_scatter", "hypercube:3", "--bytes", "4KiB"],
};

for (const [name, words] of Object.entries(reductions))
  test(`${name}: contributions grow to the results that are proven`, async () => {
    const page = await open(report(name, ...words));
    const data = await inside(page);
    assert.equal(data.schedule.detail, "contributions");
    assert.match(await page.locator(".cards").textContent(), /each contribution exactly once/);
    const chart = page.locator("#contributions .readout");
    assert.match(await chart.textContent(), /^Before the first round 0 of|^Before the first round 4 of 24/); // of a scan rank 0 has its own
    await page.getByRole("button", { name: "To the end", exact: true }).click();
    assert.equal((await state(page)).complete, true);
    assert.match(await page.locator(".status").textContent(), /100 % of the contributions to results are combined/);
    const [, whole, all] = (await chart.textContent()).match(/After .* (\d+) of (\d+) results? (?:is|are) complete/);
    assert.equal(whole, all);
    await page.finish();
  });

test("who has combined what is told round by round, by mouse and by keyboard", async () => {
  const page = await open(report("reduced ring", ...reductions["reduced ring"]));
  const step = () => page.getByRole("button", { name: "One round on", exact: true }).click();
  await page.fill("#rank", "1");
  await step();
  await step();
  assert.match(await page.locator(".details").textContent(), /Has combined:block 0: ranks 1 to 3block 1: rank 1/);
  assert.match(await page.locator(".details").textContent(), /0: 256 B, block 0, contributed by ranks 1 to 3/);
  const canvas = page.locator("#contributions canvas");
  await canvas.focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator("#contributions .readout").textContent(), "Rank 1, block 0: the contributions of ranks 1 to 3, in the order of ranks; its result needs all 4 ranks.");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#contributions .readout").textContent(), /^Rank 1, block 1: the contribution of rank 1;/);
  await page.getByRole("button", { name: "One round back", exact: true }).click();
  assert.match(await page.locator("#contributions .readout").textContent(), /^After 1 round 0 of 16 results are complete/);
  await page.locator("input[value=contribution]").check();
  assert.equal((await state(page)).holders, 1); // before it has gone round, rank 0's is whole at rank 0 alone
  await page.locator("input[value=part]").check();
  assert.equal((await state(page)).holders, 0);
  await page.getByRole("button", { name: "To the end", exact: true }).click();
  assert.equal((await state(page)).holders, 4);
  await page.finish();
});

const wrong = { quadrille_schedule: 1, spec: { collective: "bcast", ranks: 3, bytes: 64, root: 0 }, cut: { bytes: 64, parts: 1, packets: 1 }, blocks: { in: 0, out: 1, tmp: 0 }, rounds: 2, steps: [{ rank: 0, round: 1, do: [{ send: 1, out: [0] }] }, { rank: 1, round: 1, do: [{ recv: 0, out: [0] }] }, { rank: 1, round: 0, do: [{ send: 2, out: [0] }] }, { rank: 2, round: 0, do: [{ recv: 1, out: [0] }] }] };
test("a wrong schedule is played to the place where it fails, which says who should have had what", async () => {
  writeFileSync(`${folder}/wrong.json`, JSON.stringify(wrong));
  const words = ["bcast", "path:3", "--bytes", "64", "--algorithm", "file:wrong.json"];
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const page = await open(report("wrong", ...words), { reducedMotion });
    assert.equal((await state(page)).failing, false);
    await page.getByRole("button", { name: "Play it to where it fails" }).click();
    await page.waitForFunction(() => window.quadrille.player().failing, null, { timeout: 20_000 });
    const at = await state(page);
    assert.deepEqual([at.round, at.selected, at.playing, at.frames > 0], [0, 1, false, reducedMotion !== "reduce"]);
    const told = await page.locator(".details").textContent();
    for (const part of ["Here it fails: ", "1 \u2192 2", "Slot 0 of out at rank 1 has nothing and is for the message", "It is at rank 0 at this moment"]) assert.ok(told.includes(part), `${part}: ${told}`);
    await page.finish();
  }
});
