// Figures with their units. A table's column has one unit and one number of decimals, so that its
// figures stand below each other on the decimal point, as long as all can be read so.

export interface Unit {
  name: string;
  factor: number; // of the base: picoseconds, bytes, bytes/s
}

const kTimes: Unit[] = [
  { name: "ps", factor: 1 },
  { name: "ns", factor: 1e3 },
  { name: "us", factor: 1e6 },
  { name: "ms", factor: 1e9 },
  { name: "s", factor: 1e12 },
];
const kBytes: Unit[] = [
  { name: "B", factor: 1 },
  { name: "kB", factor: 1e3 },
  { name: "MB", factor: 1e6 },
  { name: "GB", factor: 1e9 },
  { name: "TB", factor: 1e12 },
];
const kRates: Unit[] = kBytes.map((unit) => ({ ...unit, name: unit.name + "/s" }));

// The largest of which there is at least one.
function largest_within(units: Unit[], value: number): Unit {
  let best = units[0];
  for (const unit of units) if (Math.abs(value) >= unit.factor) best = unit;
  return best;
}

export const time_unit = (ps: number): Unit => largest_within(kTimes, ps);
export const byte_unit = (bytes: number): Unit => largest_within(kBytes, bytes);
export const rate_unit = (bps: number): Unit => largest_within(kRates, bps);

// With thin spaces between thousands.
export function grouped(text: string): string {
  const [whole, rest] = text.split(".");
  const spaced = whole.replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
  return rest === undefined ? spaced : spaced + "." + rest;
}

export const fixed = (value: number, decimals: number): string => grouped(value.toFixed(decimals));
export const in_unit = (value: number, unit: Unit, decimals: number): string =>
  fixed(value / unit.factor, decimals);

// A column's figures: in the unit of the largest, or each in its own (then there is no `unit`) where
// the least would be left with fewer than two digits.
export function figures_in(
  values: number[],
  unit_of: (value: number) => Unit,
  decimals: number,
): { unit?: string; text: (value: number) => string } {
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const unit = unit_of(Math.max(0, ...sizes));
  const places = (of: Unit) => (of.factor === 1 && values.every(Number.isInteger) ? 0 : decimals);
  if (sizes.every((size) => size / unit.factor >= 10 ** (1 - places(unit))))
    return { unit: unit.name, text: (value) => in_unit(value, unit, places(unit)) };
  const own = (value: number, of: Unit) => in_unit(value, of, places(of)) + "\u00a0" + of.name;
  return { text: (value) => (value === 0 ? "0" : own(value, unit_of(value))) };
}

// At most that many decimals, without zeros at the end.
function short(value: number, decimals: number): string {
  return grouped(String(Number(value.toFixed(decimals))));
}

const said = (value: number, unit: Unit, decimals: number): string =>
  short(value / unit.factor, decimals) + "\u00a0" + unit.name;

export const time_text = (ps: number, decimals = 4): string => said(ps, time_unit(ps), decimals);
// Of several times of one run.
export const time_text_in = (ps: number, unit: Unit): string => said(ps, unit, 6);
export const bytes_text = (bytes: number): string => said(bytes, byte_unit(bytes), 3);
export const rate_text = (bps: number): string => said(bps, rate_unit(bps), 2);
export const percent_text = (part: number): string => (part * 100).toFixed(1) + "\u00a0%";
export const count_text = (count: number): string => grouped(String(count));

export const ps_of_us = (us: number): number => us * 1e6;
