// The page that plans, in a real browser, opened from disk: it says what the program says, by mouse and by keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { quadrille } from "../browser/browser.mjs";
import { answer, best, change, fragment, line, open, part, rest, words } from "./page.mjs";

test("it opens with an answer, the program's own, and fetches nothing", async () => {
  const page = await open();
  assert.equal(await answer(page), best("alltoall", "hypercube:6", "--machine", "ipsc860", "--bytes", "100"));
  assert.match(await page.locator(".top-answer .cards").textContent(), /Is it right\?.*proven/);
  assert.equal(await line(page), "quadrille plan alltoall hypercube:6 --bytes 100 --machine ipsc860");
  const policy = await page.locator("meta[http-equiv]").getAttribute("content");
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; style-src 'sha256-[^']+'; .*worker-src blob:$/);
  await page.finish();
});

test("a slider that moves changes the answer at every step, and the last one stays", async () => {
  const page = await open("collective=alltoall&topology=hypercube:6&bytes=1&machine=ipsc860");
  const slider = part(page, "bytes-slider");
  await slider.focus();
  const seen = new Set();
  for (let i = 0; i < 12; ++i) {
    const before = await page.evaluate(() => window.play.answers().length);
    for (let k = 0; k < 3; ++k) await page.keyboard.press("ArrowRight");
    await page.waitForFunction((count) => window.play.answers().length > count, before);
    seen.add(await answer(page));
  }
  await rest(page);
  const size = await part(page, "bytes").inputValue();
  assert.equal(await answer(page), best("alltoall", "hypercube:6", "--machine", "ipsc860", "--bytes", size));
  assert.ok(seen.size >= 2, [...seen].join(" "));
  assert.match(await fragment(page), new RegExp(`bytes=${size}&`));
  await page.finish();
});

test("links to a part of the page leave the question, and names of choices can be typed", async () => {
  const page = await open("collective=allreduce&topology=torus:4x4&bytes=1KiB&machine=cluster");
  await rest(page);
  const asked = await line(page);
  for (const name of [/all of them, with reasons/, /Its links in the picture/, /To the question/]) {
    for (const link of await page.getByRole("link", { name }).all()) await link.dispatchEvent("click");
    assert.equal(await line(page), asked);
    assert.match(await fragment(page), /topology=torus:4x4/);
  }
  await part(page, "family").focus();
  await page.keyboard.type("hyperc", { delay: 100 });
  await rest(page);
  assert.match(await line(page), /hypercube/);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.part), "family");
  assert.equal(await part(page, "family").count(), 1);
  await page.finish();
});

test("every part of the sentence asks another question, and the line under it asks the same of the program", async () => {
  const page = await open();
  await change(page, () => part(page, "collective").selectOption("bcast"));
  await change(page, () => part(page, "family").selectOption({ label: "torus" }));
  await change(page, () => part(page, "number-1").fill("5"));
  await change(page, () => part(page, "machine").selectOption("paragon"));
  await change(page, async () => {
    await part(page, "bytes").fill("64KiB");
    await page.keyboard.press("Enter");
  });
  await change(page, async () => {
    await part(page, "root").fill("3");
    await page.keyboard.press("Tab");
  });
  await change(page, async () => {
    await part(page, "broken").fill("0-1");
    await page.keyboard.press("Tab");
  });
  await page.locator(".constants summary").click();
  await change(page, () => page.locator("#constant-ports").selectOption("all"));
  await page.locator("#constant-alpha").focus();
  await change(page, () => page.keyboard.press("ArrowLeft"));
  const asked = await line(page);
  assert.match(asked, /^quadrille plan bcast 'torus:5x\d+!0-1' --bytes 64KiB --machine paragon --set ports=all --set alpha=[\d.]+us --root 3$/);
  assert.equal(await answer(page), best(...words(asked)));
  const alpha = /alpha=([\d.]+us)/.exec(asked)[1];
  assert.deepEqual(await page.locator(".sentence .changed").allTextContents(), ["ports = all \u00d7", `alpha = ${alpha} \u00d7`]);
  const again = await open((await fragment(page)).slice(1));
  assert.equal(await line(again), asked);
  assert.equal(await answer(again), await answer(page));
  await change(again, () => again.getByRole("button", { name: "ports as the machine has it" }).click());
  assert.equal(await line(again), asked.replace(" --set ports=all", ""));
  assert.deepEqual(await again.locator(".sentence .changed").allTextContents(), [`alpha = ${alpha} \u00d7`]);
  assert.equal(await again.evaluate(() => document.activeElement.getAttribute("aria-label")), "alpha as the machine has it");
  await again.locator(".constants summary").click();
  await change(again, async () => {
    await again.getByLabel("alpha as text").fill("7.5");
    await again.keyboard.press("Tab");
  });
  assert.match(await line(again), / --set alpha=7\.5us /); // in the unit that stood there
  assert.equal(await again.locator("#constant-alpha").getAttribute("aria-valuetext"), "7.5us");
  await change(again, () => again.goBack());
  assert.match(await line(again), new RegExp(` --set alpha=${alpha} `));
  await again.finish();
  await page.finish();
});

