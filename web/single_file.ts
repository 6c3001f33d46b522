// A page as one file with its script and style inside, and a policy that lets the browser run just those and fetch nothing.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const hash = (text: string) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

/// Puts scripts and styles into the pages, and their hashes into the policy. `allowed`: scripts besides; `more`: what else there is in the policy.
export function singleFile(allowed = "", ...more: string[]): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const used = new Set<string>();
      const text = (href: string): string => {
        const name = href.replace(/^\.?\//, "");
        const file = bundle[name];
        if (!file) throw new Error(`${name} is not in the bundle`);
        used.add(name);
        return (file.type === "chunk" ? file.code : String(file.source)).replace(/[ \t]+$/gm, "");
      };
      for (const file of Object.values(bundle)) {
        if (file.type !== "asset" || !file.fileName.endsWith(".html")) continue;
        const scripts: string[] = [];
        const styles: string[] = [];
        let html = String(file.source).replace(/<script type="module"[^>]* src="([^"]+)"><\/script>\s*/g, (_all, href) => {
          scripts.push(text(href).trim().replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--"));
          return "";
        });
        html = html.replace(/<link rel="stylesheet"[^>]* href="([^"]+)">\s*/g, (_all, href) => {
          styles.push(text(href).trim());
          return "";
        });
        const policy = [
          "default-src 'none'",
          `script-src ${[...scripts.map(hash), allowed].join(" ").trim() || "'none'"}`,
          `style-src ${styles.map(hash).join(" ") || "'none'"}`,
          "img-src data:",
          "base-uri 'none'",
          "form-action 'none'",
          ...more,
        ].join("; ");
        html = html
          .replace("@@POLICY@@", () => policy)
          .replace("</head>", () => styles.map((s) => `<style>${s}</style>\n`).join("") + "</head>")
          .replace("</body>", () => scripts.map((s) => `<script type="module">${s}</script>\n`).join("") + "</body>");
        file.source = html.replace(/\n*$/, "\n");
      }
      for (const name of used) delete bundle[name];
    },
  };
}
