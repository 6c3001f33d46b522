// The page that plans, for everybody and whatever it is fed: addresses, windows, keyboards; nothing that an address or a file
// holds becomes markup or hangs it. With UPDATE=1 the pictures of the guide are made anew.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { quadrille, source } from "../browser/browser.mjs";
import { answer, best, change, fragment, line, open, part, rest, words } from "./page.mjs";

test("an answer that takes long is first a quick one, which says so, and then the program's own", async () => {
  const asked = ["allreduce", "fattree:4", "--bytes", "1MiB", "--machine", "cluster"];
  const page = await open("collective=allreduce&topology=fattree:4&bytes=1MiB&machine=cluster");
  const said = [];
  await page.exposeFunction("noted", (text) => said.push(text));
  await page.evaluate(() => new MutationObserver(() => window.noted(document.querySelector(".first-answer")?.textContent ?? document.querySelector(".top-answer .choice")?.textContent ?? "")).observe(document.querySelector(".top-answer"), { childList: true }));
  await change(page, () => part(page, "family").selectOption({ label: "dragonfly" }));
  assert.ok(said.some((text) => text.startsWith("A first answer;")), said.join("\n"));
  assert.equal(await page.locator(".first-answer").count(), 0);
  assert.ok((await page.evaluate(() => window.play.whole().length)) > 0);
  assert.equal(await answer(page), best(...words(await line(page))));
  const again = await open("collective=allreduce&topology=fattree:4&bytes=1MiB&machine=cluster");
  assert.equal(await answer(again), best(...asked));
  await again.finish();
  await page.finish();
});

test("two questions stand side by side, and their address holds both", async () => {
  const page = await open("collective=alltoall&topology=hypercube:4&bytes=1KiB&machine=ipsc860");
  await change(page, () => page.getByRole("button", { name: "Compare with another" }).click());
  assert.equal(await page.locator(".comparison").textContent().then((text) => text.startsWith("Both take as long.")), true);
  await change(page, () => page.locator('[data-part="machine"]').nth(1).selectOption("delta"));
  assert.match(await page.locator(".comparison").textContent(), /is [\d.]+ times as fast as/);
  const again = await open((await fragment(page)).slice(1));
  assert.equal(await again.locator(".comparison").textContent(), await page.locator(".comparison").textContent());
  await again.finish();
  await page.finish();
});

test("bars of two questions have one scale, and a value that the machine has by itself is no change", async () => {
  const page = await open("collective=alltoall&topology=hypercube:6&bytes=100&machine=ipsc860&compare=" + encodeURIComponent("collective=alltoall&topology=hypercube:6&bytes=100&machine=ipsc860&set=switching=store-and-forward"));
  const widths = (await page.locator(".key").allTextContents()).map((text) => /all of the width: (.*)$/.exec(text)[1]);
  assert.equal(widths.length, 2);
  assert.equal(widths[0], widths[1]);
  await page.locator(".constants summary").nth(1).click();
  await change(page, () => page.locator("#constant-switching-1").selectOption("circuit"));
  assert.equal(await page.locator(".sentence .changed").count(), 0);
  assert.equal(new Set(await page.locator(".top-answer .choice").allTextContents()).size, 2); // the choice, and against the limit
  await page.finish();
});

test("every prepared question has an answer, and those of schedules a verdict", async () => {
  const page = await open();
  const titles = await page.locator("#prepared option").allTextContents();
  assert.ok(titles.length > 10);
  for (const title of titles.slice(1)) {
    await change(page, () => page.selectOption("#prepared", { label: title }));
    assert.equal(await page.locator(".refusal").count(), 0, title);
    assert.equal(await page.locator(".top-answer .choice").count() > 0, true, title);
    if (/A wrong schedule/.test(title)) assert.match(await page.locator("#own-verdict").textContent(), /^Refuted/);
  }
  await page.finish();
});