test("the usual machine is named, and is the same whatever has failed; bars and words have all that takes time", async () => {
  const page = await open("collective=allgather&topology=torus:4x4&bytes=1KiB");
  const usual = () => page.locator('[data-part="machine"] option').first().textContent();
  assert.equal(await usual(), "the usual machine, localhost");
  await change(page, async () => {
    await part(page, "broken").fill("n5");
    await page.keyboard.press("Tab");
  });
  assert.equal(await usual(), "the usual machine, localhost");
  assert.equal(await part(page, "ranks").textContent(), "15 ranks of a ");
  assert.match(await page.locator(".legend").textContent(), /numbered without them: rank 5 is node 6\./);
  await change(page, () => part(page, "machine").selectOption("cluster"));
  assert.match(await page.locator(".cards").textContent(), /Time goes to: .*\d+\s% overhead/);
  for (const bar of await page.locator(".barrow:not(.limitrow) .bar").all()) {
    const shares = [...(await bar.getAttribute("aria-label")).matchAll(/ (\d+(?:\.\d+)?) %/g)].map((found) => Number(found[1]));
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) <= shares.length, await bar.getAttribute("aria-label"));
  }
  await page.finish();
});

test("a number alone is no broken link: what would be one is said, and the question stays", async () => {
  const page = await open("collective=allgather&topology=torus:4x4&bytes=64");
  const before = await line(page);
  await part(page, "broken").fill("0,1");
  await page.keyboard.press("Tab");
  assert.match(await part(page, "broken").evaluate((input) => input.validationMessage), /^0 alone is no link\. A link is two nodes, such as 0-1; a node that failed is n0\.$/);
  assert.equal(await line(page), before);
  await change(page, async () => {
    await part(page, "broken").fill("0-1, n3");
    await page.keyboard.press("Tab");
  });
  assert.match(await line(page), /^quadrille plan allgather 'torus:4x4!0-1,n3' /);
  await change(page, async () => {
    await part(page, "topology").fill("torus:4x4!0,2-3");
    await page.keyboard.press("Tab");
  });
  assert.equal(await part(page, "broken").inputValue(), "n0,2-3");
  await page.finish();
});

test("below the answer is the report: its animation runs to the end, its links carry what was counted", async () => {
  const page = await open("collective=allgather&topology=torus:4x4&bytes=4KiB&machine=paragon");
  const report = JSON.parse(quadrille("report", "allgather", "torus:4x4", "--bytes", "4KiB", "--machine", "paragon", "--json"));
  assert.deepEqual(await page.evaluate(() => window.play.competition()), report.rounds.contention);
  await page.selectOption(".speed select", "16");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => window.play.player().atEnd, null, { timeout: 60_000 });
  assert.equal((await page.evaluate(() => window.play.player())).complete, true);
  for (const id of ["watch", "links", "timeline", "sizes", "candidates", "sources"]) assert.equal(await page.locator(`#${id}`).count(), 1, id);
  assert.equal(await page.locator("#candidates .refused tbody tr").count(), report.refused.length);
  await page.finish();
});

test("an animation goes on while the planner works", async () => {
  const page = await open("collective=allgather&topology=ring:64&bytes=1KiB");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const frames = () => page.evaluate(() => window.play.player().frames);
  const before = await frames();
  await page.locator("#rank").fill("3");
  await page.waitForFunction(() => window.play.player().round === 1, null, { timeout: 30_000 });
  assert.match(await page.locator(".details").textContent(), /^Rank 3Has 2 of 64 blocks/); // while it plays, too
  assert.equal((await page.evaluate(() => window.play.player())).playing, true);
  assert.ok((await frames()) > before);
  await page.finish();
});

