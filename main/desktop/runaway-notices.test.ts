import { expect, test } from 'vitest';
import type { ListedRunaway } from '../../shared/contract/tracing/runaways.ts';
import type { Notice } from './notices.ts';
import { RunawayNotices } from './runaway-notices.ts';

const at = '2026-01-01T12:00:00.000Z';
const sign = (trace_id: string, parts: Partial<ListedRunaway> = {}): ListedRunaway => ({
  ...{ trace_id, trace_name: 'sourcing-agent', service: 'sourcing', rule: 'repeated_calls', subject: 'convert_currency', value: 24 },
  ...{ cost: 0.31, cost_per_minute: 0.04, found_at: at, updated_at: at, ended_at: null, run_id: null, can_stop: false, ...parts },
});

function setUp(found: ListedRunaway[], isEnabled = true) {
  const notified: Notice[] = [];
  const notices = new RunawayNotices({
    read: async (ids) => found.filter(({ trace_id }) => ids.includes(trace_id)),
    isEnabled: () => isEnabled,
    notify: (notice) => notified.push(notice),
  });
  return { notices, notified, found };
}

test('a run is reported once for each sign, with the reason and what it costs', async () => {
  const { notices, notified, found } = setUp([sign('a')]);
  for (let times = 0; times < 3; times++) await notices.add(['a', 'b']);
  expect(notified).toEqual([
    {
      title: 'May be running away: sourcing',
      body: 'It called convert_currency 24 times with the same arguments. $0.31 so far, $0.04 a minute.',
      traceId: 'a',
    },
  ]);
  found.push(sign('a', { rule: 'errors', subject: 'search', value: 8 }));
  await notices.add(['a']);
  expect(notified).toHaveLength(2);
});

test('of several new signs of a run the worst is reported', async () => {
  const { notices, notified } = setUp([sign('a', { rule: 'silence', value: 300 }), sign('a')]);
  await notices.add(['a']);
  expect(notified.map(({ body }) => body)).toEqual([expect.stringContaining('24 times')]);
});

test('nothing is reported while the notices are off, and names lose what is not text', async () => {
  const off = setUp([sign('a')], false);
  await off.notices.add(['a']);
  expect(off.notified).toEqual([]);
  const hostile = setUp([sign('a', { service: 'a\u202egnp\n', subject: `\u001b[31m${'x'.repeat(500)}` })]);
  await hostile.notices.add(['a']);
  expect(JSON.stringify(hostile.notified)).not.toMatch(/\\u202e|\\n|\\u001b/);
  expect(hostile.notified[0]?.body.length).toBeLessThan(250);
});