test("the address that the program prints opens the question", async () => {
  const asked = ["allreduce", "fattree:4", "--bytes", "1MiB", "--machine", "cluster", "--set", "alpha=3us"];
  const page = await open(quadrille("plan", ...asked, "--url").trim().split("#")[1]);
  assert.equal(await line(page), `quadrille plan ${asked.join(" ")}`);
  assert.equal(await answer(page), best(...asked));
  await page.finish();
});

test("nothing in an address or a file becomes markup, a request or an option, and none hangs the page", async () => {
  const evil = "<img src=x onerror=alert(1)>";
  const hostile = [
    `collective=${encodeURIComponent(evil)}&topology=ring:4`,
    `collective=alltoall&topology=${encodeURIComponent(evil)}`,
    `collective=alltoall&topology=ring:4&machine=${encodeURIComponent("</script><script>alert(1)</script>")}`,
    `collective=alltoall&topology=graph:x.net&file.x.net=${encodeURIComponent(`host ${evil}\nlink a b`)}`,
    `collective=alltoall&topology=graph:drawn.net&file.drawn.net=${encodeURIComponent(`host a" b'\nlink a" b' 1GB/s"><script>alert(1)</script>`)}`,
    `collective=allgather&topology=ring:4&schedule=${encodeURIComponent(evil)}`,
    `collective=allgather&topology=ring:4&schedule=${encodeURIComponent("round 0: 0 > 1: 0 for a in 0..999999999, b in 0..999999999")}`,
    `collective=allgather&topology=ring:4&schedule=${encodeURIComponent('{"quadrille_schedule":1,"x":"' + evil + '"}')}`,
    `collective=--help&topology=--plugin&bytes=-1&machine=--json&set=--wisdom`,
    `collective=alltoall&topology=mesh:1000000x1000&bytes=1e400`,
    `collective=alltoall&topology=ring:4&ask=simulate&slow=${encodeURIComponent(evil)}&order=--help&jitter=1e400&seed=-1&fail=${"0-1,".repeat(40)}`,
    `collective=alltoall&topology=ring:4&__proto__=1&constructor=2&set=__proto__=3`,
    `collective=alltoall&topology=ring:4&file.__proto__=x&file.../x=y`,
    `%E0%A4%A=%&collective=%ZZ&&&===`,
    `collective=alltoall&topology=ring:4&compare=${encodeURIComponent(`collective=${evil}&topology=${evil}`)}`,
    `${"set=alpha=1us&".repeat(5000)}collective=alltoall&topology=ring:4`,
  ];
  const page = await open(); // which follows them as it follows links: to open each anew takes seconds
  for (const address of hostile) {
    await change(page, () => page.evaluate((text) => new Promise((followed) => {
      addEventListener("hashchange", followed, { once: true });
      location.hash = text;
    }), address));
    assert.equal(await page.locator("#page img, #page script, #page iframe").count(), 0, address);
    assert.equal(await page.locator(".sentence select").count() > 1, true, address);
    await change(page, () => page.selectOption("#prepared", { label: "The same torus, whole" }));
    assert.equal(await page.locator(".refusal").count(), 0, address);
  }
  await page.finish();
});

test("what takes too long is stopped, by another question or after a while, which the page says", async () => {
  const page = await open("collective=alltoall&topology=hypercube:5&bytes=64");
  await page.evaluate(() => (location.hash = "collective=allreduce&topology=mesh:90x90&bytes=64MiB&machine=cluster"));
  await page.waitForFunction(() => /\S/.test(document.querySelector(".top-answer").textContent), null, { timeout: 60_000 });
  await change(page, () => page.selectOption("#prepared", { label: "32 B on 64 nodes" }));
  assert.equal(await answer(page), "alltoall_mce:phases=3,3");
  await page.clock.install(); // so that nobody waits for that while
  await page.evaluate(() => (location.hash = "collective=allreduce&topology=fattree:64&bytes=1GiB"));
  await page.waitForFunction(() => /fattree:64/.test(document.querySelector(".links .line").textContent));
  let stopped = false;
  const resting = rest(page).then(() => (stopped = true));
  for (let i = 0; i < 100 && !stopped; ++i) await page.clock.fastForward(1_000);
  await resting;
  assert.match(await page.locator("#page").textContent(), /It was stopped, as it took more than \d+ s\./);
  await change(page, () => page.selectOption("#prepared", { label: "The same torus, whole" }));
  assert.equal(await page.locator(".refusal").count(), 0);
  await page.finish();
});

