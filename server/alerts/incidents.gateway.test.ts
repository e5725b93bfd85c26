/** A thousand alerts with planted incidents, and an evaluator that is stopped again and again: nobody is told twice, and nothing is missed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testEpochMs } from '../../shared/fixtures/otlp.ts';
import { type AlertStand, alertStand, owner, type Receiver, startReceiver } from '../fixtures/alert-stand.ts';
import { must } from '../platform/assert.ts';
import { Encoded } from '../telemetry/encoded.ts';

const alertsMax = 1000;
const minutes = 7;
/** Rounds of delivery in a minute, as in production. */
const roundsInMinute = 12;

/** First minute, and the first one that is well again. */
interface Incident {
  from: number;
  to: number;
}

/** One in fifty has an incident at any time, and 60 have one in the third minute: a storm. */
function incidentOf(index: number): Incident | null {
  if (index % 16 === 7) return { from: 2, to: 4 };
  if (index % 50 === 3) return { from: index % 4, to: (index % 4) + 1 + (index % 3) };
  return null;
}

let receiver: Receiver;
let stand: AlertStand;

beforeAll(async () => {
  receiver = await startReceiver();
  stand = await alertStand({ startMs: testEpochMs, trusted: [receiver.origin], pagerDutyApi: `${receiver.origin}/pagerduty` });
});
afterAll(async () => {
  await stand.stop();
  await receiver.stop();
});

async function createAlerts(): Promise<void> {
  const group = { name: 'group', address: `${receiver.origin}/group`, secret: 'a secret of sixteen and more' };
  const channel_ids = [
    (await stand.channels.create(owner, stand.scope, 'webhook', group)).id,
    (await stand.channels.create(owner, stand.scope, 'pagerduty', { name: 'pages', address: '0123456789abcdef0123456789abcdef' })).id,
  ];
  const rule = { metric: 'evaluation_score', evaluation_aggregation: 'avg', evaluation_threshold_direction: 'above' } as const;
  for (let index = 0; index < alertsMax; index++)
    await stand.create({ ...rule, name: `${index}`, evaluation_name: `${index}`, threshold: 0.5, use_webhook: false, channel_ids });
}

/** Every series has a value in every minute. @param stop called after so many of them, in the minute's first evaluation */
function measureSeries(minute: () => number, stopAfter: { left: number; stop: () => void }): void {
  stand.app.store.windows.scores = async (_scope, _window, name) => {
    if (stopAfter.left-- === 0) stopAfter.stop();
    const incident = incidentOf(Number(name));
    const mean = incident && minute() >= incident.from && minute() < incident.to ? 1 : 0;
    return Encoded.of({ count: 1, mean, min: mean, max: mean });
  };
}

interface Accepted {
  /** Of a webhook the event id, of PagerDuty what happens to which incident. */
  key: string;
  path: string;
  body: string;
  round: number;
}

/** A receiver that breaks off, refuses, and is told again. In the third minute, the lease is lost while something is being sent. */
function receive(now: () => { minute: number; round: number }): { accepted: Accepted[]; lostRound: () => number | null } {
  const accepted: Accepted[] = [];
  let posts = 0;
  let lostRound: number | null = null;
  receiver.answer = async ({ path, body, headers }) => {
    posts++;
    if (posts % 11 === 5) return 'cut';
    if (posts % 13 === 7) return { status: 503 };
    const { minute, round } = now();
    const { event_action, dedup_key } = JSON.parse(body);
    const key = path === '/pagerduty' ? `${event_action} ${dedup_key}` : String(headers['x-service-event-id']);
    accepted.push({ key, path, body, round });
    if (lostRound === null && minute === 2 && path === '/group') {
      lostRound = round;
      await stand.control.leases.releaseAll('g');
    }
    return { status: 202 };
  };
  return { accepted, lostRound: () => lostRound };
}

