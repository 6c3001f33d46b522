// The page of a report in a real browser: it says what the program says, every control works by mouse and keyboard, and
// nothing that a report was fed becomes markup.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder, quadrille, report } from "./browser.mjs";
import { browser, inside, open, requests, seek, state } from "./report_page.mjs";

for (const [name, words] of Object.entries(requests))
  test(`${name}: played to its end, every rank has what the proof says`, async () => {
    const file = `${folder}/${name}.html`;
    const said = JSON.parse(quadrille("report", ...words, "-o", file, "--json"));
    const page = await open(pathToFileURL(file).href);
    const data = await inside(page);
    assert.deepEqual(data, said);
    if (data.answer === null) return page.finish();
    assert.equal(data.proof.holds, true);
    for (const [key, value] of Object.entries(data.answer.params)) assert.ok(await page.locator(".cards").filter({ hasText: `${key}=${value}` }).count(), key);
    if (!data.network.shared_medium && data.rounds.round.length === data.schedule.rounds) // the page's own count of links
      assert.deepEqual(await page.evaluate(() => window.quadrille.competition()), data.rounds.contention);
    await page.selectOption(".speed select", "16");
    await seek(page, Math.max(0, data.schedule.rounds - 40)); // of hundreds of rounds, the last
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => window.quadrille.player().atEnd, null, { timeout: 60_000 });
    const end = await state(page);
    assert.equal(end.complete, true);
    assert.equal(end.playing, false);
    assert.match(await page.locator(".status").textContent(), /After all .*100 % of what must arrive/);
    await page.finish();
  });

test("what binds is a sentence with its links, and can be chosen", async () => {
  const page = await open(report("tree", ...requests.tree));
  const { bound } = await inside(page);
  const box = page.locator(".binds");
  const part = bound.parts.find((p) => p.name === bound.binding);
  assert.match((await box.textContent()).toLowerCase(), new RegExp(part.why.toLowerCase().replace(/[.()]/g, "\\$&")));
  const pixels = () => page.evaluate(() => document.querySelector(".stage canvas").toDataURL());
  const drawn = await pixels();
  await page.locator("#binds").selectOption("-1");
  assert.notEqual(await pixels(), drawn);
  await page.locator("#binds").selectOption({ label: "work" });
  assert.match(await box.textContent(), /Links? .*\u2192/);
  await page.finish();
});

test("the first screen answers", async () => {
  const page = await open(report("cube", ...requests.cube));
  const data = await inside(page);
  assert.equal(data.answer.choice, "alltoall_mce:phases=3,3");
  const screen = await page.evaluate(() => {
    const seen = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const box = node.parentElement.getBoundingClientRect();
      if (node.parentElement.tagName !== "SCRIPT" && box.height > 0 && box.bottom <= innerHeight) seen.push(node.textContent);
    }
    return seen.join(" ").replaceAll("\u200b", "").replace(/\s+/g, " ");
  });
  for (const part of ["alltoall_mce phases=3,3", "8.774 ms", "2.43 \u00d7 the limit", "3.617 ms", "rounds against volume", "alltoall_mtadea", "20 % slower", "left out"]) assert.ok(screen.includes(part), `${part} is not in: ${screen}`);
  await page.finish();
});

