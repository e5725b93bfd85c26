/** Durations and instants are branded, so that a millisecond is never added to a nanosecond by mistake. */
export type Milliseconds = number & { readonly unit: 'ms' };
/** Nanoseconds since the epoch, as OTLP counts them. */
export type UnixNano = bigint & { readonly unit: 'ns' };

export const milliseconds = (value: number) => value as Milliseconds;

/** OTLP writes nanoseconds as decimal text; anything else yields null. */
export function unixNano(text: unknown): UnixNano | null {
  const digits = typeof text === 'number' ? String(text) : text;
  if (typeof digits !== 'string' || !/^\d{1,20}$/.test(digits) || /^0+$/.test(digits)) return null;
  return BigInt(digits) as UnixNano;
}

export const since = (from: UnixNano, to: UnixNano) => milliseconds(Number(to - from) / 1e6);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const twoDigits = (value: number) => String(value).padStart(2, '0');
const clock = (at: Date) => `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())}`;

/** Shortest unambiguous time: `14:03:21` today, `20 Nov 14:03` this year, `20 Nov 2025` before. Local time. */
export function when(iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const day = `${at.getDate()} ${months[at.getMonth()]}`;
  if (at.toDateString() === now.toDateString()) return clock(at);
  if (at.getFullYear() === now.getFullYear()) return `${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  return `${day} ${at.getFullYear()}`;
}

/** The exact time with its zone, for a tooltip: `20 Nov 2025 14:03:21.042 +01:00`. */
export function exactly(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const minutes = -at.getTimezoneOffset();
  const zone = `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`;
  const ms = String(at.getMilliseconds()).padStart(3, '0');
  return `${at.getDate()} ${months[at.getMonth()]} ${at.getFullYear()} ${clock(at)}.${ms} ${zone}`;
}