/** What a webhook says: how many alerts, and those that it names. */
function toldBy({ body }: Accepted) {
  const { type, data } = JSON.parse(body).event;
  const alerts: { alert: { id: string; status: string } }[] = type === 'alert' ? [data] : data.alerts;
  const named = alerts.map(({ alert }) => `${alert.status} ${alert.id}`);
  const single = { triggered: Number(data.alert?.status === 'triggered'), resolved: Number(data.alert?.status === 'resolved') };
  return { named, ...(type === 'alert' ? single : { triggered: data.triggered as number, resolved: data.resolved as number }) };
}

async function runMinutes(now: { minute: number; round: number }): Promise<void> {
  let stop = new AbortController();
  const stopAfter = { left: 0, stop: () => stop.abort() };
  measureSeries(() => now.minute, stopAfter);
  for (; now.minute < minutes; now.minute++) {
    stand.clock.ms += 60_000;
    // The first evaluator of each minute is stopped among its alerts, and another one takes over.
    stop = new AbortController();
    stopAfter.left = 137 * now.minute + 11;
    await stand.evaluator.evaluate(await stand.claim(), stop.signal);
    await stand.reopen();
    await stand.evaluator.evaluate(await stand.claim());
    for (let round = 0; round < roundsInMinute; round++) {
      now.round++;
      await stand.dispatcher.deliver(await stand.claim());
      stand.clock.ms += 5000;
      if (round === now.minute) await stand.reopen();
    }
  }
  for (let round = 0; round < 100; round++) {
    now.round++;
    await stand.dispatcher.deliver(await stand.claim());
    stand.clock.ms += 15_000;
  }
}

it('each is told once and recovers once, none is missed, and a storm is a few messages', { timeout: 120_000 }, async () => {
  await createAlerts();
  const now = { minute: 0, round: 0 };
  const { accepted, lostRound } = receive(() => now);
  await runMinutes(now);
  const alerts = (await stand.control.alerts.list(stand.scope, { limit: alertsMax, offset: 0 })).data;
  const planted = alerts.filter(({ name }) => incidentOf(Number(name)) !== null);
  expect(planted.length).toBeGreaterThan(70);
  // Told again is only what was accepted when the lease was lost, and it is the same.
  const repeated = [...Map.groupBy(accepted, ({ key }) => key).values()].filter(({ length }) => length > 1);
  expect(repeated.some(([first]) => first?.path === '/group')).toBe(true);
  for (const [first, second, ...more] of repeated) expect([first?.round, second?.body, more.length]).toEqual([lostRound(), first?.body, 0]);
  const once = accepted.filter((each) => accepted.find(({ key }) => key === each.key) === each);

  const pages = once.filter(({ path }) => path === '/pagerduty').map(({ key }) => key);
  expect(pages.toSorted()).toEqual(
    planted.flatMap(({ id }) => [`resolve glasshouse-alert-${id}`, `trigger glasshouse-alert-${id}`]).sort(),
  );
  const inOrder = accepted.map(({ key }) => key);
  for (const { id } of planted)
    expect(inOrder.lastIndexOf(`trigger glasshouse-alert-${id}`)).toBeLessThan(inOrder.indexOf(`resolve glasshouse-alert-${id}`));

  const told = once.filter(({ path }) => path === '/group').map(toldBy);
  const sum = (of: 'triggered' | 'resolved') => told.reduce((total, group) => total + group[of], 0);
  expect([sum('triggered'), sum('resolved')]).toEqual([planted.length, planted.length]);
  const named = told.flatMap((group) => group.named);
  expect(new Set(named).size).toBe(named.length);
  const possible = new Set(planted.flatMap(({ id }) => [`triggered ${id}`, `resolved ${id}`]));
  expect(named.filter((each) => !possible.has(each))).toEqual([]);
  expect(Math.max(...told.map(({ triggered }) => triggered))).toBeGreaterThan(40);
  expect(told.length).toBeLessThan(30);
  const histories = await Promise.all(alerts.map((alert) => stand.control.alerts.history(stand.scope, alert.id, { limit: 10, offset: 0 })));
  expect(histories.map(({ total }) => total)).toEqual(alerts.map(({ name }) => (incidentOf(Number(name)) ? 2 : 0)));
  expect(must(alerts[0], 'it was created').status).toBe('resolved');
});
