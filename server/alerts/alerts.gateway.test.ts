/** Alerts as a whole: what is measured, when notices are sent, and how they arrive. Real stores, real receivers, a clock controlled by the test. */
import { createHmac, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aChat, testEpochMs } from '../../shared/fixtures/otlp.ts';
import type { Alert } from '../control/alert-store.ts';
import { ARun } from '../fixtures/a-run.ts';
import { type AlertStand, alertStand, owner, type Receiver, startReceiver } from '../fixtures/alert-stand.ts';
import { must } from '../platform/assert.ts';

const secret = 'a secret of sixteen and more';
const minuteMs = 60_000;

let receiver: Receiver;
let stand: AlertStand;

beforeEach(async () => {
  receiver = await startReceiver();
  stand = await alertStand({ startMs: testEpochMs, trusted: [receiver.origin], slackApi: `${receiver.origin}/api/` });
});
afterEach(async () => {
  await stand.stop();
  await receiver.stop();
});

/** Calls that end now. */
const calls = (status: 'OK' | 'ERROR', durationMs = 100, count = 1, attributes = {}) =>
  stand.app.write(Array.from({ length: count }, () => aChat({ startMs: stand.clock.ms - durationMs, durationMs, status, attributes })));

const score = (name: string, value: number) => {
  const created_at = new Date(stand.clock.ms).toISOString();
  const row = { id: randomUUID(), resource_id: 'x', name, score: value, label: '', reason: '', source: 'api', created_at } as const;
  return stand.app.store.scores.insert(stand.scope, [row]);
};

const webhook = (parts: { url?: string; secret?: string } = {}) =>
  stand.destinations.putWebhook(
    owner,
    stand.scope,
    stand.made.environment_id,
    parts.url ?? `${receiver.origin}/hook`,
    parts.secret ?? secret,
  );

const states = async ({ id }: Alert) => {
  const { data } = await stand.control.alertWatch.deliveries(stand.scope, id, { limit: 1000, offset: 0 });
  return data.map(({ state, answer, attempts }) => `${state} ${answer} ${attempts}`);
};

describe('an alert', () => {
  it('triggers when its value is beyond the threshold, resolves when it is not, and sends each change once', async () => {
    await webhook();
    const alert = await stand.create({ name: 'errors', threshold: 50 });
    await calls('OK');
    await calls('ERROR');
    await stand.minute();
    expect(await stand.history(alert)).toEqual([]);
    await calls('ERROR');
    for (let minute = 0; minute < 3; minute++) await stand.minute();
    expect(await stand.history(alert)).toEqual(['triggered 66.6666666667']);
    await stand.minute();
    await calls('OK', 100, 5);
    for (let minute = 0; minute < 3; minute++) await stand.minute();
    expect(await stand.history(alert)).toEqual(['triggered 66.6666666667', 'resolved 16.6666666667']);
    expect(receiver.received).toHaveLength(2);
    expect(stand.dispatcher.attempts.get('delivered')).toBe(2);
    expect((await stand.control.alerts.find(stand.scope, alert.id))?.status).toBe('resolved');
  });

  it('keeps its status while there is no data', async () => {
    const alert = await stand.create();
    await calls('ERROR');
    await stand.minute();
    for (let minute = 0; minute < 10; minute++) await stand.minute();
    expect(await stand.history(alert)).toEqual(['triggered 100']);
  });

  it('measures mean latency, cost, the mean of scores, and single scores', async () => {
    const onScore = { metric: 'evaluation_score', evaluation_name: 'tone', threshold: 0.5 } as const;
    const alerts = {
      latency: await stand.create({ metric: 'latency', threshold: 200 }),
      slower: await stand.create({ metric: 'latency', threshold: 201 }),
      cost: await stand.create({ metric: 'cost', threshold: 1e-9 }),
      mean: await stand.create({ ...onScore, evaluation_aggregation: 'avg', evaluation_threshold_direction: 'below' }),
      any: await stand.create({ ...onScore, evaluation_aggregation: 'individual', evaluation_threshold_direction: 'below' }),
      above: await stand.create({
        ...onScore,
        threshold: 0.9,
        evaluation_aggregation: 'individual',
        evaluation_threshold_direction: 'above',
      }),
    };
    await calls('OK', 101);
    await calls('OK', 301);
    await score('tone', 0.25);
    await score('tone', 1);
    await score('another', 0);
    await stand.minute();
    const histories = Object.fromEntries(
      await Promise.all(Object.entries(alerts).map(async ([name, alert]) => [name, await stand.history(alert)])),
    );
    expect(histories).toMatchObject({ latency: ['triggered 201'], slower: [], mean: [], any: ['triggered 0.25'], above: ['triggered 1'] });
    expect(histories.cost[0]).toMatch(/^triggered 0\.\d+$/);
  });

  it('counts the runs that were found to be running away in its window', async () => {
    const alert = await stand.create({ metric: 'runaway_runs', threshold: 0 });
    await webhook();
    const run = new ARun(stand.clock.ms - 10_000);
    await stand.app.write(
      Array.from({ length: 10 }, () => run.tool('search', { q: 'owls' }, 'none')),
      stand.clock.ms,
    );
    const found = async () => (await stand.app.store.runaways.list(stand.scope, { limit: 10 })).decode();
    await vi.waitFor(async () => expect(await found()).toHaveLength(1), { timeout: 60_000 });
    for (let minute = 0; minute < 7; minute++) await stand.minute();
    expect(await stand.history(alert)).toEqual(['triggered 1', 'resolved 0']);
    expect(receiver.received[0]?.body).toContain('number of runs that may be running away was 1 in the last 5 minutes (threshold 0)');
  });

  it('on an environment measures only that one, and never another tenant’s data', async () => {
    const watched = await stand.create({ environment_id: stand.made.environment_id });
    const everywhere = await stand.create();
    await calls('ERROR', 100, 1, { 'deployment.environment': 'elsewhere' });
    await stand.minute();
    expect([await stand.history(watched), await stand.history(everywhere)]).toEqual([[], ['triggered 100']]);
    await calls('ERROR', 100, 1, { 'deployment.environment': 'dev' });
    await stand.minute();
    expect(await stand.history(watched)).toEqual(['triggered 100']);
    const other = await stand.addTenant('other');
    const theirs = { tenant_id: other.tenant_id, app_id: other.app_id };
    const { id: _, ...parts } = everywhere;
    const foreign = await stand.control.alerts.create(owner, theirs, { ...parts, environment_id: null });
    await stand.minute();
    expect((await stand.control.alerts.history(theirs, foreign.id, { limit: 10, offset: 0 })).total).toBe(0);
  });

  it('that cannot be evaluated does not affect the others', async () => {
    const [before, after] = [await stand.create(), await stand.create()];
    const { windows } = stand.app.store;
    const original = windows.requests;
    let queries = 0;
    windows.requests = (...args) => (queries++ === 0 ? Promise.reject(new Error('disk error')) : original(...args));
    await calls('ERROR');
    await stand.minute();
    windows.requests = original;
    expect([...(await stand.history(before)), ...(await stand.history(after))]).toEqual(['triggered 100']);
    await stand.minute();
    expect([await stand.history(before), await stand.history(after)]).toEqual([['triggered 100'], ['triggered 100']]);
  });
});

