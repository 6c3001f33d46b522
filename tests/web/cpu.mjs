// How long the threads of a browser's page ran, by the kernel's own counts: on a machine that does other work, too, clocks on
// the wall say little.
import { readFileSync, readdirSync } from "node:fs";

const read = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended meanwhile
  }
};

/// The processes that show pages.
export async function renderers(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter((process) => process.type === "renderer").map((process) => process.id);
}

/// Milliseconds of processor of all threads of the processes, by the threads' names: the page's own ("main"), its workers.
export function times(processes) {
  const sums = { main: 0, workers: 0, others: 0 };
  for (const process of processes) {
    let tasks = [];
    try {
      tasks = readdirSync(`/proc/${process}/task`);
    } catch {
      continue;
    }
    for (const task of tasks) {
      const name = read(`/proc/${process}/task/${task}/comm`).trim();
      const spent = Number(read(`/proc/${process}/task/${task}/schedstat`).split(" ")[0]) / 1e6;
      sums[Number(task) === process ? "main" : /Worker/.test(name) ? "workers" : "others"] += spent;
    }
  }
  return sums;
}

export const all = ({ main, workers, others }) => main + workers + others;