test("every control has a name, and the keyboard reaches it", async () => {
  const page = await open();
  for (const summary of await page.locator("main > details > summary, .side-by-side > details > summary").all()) await summary.click();
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("input, select, textarea, button")].filter((e) => !(e.getAttribute("aria-label") || e.labels?.length || e.textContent.trim())).map((e) => e.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
  await page.locator(".skip").focus();
  const reached = new Set();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => document.activeElement?.dataset?.part ?? document.activeElement?.id ?? "");
    if (at) reached.add(at);
  }
  for (const name of ["collective", "bytes", "bytes-slider", "family", "number-1", "topology", "machine", "constant-alpha"]) assert.ok(reached.has(name), `${name}: ${[...reached].join(" ")}`);
  await page.finish();
});

test("a narrow window shows all of it", async () => {
  const page = await open("", { viewport: { width: 390, height: 800 } });
  await rest(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const lines = await page.locator("#sizes path.series").count() / 2; // in the chart, and beside its name
  assert.equal(await page.locator("#sizes .keys li").count(), lines);
  await page.finish();
});

test("on a phone, in the dark and without motion it is whole", async () => {
  const page = await open("", { viewport: { width: 390, height: 800 }, colorScheme: "dark", reducedMotion: "reduce", hasTouch: true, isMobile: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.dark), "yes");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const state = await page.evaluate(() => window.play.player());
  assert.deepEqual([state.playing, state.round], [false, 1]);
  await page.finish();
});

if (process.env.UPDATE)
  test("pictures for the guide", async () => {
    const shot = async (page, name, options = {}) => page.screenshot({ path: `${source}/docs/pictures/${name}.png`, ...options });
    const page = await open();
    await shot(page, "play");
    await page.finish();
    const own = await open("collective=bcast&topology=path:4&bytes=64&machine=unit&schedule=" + encodeURIComponent("# Rank 1 sends in round 0 what it gets in round 0.\nround 0: r > r+1: 0  for r in 0..P-2"));
    await own.locator(".own").scrollIntoViewIfNeeded();
    await own.locator(".own").screenshot({ path: `${source}/docs/pictures/play-own.png` });
    await own.waitForFunction(() => window.play.player()?.failing, null, { timeout: 30_000 });
    await own.locator("#watch").screenshot({ path: `${source}/docs/pictures/play-fault.png` });
    await own.finish();
    const tree = await open("collective=alltoall&topology=xgft:2;4,4;1,1&bytes=64KiB&machine=cluster");
    await tree.locator("#watch").screenshot({ path: `${source}/docs/pictures/play-binds.png` });
    await tree.finish();
    const drawn = await open("collective=allreduce&topology=graph:drawn.net&bytes=64MiB&machine=cluster&file.drawn.net=" + encodeURIComponent("host n0 n1 n2 n3\nswitch s0 s1\nlink n0 s0 25GB/s\nlink n1 s0 25GB/s\nlink n2 s1 25GB/s\nlink n3 s1 25GB/s\nlink s0 s1 12.5GB/s\nlink n0 s1 25GB/s\nfail n0 s1\n"));
    await drawn.locator(".editor").screenshot({ path: `${source}/docs/pictures/play-network.png` });
    await drawn.finish();
    assert.ok(readFileSync(`${source}/docs/pictures/play.png`).length > 1000);
  });
