// The links' tables: the busiest few beside the machine, all of them further down.

import type { LinkUse, Report } from "./data";
import { html } from "./dom";
import { heat } from "./theme";
import { bar, type Column, figures_column, table } from "./table";
import { byte_unit, percent_text, ps_of_us, rate_unit, time_unit } from "./units";

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

const kGiga = 1e9;

function rate_column(head: string, links: LinkUse[], GBps: (link: LinkUse) => number) {
  return figures_column(head, links, (link) => GBps(link) * kGiga, rate_unit, 2);
}

const rates = (links: LinkUse[]): Column<LinkUse>[] => [
  { head: "link", cell: label_of },
  rate_column("rate", links, (link) => link.GBps),
  rate_column("of", links, (link) => link.capacity_GBps),
];

export function busiest(
  report: Report,
  in_two: boolean,
  point_at: (cable: string | null) => void,
): HTMLElement {
  const shown = report.links.slice(0, kBusiest);
  const part = (links: LinkUse[]) =>
    table([...rates(shown), used()], links, (link, line) => {
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
  const time = (head: string, us: (link: LinkUse) => number) =>
    figures_column(head, links, (link) => Math.round(ps_of_us(us(link))), time_unit, 4);
  const followed = links.some((link) => link.peak_GBps > 0);
  const columns: Column<LinkUse>[] = [
    ...rates(links),
    ...(followed ? [rate_column("peak", links, (link) => link.peak_GBps)] : []),
    figures_column("bytes", links, (link) => link.bytes, byte_unit, 3),
    time("busy", (link) => link.busy_us),
    time("saturated", (link) => link.saturated_us),
    used(),
    { head: "from > to", cell: flows_text },
  ];
  return table(columns, links);
}
