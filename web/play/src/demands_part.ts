// Who has how much for whom, in the sentence: a pattern by its name and number, pairs, or a matrix as text.
import { h } from "../../src/dom";
import { taken } from "./network_part";
import { copy, mostText, type Question } from "./question";

export const matrixFile = "demands.txt";

interface Pattern {
  says: string;
  /// What its number means, and where one begins.
  asks?: { label: string; usual: (q: Question) => string };
}
const patterns: Record<string, Pattern> = {
  all: { says: "every rank for every other" },
  shift: { says: "each rank for the one so many places on", asks: { label: "Places on", usual: () => "1" } },
  halo: { says: "neighbours in a grid", asks: { label: "Sides of the grid, such as 4x4", usual: grid } },
  random: { says: "some ranks at random", asks: { label: "For how many others, or how many and a seed, such as 2,7", usual: () => "2" } },
  hot: { says: "one rank for all, and all for it", asks: { label: "The rank", usual: () => "0" } },
};
const pairs = "pairs";
const matrix = "matrix";

/// Ranks of a network in a grid, as far as its text says how many there are.
function grid(q: Question): string {
  const { family, numbers } = taken(q.topology);
  if (/^\d+(x\d+)+$/.test(numbers)) return numbers;
  const [first, second = 1] = numbers.split(/\D+/).map(Number);
  if (family !== "hypercube") return String((first || 4) * (family === "fattree" ? (first * first) / 4 : second || 1));
  const half = Math.floor(first / 2);
  return half === 0 ? String(2 ** first) : `${2 ** (first - half)}x${2 ** half}`;
}

/// "halo(4x4)": its name, and what is in parentheses.
function read(demands: string): { kind: string; number: string } {
  const [, name = "", number = ""] = /^([a-z]+)(?:\(([^()]*)\))?$/.exec(demands) ?? [];
  if (demands === matrixFile) return { kind: matrix, number: "" };
  return patterns[name] ? { kind: name, number } : { kind: pairs, number: demands };
}

export const demandsKind = (q: Question): string => (q.collective === "alltoallv" ? read(q.options.demands ?? "").kind : "");
/// What stands in the field beside the choice.
export const demandsNumber = (q: Question): string => read(q.options.demands ?? "").number;

const ring = (ranks: number) => Array.from({ length: ranks }, (_, r) => Array.from({ length: ranks }, (_, to) => (to === (r + 1) % ranks && to !== r ? "64KiB" : "0")).join(" ")).join("\n");

/// `ranks`: of the network, as the last answer says it. `edit` changes the question.
export function demandsPart(q: Question, ranks: number, edit: (what: (q: Question) => void) => void): (HTMLElement | string)[] {
  const { kind, number } = read(q.options.demands ?? "");
  const put = (demands: string) => edit((now) => (now.options.demands = demands));
  const choice = h(
    "select",
    { "aria-label": "Who has something for whom", "data-part": "pattern" },
    ...Object.entries(patterns).map(([name, p]) => h("option", { value: name, selected: name === kind }, `${p.says} (${name})`)),
    h("option", { value: pairs, selected: kind === pairs }, "pairs that I name"),
    h("option", { value: matrix, selected: kind === matrix }, "a matrix of sizes"),
  );
  choice.addEventListener("change", () => {
    const asks = patterns[choice.value]?.asks;
    if (choice.value === pairs) return put("0-1:64KiB,1-0");
    if (choice.value !== matrix) return put(asks ? `${choice.value}(${asks.usual(copy(q))})` : choice.value);
    edit((now) => ((now.options.demands = matrixFile), (now.files[matrixFile] ??= ring(Math.min(64, Math.max(2, ranks))) + "\n")));
  });
  const input = (label: string, value: string, most: number, act: (text: string) => void) => {
    const text = h("input", { type: "text", class: kind === pairs ? "text" : "size", size: kind === pairs ? 24 : 6, maxlength: most, value, "aria-label": label, title: label, "data-part": "demands", spellcheck: "false", autocomplete: "off" });
    text.addEventListener("change", () => act(text.value.trim()));
    return text;
  };
  const asks = patterns[kind]?.asks;
  if (kind === pairs) return [", from and to ", choice, " ", input("Pairs with their sizes, such as 0-1:64KiB,2-0", number, mostText, put)];
  if (kind === matrix) return [", from and to ", choice, ", below"];
  return [", from and to ", choice, ...(asks ? [" ", input(asks.label, number, 40, (text) => put(`${kind}(${text})`))] : [])];
}

/// The matrix, a line for each rank.
export function matrixPart(q: Question, edit: (what: (q: Question) => void) => void): HTMLElement | null {
  if (demandsKind(q) !== matrix) return null;
  const text = h("textarea", { rows: 6, maxlength: mostText, spellcheck: "false", autocomplete: "off", "aria-label": "What each rank has for each", "data-part": "matrix" });
  text.value = q.files[matrixFile] ?? "";
  text.addEventListener("input", () => edit((now) => (now.files[matrixFile] = text.value)));
  return h("div", { class: "matrix" }, h("p", { class: "note" }, "Line r says what rank r has for rank 0, 1, 2 and so on: sizes such as 0, 512 or 64KiB, with blanks between."), text);
}
