// Colours. Those of text and surfaces come from the style sheet, which knows the scheme; those of
// utilization from the program, which draws with them too (ColorBrewer's YlOrRd); those of phases are
// Okabe and Ito's, which colour-blind people tell apart.

const kPhases = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c8c8c"];
const kOnPhases = ["#fff", "#000", "#000", "#000", "#000", "#000", "#000"]; // text on them

export interface Theme {
  ink: string;
  muted: string;
  line: string;
  surface: string;
  sunken: string;
  accent: string;
  font: string;
}

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue("--" + name).trim();
  return {
    ink: of("ink"),
    muted: of("muted"),
    line: of("line"),
    surface: of("surface"),
    sunken: of("sunken"),
    accent: of("accent"),
    font: getComputedStyle(document.body).fontFamily,
  };
}

// Calls back whenever the colours change: another scheme, or paper. Returns what ends that.
export function on_theme_change(act: () => void): () => void {
  const changes = ["(prefers-color-scheme: dark)", "print"].map((query) => matchMedia(query));
  for (const change of changes) change.addEventListener("change", act);
  return () => changes.forEach((change) => change.removeEventListener("change", act));
}

export const phase_colour = (phase: number): string => kPhases[phase % kPhases.length];
export const on_phase = (phase: number): string => kOnPhases[phase % kOnPhases.length];

const kIdle = 0.005; // below it a figure is written 0 %
const kIdleOnDark = "#4d555e";

// What stands out is busy: dark on a light ground, so on a dark one the ramp runs the other way.
const on_dark = (ramp: string[]): string[] => [kIdleOnDark, ...ramp.slice(1).reverse()];

const variables = (ramp: string[]): string =>
  `:root{${ramp.map((colour, step) => `--heat-${step}:${colour}`).join(";")}}`;

let steps = 1;

// Once, before anything is coloured.
export function use_ramp(ramp: string[]): void {
  steps = ramp.length - 1;
  const style = document.createElement("style");
  style.textContent = `${variables(ramp)}
    @media (prefers-color-scheme: dark){${variables(on_dark(ramp))}}
    @media print{${variables(ramp)}}`;
  document.head.append(style);
}

const heat_name = (utilization: number): string => {
  const step = Math.round(Math.min(utilization, 1) * steps);
  return `--heat-${utilization < kIdle ? 0 : Math.max(1, step)}`;
};

// For style sheets, which follow the scheme, and as it is now.
export const heat = (utilization: number): string => `var(${heat_name(utilization)})`;
export const heat_now = (utilization: number): string =>
  getComputedStyle(document.documentElement).getPropertyValue(heat_name(utilization)).trim();
