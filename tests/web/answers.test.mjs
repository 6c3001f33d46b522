// The web build beside the program: the same words get the same bytes, the same status and the same files.
// Usage: node tests/web/answers.test.mjs PROGRAM WEB OUT BUILD   BUILD: where tools/build_web has built
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { files, questions } from "./questions.mjs";

const [program, , , build] = process.argv.slice(2).map((path) => resolve(path));
const folder = join(build, "package");
const { start, Stopped, parsed, failed } = await import(pathToFileURL(join(folder, "node.js")).href);

let web;
before(async () => (web = await start()));
after(() => web?.close());

/// The program's answer, in an empty folder but for the files.
async function native(words) {
  const here = await mkdtemp(join(tmpdir(), "quadrille-"));
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(join(here, name), content);
    const said = await new Promise((done) =>
      execFile(program, words, { cwd: here, maxBuffer: 1 << 28, encoding: "utf8", env: { LC_ALL: "C.UTF-8" } }, (error, stdout, stderr) => done({ status: error ? error.code : 0, stdout, stderr })),
    );
    const written = {};
    for (const entry of await readdir(here, { withFileTypes: true })) {
      const content = entry.isFile() ? await readFile(join(here, entry.name), "utf8") : null;
      if (content !== null && content !== files[entry.name]) written[entry.name] = content;
    }
    return { ...said, files: written };
  } finally {
    await rm(here, { recursive: true });
  }
}

async function asked(words) {
  const { status, stdout, stderr, files: written } = await web.ask(words, { files, milliseconds: 120_000 });
  const text = new TextDecoder();
  return { status, stdout, stderr, files: Object.fromEntries(Object.entries(written).map(([name, content]) => [name, text.decode(content)])) };
}

test(`${questions.length} questions have the answers of the program, byte for byte`, async () => {
  assert.ok(questions.length >= 300);
  const different = [];
  for (const words of questions) {
    try {
      const [here, there] = await Promise.all([asked(words), native(words)]);
      assert.deepEqual(here, there);
    } catch (error) {
      different.push(`quadrille ${words.join(" ")}\n${String(error.message).slice(0, 1500)}`);
    }
  }
  assert.equal(different.length, 0, `${different.length} differ:\n\n${different.slice(0, 20).join("\n\n")}`);
});

test("what a page does not have is refused, and says so", async () => {
  const refusals = {
    "run alltoall crossbar:4 --algorithm alltoall_pairwise": /a web page has none/,
    "plan alltoall ring:4 --effort measure": /a web page has none/,
    "run alltoall crossbar:4 --algorithm alltoall_pairwise --transport openmpi": /a web page has no MPI/,
    "--plugin x.so plan alltoall ring:4": /a web page loads no shared libraries/,
    "plot alltoall ring:4 -o x.png": /a web page makes no PNG/,
    "topology --from x.xml": /a web page reads no XML/,
  };
  for (const [line, why] of Object.entries(refusals)) {
    const { status, stderr } = await web.ask(line.split(" "), { files: { "x.xml": "<system/>" } });
    assert.notEqual(status, 0, line);
    assert.match(stderr, why, line);
  }
});

/// Takes a minute or more.
const endless = "verify alltoall hypercube:12 --machine ipsc860 --algorithm alltoall_direct --no-symmetry --budget 4611686018427387904".split(" ");

test("a question that takes too long is stopped, and the next one is answered", async () => {
  const long = web.ask(endless, { milliseconds: 300 });
  const next = web.ask(["plan", "alltoall", "ring:4", "--json"]);
  await assert.rejects(long, (error) => error instanceof Stopped && error.why === "time");
  assert.equal((await next).status, 0);
});

test("a question that is taken back has no answer, whether its turn has come or not", async () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const first = web.ask(endless, { signal: one.signal });
  const second = web.ask(endless, { signal: two.signal });
  const third = web.ask(["topology", "ring:4"]);
  two.abort();
  one.abort();
  for (const stopped of [first, second]) await assert.rejects(stopped, (error) => error.why === "signal");
  assert.match((await third).stdout, /^ring:4/);
});

test("more memory than there is, is a refusal of the program, and the next question is answered", async () => {
  const { status, stdout } = await web.ask(["simulate", "alltoall", "torus:128x128", "--machine", "unit", "--order", "eager", "--json"], { milliseconds: 120_000 });
  assert.equal(status, 3);
  assert.equal(JSON.parse(stdout).error.kind, "budget");
  assert.equal((await web.ask(["topology", "ring:4"])).status, 0);
});

test("files have plain names only, and none is left for the next question", async () => {
  await assert.rejects(web.ask(["topology"], { files: { "../x": "" } }), /cannot have the name/);
  const { files: written } = await web.ask(["plot", "alltoall", "ring:4", "--set", "ports=all", "-o", "x.svg"]);
  assert.deepEqual(Object.keys(written), ["x.svg"]);
  assert.match((await web.ask(["topology", "--from", "x.svg"])).stderr, /x\.svg/);
  assert.equal((await web.ask(["topology", "--from", "x.svg"])).status, 2);
});

test("answers in JSON have types", async () => {
  const plan = parsed(await web.ask(["plan", "alltoall", "hypercube:6", "--machine", "ipsc860", "--bytes", "32", "--json"]));
  assert.equal(failed(plan), false);
  assert.equal(plan.best.choice, "alltoall_mce:phases=3,3");
  assert.equal(failed(parsed(await web.ask(["plan", "alltoall", "hypercub:6", "--json"]))), true);
});
