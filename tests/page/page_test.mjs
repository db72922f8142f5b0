// The page of `run --report` in a real browser: it draws, answers the pointer, asks nobody for
// anything, and complains about nothing.
//   node page_test.mjs NODE_MODULES PROGRAM MACHINES CHROMIUM
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, machines, opened, written } from "./browser.mjs";
import "./comparison.mjs";

const data_of = (page) =>
  page.evaluate(() => JSON.parse(document.getElementById("data").textContent));

// How many different colours the timeline shows.
const colours_of = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector("#timeline canvas");
    const { width, height } = canvas;
    const bytes = canvas.getContext("2d").getImageData(0, 0, width, height).data;
    return new Set(new Uint32Array(bytes.buffer)).size;
  });

// A digest of the timeline's picture, once it stays the same.
async function timeline_of(page) {
  const picture = () => document.querySelector("#timeline canvas").toDataURL();
  for (let before = "", now; ; before = now) {
    now = createHash("sha256")
      .update(await page.evaluate(picture))
      .digest("hex");
    if (now === before) return now;
    await page.waitForTimeout(60);
  }
}

async function point_at_timeline(page, part, y) {
  const timeline = page.locator("#timeline");
  await timeline.scrollIntoViewIfNeeded();
  const box = await timeline.boundingBox();
  const left = 150; // of the tracks
  await page.mouse.move(box.x + left + (box.width - left) * part, box.y + y);
  await page.mouse.move(box.x + left + (box.width - left) * part + 2, box.y + y);
  const tip = page.locator(".chart-tip .tip-content");
  await tip.waitFor({ state: "visible", timeout: 5000 });
  return tip.innerText();
}

// Names are drawn on a canvas: the names that are asked for are looked at there, in order. There is
// ground between any two.
const names_of = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector("#timeline canvas");
    const { data, width, height } = canvas
      .getContext("2d")
      .getImageData(0, 0, 150 * devicePixelRatio, canvas.height);
    const inked = [...Array(height).keys()].map((y) => {
      const row = data.subarray(4 * y * width, 4 * (y + 1) * width);
      return row.some((value, i) => i % 4 === 3 && value > 60);
    });
    return inked.filter((ink, y) => ink && !inked[y - 1]).length;
  });

// With its time, and how many names stand apart at least.
const kMachines = [
  ["pcie_4gpu", "distributed", "15.0000", 4],
  ["dgx1v", "ring", "3.7333", 8],
  ["hgx_h100_x16", "hierarchical", "1.2288", 64],
];
for (const [machine, strategy, time, names] of kMachines)
  test(`${machine} is drawn whole, in silence, within 1280 pixels`, async () => {
    const { page, complaints } = await opened(written(machine, machine, strategy));
    const { points } = await data_of(page);
    await timeline_of(page);
    assert.equal(await page.locator(".tile .value").first().innerText(), time + "ms");
    assert.equal(await page.locator(".machine .line").count(), points[0].picture.lines.length);
    assert.equal(await page.locator(".machine .figure").count(), points[0].picture.figures.length);
    assert.ok(points[0].timeline.rates.length > 0);
    assert.ok((await colours_of(page)) > 8);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1280);
    assert.deepEqual(complaints, []);
    assert.ok((await names_of(page)) >= names); // looks a second time, of which a browser complains
    await page.close();
  });

test("pointing at a link shows its figures both ways; pointing at its row marks it", async () => {
  const { page } = await opened(written("hover", "pcie_4gpu", "ring"));
  await page.locator('.line[data-cable="gpu0-switch0"] .reach').hover({ force: true });
  const tip = await page.locator(".tip.shown").innerText();
  assert.match(tip, /gpu0 → switch0\s+100\.0\s%\s+rate\s+16\sGB\/s of 16\sGB\/s\s+bytes\s+240\sMB/);
  assert.match(tip, /switch0 → gpu0\s+100\.0\s%/);
  assert.equal(await page.locator(".label.lit").getAttribute("data-cable"), "gpu0-switch0");
  await page.mouse.move(0, 0);
  assert.equal(await page.locator(".lit").count(), 0);
  await page.locator(".busiest tbody tr").first().hover();
  assert.equal(await page.locator(".line.lit").getAttribute("data-cable"), "gpu0-switch0");
  await page.close();
});

test("pointing at the timeline shows a transfer's and a link's figures", async () => {
  const { page } = await opened(written("slices", "pcie_4gpu", "distributed"));
  const tip = await point_at_timeline(page, 0.2, 36);
  assert.match(tip, /^reduce gpu0 → gpu1/);
  assert.match(tip, /bytes\s+40\sMB\s+start\s+0\sms\s+finish\s+7\.5\sms/);
  assert.match(tip, /rate\s+5\.33\sGB\/s\s+phase\s+reduce/);
  const box = await page.locator("#timeline").boundingBox();
  const link = await point_at_timeline(page, 0.2, box.height - 58 - 10);
  assert.match(link, /rate\s+16\sGB\/s\s+capacity\s+16\sGB\/s\s+used\s+100\.0\s%/);
  await page.close();
});

// A ring of 14 steps: the last slice of the whole run ends with it, after 3.7333 ms.
test("the timeline zooms by button and wheel, and back to the whole run", async () => {
  const { page } = await opened(written("zoom", "dgx1v", "ring"));
  const last_finish = async () => {
    const tip = await point_at_timeline(page, 0.96, 36);
    return Number(/finish\s+([0-9.]+)\sms/.exec(tip)[1]);
  };
  const click = (name) => page.getByRole("button", { name }).click();
  assert.equal(await last_finish(), 3.733334);
  await click("Zoom in");
  assert.ok((await last_finish()) < 3);
  await click("whole run");
  assert.equal(await last_finish(), 3.733334);
  await point_at_timeline(page, 0.3, 36);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -400);
  await page.keyboard.up("Control");
  assert.ok((await last_finish()) < 3.7);
  await page.close();
});

test("the scheme is the reader's: dark on a dark screen, white on paper", async () => {
  const file = written("dark", "dgx1v", "ring");
  const { page, complaints } = await opened(file, "dark");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await timeline_of(page);
  assert.equal(await ground(), "rgb(18, 21, 24)");
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal(await ground(), "rgb(244, 245, 247)");
  assert.notEqual(await timeline_of(page), dark);
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  assert.equal(await ground(), "rgb(255, 255, 255)");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a name that looks like markup is text", async () => {
  const name = "a</script><script>console.log('taken for code')</script><!--";
  const machine = JSON.parse(readFileSync(join(machines, "pcie_4gpu.json"), "utf8"));
  const copy = join(folder, "named.json");
  writeFileSync(copy, JSON.stringify({ ...machine, name }));
  const { page, complaints } = await opened(written("named", copy, "ring"));
  assert.ok((await page.locator("h1").innerText()).endsWith(name));
  assert.deepEqual(complaints, []);
  await page.close();
});
