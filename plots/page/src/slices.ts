// The timeline's slices: what each rank sends.

import { type Api, box_over, clipped, type Drawn, kItems, type Params, values_of } from "./chart";
import type { Timeline } from "./data";
import { on_phase, phase_colour, type Theme } from "./theme";
import { type Fact, tip_content } from "./tip";
import type { Tracks } from "./tracks";
import { bytes_text, count_text, rate_text, time_text_in, type Unit } from "./units";

const kNamedWidth = 64; // a slice as wide and high as this says where it goes
const kNamedHeight = 9;

function tip(timeline: Timeline, i: number, unit: Unit): HTMLElement {
  const { slices, names, phases } = timeline;
  const length = slices.length_ps[i];
  const facts: Fact[] = [
    { name: "bytes", value: bytes_text(slices.bytes[i]) },
    { name: "start", value: time_text_in(slices.start_ps[i], unit) },
    { name: "finish", value: time_text_in(slices.start_ps[i] + length, unit) },
    { name: "takes", value: time_text_in(length, unit) },
  ];
  if (length > 0 && slices.bytes[i] > 0)
    facts.push({ name: "rate", value: rate_text((slices.bytes[i] / length) * 1e12) });
  facts.push({ name: "phase", value: phases[slices.phase[i]] });
  if (slices.transfers[i] > 1)
    facts.push({ name: "transfers", value: count_text(slices.transfers[i]) });
  else facts.push({ name: "channel", value: String(slices.channel[i]) });
  const title = `${names[slices.kind[i]]} ${names[slices.from[i]]} → ${names[slices.to[i]]}`;
  return tip_content(title, facts, slices.critical[i] ? "on the critical path" : "");
}

function text_in(timeline: Timeline, i: number, width: number, row: number, look: Theme) {
  const { slices, names } = timeline;
  return {
    type: "text" as const,
    style: {
      text: "→ " + names[slices.to[i]],
      fill: on_phase(slices.phase[i]),
      fontSize: Math.min(11, row - 3),
      fontFamily: look.font,
      overflow: "truncate" as const,
      width: width - 8,
    },
  };
}

export function slice_series(timeline: Timeline, tracks: Tracks, unit: Unit, look: Theme) {
  const { slices } = timeline;
  const renderItem = (params: Params, api: Api): Drawn => {
    const i = api.value(2) as number;
    const top = tracks.senders[slices.track[i]].top + slices.row[i] * tracks.row;
    const inset = tracks.row > 6 ? 1 : 0;
    const shape = clipped(box_over(api, top, tracks.row - inset), params);
    if (!shape) return null;
    const named = shape.width >= kNamedWidth && shape.height >= kNamedHeight;
    const critical = slices.critical[i] === 1;
    return {
      type: "rect",
      shape: { ...shape, r: Math.min(2, shape.height / 4) },
      z2: critical ? 2 : 1,
      style: {
        fill: phase_colour(slices.phase[i]),
        opacity: 0.88,
        stroke: critical ? look.ink : undefined,
        lineWidth: critical ? 1.4 : 0,
      },
      emphasis: { style: { opacity: 1, stroke: look.ink, lineWidth: 1.4 } },
      textContent: named ? text_in(timeline, i, shape.width, tracks.row, look) : undefined,
      textConfig: named ? { position: "insideLeft", distance: 4 } : undefined,
    };
  };
  return {
    ...kItems,
    name: "slices",
    renderItem,
    data: slices.start_ps.map((start, i) => [
      start / unit.factor,
      slices.length_ps[i] / unit.factor,
      i,
    ]),
    dimensions: ["start", "length", "number"],
    tooltip: { formatter: (item: unknown) => tip(timeline, values_of(item)[2], unit) },
  };
}
