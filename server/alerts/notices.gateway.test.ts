/** What notices of alerts say and lead to, and to whom they are not sent. Real stores, a real receiver, a clock controlled by the test. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aChat, aSpanId, aTraceId, testEpochMs } from '../../shared/fixtures/otlp.ts';
import type { Alert } from '../control/alert-store.ts';
import { type AlertStand, alertStand, owner, type Receiver, startReceiver, viewerUrl } from '../fixtures/alert-stand.ts';
import { must } from '../platform/assert.ts';
import { seriesOf } from './series.ts';

const minuteMs = 60_000;
let receiver: Receiver;
let stand: AlertStand;

beforeAll(async () => {
  receiver = await startReceiver();
  stand = await alertStand({ startMs: testEpochMs, trusted: [receiver.origin] });
  await stand.destinations.putWebhook(
    owner,
    stand.scope,
    stand.made.environment_id,
    `${receiver.origin}/hook`,
    'a secret of sixteen and more',
  );
});
afterAll(async () => {
  await stand.stop();
  await receiver.stop();
});
/** Nothing of an earlier test is left in the windows of a test, or evaluated. */
beforeEach(async () => {
  const { data } = await stand.control.alerts.list(stand.scope, { limit: 100, offset: 0 });
  for (const { id } of data) await stand.control.alerts.remove(owner, stand.scope, id);
  stand.clock.ms += 24 * 60 * minuteMs;
  receiver.received.length = 0;
});

/** Calls that end now. */
const calls = (status: 'OK' | 'ERROR', durationMs = 100, count = 1, attributes = {}) =>
  stand.app.write(Array.from({ length: count }, () => aChat({ startMs: stand.clock.ms - durationMs, durationMs, status, attributes })));
const score = (name: string, value: number, resource_id: string) => {
  const created_at = new Date(stand.clock.ms).toISOString();
  const row = { id: randomUUID(), resource_id, name, score: value, label: '', reason: '', source: 'api', created_at } as const;
  return stand.app.store.scores.insert(stand.scope, [row]);
};

