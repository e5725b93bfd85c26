import { expect, test } from 'vitest';
import { type Arrived, type Notice, Notices, shownName } from './notices.ts';
import type { Settings } from './settings.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const settings = { notify_errors: true, notify_long_runs: true, long_run_seconds: 60 } as Settings;

const trace = (id: string, some: Partial<Arrived> = {}): Arrived => ({
  id,
  name: `run ${id}`,
  status: 'OK',
  end: new Date(now - 1000).toISOString(),
  latency_ms: 500,
  error_count: 0,
  ...some,
});

function setUp(traces: Arrived[], { going = [] as string[], set = {} as Partial<Settings> } = {}) {
  const told: Notice[] = [];
  const reads: string[][] = [];
  let failed = 0;
  const notices = new Notices({
    read: async (ids) => {
      reads.push([...ids]);
      return traces.filter(({ id }) => ids.includes(id));
    },
    isOver: async (id) => !going.includes(id),
    settings: () => ({ ...settings, ...set }),
    failed: (count) => {
      failed += count;
    },
    tell: (notice) => told.push(notice),
    now: () => now,
  });
  return { notices, told, reads, failed: () => failed, going };
}

test('a failed trace is told of once, however often it is added to', async () => {
  const { notices, told, failed } = setUp([trace('a', { error_count: 2 }), trace('b')]);
  for (let times = 0; times < 3; times++) await notices.heard(['a', 'b']);
  expect(told).toEqual([{ title: 'Failed: run a', body: '2 spans have errors', traceId: 'a' }]);
  expect(failed()).toBe(1);
});

test('a long run is told of when its root is there, not while it goes on', async () => {
  const { notices, told, going } = setUp([trace('a', { latency_ms: 185_000 })], { going: ['a'] });
  await notices.heard(['a']);
  expect(told).toEqual([]);
  going.length = 0;
  await notices.heard(['a']);
  await notices.heard(['a']);
  expect(told).toEqual([{ title: 'Over: run a', body: 'It took 3 min', traceId: 'a' }]);
});

test('what is sent long after it happened is history', async () => {
  const end = new Date(now - 3_600_000).toISOString();
  const { notices, told } = setUp([trace('a', { error_count: 1, end }), trace('b', { latency_ms: 90_000, end })]);
  await notices.heard(['a', 'b']);
  expect(told).toEqual([]);
});

test('many at once are one notice', async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `t${at}`);
  const { notices, told } = setUp(ids.map((id) => trace(id, { status: 'ERROR', error_count: 1 })));
  await notices.heard(ids);
  expect(told).toEqual([{ title: '40 traces failed', body: 'run t0, run t1, run t2', traceId: null }]);
});

test('what nobody wants to hear is not said, and failures still count', async () => {
  const set = { notify_errors: false, notify_long_runs: false };
  const { notices, told, failed } = setUp([trace('a', { error_count: 1 }), trace('b', { latency_ms: 90_000 })], { set });
  await notices.heard(['a', 'b']);
  expect([told, failed()]).toEqual([[], 1]);
});

test('a burst of commits is read in few goes', async () => {
  const { notices, reads } = setUp([]);
  await Promise.all(Array.from({ length: 500 }, (_, at) => notices.heard([`t${at}`])));
  expect(reads.length).toBeLessThanOrEqual(2);
  expect(reads.flat()).toHaveLength(500);
});

test.each([
  ['', 'unnamed trace'],
  ['a\nb\u0000c', 'a b c'],
  ['\u202Egpj.exe', 'gpj.exe'],
  ['x'.repeat(200), `${'x'.repeat(80)}…`],
])('the name %j is shown as %j', (name, shown) => expect(shownName(name)).toBe(shown));
