// The rates of the busiest links over time, as bars as high as the part of the link that is used.

import {
  type Api,
  box_over,
  clipped,
  type Drawn,
  kItems,
  on_pixels,
  type Params,
  values_of,
} from "./chart";
import type { LinkRates, Point } from "./data";
import { heat_now } from "./theme";
import { tip_content } from "./tip";
import { kLinkHeight, type Tracks } from "./tracks";
import { percent_text, rate_text, time_text_in, type Unit } from "./units";

const kShades = 20; // of utilization

const end_of = (link: LinkRates, step: number, finish: number): number =>
  step + 1 < link.times_ps.length ? link.times_ps[step + 1] : finish;

// Start, length, link, step.
function rows(links: LinkRates[], finish: number, unit: Unit): number[][] {
  return links.flatMap((link, number) =>
    link.times_ps.flatMap((start, step) => {
      const length = end_of(link, step, finish) - start;
      return link.Bps[step] > 0 ? [[start / unit.factor, length / unit.factor, number, step]] : [];
    }),
  );
}

function tip(link: LinkRates, step: number, finish: number, unit: Unit): HTMLElement {
  return tip_content(link.link, [
    { name: "rate", value: rate_text(link.Bps[step]) },
    { name: "capacity", value: rate_text(link.capacity_Bps) },
    { name: "used", value: percent_text(link.Bps[step] / link.capacity_Bps) },
    { name: "from", value: time_text_in(link.times_ps[step], unit) },
    { name: "to", value: time_text_in(end_of(link, step, finish), unit) },
  ]);
}

export function rate_series(point: Point, tracks: Tracks, unit: Unit) {
  const { rates } = point.timeline;
  const finish = point.report.time_ps;
  const colours = Array.from({ length: kShades + 1 }, (_, shade) => heat_now(shade / kShades));
  const renderItem = (params: Params, api: Api): Drawn => {
    const link = rates[api.value(2) as number];
    const part = Math.min(1, link.Bps[api.value(3) as number] / link.capacity_Bps);
    const height = Math.max(1.5, part * (kLinkHeight - 2));
    const bottom = tracks.links[api.value(2) as number].top + kLinkHeight;
    const shape = clipped(on_pixels(box_over(api, bottom - height, height)), params);
    return shape && { type: "rect", shape, style: { fill: colours[Math.round(part * kShades)] } };
  };
  const formatter = (item: unknown) => {
    const [, , number, step] = values_of(item);
    return tip(rates[number], step, finish, unit);
  };
  return {
    ...kItems,
    name: "rates",
    renderItem,
    data: rows(rates, finish, unit),
    dimensions: ["start", "length", "link", "step"],
    tooltip: { formatter },
  };
}
