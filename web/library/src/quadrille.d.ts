// What Emscripten makes of the program: quadrille.js, which is beside these files once the package is built.
export interface Files {
  mkdir(path: string): void;
  chdir(path: string): void;
  readdir(path: string): string[];
  readFile(path: string): Uint8Array;
  writeFile(path: string, data: string | Uint8Array): void;
  unlink(path: string): void;
  rmdir(path: string): void;
  isDir(mode: number): boolean;
  stat(path: string): { mode: number };
}
export interface Program {
  FS: Files;
  HEAPU32: Uint32Array;
  _quadrille_run(argc: number, argv: number): number;
  _malloc(bytes: number): number;
  _free(address: number): void;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, address: number, bytes: number): void;
}
interface Start {
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
  locateFile(name: string): string;
  print(line: string): void;
  printErr(line: string): void;
}
export default function create(start: Start): Promise<Program>;
