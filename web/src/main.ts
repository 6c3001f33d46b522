// Puts the page together: the answer first, then the picture, then what stands behind it.
import { answer } from "./answer";
import { CombinedChart } from "./combined";
import { crossover } from "./crossover";
import { readDocument, type ReportDocument } from "./document";
import { h } from "./dom";
import { timesAreCounts } from "./format";
import { HeatMap, matrix } from "./heat";
import { layOut } from "./layout";
import { Loads } from "./loads";
import { measured } from "./measured";
import { Player, type PlayerState } from "./player";
import { Schedule } from "./schedule";
import { candidates, provenance } from "./tables";
import { TimelineChart } from "./timeline";
import { term } from "./terms";

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

function theme(): HTMLElement {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const apply = (dark: boolean) => {
    root.dataset.dark = dark ? "yes" : "no";
    root.style.colorScheme = dark ? "dark" : "light";
    button.setAttribute("aria-pressed", String(dark));
    document.dispatchEvent(new Event("themechange"));
  };
  const button = h("button", { type: "button", class: "theme", "aria-label": "Dark colours", title: "Dark or light" }, "\u25d0");
  button.addEventListener("click", () => apply(root.dataset.dark !== "yes"));
  system.addEventListener("change", () => apply(system.matches));
  apply(system.matches);
  return button;
}

function network(d: ReportDocument, player: Player): HTMLElement {
  return h(
    "section",
    { id: "watch", "aria-labelledby": "watch-title" },
    h("h2", { id: "watch-title" }, "Watch it"),
    h("p", {}, "What happens, ", term("round"), " by round: dots are messages on their way over ", term("link", "links"), " between ", term("ranks"), d.schedule?.routes_known === false ? "; drawn straight, because the ways through this network are too many to list here." : "."),
    player.element,
  );
}

function build(d: ReportDocument, page: HTMLElement): Inside {
  timesAreCounts(d.machine.counts);
  const links: [string, string][] = [["watch", "Watch it"]];
  const sections: (HTMLElement | null)[] = [];
  let player: Player | null = null;
  let chart: TimelineChart | null = null;
  let competition: number[] = [];
  let ready = Promise.resolve();
  if (d.schedule && d.schedule.detail !== "matrix") {
    const schedule = new Schedule(d);
    const layout = layOut(d.network, d.schedule);
    const loads = new Loads(schedule, layout);
    const made = new Player(d, schedule, layout, loads);
    const heat = new HeatMap(d, layout);
    chart = new TimelineChart(d, schedule);
    made.onRound = (round) => heat.at(round);
    const show = (round: number) => {
      made.pause();
      made.seek(round);
    };
    heat.onPick = show;
    chart.onPick = show;
    sections.push(network(d, made));
    if (schedule.contributions !== null) {
      const combined = new CombinedChart(schedule, schedule.contributions);
      made.onDone = (done) => combined.at(done);
      sections.push(combined.element);
      links.push(["contributions", "Contributions"]);
    }
    sections.push(heat.element, chart.element);
    links.push(["links", "Links"], ["timeline", "Timeline"]);
    player = made;
    ready = new Promise<void>((done) => setTimeout(done, 30)).then(async () => {
      if (schedule.followable) made.followed(await schedule.follow());
      const all = await loads.all();
      heat.show(all);
      competition = all?.map((load) => load.competition) ?? [];
      made.scaleLoads(all === null ? 0 : Math.max(0, ...all.map((load) => load.most)));
    });
  } else {
    const groups = matrix(d);
    if (groups) sections.push(groups);
    else if (d.answer) sections.push(h("section", { id: "watch" }, h("h2", {}, "Watch it"), h("p", {}, "This run is too large to be shown message by message, or added up by groups of ranks.")));
    else links.pop();
  }
  const times = measured(d);
  links.push(["sizes", "Sizes"], ...(times ? ([["measured", "Measured"]] as [string, string][]) : []), ["candidates", "Candidates"], ["sources", "Sources"]);
  page.replaceChildren(
    h("a", { class: "skip", href: "#main" }, "To the answer"),
    h("div", { class: "top" }, h("span", { class: "mark" }, "Quadrille"), h("nav", { "aria-label": "Sections" }, ...links.map(([id, text]) => h("a", { href: `#${id}` }, text))), theme()),
    h("main", { id: "main" }, answer(d), ...sections.filter((s) => s !== null), crossover(d), ...(times ? [times] : []), candidates(d), provenance(d)),
  );
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
