// What the program puts into the page, key by key. Times are picoseconds or microseconds, as the
// keys say; rates are GB/s, or bytes/s where they end in Bps; directions are told apart everywhere.

export interface Data {
  ramp: string[]; // colours of utilization in even steps, the first that of an idle link
  points: Point[];
  comparison: Row[]; // the points, then other strategies beside a single point
  left_out: { strategy: string; why: string }[]; // those that could not run there
  note: string; // why there are no others
}

export interface Point {
  report: Report;
  picture: Picture;
  timeline: Timeline;
}

// As `run --format json --links` writes it.
export interface Report {
  name: string;
  scenario: string;
  topology: string;
  edits: string[];
  strategy: string;
  strategy_text: string; // with the parameters that differ from the defaults
  parameters: Record<string, string>;
  collective: string;
  bytes: number;
  datatype: string;
  ranks: number;
  rank_order: number[];
  root: number;
  executor: string;
  rates: string;
  reduction: string;
  checked: boolean;
  overhead_us: number;
  seed: number;
  background: { file: string; flows: number } | null;
  start: { rank: number; time_us: number }[]; // of ranks that come late
  events: { time_ps: number; link: string; bandwidth_Bps: number }[];
  notes: string[];
  time_ps: number;
  time_us: number;
  algbw_GBps: number;
  busbw_GBps: number;
  bound_us: number;
  bound_kind: string;
  bound_binds: string;
  efficiency: number;
  ops: number;
  phases: { name: string; start_us: number; finish_us: number; time_us: number }[];
  busiest_link: { link: string; direction: string; GBps: number; utilization: number } | null;
  explain?: { binds: string; bound: string; change: string };
  critical_path: CriticalOp[]; // the first of them
  critical_ops: number; // all of them
  links: LinkUse[]; // the busiest of those that carried something, the busiest first
  links_in_use: number; // all of them
}

export interface CriticalOp {
  op: number;
  kind: string;
  from: string;
  to: string;
  channel: number;
  phase: string;
  bytes: number;
  start_us: number;
  finish_us: number;
}

export interface LinkUse {
  link: string; // the cable, or the node whose own capacity it is
  direction: string; // "a>b", "both", "transit", "reduce"
  bytes: number;
  GBps: number;
  peak_GBps: number;
  capacity_GBps: number;
  utilization: number;
  busy_us: number;
  saturated_us: number;
  transfers: number;
  pairs: number; // who sends whom over it
  flows: { from: string; to: string; bytes: number; transfers: number }[]; // the largest
}

// A strategy in the comparison.
export interface Row {
  strategy: string;
  bytes: number;
  time_ps: number;
  algbw_Bps: number;
  busbw_Bps: number;
  bound_ps: number;
  efficiency: number;
  busiest: string;
  busiest_utilization: number;
}

// The machine as `topology draw` lays it out; points, y downwards.
export interface Picture {
  width: number;
  height: number;
  figures: Figure[];
  lines: Line[];
  frames: Frame[];
  legend: { colours: string[]; text: string }[];
}

export interface Figure {
  role: "gpu" | "cpu" | "nic" | "box" | "pcie_switch" | "nvswitch" | "network_switch";
  lines: string[];
  count: number; // nodes or boxes that it stands for
  x: number; // its middle
  y: number;
  width: number;
  height: number;
  heat: number; // of the busiest link or node within
  tooltip: string;
}

export interface Way {
  Bps: number; // of all cables
  carried_Bps: number;
  hottest: number; // utilization of the busiest of them
}

// All cables of one kind between two figures.
export interface Line {
  cable: string; // one of them
  a: number; // figures
  b: number;
  cables: number;
  kind: string;
  rate: string;
  half_duplex: boolean;
  there: Way; // from a to b
  back: Way;
  curves: number[][]; // cubic Bezier curves: x, y, x, y, ...
  pen: number;
  label: string;
  label_x: number;
  label_y: number;
}

export interface Frame {
  title: string;
  x: number;
  y: number;
  width: number;
  height: number;
  inner: Frame[];
}

export interface Timeline {
  tracks: { name: string; rank: number | null; rows: number }[];
  phases: string[];
  names: string[]; // what `kind`, `from` and `to` of slices are indices into
  notes: string[];
  slices: Slices;
  rates: LinkRates[]; // of the busiest links, the busiest first
}

// Columns: value i of each belongs to slice i.
export interface Slices {
  track: number[];
  row: number[];
  start_ps: number[];
  length_ps: number[];
  kind: number[];
  phase: number[];
  from: number[];
  to: number[];
  channel: number[];
  bytes: number[];
  transfers: number[];
  critical: number[]; // 1: one of its transfers is on the critical path
}

// Steps: from times_ps[i] to times_ps[i + 1] the rate is Bps[i]; the last one lasts to the end.
export interface LinkRates {
  link: string;
  capacity_Bps: number;
  times_ps: number[];
  Bps: number[];
}

export function read_data(): Data {
  return JSON.parse(document.getElementById("data")!.textContent!) as Data;
}