test("a schedule of one's own is proven while it is written, or refuted with the place where it fails", async () => {
  const page = await open("collective=allgather&topology=ring:6&bytes=64");
  await page.locator(".own > summary").click();
  await change(page, () => page.getByRole("button", { name: "Round a ring" }).click());
  assert.match(await page.locator("#own-verdict").textContent(), /^Proven correct in 5 rounds and 30 messages/);
  assert.match(await line(page), /^quadrille verify allgather ring:6 --bytes 64 --algorithm file:schedule.json$/);
  await change(page, () => page.getByLabel("Your schedule", { exact: true }).fill("round t: r > (r+1) % P: (r-t) % P  for t in 0..P-3, r in 0..P-1"));
  assert.match(await page.locator("#own-verdict").textContent(), /^Refuted: .*At the end: rank 0 /);
  await page.waitForFunction(() => window.play.player()?.failing, null, { timeout: 30_000 }); // it plays by itself
  assert.match(await page.locator(".card .warn").first().textContent(), /^One that is right: /); // which takes longer
  assert.match(await page.locator(".barrow").last().textContent(), /^your schedule.*and wrong, shown here$/);
  assert.match(await page.locator(".cards").textContent(), /Counted from the messages of your schedule/);
  await page.getByRole("button", { name: "Play it to where it fails" }).first().click();
  assert.equal((await page.evaluate(() => window.play.player())).playing, true);
  await page.waitForFunction(() => window.play.player().failing, null, { timeout: 30_000 });
  const state = await page.evaluate(() => window.play.player());
  assert.deepEqual([state.atEnd, state.selected, state.complete], [true, 0, false]);
  assert.match(await page.locator(".details").textContent(), /Here it fails: .*has nothing and must have block of rank 1\..*No message brings block of rank 1 to rank 0\. It is at ranks 1, 2, 3, 4, 5/);
  await change(page, () => page.getByLabel("Your schedule", { exact: true }).fill("round 0: 0 > 7: 0"));
  assert.equal(await page.locator("#own-verdict").textContent(), "Line 1: rank 7: expected 0 to 5.");
  await change(page, () => page.getByLabel("Your schedule", { exact: true }).fill("round 0: 0 > 1: 0 for"));
  assert.match(await page.locator("#own-verdict").textContent(), /^Line 1: something is missing/);
  assert.match(await page.locator(".first-answer").textContent(), /^This is the best that is known, not your schedule/);
  assert.equal(await line(page), "quadrille plan allgather ring:6 --bytes 64");
  assert.equal(await page.locator("#watch").count(), 1); // of the best one
  await page.finish();
});

test("all-to-alls, cut blocks and reductions are written, too", async () => {
  const proofs = {
    "collective=alltoall&topology=crossbar:5&bytes=8": "round t-1: r > (r+t) % P: in (r+t) % P -> out r  for t in 1..P-1, r in 0..P-1",
    "collective=bcast&topology=path:4&bytes=64": "pieces 2\nround r+k: r > r+1: 0 piece k  for r in 0..P-2, k in 0..1",
    "collective=reduce&topology=path:4&bytes=64": "tmp 1\nround 0: P-1 > P-2: in 0 -> tmp 0 after in 0\nround P-1-r: r > r-1: tmp 0 -> tmp 0 after in 0  for r in 2..P-2\nround P-2: 1 > 0: tmp 0 -> out 0 after in 0",
  };
  for (const [question, text] of Object.entries(proofs)) {
    const page = await open(`${question}&schedule=${encodeURIComponent(text)}`);
    assert.match(await page.locator("#own-verdict").textContent(), /^Proven correct/, question);
    await page.finish();
  }
});

