import { expect, test } from 'vitest';
import { type ArrivedTrace, type Notice, Notices, shownName } from './notices.ts';
import type { Settings } from './settings.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const settings = { notify_errors: true, notify_long_runs: true, long_run_seconds: 60 } as Settings;

const trace = (id: string, fields: Partial<ArrivedTrace> = {}): ArrivedTrace => ({
  id,
  name: `run ${id}`,
  status: 'OK',
  end: new Date(now - 1000).toISOString(),
  latency_ms: 500,
  error_count: 0,
  ...fields,
});

function setUp(traces: ArrivedTrace[], { running = [] as string[], set = {} as Partial<Settings> } = {}) {
  const notified: Notice[] = [];
  const reads: string[][] = [];
  let failed = 0;
  const notices = new Notices({
    read: async (ids) => {
      reads.push([...ids]);
      return traces.filter(({ id }) => ids.includes(id));
    },
    hasEnded: async (id) => !running.includes(id),
    settings: () => ({ ...settings, ...set }),
    failed: (count) => {
      failed += count;
    },
    notify: (notice) => notified.push(notice),
    now: () => now,
  });
  return { notices, notified, reads, failed: () => failed, running };
}

test('a failed trace is reported once, however many spans are added to it', async () => {
  const { notices, notified, failed } = setUp([trace('a', { error_count: 2 }), trace('b')]);
  for (let times = 0; times < 3; times++) await notices.add(['a', 'b']);
  expect(notified).toEqual([{ title: 'Failed: run a', body: '2 spans have errors', traceId: 'a' }]);
  expect(failed()).toBe(1);
});

test('a long run is reported when its root has ended, not while it runs', async () => {
  const { notices, notified, running } = setUp([trace('a', { latency_ms: 185_000 })], { running: ['a'] });
  await notices.add(['a']);
  expect(notified).toEqual([]);
  running.length = 0;
  await notices.add(['a']);
  await notices.add(['a']);
  expect(notified).toEqual([{ title: 'Finished: run a', body: 'It took 3 min', traceId: 'a' }]);
});

test('a trace that ended long ago is not reported', async () => {
  const end = new Date(now - 3_600_000).toISOString();
  const { notices, notified } = setUp([trace('a', { error_count: 1, end }), trace('b', { latency_ms: 90_000, end })]);
  await notices.add(['a', 'b']);
  expect(notified).toEqual([]);
});

test('many traces at once make one notification', async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `t${at}`);
  const { notices, notified } = setUp(ids.map((id) => trace(id, { status: 'ERROR', error_count: 1 })));
  await notices.add(ids);
  expect(notified).toEqual([{ title: '40 traces failed', body: 'run t0, run t1, run t2', traceId: null }]);
});

test('disabled notifications are not shown, and failures still count', async () => {
  const set = { notify_errors: false, notify_long_runs: false };
  const { notices, notified, failed } = setUp([trace('a', { error_count: 1 }), trace('b', { latency_ms: 90_000 })], { set });
  await notices.add(['a', 'b']);
  expect([notified, failed()]).toEqual([[], 1]);
});

test('a burst of commits is read in few requests', async () => {
  const { notices, reads } = setUp([]);
  await Promise.all(Array.from({ length: 500 }, (_, at) => notices.add([`t${at}`])));
  expect(reads.length).toBeLessThanOrEqual(2);
  expect(reads.flat()).toHaveLength(500);
});

test.each([
  ['', 'unnamed trace'],
  ['a\nb\u0000c', 'a b c'],
  ['\u202Egpj.exe', 'gpj.exe'],
  ['x'.repeat(200), `${'x'.repeat(80)}…`],
])('the name %j is shown as %j', (name, shown) => expect(shownName(name)).toBe(shown));
