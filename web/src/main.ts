// Puts the page together: the answer first, then the picture, then what stands behind it.
import { answer } from "./answer";
import { readDocument, type ReportDocument } from "./document";
import { h } from "./dom";
import { timesAreCounts } from "./format";
import type { PlayerState } from "./player";
import { sections } from "./sections";
import { theme } from "./theme";

/// What the page's own tests and its benchmark look at.
interface Inside {
  ready: Promise<void>;
  player: () => PlayerState | null;
  zoom: () => number;
  competition: () => number[];
  /// Milliseconds from the start of loading until the page was shown.
  opened: number;
}
declare global {
  interface Window {
    quadrille: Inside;
  }
}

function build(d: ReportDocument, page: HTMLElement): Inside {
  timesAreCounts(d.machine.counts);
  const { elements, links, player, chart, counted } = sections(d);
  page.replaceChildren(
    h("a", { class: "skip", href: "#main" }, "To the answer"),
    h("div", { class: "top" }, h("span", { class: "mark" }, "Quadrille"), h("nav", { "aria-label": "Sections" }, ...links.map(([id, text]) => h("a", { href: `#${id}` }, text))), theme()),
    h("main", { id: "main" }, answer(d), ...elements),
  );
  let competition: number[] = [];
  const ready = counted.then((all) => void (competition = all));
  return { ready, player: () => player?.state() ?? null, zoom: () => chart?.zoomLevel() ?? 1, competition: () => competition, opened: 0 };
}

// Paper cannot be unfolded.
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => (d.open = true)));

const page = document.getElementById("page")!;
try {
  window.quadrille = build(readDocument(), page);
  requestAnimationFrame(() => (window.quadrille.opened = performance.now()));
} catch (error) {
  page.replaceChildren(h("h1", {}, "This report cannot be shown"), h("p", {}, String(error)));
  throw error;
}
