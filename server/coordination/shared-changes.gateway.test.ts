/** The live view of a browser follows what any gateway stores. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LiveEvent, liveEvent } from '../../shared/contract/viewer/viewer.ts';
import { aRequest, aSpan, aTraceId } from '../../shared/fixtures/otlp.ts';
import { ARun } from '../fixtures/a-run.ts';
import { withClient } from '../fixtures/postgres.ts';
import { startTwoClouds, type TwoClouds } from '../fixtures/two-clouds.ts';
import { listenerName } from './postgres-listener.ts';

let clouds: TwoClouds;
beforeAll(async () => {
  clouds = await startTwoClouds();
});
afterAll(() => clouds.stop());

const headers = () => ({
  Authorization: clouds.tenant.api_key,
  'X-Service-App-Id': clouds.tenant.app_id,
  'Content-Type': 'application/json',
});

/** Keeps what the live stream of a gateway says. `runaways`: ids of traces with other signs than before. */
async function openLive(url: string): Promise<{ events: LiveEvent[]; runaways: string[]; close(): void }> {
  const closing = new AbortController();
  const response = await fetch(`${url}/v1/viewer/live`, { headers: headers(), signal: closing.signal });
  const events: LiveEvent[] = [];
  const runaways: string[] = [];
  const read = async () => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const part of response.body as ReadableStream<Uint8Array>) {
      text += decoder.decode(part, { stream: true });
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const data = /event: commit\ndata: (.*)/.exec(message)?.[1];
        if (data) events.push(liveEvent.parse(JSON.parse(data)));
        const changed = /event: runaways\ndata: (.*)/.exec(message)?.[1];
        if (changed) runaways.push(...JSON.parse(changed).trace_ids);
      }
    }
  };
  read().catch(() => {});
  return { events, runaways, close: () => closing.abort() };
}

const ingest = (url: string, traceIds: string[]): Promise<void> =>
  send(
    url,
    traceIds.map((traceId) => aSpan({ traceId })),
  );

async function send(url: string, spans: object[]): Promise<void> {
  const body = JSON.stringify(aRequest(spans));
  expect((await fetch(`${url}/v1/traces`, { method: 'POST', headers: headers(), body })).status).toBe(200);
}

const idsOf = (events: LiveEvent[]) => events.flatMap(({ trace_ids }) => trace_ids).toSorted();
const spansOf = (events: LiveEvent[]) => events.reduce((sum, { span_count }) => sum + span_count, 0);

it('what one gateway stores is reported once by each', async () => {
  const [inA, inB] = [await openLive(clouds.a.url), await openLive(clouds.b.url)];
  const traceIds = Array.from({ length: 20 }, () => aTraceId()).toSorted();
  await Promise.all(traceIds.map((id) => ingest(clouds.b.url, [id])));
  for (const { events } of [inA, inB]) {
    await expect.poll(() => [idsOf(events), spansOf(events)]).toEqual([traceIds, 20]);
    // Combined, not one by one.
    expect(events.length).toBeLessThan(20);
    expect(events.some(({ more }) => more)).toBe(false);
  }
  inA.close();
  inB.close();
});

it('of many traces, the other gateway reports as many as it was told of, and that there are more', async () => {
  const { events, close } = await openLive(clouds.a.url);
  await ingest(
    clouds.b.url,
    Array.from({ length: 300 }, () => aTraceId()),
  );
  await expect.poll(() => spansOf(events)).toBe(300);
  const [event] = events;
  expect(event).toMatchObject({ more: true, span_count: 300 });
  expect(event?.trace_ids.length).toBeGreaterThan(150);
  close();
});

it('deletions are reported by each gateway', async () => {
  const traceId = aTraceId();
  await ingest(clouds.b.url, [traceId]);
  const { events, close } = await openLive(clouds.a.url);
  await clouds.b.client.traceDeletions.removeTrace({ params: { traceId } });
  await expect.poll(() => events).toContainEqual({ trace_ids: [], span_count: 0, more: false });
  close();
});

it('signs of a runaway are reported by each gateway', async () => {
  const { runaways, close } = await openLive(clouds.a.url);
  const run = new ARun();
  const calls = Array.from({ length: 10 }, () => run.tool('convert_currency', { from: 'EUR', to: 'USD' }, '1.08'));
  await send(clouds.b.url, calls);
  await expect.poll(() => runaways).toEqual([run.traceId]);
  close();
});

it('a gateway that may have missed notices says that anything may have changed', async () => {
  const { events, close } = await openLive(clouds.a.url);
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${listenerName}' AND datname = current_database()`;
  await withClient(clouds.databaseUrl, (client) => client.query(end));
  await expect.poll(() => events).toContainEqual({ trace_ids: [], span_count: 0, more: true });
  close();
});