describe('a webhook', () => {
  it('has the body of the contract, signed over its exact bytes', async () => {
    await webhook();
    const alert = await stand.create({ name: 'errors' });
    await calls('ERROR');
    await stand.minute();
    const { body, headers } = must(receiver.received[0], 'nothing received');
    expect(JSON.parse(body).event).toMatchObject({
      type: 'alert',
      data: {
        alert: { id: alert.id, currentValue: 100, threshold: 50, status: 'triggered', timeWindow: '5 minutes', type: 'error_rate' },
        message: 'Alert "errors" triggered in default: error rate was 100 % in the last 5 minutes (threshold 50 %)',
        timestamp: new Date(stand.clock.ms).toISOString(),
      },
    });
    expect(headers['x-service-signature-256']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    expect(isAuthentic(headers['x-service-signature'], body, [secret], stand.clock.ms)).toBe(true);
  });

  it('that is replayed later, or with another body, fails the signature check', async () => {
    await webhook();
    await stand.destinations.testWebhook(stand.scope, stand.made.environment_id);
    const { body, headers } = must(receiver.received[0], 'nothing received');
    const signed = headers['x-service-signature'];
    expect(isAuthentic(signed, body, [secret], stand.clock.ms + 4 * minuteMs)).toBe(true);
    expect(isAuthentic(signed, body, [secret], stand.clock.ms + 6 * minuteMs)).toBe(false);
    expect(isAuthentic(signed, `${body} `, [secret], stand.clock.ms)).toBe(false);
    expect(
      isAuthentic(String(signed).replace(/t=\d+/, `t=${stand.clock.ms / 1000 + 600}`), body, [secret], stand.clock.ms + 10 * minuteMs),
    ).toBe(false);
    expect(isAuthentic(signed, body, ['another secret altogether'], stand.clock.ms)).toBe(false);
  });

  it('is signed with the old secret too for a day after a change, and no longer', async () => {
    await webhook();
    await webhook({ secret: `${secret} anew` });
    const test = async () => {
      await stand.destinations.testWebhook(stand.scope, stand.made.environment_id);
      const { body, headers } = must(receiver.received.at(-1), 'nothing received');
      return [[secret], [`${secret} anew`]].map((secrets) => isAuthentic(headers['x-service-signature'], body, secrets, stand.clock.ms));
    };
    expect(await test()).toEqual([true, true]);
    stand.clock.ms += 25 * 60 * minuteMs;
    expect(await test()).toEqual([false, true]);
  });

  it('is not sent to a new host with the secret of the old one', async () => {
    await webhook();
    const elsewhere = await startReceiver();
    try {
      const moved = await stand.destinations.putWebhook(
        owner,
        stand.scope,
        stand.made.environment_id,
        `${elsewhere.origin}/hook`,
        undefined,
      );
      expect(moved.has_secret).toBe(false);
      const alert = await stand.create();
      await calls('ERROR');
      await stand.minute();
      expect(await stand.destinations.testWebhook(stand.scope, stand.made.environment_id)).toEqual({
        state: 'skipped',
        answer: 'no secret',
      });
      expect(await states(alert)).toEqual(['skipped no secret 1']);
      expect([...elsewhere.received, ...receiver.received]).toEqual([]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('whose host resolves to an internal address when it is sent is blocked, and says so', async () => {
    await stand.stop();
    let address = '93.184.216.34';
    stand = await alertStand({ startMs: testEpochMs, resolve: async () => [address] });
    await webhook({ url: 'https://hooks.glasshouse.dev/alerts' });
    const alert = await stand.create();
    address = '169.254.169.254';
    await calls('ERROR');
    await stand.minute();
    await stand.minute();
    expect(await states(alert)).toEqual(['blocked blocked 1']);
    expect(stand.dispatcher.attempts.get('blocked')).toBe(1);
  });

  it.each([
    [200, 1, 'delivered 2xx 1'],
    [204, 1, 'delivered 2xx 1'],
    [301, 1, 'failed 3xx 1'],
    [400, 1, 'failed 4xx 1'],
    [404, 1, 'failed 4xx 1'],
    [408, 4, 'failed 4xx 4'],
    [429, 4, 'failed 4xx 4'],
    [500, 4, 'failed 5xx 4'],
    [503, 4, 'failed 5xx 4'],
  ])('that is answered %i is sent %i times', async (status, times, end) => {
    receiver.answer = () => ({ status });
    await webhook();
    const alert = await stand.create();
    await calls('ERROR');
    for (let minute = 0; minute < 12; minute++) await stand.minute();
    expect(receiver.received).toHaveLength(times);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await states(alert)).toEqual([end]);
  });

  it('waits for as long as the receiver asks', async () => {
    receiver.answer = () => ({ status: 429, headers: { 'Retry-After': '600' } });
    await webhook();
    await stand.create();
    await calls('ERROR');
    for (let minute = 0; minute < 9; minute++) await stand.minute();
    expect(receiver.received).toHaveLength(1);
    for (let minute = 0; minute < 3; minute++) await stand.minute();
    expect(receiver.received).toHaveLength(2);
  });

  it('arrives at least once although a third of all attempts fail, across restarts, and each change makes one event', async () => {
    // How often each event in turn is refused before it is accepted: half as many refusals as events, and never as many as the attempts.
    const failures = [0, 0, 3, 0, 1, 0, 0, 1, 0, 0];
    const left = new Map<string, number>();
    const delivered: string[] = [];
    receiver.answer = ({ headers }) => {
      const event = String(headers['x-service-event-id']);
      const refusals = left.get(event) ?? (failures[left.size % failures.length] as number);
      left.set(event, refusals - 1);
      if (refusals > 0) return refusals % 2 === 0 ? 'cut' : { status: 503 };
      delivered.push(event);
      return {};
    };
    await webhook();
    const alerts = await Promise.all(Array.from({ length: 3 }, () => stand.create()));
    for (let change = 0; change < 6; change++) {
      stand.clock.ms += 5 * minuteMs;
      await calls(change % 2 === 0 ? 'ERROR' : 'OK');
      await stand.minute();
      await stand.reopen();
    }
    for (let minute = 0; minute < 12; minute++) await stand.minute();
    const histories = await Promise.all(alerts.map((alert) => stand.history(alert)));
    expect(histories.map(({ length }) => length)).toEqual(Array(3).fill(6));
    expect(new Set(delivered).size).toBe(18);
    expect(receiver.received).toHaveLength(28);
    expect(new Set((await Promise.all(alerts.map(states))).flat().map((state) => state.split(' ')[0]))).toEqual(new Set(['delivered']));
  });

  it('that was interrupted by a stop is sent again after the next start', async () => {
    await webhook();
    const alert = await stand.create();
    await calls('ERROR');
    stand.clock.ms += minuteMs;
    await stand.evaluator.evaluate(await stand.claim());
    const stop = new AbortController();
    receiver.answer = () => {
      stop.abort();
      return 'cut';
    };
    await stand.dispatcher.deliver(await stand.claim(), stop.signal);
    expect(await states(alert)).toEqual(['waiting null 0']);
    await stand.reopen();
    receiver.answer = () => ({});
    await stand.dispatcher.deliver(await stand.claim());
    expect(await states(alert)).toEqual(['delivered 2xx 1']);
  });
});

describe('Slack', () => {
  const connect = (channel: string | null = 'C0123') => stand.destinations.putSlack(owner, stand.scope, 'xoxb-test', channel);
  const slackResponse = (body: object) => ({ headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) });

  it('gets links and the worst traces, in which no name can mention anybody or link elsewhere', async () => {
    receiver.answer = () => slackResponse({ ok: true, channel: 'C0123', ts: '1503435956.000247', message: {} });
    await connect();
    const alert = await stand.create({ name: '<!channel> & co', use_webhook: false, use_slack: true });
    const name = '`<https://evil.test|Open>\n@here';
    await stand.app.write([aChat({ startMs: stand.clock.ms - 100, name, status: 'ERROR' })]);
    await stand.minute();
    const [{ path, headers, body } = { path: '', headers: {}, body: '{}' }] = receiver.received;
    expect([path, headers.authorization]).toEqual(['/api/chat.postMessage', 'Bearer xoxb-test']);
    expect(JSON.parse(body)).toMatchObject({ channel: 'C0123', text: expect.stringContaining('"&lt;!channel&gt; &amp; co" triggered') });
    const [, links, trace] = JSON.parse(body).text.split('\n');
    expect(links).toMatch(/^<https:\/\/glasshouse\.test\/#\/alerts\/[^|>]+\|Open the alert> · <https:[^|>]+\|Open the traces>$/);
    expect(trace).toMatch(
      /^• `'&lt;https:\/\/evil\.test\|Open&gt; @here` 1 failed call <https:\/\/glasshouse\.test\/#\/traces\/[^|>]+\|Open>$/,
    );
    expect(await states(alert)).toEqual(['delivered 2xx 1']);
  });

  it.each([
    ['channel_not_found', 1, 'failed channel_not_found 1'],
    ['invalid_auth', 1, 'failed invalid_auth 1'],
    ['ratelimited', 4, 'failed ratelimited 4'],
  ])('that answers %s with a 200 is sent the message %i times', async (error, times, end) => {
    receiver.answer = () => slackResponse({ ok: false, error });
    await connect();
    const alert = await stand.create({ use_webhook: false, use_slack: true });
    await calls('ERROR');
    for (let minute = 0; minute < 12; minute++) await stand.minute();
    expect([receiver.received.length, await states(alert)]).toEqual([times, [end]]);
  });

  it('lists its channels page by page', async () => {
    const channel = (id: string, is_archived = false) => ({ id, name: id.toLowerCase(), is_channel: true, is_archived, num_members: 3 });
    receiver.answer = ({ path }) => {
      const isNext = path.includes('cursor=dGVhbTpDMDYxRkE1UEI%3D');
      const next = isNext ? '' : 'dGVhbTpDMDYxRkE1UEI=';
      return slackResponse({
        ok: true,
        channels: isNext ? [channel('C3', true)] : [channel('C1'), channel('C2')],
        response_metadata: { next_cursor: next },
      });
    };
    expect(await stand.destinations.slackChannels(stand.scope)).toEqual([]);
    await connect(null);
    expect(await stand.destinations.slackChannels(stand.scope)).toEqual([
      ...[
        { id: 'C1', name: 'c1', is_archived: false },
        { id: 'C2', name: 'c2', is_archived: false },
      ],
      { id: 'C3', name: 'c3', is_archived: true },
    ]);
    expect(receiver.received.map(({ path }) => path.split('?')[0])).toEqual(['/api/conversations.list', '/api/conversations.list']);
  });

  it('that refuses, fails or answers nonsense is reported with an error code', async () => {
    await connect();
    for (const [answer, code] of [
      [slackResponse({ ok: false, error: 'token_revoked' }), 'token_revoked'],
      [{ status: 500 }, 'status 500'],
      [slackResponse({ ok: true, channels: 'none' }), 'unreadable_answer'],
      [{ body: '<html>' }, 'unreadable_answer'],
    ] as const) {
      receiver.answer = () => answer;
      await expect(stand.destinations.slackChannels(stand.scope)).rejects.toThrow(code);
    }
  });
});

/** The check that the documentation describes for receivers: the signature covers time and body, and is no more than five minutes old. */
function isAuthentic(header: unknown, body: string, secrets: string[], nowMs: number): boolean {
  const parts = String(header)
    .split(',')
    .map((part) => part.split('='));
  const seconds = Number(parts.find(([name]) => name === 't')?.[1]);
  const expected = secrets.map((key) => createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex'));
  return Math.abs(nowMs / 1000 - seconds) <= 300 && parts.some(([name, value]) => name === 'v1' && expected.includes(String(value)));
}
