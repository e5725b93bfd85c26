/** Ticks on a time axis at round times. */
import { duration } from '../text/format.ts';
import { milliseconds } from './time.ts';

export interface Tick {
  at: number;
  label: string;
}

const unitsMs = [1, 1000, 60_000, 3_600_000, 86_400_000];
const steps = [1, 2, 5, 10, 15, 30];

/** The smallest round step: 1, 2 or 5 times a power of ten below a second, then round seconds, minutes, hours. */
function roundStep(stepMin: number): number {
  if (stepMin < 1000) {
    const power = 10 ** Math.floor(Math.log10(stepMin));
    return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= stepMin) ?? stepMin;
  }
  const clock = unitsMs.slice(1).flatMap((unit) => steps.map((step) => step * unit));
  return clock.sort((a, b) => a - b).find((step) => step >= stepMin) ?? Math.ceil(stepMin / 86_400_000) * 86_400_000;
}

/** Label of a tick, exact to the step: `0 s`, `12.5 s`, `3 m 20 s`. */
function label(at: number, step: number): string {
  if (at === 0) return '0';
  if (at < 1000 || at >= 60_000) return duration(milliseconds(at));
  const places = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(step) + 1e-9)));
  return `${(at / 1000).toFixed(step >= 1000 ? 0 : places)} s`;
}

/** At most `ticksMax` ticks between two times, in milliseconds. */
export function ticks(from: number, to: number, ticksMax: number): Tick[] {
  if (!(to > from) || ticksMax < 1) return [];
  const step = roundStep((to - from) / ticksMax);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const at = Number(((first + i) * step).toPrecision(15));
    return { at, label: label(at, step) };
  });
}
