// What the timeline's two series share: the library's parts, the chart's frame, boxes on it.

import { CustomChart } from "echarts/charts";
import {
  DataZoomComponent,
  GraphicComponent,
  GridComponent,
  TooltipComponent,
} from "echarts/components";
import * as echarts from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import type {
  CustomSeriesRenderItemAPI as Api,
  CustomSeriesRenderItemParams as Params,
} from "echarts/types/dist/shared";

echarts.use([
  CanvasRenderer,
  CustomChart,
  DataZoomComponent,
  GraphicComponent,
  GridComponent,
  TooltipComponent,
]);

export { echarts };
export type { Api, Params };
export type { CustomSeriesRenderItemReturn as Drawn } from "echarts/types/dist/shared";

export const kLeft = 150; // for the tracks' names
export const kRight = 24;
export const kTop = 30; // for the axis
export const kBottom = 58; // for the zoom's handle

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

// What of a box lies within the chart; nothing where nothing does.
export function clipped(box: Box, params: Params): Box | undefined {
  const { x, y, width, height } = params.coordSys as unknown as Box;
  return echarts.graphic.clipRectByRect(box, { x, y, width, height }) as Box | undefined;
}

// Over the time of an item, whose first two values are its start and its length.
export function box_over(api: Api, top: number, height: number): Box {
  const start = api.coord([api.value(0), top]);
  const end = api.coord([(api.value(0) as number) + (api.value(1) as number), top]);
  return { x: start[0], y: start[1], width: Math.max(0.6, end[0] - start[0]), height };
}

// All pixels that a box touches, so that neighbours leave no seam.
export function on_pixels(box: Box): Box {
  const x = Math.floor(box.x);
  return { ...box, x, width: Math.ceil(box.x + box.width) - x };
}

// Of every series: items with a start and a length, drawn at once.
export const kItems = {
  type: "custom" as const,
  encode: { x: [0], y: -1 },
  clip: true,
  progressive: 0,
};

// Of the item that a tooltip is for.
export const values_of = (item: unknown): number[] => (item as { value: number[] }).value;
