// Elements without markup: text becomes text, whatever it holds.

export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as unknown as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/// A colour of the style sheet, for canvases.
export const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

let life = new AbortController();
/// Listeners outside of what is shown end with this signal.
export const whileShown = (): { signal: AbortSignal } => ({ signal: life.signal });
/// What was shown so far is shown no more: from here on it listens to nothing.
export function beginAnew(): void {
  life.abort();
  life = new AbortController();
}

/// Calls `paint` now, when `element` changes its size, and when light becomes dark or the page is printed.
export function whenShown(element: Element, paint: () => void): void {
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      paint();
    });
  };
  const shown = whileShown();
  const sized = new ResizeObserver(ask);
  sized.observe(element);
  shown.signal.addEventListener("abort", () => sized.disconnect());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ask, shown);
  document.addEventListener("themechange", ask, shown);
  addEventListener("beforeprint", paint, shown);
}
