/** The time axis of a list of traces. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Usual steps of a time axis, in milliseconds. */
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365, 3650].map((count) => count * day),
];

/** Old traces may be left out up to this share and number, if the axis would otherwise be this many times as long. */
export const outlierShare = 0.02;
export const outliersMax = 1000;
export const axisFactor = 4;

/** The shortest usual step that is at least this long. */
export const stepOf = (ms: number): number => steps.find((step) => step >= ms) ?? Math.ceil(ms / day) * day;
