// Builds the page's template: HTML, style and script in one file, with a place for the data.
//   node build.mjs OUT.html
import { readFileSync, writeFileSync } from "node:fs";
import { buildSync } from "esbuild";

const bundled = (entry) =>
  buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    legalComments: "inline",
    logLevel: "warning",
  }).outputFiles[0].text.trim();

const parts = { "@STYLE@": bundled("page.css"), "@SCRIPT@": bundled("src/page.ts") };
let html = readFileSync("template.html", "utf8");
for (const [place, text] of Object.entries(parts)) html = html.replace(place, () => text);
writeFileSync(process.argv[2], html);
