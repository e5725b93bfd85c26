/** Figures of a report, with their units. */

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** In dollars, with enough digits for small amounts. */
export const money = (dollars: number): string => `$${dollars === 0 ? '0' : dollars >= 1 ? dollars.toFixed(2) : dollars.toPrecision(3)}`;

export const count = (value: number): string => value.toLocaleString('en-US');

/** `1 trace`, `2 traces`. */
export const many = (value: number, noun: string, nouns = `${noun}s`): string => `${count(value)} ${value === 1 ? noun : nouns}`;

/** `2026-11-23 09:31:02 UTC`; the text itself if it is no time. */
export function time(iso: string): string {
  const at = Date.parse(iso);
  return Number.isFinite(at) ? `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC` : iso;
}

export const percent = (part: number, whole: number): string => (whole === 0 ? '0 %' : `${((part / whole) * 100).toFixed(1)} %`);
