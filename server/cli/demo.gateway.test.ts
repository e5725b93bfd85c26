/** `glasshouse demo`: what it loads is whole and believable, it loads nothing twice, and it removes nothing but itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorGroups } from '../../shared/contract/tracing/error-groups.ts';
import { aRequest, aSpan, aTraceId } from '../../shared/fixtures/otlp.ts';
import { type CliEnd, cli } from '../fixtures/cli-process.ts';
import { freePort } from '../fixtures/free-port.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';

const day = 24 * 3_600_000;

let gateway: TestGateway;
let loaded: CliEnd;
const otherId = aTraceId();

const demo = (...args: string[]) => cli(['demo', ...args, '--port', String(gateway.port)]);
const tracesOfDemo = async () => (await gateway.client.traces.list({ query: { filter: 'tags = demo', limit: 200 } })).data;
const scoresOf = async (name: string) => (await gateway.client.scores.list({ query: { name, limit: 1000 } })).data;

/** Figures that a second load would change. */
async function figures() {
  const { client } = gateway;
  const { total } = (await client.scores.list({ query: {} })).pagination;
  return { traces: (await tracesOfDemo()).length, sessions: (await client.sessions.list({ query: {} })).pagination.total, scores: total };
}

beforeAll(async () => {
  gateway = await startTestGateway();
  // Looks like the demo as far as names and tags go.
  const attributes = { 'tag.tags': ['demo'], 'user.id': 'maren.ohlsen' };
  await gateway.ingest(aRequest([aSpan({ traceId: otherId, startMs: Date.now(), attributes })], { service: 'support-desk' }));
  loaded = await demo();
});
afterAll(() => gateway.stop());

describe('glasshouse demo', () => {
  it('loads what it says, and says where to look and how to remove it', async () => {
    expect(loaded).toMatchObject({ code: 0, stderr: '' });
    const { traces, sessions, scores } = await figures();
    expect(traces - 1).toBeGreaterThan(50);
    expect(sessions).toBeGreaterThanOrEqual(6);
    expect(loaded.stdout.split('\n')).toEqual([
      `Loaded ${traces - 1} traces, ${sessions} sessions, ${scores} scores and 2 runs of an experiment.`,
      `${gateway.url}/#/traces?filter=tags%20%3D%20demo`,
      '`glasshouse demo --remove` deletes them again.',
      '',
    ]);
  });

  it('lies in the last seven days, most of it in the last two', async () => {
    const ages = (await tracesOfDemo()).map(({ start, end }) => ({
      from: Date.now() - Date.parse(start),
      to: Date.now() - Date.parse(end),
    }));
    expect(Math.min(...ages.map(({ to }) => to))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...ages.map(({ from }) => from))).toBeLessThan(7 * day);
    expect(ages.filter(({ from }) => from < 2 * day).length).toBeGreaterThan(ages.length / 2);
  });

  it('has a known cost wherever it has tokens', async () => {
    const traces = (await tracesOfDemo()).filter(({ id }) => id !== otherId);
    for (const { name, cost, tokens, span_count } of traces) {
      expect.soft(tokens === 0 || cost > 0, name).toBe(true);
      expect.soft(span_count, name).toBeGreaterThanOrEqual(4);
      expect.soft(span_count, name).toBeLessThanOrEqual(20);
    }
    const { data } = await gateway.client.spans.list({ query: { filter: 'tags = demo', limit: 500 } });
    const priced = data.filter(({ type }) => type === 'GENERATION');
    expect(priced.length).toBeGreaterThan(100);
    expect(priced.filter(({ tokens, cost }) => tokens > 0 && cost === 0)).toEqual([]);
  });

  it('has runs that failed, runs with errors inside, and errors that group', async () => {
    const count = async (filter: string) => (await gateway.client.traces.list({ query: { filter } })).pagination.total;
    expect(await count('tags = demo status = ERROR')).toBe(2);
    expect(await count('tags = demo errors_inside > 0')).toBeGreaterThan(5);
    const { groups } = errorGroups.list.reply.shape.data.parse((await (await gateway.fetch('/v1/viewer/error-groups')).json()).data);
    const kinds = groups.map(({ type, name, errors }) => `${type} ${name} ${errors}`);
    expect(kinds).toEqual(
      expect.arrayContaining(['RateLimitError web_search 4', 'TimeoutError web_search 3', 'RefundRejected issue_refund 1']),
    );
    expect(kinds).toEqual(expect.arrayContaining(['TestsFailed run_tests 1']));
  });

  it('has scores with reasons, and an experiment whose second run improves and has one regression', async () => {
    const [helpful, tone] = await Promise.all([scoresOf('helpful'), scoresOf('tone')]);
    for (const { label, reason } of [...helpful, ...tone]) expect([label, reason]).not.toContain('');
    expect(new Set(helpful.map(({ score }) => score))).toEqual(new Set([0, 1]));
    const { data: runs } = await gateway.client.experiments.list({ query: {} });
    expect(runs.map(({ itemCount, avgScore, datasetPath }) => [datasetPath, itemCount, avgScore])).toEqual([
      ['refund-cases.jsonl', 8, 7 / 8],
      ['refund-cases.jsonl', 8, 5 / 8],
    ]);
    const [after, before] = await Promise.all(
      runs.map(async ({ id }) => (await gateway.client.experiments.get({ params: { experimentId: id } })).data.items),
    );
    const scoreIn = (items: typeof after, name: string) => items?.find(({ itemName }) => itemName === name)?.scores[0]?.score;
    const regressed = before?.filter(({ itemName, scores }) => scores[0]?.score === 1 && scoreIn(after, itemName) === 0);
    expect(regressed?.map(({ itemName }) => itemName)).toEqual(['rug eight days late']);
  });

  it('adds nothing when it runs again', async () => {
    const before = await figures();
    expect(await demo()).toMatchObject({ code: 0, stdout: expect.stringContaining(`already loaded, with ${before.traces - 1} traces`) });
    expect(await figures()).toEqual(before);
  });

  it('is removed whole and alone, and can be loaded again', async () => {
    const { traces } = await figures();
    expect(await demo('--remove')).toMatchObject({ code: 0, stdout: expect.stringContaining(`${traces - 1} traces with `) });
    expect((await tracesOfDemo()).map(({ id }) => id)).toEqual([otherId]);
    expect(await figures()).toEqual({ traces: 1, sessions: 0, scores: 0 });
    expect(await demo('--remove')).toMatchObject({ code: 0, stdout: 'The demo is not loaded.\n' });
    expect(await demo()).toMatchObject({ code: 0, stdout: loaded.stdout });
  });

  it('needs a gateway', async () => {
    const port = String(await freePort());
    expect(await cli(['demo', '--port', port])).toMatchObject({ code: 3, stdout: '' });
  });
});
