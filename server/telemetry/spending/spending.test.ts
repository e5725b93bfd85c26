import { describe, expect, it } from 'vitest';
import { cacheSavings } from '../../ingest/cost/cache-savings.ts';
import { LocalDays } from '../../platform/local-days.ts';
import { countedFrom, FiveHourWindows } from './five-hour-windows.ts';

const at = (time: string): number => Date.parse(`2026-03-29T${time}Z`);
const call = (time: string, cost: number | null = 1) => ({
  ...{ atMs: at(time), cost, input: 10, output: 1, cacheRead: 0, cacheWrite: 0, savings: 0 },
});

describe('five-hour windows', () => {
  const windowsOf = (...times: string[]) => {
    const windows = new FiveHourWindows();
    for (const time of times) windows.add(call(time));
    return windows;
  };
  const from = (windows: FiveHourWindows, now: string) => {
    const window = windows.at(at(now));
    return window && [new Date(window.fromMs).toISOString().slice(11, 16), window.count.calls];
  };

  it('begin at the full hour before the first call and end five hours later', () => {
    const windows = windowsOf('01:40:00', '03:00:00', '05:59:59');
    expect(from(windows, '05:59:59')).toEqual(['01:00', 3]);
    expect(windows.at(at('06:00:00'))).toBeNull();
  });

  it('begin again with the first call after the end', () => {
    expect(from(windowsOf('01:40:00', '06:00:00'), '07:00:00')).toEqual(['06:00', 1]);
    expect(from(windowsOf('01:40:00', '12:30:00', '13:30:00'), '14:00:00')).toEqual(['12:00', 2]);
    expect(windowsOf().at(0)).toBeNull();
  });

  it('of a program that never pauses stay where they are while time goes on', () => {
    const [minuteMs, hourMs] = [60_000, 3_600_000];
    const windowAt = (nowMs: number) => {
      const windows = new FiveHourWindows();
      for (let atMs = Math.ceil(countedFrom(nowMs) / minuteMs) * minuteMs; atMs <= nowMs; atMs += 10 * minuteMs)
        windows.add({ ...call('00:00:00'), atMs });
      return windows.at(nowMs)?.fromMs;
    };
    const first = at('11:00:00');
    const starts = Array.from({ length: 10 }, (_, hour) => windowAt(first + hour * hourMs));
    expect(new Set(starts).size).toBeLessThan(4);
    expect(starts.every((start, hour) => start !== undefined && first + hour * hourMs - start < 5 * hourMs)).toBe(true);
  });

  it('know the most expensive', () => {
    expect(windowsOf('01:00:00', '02:00:00', '12:00:00').highest).toMatchObject({ fromMs: at('01:00:00') });
  });
});

describe('local days', () => {
  it('begin and end at midnight of the zone, also when clocks change', () => {
    const days = new LocalDays('Europe/Berlin');
    const iso = (ms: number) => new Date(ms).toISOString();
    expect(days.dayOf(at('22:30:00'))).toBe('2026-03-30');
    expect([days.startOfDay(at('12:00:00')), days.endOfDay(at('12:00:00'))].map(iso)).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    const autumn = Date.parse('2026-10-25T12:00:00Z');
    expect(days.endOfDay(autumn) - days.startOfDay(autumn)).toBe(25 * 3_600_000);
  });

  it('begin later where midnight is skipped', () => {
    const days = new LocalDays('Africa/Cairo');
    const day = Date.parse('2026-04-24T12:00:00Z');
    expect([days.dayOf(days.startOfDay(day) - 1), days.dayOf(days.startOfDay(day))]).toEqual(['2026-04-23', '2026-04-24']);
  });

  it('follow zones with odd offsets', () => {
    const days = new LocalDays('Asia/Kathmandu');
    expect([days.dayOf(at('18:14:59')), days.dayOf(at('18:15:00'))]).toEqual(['2026-03-29', '2026-03-30']);
  });
});

it('a cache saves what reads cost less, and costs what writes cost more', () => {
  const price = { input: 10, output: 50, cache_read: 1, cache_write: 12.5 };
  expect(cacheSavings(price, 1_000_000, 800_000, 0)).toBeCloseTo(7.2, 9);
  expect(cacheSavings(price, 1_000_000, 0, 800_000)).toBeCloseTo(-2, 9);
  expect(cacheSavings({ input: 10, output: 50 }, 1000, 500, 100)).toBe(0);
});
