/** Places the stories in working hours, and fills in their dates. */

const opens = 9;
const closes = 18;
const hourMs = 3_600_000;

const atHour = (day: Date, hour: number): number => new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour).getTime();

/**
 * The moment that lies this many working hours before now. Every day has working hours, in the time zone of this machine.
 * @returns milliseconds since the epoch
 */
export function workingTime(nowMs: number, hoursAgo: number): number {
  const day = new Date(nowMs);
  let leftMs = hoursAgo * hourMs;
  for (;;) {
    const from = atHour(day, opens);
    const to = Math.min(nowMs, atHour(day, closes));
    if (leftMs <= to - from) return to - leftMs;
    leftMs -= Math.max(0, to - from);
    day.setDate(day.getDate() - 1);
  }
}

const dayOf = (ms: number, days: string): Date => {
  const day = new Date(ms);
  day.setDate(day.getDate() + Number(days));
  return day;
};

const isoDate = (day: Date): string =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** Replaces `{date-3}` by the date three days earlier, and `{weekday+1}` by the name of the next day. */
export const withDates = (text: string, ms: number): string =>
  text
    .replace(/\{date([+-]\d+)\}/g, (_, days: string) => isoDate(dayOf(ms, days)))
    .replace(/\{weekday([+-]\d+)\}/g, (_, days: string) => dayOf(ms, days).toLocaleDateString('en-US', { weekday: 'long' }));
