/** Numbers for people, always with their unit. Three significant digits, unless more or fewer would mislead. */
import type { Milliseconds } from '../time/time.ts';

const significant = (value: number, digits = 3) => {
  const text = value.toPrecision(digits);
  return text.includes('e') ? String(Number(text)) : text;
};

/** `2 314`, with a narrow no-break space, so that long counts are readable. */
export const count = (value: number) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f');

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** `420 µs`, `820 ms`, `4.31 s`, `48.2 s`, `3 m 08 s`, `2 h 05 m`, `3 d 04 h`. */
export function duration(ms: Milliseconds): string {
  if (!Number.isFinite(ms) || ms < 0) return '—';
  if (ms === 0) return '0 ms';
  if (ms < 0.001) return '<1 µs';
  if (ms < 0.9995) return `${ms < 0.01 ? Number((ms * 1000).toPrecision(2)) : Math.round(ms * 1000)} µs`;
  if (ms < 999.5) return `${ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${significant(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${twoDigits(whole % 60)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${twoDigits(hours % 24)} h`;
}

/** `612`, `9.8 k`, `182 k`, `1.25 M`: 9.8 k and not 9.80 k, because two digits suffice to compare tokens. */
export function tokens(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 9995) return `${(value / 1000).toFixed(1)} k`;
  if (value < 999_500) return `${significant(value / 1000)} k`;
  if (value < 999_500_000) return `${significant(value / 1e6)} M`;
  return `${significant(value / 1e9)} G`;
}

/** `$0.00042`, `$0.0181`, `$0.214`, `$12.40`, `$1 240`. Tiny costs keep two significant digits. */
export function cost(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 1e-8) return '<$0.00000001';
  if (usd >= 999.995) return `$${count(usd)}`;
  if (usd >= 1) return `$${usd.toFixed(2)}`;
  const digits = usd >= 0.01 ? 3 : 2;
  const places = digits - 1 - Math.floor(Math.log10(usd));
  return `$${usd.toFixed(places)}`;
}

/** `64 %`; a small share is never 0. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 1) return '<1 %';
  return `${Math.round(value)} %`;
}

/** `812 B`, `2.4 kB`, `1.9 MB`: decimal, like the limits of the gateway. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 999_950) return `${significant(value / 1e3, value < 9995 ? 2 : 3)} kB`;
  if (value < 999_950_000) return `${significant(value / 1e6, value < 9_995_000 ? 2 : 3)} MB`;
  if (value < 999_950_000_000) return `${significant(value / 1e9, value < 9_995_000_000 ? 2 : 3)} GB`;
  return `${significant(value / 1e12)} TB`;
}

/** `1 span`, `2 314 spans`. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const plural = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;