test("a network is drawn by mouse and keyboard, a link fails, and the answer follows", async () => {
  const page = await open("collective=allgather&topology=ring:4&bytes=1MiB&machine=cluster");
  await page.locator(".editor > summary").click();
  await change(page, () => page.getByRole("button", { name: "An example" }).click());
  assert.equal(await page.locator(".drawing .node").count(), 6);
  const file = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("file.drawn.net"));
  assert.match(file, /^host n0 n1 n2 n3\nswitch s0 s1\n/);
  assert.match(await page.locator(".bound").textContent(), /^What binds: /);
  const before = await page.locator(".top-answer .value").nth(1).textContent();
  await page.locator('[data-what="wire:4"]').focus();
  await page.keyboard.press("Enter");
  await change(page, async () => {
    await page.getByLabel("Rate of the link").fill("1GB/s");
    await page.keyboard.press("Tab");
  });
  assert.notEqual(await page.locator(".top-answer .value").nth(1).textContent(), before);
  assert.equal(await page.locator(".drawing .node.binding").count(), 2); // the ranks on one side of the narrow link
  assert.match(await page.locator(".drawing .wire.binding").getAttribute("aria-label"), /^link s0 to s1, 1GB\/s, binds$/);
  await page.locator('[data-what="n0"]').focus();
  await page.keyboard.press("l");
  await page.locator('[data-what="s1"]').focus();
  await change(page, () => page.keyboard.press("l"));
  assert.equal(await page.locator(".drawing .wire").count(), 6);
  await page.locator('[data-what="wire:4"]').focus();
  await page.keyboard.press("Enter");
  await change(page, () => page.getByRole("checkbox", { name: "failed" }).check());
  assert.equal(await page.locator(".drawing .failed").count(), 1);
  const again = await open((await fragment(page)).slice(1));
  assert.equal(await again.locator(".drawing .failed").count(), 1);
  assert.equal(await answer(again), await answer(page));
  await again.finish();
  await page.finish();
});

test("who has how much for whom is a pattern, pairs or a matrix", async () => {
  const page = await open("collective=alltoall&topology=torus:4x4&bytes=64KiB&machine=cluster");
  await change(page, () => part(page, "collective").selectOption("alltoallv"));
  assert.match(await line(page), /--demands 'random\(2\)'$/);
  await change(page, () => part(page, "pattern").selectOption("halo"));
  assert.equal(await part(page, "demands").inputValue(), "4x4");
  assert.equal(await answer(page), best("alltoallv", "torus:4x4", "--bytes", "64KiB", "--machine", "cluster", "--demands", "halo(4x4)"));
  await change(page, async () => {
    await part(page, "demands").fill("2x8");
    await page.keyboard.press("Tab");
  });
  assert.match(await line(page), /--demands 'halo\(2x8\)'$/);
  await change(page, () => part(page, "pattern").selectOption("pairs"));
  await change(page, async () => {
    await part(page, "demands").fill("0-15:1MiB,3-4");
    await page.keyboard.press("Tab");
  });
  assert.equal(await answer(page), best("alltoallv", "torus:4x4", "--bytes", "64KiB", "--machine", "cluster", "--demands", "0-15:1MiB,3-4"));
  await change(page, () => part(page, "pattern").selectOption("matrix"));
  assert.match(await line(page), /--demands demands\.txt$/);
  const matrix = await part(page, "matrix").inputValue();
  assert.deepEqual([matrix.trim().split("\n").length, matrix.trim().split(/\s+/).length], [16, 256]);
  await change(page, () => part(page, "matrix").fill(matrix.trim().split("\n").slice(1).join("\n")));
  assert.match(await page.locator(".refusal").textContent(), /15 lines of sizes; expected 16/);
  await change(page, () => part(page, "matrix").fill(matrix.replaceAll("64KiB", "2KiB")));
  assert.equal(await page.locator(".refusal").count(), 0);
  const again = await open((await fragment(page)).slice(1));
  assert.equal(await answer(again), await answer(page));
  assert.equal(await part(again, "matrix").inputValue(), await part(page, "matrix").inputValue());
  await again.finish();
  await change(page, () => part(page, "collective").selectOption("alltoall"));
  assert.doesNotMatch(await fragment(page), /demands/);
  await page.finish();
});

test("a long list of pairs in an address is taken whole", async () => {
  const pairs = Array.from({ length: 60 }, (_, r) => `${r}-${(r * 7 + 1) % 64}:${r + 1}KiB`).join(",");
  assert.ok(pairs.length > 400);
  const page = await open(quadrille("plan", "alltoallv", "crossbar:64", "--demands", pairs, "--url").trim().split("#")[1]);
  assert.equal(await line(page), `quadrille plan alltoallv crossbar:64 --bytes 1KiB --demands ${pairs}`);
  assert.equal(await answer(page), best("alltoallv", "crossbar:64", "--demands", pairs));
  await page.finish();
});