test("every control works by mouse", async () => {
  const page = await open(report("torus", ...requests.torus));
  const click = (name) => page.getByRole("button", { name, exact: true }).click();
  await click("One round on");
  await click("One round on");
  assert.equal((await state(page)).round, 2);
  await click("One round back");
  assert.equal((await state(page)).round, 1);
  await click("To the end");
  assert.equal((await state(page)).atEnd, true);
  await click("To the start");
  assert.equal((await state(page)).round, 0);
  await click("Play");
  await page.waitForFunction(() => window.quadrille.player().frames > 2);
  await click("Pause");
  assert.equal((await state(page)).playing, false);
  const slider = page.locator(".player input[type=range]");
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal((await state(page)).round, 7); // the middle of 14 rounds
  await page.locator("input[value=load]").check();
  assert.match(await page.locator(".legend").textContent(), /strong lines/);
  await page.locator("input[value=block]").check();
  await page.locator("input[value=holds]").check();
  await click("To the end");
  assert.equal((await state(page)).holders, 64);
  await click("To the start");
  assert.equal((await state(page)).holders, 1);
  const stage = await page.locator(".stage").boundingBox();
  await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
  for (let i = 0; i < 40 && (await state(page)).selected < 0; ++i) await page.mouse.move(stage.x + stage.width / 2 + 3 * i, stage.y + stage.height / 2 + 2 * i);
  assert.ok((await state(page)).selected >= 0);
  assert.match(await page.locator(".details h3").textContent(), /^Rank \d+$/);
  await click("Zoom in");
  await page.waitForFunction(() => window.quadrille.zoom() > 1.9);
  await click("Later");
  await click("Earlier");
  await click("Zoom out");
  await click("Show all");
  await page.waitForFunction(() => window.quadrille.zoom() === 1);
  const heat = await page.locator("#links canvas").boundingBox();
  await page.locator("#links canvas").click({ position: { x: heat.width - 5, y: 100 } });
  assert.equal((await state(page)).round, 13);
  const chart = page.locator("#timeline canvas");
  await chart.click({ position: { x: 70, y: 20 } });
  assert.equal((await state(page)).round, 0);
  assert.match(await page.locator("#timeline .readout").textContent(), /^Rank \d+, round 0: /);
  const sizes = page.locator("#sizes svg");
  await sizes.hover({ position: { x: 90, y: 100 } });
  assert.match(await page.locator("#sizes .readout").textContent(), /^Blocks of 1 B: /);
  await click("Dark colours");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.dark), "yes");
  await page.locator(".term").first().hover();
  assert.match(await page.locator("[role=tooltip]").textContent(), /^A rule that says/);
  await page.locator("summary").first().click();
  await page.finish();
});

test("every control works by keyboard", async () => {
  const page = await open(report("torus", ...requests.torus));
  // Tab reaches everything that can be used, and nothing holds on to it. A group of radio buttons is one stop.
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter((e) => e.checkVisibility() && !(e.type === "radio" && !e.checked));
    all.forEach((e, i) => (e.dataset.stop = String(i)));
    return all.length;
  });
  const reached = new Set();
  for (let i = 0; i < wanted + 40 && reached.size < wanted; ++i) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => document.activeElement?.dataset.stop);
    if (at !== undefined) reached.add(at);
  }
  assert.equal(reached.size, wanted);
  const canvas = page.locator(".stage canvas").nth(1);
  await canvas.focus();
  await page.keyboard.press(".");
  await page.keyboard.press(".");
  await page.keyboard.press(",");
  assert.equal((await state(page)).round, 1);
  await page.keyboard.press("End");
  assert.equal((await state(page)).atEnd, true);
  await page.keyboard.press("Home");
  assert.equal((await state(page)).round, 0);
  await page.keyboard.press("ArrowRight"); // to rank 0, then one to the right and one down on 8 x 8
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  assert.equal((await state(page)).selected, 9);
  assert.match(await page.locator(".details").textContent(), /Sends to/);
  await page.keyboard.press("Escape");
  assert.equal((await state(page)).selected, -1);
  await page.keyboard.press(" ");
  assert.equal((await state(page)).playing, true);
  await page.keyboard.press(" ");
  assert.equal((await state(page)).playing, false);
  await page.locator(".player input[type=range]").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.equal((await state(page)).round, 1);
  await page.locator("#rank").focus();
  await page.keyboard.type("42");
  assert.equal((await state(page)).selected, 42);
  await page.locator("#links canvas").focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#links .readout").textContent(), /^Round 1: S = 1/);
  await page.keyboard.press("Enter");
  assert.equal((await state(page)).round, 1);
  await page.locator("#timeline canvas").focus();
  await page.keyboard.press("+");
  await page.waitForFunction(() => window.quadrille.zoom() > 1.9);
  await page.keyboard.press("Home");
  await page.keyboard.press("PageDown");
  assert.match(await page.locator("#timeline .readout").textContent(), /^Rank 0, round 0: /);
  await page.locator("#sizes input").focus();
  await page.keyboard.press("Home");
  assert.match(await page.locator("#sizes .readout").textContent(), /^Blocks of 1 B: /);
  await page.locator(".term").first().focus();
  assert.equal(await page.locator("[role=tooltip]").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("[role=tooltip]").count(), 0);
  await page.finish();
});

