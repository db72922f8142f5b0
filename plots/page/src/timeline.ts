// The Gantt chart: what each rank sends, and how much of the busiest links is used, over one axis
// of time that zooms.

import { echarts, kBottom, kLeft, kRight, kTop } from "./chart";
import type { Point } from "./data";
import { html } from "./dom";
import { rate_series } from "./rates";
import { slice_series } from "./slices";
import { on_theme_change, phase_colour, type Theme, theme } from "./theme";
import { ground } from "./track_names";
import { place_tracks, type Tracks } from "./tracks";
import { time_unit, type Unit } from "./units";

const kClosest = 0.001; // percent of the run: as far as one can zoom in
const kMostPhases = 12; // in the legend

function time_axis(finish: number, unit: Unit, look: Theme) {
  return {
    type: "value" as const,
    min: 0,
    max: finish > 0 ? finish / unit.factor : 1,
    position: "top" as const,
    axisLabel: {
      color: look.muted,
      hideOverlap: true,
      showMaxLabel: false,
      formatter: (value: number) => `${Number(value.toPrecision(7))} ${unit.name}`,
    },
    axisLine: { lineStyle: { color: look.line } },
    splitLine: { lineStyle: { color: look.line } },
    axisPointer: { show: false },
  };
}

function slider(unit: Unit, look: Theme) {
  return {
    type: "slider" as const,
    height: 22,
    bottom: 12,
    filterMode: "weakFilter" as const,
    minSpan: kClosest,
    showDataShadow: false,
    labelFormatter: (value: number) => `${Number(value.toPrecision(5))} ${unit.name}`,
    textStyle: { color: look.muted, fontSize: 11 },
    borderColor: look.line,
    backgroundColor: look.sunken,
    fillerColor: look.accent + "2e",
    handleStyle: { color: look.surface, borderColor: look.accent },
    moveHandleStyle: { color: look.accent, opacity: 0.5 },
    brushSelect: false,
  };
}

// The wheel alone scrolls the page.
const kInside = {
  type: "inside" as const,
  filterMode: "weakFilter" as const,
  minSpan: kClosest,
  zoomOnMouseWheel: "ctrl" as const,
  moveOnMouseWheel: false,
  moveOnMouseMove: true,
  preventDefaultMouseMove: false,
};

const kTooltip = {
  trigger: "item" as const,
  confine: true,
  padding: 0,
  borderWidth: 0,
  backgroundColor: "transparent",
  extraCssText: "box-shadow:none",
  className: "chart-tip",
};

function option_of(point: Point, tracks: Tracks, width: number) {
  const look = theme();
  const finish = point.report.time_ps;
  const unit = time_unit(finish);
  return {
    animation: false,
    textStyle: { fontFamily: look.font, color: look.ink },
    grid: { left: kLeft, right: kRight, top: kTop, height: tracks.height },
    graphic: { elements: ground(tracks, look, width) },
    xAxis: time_axis(finish, unit, look),
    yAxis: { type: "value" as const, min: 0, max: tracks.height, inverse: true, show: false },
    dataZoom: [slider(unit, look), kInside],
    tooltip: kTooltip,
    series: [slice_series(point.timeline, tracks, unit, look), rate_series(point, tracks, unit)],
  };
}

function legend(point: Point): HTMLElement {
  const swatch = (colour: string, text: string, kind = "") => {
    const mark = html("span", { class: `mark ${kind}` });
    mark.style.background = colour;
    return html("li", {}, mark, text);
  };
  const used = [...new Set(point.timeline.slices.phase)].sort((a, b) => a - b);
  const phases = used
    .slice(0, kMostPhases)
    .map((phase) => swatch(phase_colour(phase), point.timeline.phases[phase]));
  const critical = swatch("transparent", "on the critical path", "critical");
  return html("ul", { class: "legend across" }, ...phases, critical);
}

// In percent of the run.
type Zoom = (start: number, end: number) => [number, number];

function buttons(chart: echarts.ECharts): HTMLElement {
  const button = (text: string, label: string, zoom: Zoom) => {
    const made = html("button", { type: "button", "aria-label": label, title: label }, text);
    made.addEventListener("click", () => {
      const [now] = chart.getOption().dataZoom as { start: number; end: number }[];
      const [start, end] = zoom(now.start, now.end);
      chart.dispatchAction({
        type: "dataZoom",
        start: Math.max(0, start),
        end: Math.min(100, end),
      });
    });
    return made;
  };
  return html(
    "div",
    { class: "buttons" },
    button("+", "Zoom in", (a, b) => [a + (b - a) / 4, b - (b - a) / 4]),
    button("−", "Zoom out", (a, b) => [a - (b - a) / 2, b + (b - a) / 2]),
    button("All", "Show the whole run", () => [0, 100]),
  );
}

export interface Shown {
  element: HTMLElement;
  start: () => void; // once the element is in the document
  stop: () => void;
}

export function timeline(point: Point): Shown {
  const tracks = place_tracks(point.timeline);
  const canvas = html("div", { class: "chart", id: "timeline" });
  canvas.style.height = `${kTop + tracks.height + kBottom}px`;
  const bar = html("div", { class: "bar-above" }, legend(point));
  const notes = point.timeline.notes.map((note) => html("p", { class: "note" }, note));
  let chart: echarts.ECharts | undefined;
  let stop_following = () => {};
  const draw = () => {
    chart?.resize();
    chart?.setOption(option_of(point, tracks, canvas.clientWidth), { replaceMerge: ["graphic"] });
  };
  return {
    element: html("div", {}, bar, canvas, ...notes),
    start() {
      chart = echarts.init(canvas, undefined, { renderer: "canvas" });
      draw();
      bar.append(buttons(chart));
      addEventListener("resize", draw);
      stop_following = on_theme_change(draw);
    },
    stop() {
      removeEventListener("resize", draw);
      stop_following();
      chart?.dispose();
      chart = undefined;
    },
  };
}
