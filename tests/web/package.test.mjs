// The npm package as a page on a web server has it: fetched, started in a worker, asked, stopped and closed.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { launch, quadrille } from "../browser/browser.mjs";

const folder = join(resolve(process.argv[5]), "package");
const kinds = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
let server, browser, page, address;
const fetched = [];

before(async () => {
  server = createServer(async (request, response) => {
    const name = request.url.slice(1);
    fetched.push(name);
    if (name === "") return void response.setHeader("Content-Type", "text/html").end("<!doctype html><title>empty</title>");
    try {
      const content = await readFile(join(folder, name.replaceAll("/", "")));
      response.setHeader("Content-Type", kinds[extname(name)] ?? "text/plain").end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await launch();
  page = await browser.newPage();
  await page.goto(address);
  await page.evaluate(async () => (window.package = await import("./browser.js")));
  await page.evaluate(async () => (window.program = await window.package.start()));
});
after(async () => {
  await browser?.close();
  server?.close();
});

const asked = (words, options = {}) => page.evaluate(([words, options]) => window.program.ask(words, options), [words, options]);

test("it answers as the program does, and fetches its own files only", async () => {
  const words = ["plan", "alltoall", "hypercube:6", "--machine", "ipsc860", "--bytes", "32", "--json"];
  const { status, stdout } = await asked(words);
  assert.equal(status, 0);
  assert.equal(stdout, quadrille(...words));
  const named = new Set(fetched.filter((name) => name !== "" && name !== "favicon.ico"));
  for (const name of ["browser.js", "client.js", "worker.js", "quadrille.js", "quadrille.wasm"]) assert.ok(named.has(name), `${name}: ${[...named].join(" ")}`);
  for (const name of named) assert.match(name, /^[a-z-]+\.(js|wasm)$/);
});

test("files go in, and answers have types", async () => {
  const net = "host a b\nlink a b 1GB/s\n";
  const { stdout } = await asked(["topology", "graph:two.net", "--json"], { files: { "two.net": net } });
  assert.equal(JSON.parse(stdout).ranks, 2);
  assert.equal(await page.evaluate(async () => window.package.failed(window.package.parsed(await window.program.ask(["plan", "alltoall", "hypercub:6", "--json"])))), true);
});

test("a question that takes too long is stopped, the next one is answered, and nothing after it is closed", async () => {
  const endless = "verify alltoall hypercube:12 --machine ipsc860 --algorithm alltoall_direct --no-symmetry --budget 4611686018427387904".split(" ");
  const why = (words, options) => page.evaluate(([words, options]) => window.program.ask(words, options).then(() => "answered", (error) => (error instanceof window.package.Stopped ? error.why : String(error))), [words, options]);
  assert.equal(await why(endless, { milliseconds: 300 }), "time");
  assert.match((await asked(["topology", "ring:4"])).stdout, /^ring:4/);
  await page.evaluate(() => window.program.close());
  assert.equal(await why(["topology", "ring:4"], {}), "closed");
});

test("a program that is not there is an error, not a silence", async () => {
  const said = await page.evaluate(() => window.package.start(new URL("./nothing.wasm", location.href)).then(() => "started", (error) => error.name));
  assert.equal(said, "TypeError"); // what is fetched is no WebAssembly
});

test("a worker that cannot be loaded breaks the question, which says so", async () => {
  const said = await page.evaluate(async () => {
    const module = await WebAssembly.compileStreaming(fetch("./quadrille.wasm"));
    const { Quadrille, workers } = window.package;
    const program = new Quadrille(module, workers(new URL("./nothing.js", location.href)));
    return program.ask(["topology"], { milliseconds: 5000 }).then(() => "answered", (error) => error.why);
  });
  assert.equal(said, "broken");
});
