// The first screen: what was asked, the large figures, the explanation in words.

import type { Report } from "./data";
import { html } from "./dom";
import {
  bytes_text,
  count_text,
  in_unit,
  ps_of_us,
  rate_text,
  rate_unit,
  time_text,
  time_unit,
  type Unit,
} from "./units";

const kGiga = 1e9;

export function title_of(report: Report): string {
  return `${bytes_text(report.bytes)} ${report.collective} by ${report.strategy_text} on ${report.topology}`;
}

const kNamed = 4;

function some_of(texts: string[]): string {
  const more = texts.length > kNamed ? ` and ${texts.length - kNamed} more` : "";
  return texts.slice(0, kNamed).join(", ") + more;
}

// What happens at once to several directions is said once.
function event_texts(events: Report["events"]): string[] {
  const links = new Map<string, string[]>();
  for (const { time_ps, link, bandwidth_Bps } of events) {
    const change = `${rate_text(bandwidth_Bps)} at ${time_text(time_ps)}`;
    links.set(change, [...(links.get(change) ?? []), link]);
  }
  return [...links].map(([change, all]) => `event: ${some_of(all)}: ${change}`);
}

// What differs from the defaults.
export function circumstances(report: Report): string[] {
  const list = [
    `${report.ranks} ranks`,
    report.datatype,
    `${report.rates} rates`,
    ...report.edits.map((edit) => `edit: ${edit}`),
    ...event_texts(report.events),
  ];
  const when = (holds: boolean, text: string) => void (holds && list.push(text));
  when(report.rank_order.length > 0, `ranks ${report.rank_order.join(", ")}`);
  when(report.executor !== "simulated", `executor ${report.executor}`);
  const late = report.start.map(
    ({ rank, time_us }) => `rank ${rank} at ${time_text(ps_of_us(time_us))}`,
  );
  when(late.length > 0, `start: ${some_of(late)}`);
  when(report.root > 0, `root ${report.root}`);
  when(report.overhead_us > 0, `overhead ${time_text(ps_of_us(report.overhead_us))}`);
  when(report.reduction !== "on-arrival", `reduction ${report.reduction}`);
  when(report.seed > 0, `seed ${report.seed}`);
  if (report.background)
    list.push(`background: ${report.background.file}, ${report.background.flows} flows`);
  when(!report.checked, "not proved: the schedule may not compute the collective");
  return list;
}

export function heading(report: Report): HTMLElement {
  const above = ["syncsim", report.scenario, report.name].filter((text) => text !== "");
  return html(
    "header",
    { class: "head" },
    html("p", { class: "above" }, above.join(" · ")),
    html("h1", {}, title_of(report)),
    html("ul", { class: "chips" }, ...circumstances(report).map((text) => html("li", {}, text))),
  );
}

function tile(
  name: string,
  value: string,
  unit: string,
  note: string,
  ...more: Node[]
): HTMLElement {
  return html(
    "div",
    { class: "tile" },
    html("h3", {}, name),
    html("p", { class: "value" }, value, html("span", { class: "unit" }, unit)),
    ...more,
    html("p", { class: "note", title: note }, note),
  );
}

const counted = (count: number, name: string): string =>
  `${count_text(count)} ${name}${count === 1 ? "" : "s"}`;

function time_tile(name: string, ps: number, unit: Unit, note: string): HTMLElement {
  return tile(name, in_unit(ps, unit, unit.name === "ps" ? 0 : 4), unit.name, note);
}

function rate_tile(name: string, gbps: number, note: string): HTMLElement {
  const unit = rate_unit(gbps * kGiga);
  return tile(name, in_unit(gbps * kGiga, unit, 2), unit.name, note);
}

function meter(part: number): HTMLElement {
  const bar = html("span", {});
  bar.style.width = `${Math.min(part, 1) * 100}%`;
  return html("div", { class: "meter" }, bar);
}

export function figures(report: Report): HTMLElement {
  const factor = report.busbw_GBps / report.algbw_GBps; // none where nothing moves
  const times = report.algbw_GBps > 0 ? `algbw × ${Number(factor.toFixed(3))}, ` : "";
  const unit = time_unit(report.time_ps);
  return html(
    "section",
    { class: "card tiles" },
    time_tile(
      "Time",
      report.time_ps,
      unit,
      `${counted(report.phases.length, "phase")}, ${counted(report.ops, "op")}`,
    ),
    rate_tile("algbw", report.algbw_GBps, "bytes / time"),
    rate_tile("busbw", report.busbw_GBps, times + "as nccl-tests"),
    time_tile("Lower bound", ps_of_us(report.bound_us), unit, report.bound_binds),
    tile(
      "Of the bound",
      (report.efficiency * 100).toFixed(1),
      "%",
      "bound / time",
      meter(report.efficiency),
    ),
  );
}

export function explanation(report: Report): HTMLElement {
  const words = report.explain
    ? [report.explain.binds, report.explain.bound, report.explain.change]
    : [];
  const sentences = words.filter((sentence) => sentence !== "");
  return html(
    "section",
    { class: "card words" },
    ...sentences.map((sentence) => html("p", {}, sentence)),
    ...report.notes.map((note) => html("p", { class: "note" }, note)),
  );
}
