// The program in this thread: one question after the other, each answered before the call returns.
import create, { type Program } from "./quadrille.js";

/// What a file holds: text, or bytes.
export type Content = string | Uint8Array;

/// What a command says. All that it would print is here as text, byte for byte; files that it wrote are in `files`.
export interface Answer {
  status: number;
  stdout: string;
  stderr: string;
  files: Record<string, Uint8Array>;
}

const folder = "/here";
const utf8 = new TextDecoder("utf-8");

/// A name that cannot lead out of the folder.
function checkedName(name: string): string {
  if (name === "" || name.startsWith(".") || /[/\0]/.test(name)) throw new Error(`a file cannot have the name ${JSON.stringify(name)}`);
  return `${folder}/${name}`;
}

export class Engine {
  private constructor(private readonly program: Program) {
    const { FS } = program;
    for (const made of [folder, "/answer"]) FS.mkdir(made);
    FS.chdir(folder);
  }

  static async start(module: WebAssembly.Module): Promise<Engine> {
    const nothing = () => undefined;
    const program = await create({
      instantiateWasm: (imports, done) => {
        void WebAssembly.instantiate(module, imports).then(done);
        return {};
      },
      locateFile: (name) => name, // nothing is looked for
      print: nothing,
      printErr: nothing,
    });
    return new Engine(program);
  }

  /// Runs `quadrille` with these words. Throws where the program did not come to its end; no other call works then.
  run(words: readonly string[], files: Record<string, Content> = {}): Answer {
    const { FS } = this.program;
    for (const [name, content] of Object.entries(files)) FS.writeFile(checkedName(name), content);
    try {
      const status = this.call(["quadrille", ...words]);
      const text = (name: string) => utf8.decode(FS.readFile(`/answer/${name}`));
      return { status, stdout: text("stdout"), stderr: text("stderr"), files: this.written(files) };
    } finally {
      this.empty(folder);
    }
  }

  private call(words: string[]): number {
    const p = this.program;
    const argv = p._malloc(4 * (words.length + 1));
    const places = words.map((word) => {
      const bytes = p.lengthBytesUTF8(word) + 1;
      const place = p._malloc(bytes);
      p.stringToUTF8(word, place, bytes);
      return place;
    });
    p.HEAPU32.set([...places, 0], argv / 4);
    const status = p._quadrille_run(words.length, argv);
    for (const place of [...places, argv]) p._free(place);
    return status;
  }

  /// Files that were not there before, or have other content.
  private written(given: Record<string, Content>): Record<string, Uint8Array> {
    const { FS } = this.program;
    const found: Record<string, Uint8Array> = {};
    for (const name of FS.readdir(folder)) {
      if (name === "." || name === ".." || FS.isDir(FS.stat(`${folder}/${name}`).mode)) continue;
      const content = FS.readFile(`${folder}/${name}`);
      const before = given[name];
      const same = before !== undefined && utf8.decode(content) === (typeof before === "string" ? before : utf8.decode(before));
      if (!same) found[name] = content;
    }
    return found;
  }

  private empty(path: string): void {
    const { FS } = this.program;
    for (const name of FS.readdir(path)) {
      if (name === "." || name === "..") continue;
      const full = `${path}/${name}`;
      if (!FS.isDir(FS.stat(full).mode)) FS.unlink(full);
      else {
        this.empty(full);
        FS.rmdir(full);
      }
    }
  }
}
