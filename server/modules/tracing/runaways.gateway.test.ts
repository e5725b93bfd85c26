/** Runaways over HTTP: found from spans as they arrive, told on the live stream, kept apart by tenant, and stopped where a run is connected. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ListedRunaway } from '../../../shared/contract/tracing/runaways.ts';
import { aRequest } from '../../../shared/fixtures/otlp.ts';
import { ARun } from '../../fixtures/a-run.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { cli } from '../../fixtures/cli-process.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const repeated = (run: ARun, count: number) =>
  aRequest(
    Array.from({ length: count }, () => run.tool('convert_currency', { from: 'EUR', to: 'USD' }, '1.08')),
    { service: 'sourcing' },
  );

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });

describe('on one machine', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const listed = async (query: object = {}): Promise<ListedRunaway[]> => (await gateway.client.runaways.list({ query })).data;

  /** Events of the live stream, as text. */
  async function follow(query = ''): Promise<{ until(part: string): Promise<void>; close(): Promise<void> }> {
    const response = await fetch(`${gateway.url}/v1/viewer/live${query}`);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const until = async (part: string) => {
      while (!text.includes(part)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The stream ended after ${text}`);
        text += Buffer.from(value).toString();
      }
    };
    await until('event: intake');
    return { until, close: () => reader.cancel() };
  }

  it('a run that repeats a call is told on the live stream, and listed until its rule is turned off for the service', async () => {
    const live = await follow();
    const run = new ARun(undefined, { 'metadata.glasshouse_run': 'run-1' });
    await gateway.ingest(repeated(run, 12));
    await live.until(run.traceId);
    await live.until('event: runaways');
    await eventually(async () =>
      expect(await listed()).toMatchObject([
        {
          trace_id: run.traceId,
          service: 'sourcing',
          rule: 'repeated_calls',
          subject: 'convert_currency',
          value: 12,
          run_id: 'run-1',
          can_stop: false,
        },
      ]),
    );
    const { data } = await gateway.client.runaways.setThreshold({ body: { service: 'sourcing', rule: 'repeated_calls', threshold: null } });
    expect(data).toEqual({ service: 'sourcing', rule: 'repeated_calls', threshold: null, is_default: false });
    expect(await listed()).toEqual([]);
    expect((await gateway.client.runaways.thresholds({})).data).toEqual([{ service: 'sourcing', rule: 'repeated_calls', threshold: null }]);
    const restored = await gateway.client.runaways.setThreshold({ body: { service: 'sourcing', rule: 'repeated_calls' } });
    expect(restored.data).toMatchObject({ threshold: 10, is_default: true });
    await live.close();
  });

  it('a connected run is asked to end its program, and only that one', async () => {
    const [live, other] = [await follow('?run_id=run-7'), await follow('?run_id=run-8')];
    const run = new ARun(undefined, { 'metadata.glasshouse_run': 'run-7' });
    await gateway.ingest(repeated(run, 10));
    await eventually(async () => expect(await listed({ trace_ids: run.traceId })).toMatchObject([{ run_id: 'run-7', can_stop: true }]));
    expect((await gateway.client.runaways.stop({ params: { runId: 'run-7' } })).data).toEqual({ programs: 1 });
    await live.until('event: stop\ndata: {"run_id":"run-7"}');
    await live.close();
    await eventually(async () =>
      expect((await gateway.client.runaways.stop({ params: { runId: 'run-7' } })).data).toEqual({ programs: 0 }),
    );
    await other.close();
  });

  it('the report of a trace for coding agents says that it may be running away', async () => {
    const run = new ARun();
    await gateway.ingest(repeated(run, 10));
    await eventually(async () => expect(await listed({ trace_ids: run.traceId })).toHaveLength(1));
    const { stdout } = await cli(['show', run.traceId, '--url', gateway.url]);
    expect(stdout).toContain('It may be running away. It called convert_currency 10 times with the same arguments.');
  });

  it('refuses thresholds out of range, rules that do not exist, and services that no span names', async () => {
    const set = (body: object) => codeOf(gateway.client.runaways.setThreshold({ body: { service: '', rule: 'loop', ...body } }));
    for (const body of [{ threshold: 2 }, { threshold: 1e9 }, { rule: 'luck', threshold: 3 }, { threshold: '8' }])
      expect(await set(body)).toBe('400 invalid_request_body');
    expect(await set({ service: 'nobody', threshold: 8 })).toBe('404 service_not_found');
  });
});

describe('in the cloud', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await startTestCloud();
  });
  afterAll(() => cloud.stop());

  it('another team sees nothing of a runaway, does not change its thresholds, and does not stop its program', async () => {
    const other = await cloud.addTenant('other');
    const { owner } = cloud.tenant;
    await cloud.ingest(cloud.tenant, repeated(new ARun(), 10));
    await eventually(async () => expect((await owner.runaways.list({ query: {} })).data).toHaveLength(1));
    expect((await other.owner.runaways.list({ query: {} })).data).toEqual([]);
    const body = { service: 'sourcing', rule: 'loop', threshold: null } as const;
    expect(await codeOf(other.owner.runaways.setThreshold({ body }))).toBe('404 service_not_found');
    expect((await owner.runaways.thresholds({})).data).toEqual([]);
  });

  it('readers see runaways, and may neither set thresholds nor stop programs', async () => {
    const reader = await addMember(cloud, cloud.tenant, 'reader@acme.test', 'read');
    expect((await reader.client.runaways.list({ query: {} })).data.length).toBeGreaterThanOrEqual(0);
    expect(await codeOf(reader.client.runaways.setThreshold({ body: { service: '', rule: 'loop', threshold: null } }))).toBe(
      '403 forbidden',
    );
    expect(await codeOf(reader.client.runaways.stop({ params: { runId: 'run-1' } }))).toBe('403 forbidden');
  });
});
