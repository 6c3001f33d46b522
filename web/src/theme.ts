// Light or dark: as the system has it, until somebody presses the button.
import { h } from "./dom";

export function theme(): HTMLElement {
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
