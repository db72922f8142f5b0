// The links' tables: the busiest few beside the machine, all of them further down.

import type { LinkUse, Report } from "./data";
import { html } from "./dom";
import { heat } from "./theme";
import { bar, type Column, table } from "./table";
import { byte_unit, fixed, in_unit, percent_text, ps_of_us, time_unit } from "./units";

const kBusiest = 12;
const kFlows = 2;

export function label_of(link: Pick<LinkUse, "link" | "direction">): string {
  if (link.direction === "both") return link.link;
  return link.direction.includes(">") ? link.direction : `${link.link}:${link.direction}`;
}

function used(): Column<LinkUse> {
  return {
    head: "used",
    figure: true,
    cell: (link) =>
      html(
        "span",
        { class: "used" },
        bar(link.utilization, heat(link.utilization)),
        percent_text(link.utilization),
      ),
  };
}

const rates: Column<LinkUse>[] = [
  { head: "link", cell: label_of },
  { head: "rate", unit: "GB/s", figure: true, cell: (link) => fixed(link.GBps, 2) },
  { head: "of", unit: "GB/s", figure: true, cell: (link) => fixed(link.capacity_GBps, 2) },
];

const peak: Column<LinkUse> = {
  head: "peak",
  unit: "GB/s",
  figure: true,
  cell: (link) => fixed(link.peak_GBps, 2),
};

export function busiest(
  report: Report,
  in_two: boolean,
  point_at: (cable: string | null) => void,
): HTMLElement {
  const shown = report.links.slice(0, kBusiest);
  const part = (links: LinkUse[]) =>
    table([...rates, used()], links, (link, line) => {
      line.addEventListener("mouseenter", () => point_at(link.link));
      line.addEventListener("mouseleave", () => point_at(null));
    });
  const half = in_two ? Math.ceil(shown.length / 2) : shown.length;
  const parts = [shown.slice(0, half), shown.slice(half)].filter((links) => links.length > 0);
  const rest = report.links_in_use - shown.length;
  return html(
    "div",
    { class: "busiest" },
    html("h3", {}, "Busiest links"),
    html("div", { class: "parts" }, ...parts.map(part)),
    html(
      "p",
      { class: "note" },
      rest > 0 ? `and ${rest} more, below` : "per direction, averaged over the run",
    ),
  );
}

// The pairs with most bytes, and how many more there are.
function flows_text(link: LinkUse): string {
  const shown = link.flows.slice(0, kFlows).map((flow) => `${flow.from}>${flow.to}`);
  const rest = link.pairs - shown.length;
  return shown.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

export function all_links(links: LinkUse[]): HTMLElement {
  const bytes = byte_unit(Math.max(...links.map((link) => link.bytes)));
  const time = time_unit(ps_of_us(Math.max(...links.map((link) => link.busy_us))));
  const us = (value: number) => in_unit(ps_of_us(value), time, 4);
  const followed = links.some((link) => link.peak_GBps > 0);
  const columns: Column<LinkUse>[] = [
    ...rates,
    ...(followed ? [peak] : []),
    {
      head: "bytes",
      unit: bytes.name,
      figure: true,
      cell: (link) => in_unit(link.bytes, bytes, 3),
    },
    { head: "busy", unit: time.name, figure: true, cell: (link) => us(link.busy_us) },
    { head: "saturated", unit: time.name, figure: true, cell: (link) => us(link.saturated_us) },
    used(),
    { head: "from > to", cell: flows_text },
  ];
  return table(columns, links);
}
