// How a page tells points and strategies apart.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, opened, reported, written } from "./browser.mjs";

test("a strategy that is refused is a row of the comparison that says why", async () => {
  const { page, complaints } = await opened(written("refused", "mi250", "distributed"));
  const row = page.locator("tr", { has: page.locator("td.refused") }).first();
  assert.match(await row.innerText(), /^central_cpu\s+refused: .*has no CPU/);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1280);
  assert.deepEqual(complaints, []);
  await page.close();
});

const cells_of = (page, name) =>
  page.evaluate((wanted) => {
    const table = document.querySelector("tr.choice").closest("table");
    const heads = [...table.querySelectorAll("th")].map((head) => head.innerText);
    const column = heads.findIndex((head) => head.startsWith(wanted));
    return [...table.querySelectorAll("tbody tr")].map((row) => row.cells[column]?.innerText);
  }, name);

// A ring of 4 over 16 GB/s: 1.5 times the bytes over each link, of 8 B two shares of 4 B six times.
test("times of 8 B and of 8 GB beside each other can both be read", async () => {
  const { page } = await opened(written("sizes", "pcie_4gpu", "ring", "8 B..8 GB x1000"));
  const nbsp = (text) => text.replaceAll(" ", "\u00a0");
  assert.deepEqual(await cells_of(page, "size"), ["8 B", "8 kB", "8 MB", "8 GB"].map(nbsp));
  const times = ["1.5000 ns", "750.0000 ns", "750.0000 us", "750.0000 ms"].map(nbsp);
  assert.deepEqual(await cells_of(page, "time"), times);
  await page.close();
});

test("times of one magnitude have one unit, in the column's head", async () => {
  const { page } = await opened(written("units", "pcie_4gpu", "ring,distributed"));
  assert.deepEqual(await cells_of(page, "timems"), ["15.0000", "15.0000"]);
  await page.close();
});

test("rows of one strategy say what tells them apart: name, machine, edits", async () => {
  const file = join(folder, "apart.json");
  const plain = { topology: "pcie_4gpu", strategy: "ring", bytes: "1 MB" };
  const edits = ["scale link:gpu0-switch0 bandwidth 0.5"];
  const points = [
    { ...plain, name: "alone" },
    plain,
    { ...plain, edits },
    { ...plain, topology: "dgx1v", strategy: "double_binary_tree", bytes: "1 kB" },
    { ...plain, rates: "usable" },
  ];
  writeFileSync(file, JSON.stringify({ points }));
  const { page, complaints } = await opened(reported("apart", file));
  const line = "line rates";
  assert.deepEqual(await cells_of(page, "point"), [
    "alone · pcie_4gpu",
    `pcie_4gpu · ${line}`,
    `pcie_4gpu · ${line} · edit: ${edits[0]}`,
    "dgx1v",
    "pcie_4gpu · usable rates",
  ]);
  const tabs = await page.locator(".tabs button").allInnerTexts();
  assert.equal(new Set(tabs.map((tab) => tab.replace(/\s+\S+\s\S+$/, ""))).size, 5);
  const room = await page.evaluate(() => {
    const table = document.querySelector("tr.choice").closest("table");
    return table.parentElement.clientWidth - table.scrollWidth;
  });
  assert.ok(room >= 0, `the comparison is ${-room} pixels too wide`);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a run that moves nothing has no empty tables, no factor, and whole names", async () => {
  const { page, complaints } = await opened(written("nothing", "pcie_4gpu", "ring", "0 B"));
  const text = await page.locator("body").innerText();
  for (const absent of ["Busiest links", "Details", "algbw ×"]) assert.ok(!text.includes(absent));
  assert.match(text, /as nccl-tests/);
  const lines = await page.evaluate(() =>
    [...document.querySelectorAll("td.strategy")].map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return [cell.innerText, new Set([...range.getClientRects()].map((box) => box.top)).size];
    }),
  );
  assert.ok(lines.some(([name]) => name === "double_binary_tree"));
  for (const [name, count] of lines) assert.ok(count === 1 || name.includes(" "), name);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("chips say what an event sets and who comes late", async () => {
  const late = ["--start", "3=1 ms", "--event", "at 100 us link:gpu1-switch0 bandwidth=10 GB/s"];
  const { page } = await opened(written("late", "pcie_4gpu", "ring", "1 MB", ...late));
  const chips = (await page.locator(".chips li").allInnerTexts()).map((text) =>
    text.replaceAll("\u00a0", " "),
  );
  assert.ok(chips.includes("event: gpu1>switch0, switch0>gpu1: 10 GB/s at 100 us"), chips.join());
  assert.ok(chips.includes("start: rank 3 at 1 ms"), chips.join());
  await page.close();
});

test("of several points one is shown, and a click shows another", async () => {
  const { page, complaints } = await opened(written("points", "dgx1v", "ring,packed_trees"));
  assert.match(await page.locator("h1").innerText(), /by ring on dgx1v/);
  await page.getByRole("button", { name: /packed_trees/ }).click();
  assert.match(await page.locator("h1").innerText(), /by packed_trees on dgx1v/);
  await page.locator("tr.choice", { hasText: "ring" }).click();
  assert.match(await page.locator("h1").innerText(), /by ring on dgx1v/);
  assert.equal(await page.locator("#timeline canvas").count(), 1);
  assert.deepEqual(complaints, []);
  await page.close();
});
