// What stands below the answer: the schedule in motion, where messages meet, who does what when, other sizes, and all
// candidates.
import { CombinedChart } from "./combined";
import { crossover } from "./crossover";
import type { ReportDocument } from "./document";
import { h } from "./dom";
import { HeatMap, matrix } from "./heat";
import { layOut } from "./layout";
import { Loads } from "./loads";
import { measured } from "./measured";
import { Player } from "./player";
import { Schedule } from "./schedule";
import { candidates, provenance } from "./tables";
import { TimelineChart } from "./timeline";
import { term } from "./terms";

export interface Sections {
  elements: HTMLElement[];
  /// Their ids, with names for links.
  links: [string, string][];
  player: Player | null;
  chart: TimelineChart | null;
  /// Once every piece was followed and every link was counted: the most messages on one link, round by round.
  counted: Promise<number[]>;
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

/// The schedule message by message.
function moving(d: ReportDocument): Sections {
  const schedule = new Schedule(d);
  const layout = layOut(d.network, d.schedule!);
  const loads = new Loads(schedule, layout);
  const player = new Player(d, schedule, layout, loads);
  const heat = new HeatMap(d, layout);
  const chart = new TimelineChart(d, schedule);
  player.onRound = (round) => heat.at(round);
  const show = (round: number) => {
    player.pause();
    player.seek(round);
  };
  heat.onPick = show;
  chart.onPick = show;
  const elements = [network(d, player)];
  const links: [string, string][] = [["watch", "Watch it"]];
  if (schedule.contributions !== null) {
    const combined = new CombinedChart(schedule, schedule.contributions);
    player.onDone = (done) => combined.at(done);
    elements.push(combined.element);
    links.push(["contributions", "Contributions"]);
  }
  elements.push(heat.element, chart.element);
  links.push(["links", "Links"], ["timeline", "Timeline"]);
  const counted = new Promise<void>((done) => setTimeout(done, 30)).then(async () => {
    if (schedule.followable) player.followed(await schedule.follow());
    const all = await loads.all();
    heat.show(all);
    player.scaleLoads(all === null ? 0 : Math.max(0, ...all.map((load) => load.most)));
    return all?.map((load) => load.competition) ?? [];
  });
  return { elements, links, player, chart, counted };
}

/// What there is of it where that would be too much: sums by groups of ranks, or a sentence.
function still(d: ReportDocument): Sections {
  const groups = matrix(d);
  const element = groups ?? (d.answer ? h("section", { id: "watch" }, h("h2", {}, "Watch it"), h("p", {}, "This run is too large to be shown message by message, or added up by groups of ranks.")) : null);
  return { elements: element ? [element] : [], links: element ? [["watch", "Watch it"]] : [], player: null, chart: null, counted: Promise.resolve([]) };
}

export function sections(d: ReportDocument): Sections {
  const all = d.schedule && d.schedule.detail !== "matrix" ? moving(d) : still(d);
  const times = measured(d);
  all.links.push(["sizes", "Sizes"], ...(times ? ([["measured", "Measured"]] as [string, string][]) : []), ["candidates", "Candidates"], ["sources", "Sources"]);
  all.elements.push(crossover(d), ...(times ? [times] : []), candidates(d), provenance(d));
  return all;
}