test("hostile names and data stay text", async () => {
  const evil = `</script><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
  writeFileSync(`${folder}/evil.toml`, `description = ${JSON.stringify(evil)}\n[alpha]\nvalue = "1 us"\nsource = ${JSON.stringify(evil)}\nhonesty = "recalled"\n[beta]\nvalue = "1 ns/B"\nsource = "x"\nhonesty = "recalled"\n`);
  writeFileSync(`${folder}/evil.csv`, `1024,0.001,${evil}\n`);
  const page = await open(report("evil", "bcast", "ring:5", "--machine", "evil.toml", "--measured", "evil.csv"));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.locator("#sources").textContent()).includes(evil));
  assert.equal((await inside(page)).crossover.measured[0].label, evil);
  assert.ok((await page.locator("#measured table").textContent()).includes(evil));
  // And what would get into the page all the same could not run: the policy names one script and one style.
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.hacked = 2";
    addEventListener("securitypolicyviolation", () => (window.stopped = true));
    document.body.append(script);
    return new Promise((done) => setTimeout(() => done([window.hacked, window.stopped]), 50));
  });
  assert.deepEqual(ran, [undefined, true]);
  await page.context().close(); // the browser complains of that script, as it must
});

test("finished answers become a report of their question", async () => {
  const words = ["alltoall", "hypercube:3", "--bytes", "4KiB", "--algorithm", "alltoall_mce:phases=1,2"];
  writeFileSync(`${folder}/run.json`, quadrille("run", ...words, "--json"));
  writeFileSync(`${folder}/played.json`, quadrille("simulate", ...words, "--json"));
  const page = await open(report("answers", "--from", "run.json", "played.json"));
  const data = await inside(page);
  assert.deepEqual([data.request.collective, data.request.topology, data.request.bytes], ["alltoall", "hypercube:3", 4096]);
  assert.equal(data.answer.choice, "alltoall_mce:phases=1,2");
  const run = JSON.parse(readFileSync(`${folder}/run.json`, "utf8"));
  assert.equal(data.crossover.measured[0].time_s, run.measured_s);
  assert.equal(data.crossover.measured[0].price_s, data.answer.price_s);
  assert.match(await page.locator(".card .out").textContent(), /^Run on threads: .* times what is predicted\.$/);
  assert.equal(await page.locator("#measured tbody tr").count(), 2);
  assert.equal(await page.locator("#sizes svg .measured").count(), 4); // two marks, and two in the key
  assert.match(await page.locator(".card .warn").first().textContent(), /^Faster: /);
  await page.finish();
});

test("hostile answers stay text", async () => {
  const evil = `<img src=x onerror="window.hacked=1">`;
  const price = JSON.parse(quadrille("price", "bcast", "ring:5", "--algorithm", "bcast_chain", "--json"));
  Object.assign(price.machine, { name: evil, description: `</script>${evil}` });
  writeFileSync(`${folder}/evil <b>.json`, JSON.stringify(price));
  const page = await open(report("evil-answer", "--from", "evil <b>.json"));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.locator("#sources").textContent()).includes(evil));
  await page.finish();
});

test("who asked for less motion gets still pictures", async () => {
  const page = await open(report("ring", ...requests.ring), { reducedMotion: "reduce" });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const after = await state(page);
  assert.deepEqual([after.playing, after.round, after.frames], [false, 1, 0]);
  await page.finish();
});

test("a phone needs no sideways scrolling, and print no controls", async () => {
  const page = await open(report("cube", ...requests.cube), { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".top").isVisible(), false);
  assert.equal(await page.getByRole("button", { name: "Play", exact: true }).isVisible(), false);
  assert.equal(await page.locator("#candidates table").first().isVisible(), true);
  await page.finish();
});

test("beyond 1024 ranks groups of them are shown", async () => {
  const page = await open(report("large", "bcast", "hypercube:11", "--machine", "unit-one-port"));
  await page.locator(".matrix canvas").focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#watch .readout").textContent(), /^Ranks 0 to 31 send .* to ranks 32 to 63\.$/);
  await page.finish();
});

test("when nothing can run, the page says so", async () => {
  const page = await open(report("none", "transpose", "hypercube:2", "--machine", "bus-1986"));
  if ((await inside(page)).answer === null) assert.match(await page.locator("header").textContent(), /Nothing can run here/);
  await page.finish();
});
