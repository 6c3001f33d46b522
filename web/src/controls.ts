// Small things that controls need.
import { s } from "./dom";

/// Paths in a square of 24.
const icons = {
  play: "M7 4l13 8l-13 8z",
  pause: "M6 4h4v16h-4zM14 4h4v16h-4z",
  start: "M5 4h3v16h-3zM20 4v16l-11-8z",
  end: "M16 4h3v16h-3zM4 4v16l11-8z",
  back: "M16 4v16l-11-8z",
  on: "M8 4v16l11-8z",
};
export type Icon = keyof typeof icons;
export const draw = (icon: Icon) => s("svg", { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true", class: "icon" }, s("path", { d: icons[icon] }));

export const clamp = (v: number, low: number, high: number) => (Number.isFinite(v) ? Math.max(low, Math.min(high, Math.round(v))) : low);
