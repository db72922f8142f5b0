// A browser, and pages for it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";

export const [modules, program, machines, chromium] = process.argv.slice(2);
const playwright = createRequire(join(modules, "x"))("playwright-core");
export const folder = mkdtempSync(join(tmpdir(), "syncsim-page-"));
const kOffline = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser;
before(async () => {
  browser = await playwright.chromium.launch({ executablePath: chromium, args: kOffline });
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

export function reported(name, ...work) {
  const file = join(folder, name + ".html");
  execFileSync(program, ["run", ...work, "--report", file]);
  return file;
}

export const written = (name, topology, strategies, bytes = "160 MB", ...more) =>
  reported(name, "--topology", topology, "--strategy", strategies, "--bytes", bytes, ...more);

// The page, and what it says or asks for that it should not.
export async function opened(file, scheme = "light") {
  const view = { viewport: { width: 1280, height: 900 }, colorScheme: scheme };
  const page = await browser.newPage(view);
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (url !== "file://" + file && !url.startsWith("data:")) complaints.push("asks for " + url);
  });
  await page.goto("file://" + file);
  await page.waitForSelector("#timeline canvas");
  return { page, complaints };
}