describe('a notice', () => {
  it('leads to the alert, to the traces of its window and to the worst of them', async () => {
    const { environment_id } = stand.made;
    const alert = await stand.create({ environment_id, metric: 'latency', threshold: 1000 });
    const ofDev = { 'deployment.environment': 'dev' };
    for (const durationMs of [200, 4567, 90_000, 1500]) await calls('OK', durationMs, 1, ofDev);
    await calls('OK', 99_000, 1, { 'deployment.environment': 'elsewhere' });
    await stand.minute();
    const { data } = JSON.parse(must(receiver.received[0], 'nothing received').body).event;
    const app = `app=${stand.scope.app_id}`;
    expect(data.app).toEqual({ id: stand.scope.app_id, name: 'default' });
    expect(data.environment).toEqual({ id: environment_id, name: 'dev' });
    expect(data.alert).toMatchObject({ url: `${viewerUrl}/#/alerts/${alert.id}?${app}`, currentFigure: '24.1 s', thresholdFigure: '1 s' });
    const [link, list] = [URL.parse(data.tracesUrl), new URLSearchParams(String(data.tracesUrl).split('?')[1])];
    expect(link?.hash).toMatch(/^#\/traces\?/);
    expect(Object.fromEntries(list)).toEqual({
      ...{ app: stand.scope.app_id, environment: 'dev', sort_by: 'latency' },
      ...{ from: String(stand.clock.ms - 5 * minuteMs), to: String(stand.clock.ms) },
    });
    expect(data.traces.map(({ figure }: { figure: string }) => figure)).toEqual(['1 min 30 s', '4.6 s', '1.5 s']);
    for (const { id, url } of data.traces) {
      expect((await stand.app.store.traces.outline(stand.scope, id)) !== null).toBe(true);
      expect(url).toBe(`${viewerUrl}/#/traces/${id}?${app}`);
    }
  });

  it('names the traces that each metric is about, and none once it resolved', async () => {
    const onScore = { metric: 'evaluation_score', threshold: 0.5, evaluation_name: 'tone', evaluation_aggregation: 'avg' } as const;
    const alerts = [
      await stand.create({ threshold: 10 }),
      await stand.create({ metric: 'cost', threshold: 1 }),
      await stand.create({ ...onScore, evaluation_threshold_direction: 'below' }),
    ];
    const [cheap, dear, traceId, spanId] = [aTraceId(), aTraceId(), aTraceId(), aSpanId()];
    const call = (parts: object) => aChat({ startMs: stand.clock.ms - 100, durationMs: 100, ...parts });
    const cost = (usd: number) => ({ attributes: { 'gen_ai.usage.cost': usd } });
    await stand.app.write([
      ...[call({ traceId: cheap, ...cost(0.5) }), call({ traceId: dear, ...cost(2.345) })],
      ...[call({ traceId, spanId, status: 'ERROR' }), call({ traceId, status: 'ERROR' })],
    ]);
    for (const [id, value] of [
      [spanId, 0.1234],
      [dear, 0.7],
      [cheap, 0.2],
    ] as const)
      await score('tone', value, id);
    await stand.minute();
    const traces = receiver.received.map(({ body }) => {
      const { alert, traces } = JSON.parse(body).event.data;
      return [alert.id, traces.map(({ id, figure }: { id: string; figure: string }) => [id, figure])];
    });
    expect(Object.fromEntries(traces)).toEqual({
      [String(alerts[0]?.id)]: [[traceId, '2 failed calls']],
      [String(alerts[1]?.id)]: [
        [dear, '$2.35'],
        [cheap, '$0.50'],
        [traceId, expect.stringMatching(/^\$0\.00/)],
      ],
      [String(alerts[2]?.id)]: [
        [traceId, '0.123'],
        [cheap, '0.2'],
        [dear, '0.7'],
      ],
    });
    await calls('OK', 100, 100);
    await stand.minute();
    const { data } = JSON.parse(String(receiver.received.at(-1)?.body)).event;
    expect([data.alert.status, data.traces]).toEqual(['resolved', []]);
  });
});

describe('a muted alert', () => {
  const statuses = () => receiver.received.map(({ body }) => JSON.parse(body).event.data.alert.status);
  const failing = async () => {
    await calls('ERROR');
    await stand.minute();
  };
  const recovering = async () => {
    stand.clock.ms += 5 * minuteMs;
    await calls('OK');
    await stand.minute();
  };
  const mute = ({ id }: Alert, minutes: number) =>
    stand.control.alerts.mute(owner, stand.scope, id, new Date(stand.clock.ms + minutes * minuteMs).toISOString());

  it('notifies nobody, neither that it triggered nor that it resolved, and records both', async () => {
    const alert = await stand.create();
    await mute(alert, 60);
    await failing();
    await recovering();
    expect([await stand.history(alert), statuses()]).toEqual([['triggered 100', 'resolved 0'], []]);
  });

  it('that is still triggered when the mute ends notifies then, once', async () => {
    const alert = await stand.create();
    await mute(alert, 2);
    for (let minute = 0; minute < 5; minute++) await failing();
    await recovering();
    expect([await stand.history(alert), statuses()]).toEqual([
      ['triggered 100', 'resolved 0'],
      ['triggered', 'resolved'],
    ]);
  });

  it('whose trigger was notified notifies that it resolved, and is no longer muted until then', async () => {
    const alert = await stand.create({ threshold: 40 });
    await failing();
    await stand.control.alerts.mute(owner, stand.scope, alert.id, 'resolved');
    await failing();
    await recovering();
    expect(statuses()).toEqual(['triggered', 'resolved']);
    await failing();
    expect(statuses()).toEqual(['triggered', 'resolved', 'triggered']);
  });
});

it('too few model calls trigger, also when there is none, and the next one resolves', async () => {
  const alert = await stand.create({ metric: 'model_calls', threshold: 1, time_window: 5 });
  await calls('OK');
  await stand.minute();
  expect(await stand.history(alert)).toEqual([]);
  stand.clock.ms += 5 * minuteMs;
  await stand.minute();
  await calls('OK');
  await stand.minute();
  expect(await stand.history(alert)).toEqual(['triggered 0', 'resolved 1']);
  const [first] = receiver.received.map(({ body }) => JSON.parse(body).event.data);
  expect(first).toMatchObject({
    message: expect.stringContaining('number of model calls was 0 in the last 5 minutes (threshold 1)'),
    traces: [],
  });
});

it('a preview is what the evaluator did', async () => {
  const alerts = [
    await stand.create({ threshold: 40 }),
    await stand.create({ metric: 'latency', threshold: 650, time_window: 5 }),
    await stand.create({ metric: 'model_calls', threshold: 3, time_window: 5 }),
    await stand.create({ metric: 'cost', threshold: 0.0005, environment_id: stand.made.environment_id }),
    await stand.create({
      ...{ metric: 'evaluation_score', threshold: 0.5, evaluation_name: 'tone' },
      ...{ evaluation_aggregation: 'individual', evaluation_threshold_direction: 'below' },
    }),
  ];
  const startMs = stand.clock.ms;
  // Reproducible traffic with gaps, of one or another environment.
  for (let minute = 0; minute < 40; minute++) {
    const next = (minute * 7919) % 11;
    if (next > 3)
      await calls(next % 3 === 0 ? 'ERROR' : 'OK', 100 * next, 1 + (next % 4), next > 6 ? { 'deployment.environment': 'dev' } : {});
    if (next % 5 === 0) await score('tone', next / 10, 'x');
    await stand.minute();
  }
  let changed = 0;
  for (const alert of alerts) {
    const environment = alert.environment_id === null ? null : 'dev';
    const series = await seriesOf(stand.app.store.windows, stand.scope, alert, { environment, toMs: stand.clock.ms, minutes: 40 });
    const changes = series.periods.flatMap(({ from, to }) => [from, ...(to === null ? [] : [to])]);
    const { data } = await stand.control.alerts.history(stand.scope, alert.id, { limit: 1000, offset: 0 });
    changed += data.length;
    expect(changes.map((at) => (at - startMs) / minuteMs)).toEqual(
      data.map(({ created_at }) => Math.round((Date.parse(String(created_at)) - startMs) / minuteMs)).reverse(),
    );
  }
  expect(changed).toBeGreaterThan(8);
});
