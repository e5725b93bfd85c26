/** docs/reference/ingest.md#cases, the rows about many spans of one trace: 8 to 10, 51, 52. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { accepted, forms, json, protobuf, sendAs } from '../../fixtures/otlp-forms.ts';
import { spansOf, trace, traceCount } from '../../fixtures/read-back.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const send = async (spans: object[], form = json) => {
  expect(await sendAs(form, gateway, aRequest(spans))).toMatchObject(accepted);
};

/** The trace as JSON, without its own id, so that equal trees compare equal. */
async function shapeOf(traceId: string): Promise<string> {
  return JSON.stringify(await trace(gateway, traceId)).replaceAll(traceId, 'TRACE');
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

/** A small agent run: a root, a tool below it, two model calls. Ids of spans are the same in every trace. */
function agentRun(traceId: string): Record<string, unknown>[] {
  const id = (letter: string) => letter.repeat(16);
  return [
    aSpan({ traceId, spanId: id('a'), name: 'agent', durationMs: 900, attributes: { 'session.id': 's', 'agentmark.tags': ['x', 'y'] } }),
    aSpan({
      traceId,
      spanId: id('b'),
      parentSpanId: id('a'),
      name: 'tool',
      startMs: testEpochMs + 10,
      status: 'ERROR',
      statusMessage: 'no',
    }),
    aChat({ traceId, spanId: id('c'), parentSpanId: id('b'), startMs: testEpochMs + 20, reply: 'inner' }),
    aChat({ traceId, spanId: id('d'), parentSpanId: id('a'), startMs: testEpochMs + 30, reply: 'last' }),
  ];
}

describe('row 8: spans in any order', () => {
  it('make the same trace, whichever of them comes first', async () => {
    const shapes = new Set<string>();
    for (const order of permutations([0, 1, 2, 3])) {
      const traceId = aTraceId();
      const spans = agentRun(traceId);
      for (const index of order) await send([spans[index] as object]);
      shapes.add(await shapeOf(traceId));
    }
    expect(shapes.size).toBe(1);
    expect(JSON.parse([...shapes][0] as string)).toMatchObject({ name: 'agent', tokens: 30, spans: { length: 4 } });
  });

  it('make the same trace when the parent arrives after a restart', async () => {
    const [complete, split] = [aTraceId(), aTraceId()];
    await send(agentRun(complete));
    await send(agentRun(split).slice(1));
    await gateway.restart();
    await send(agentRun(split).slice(0, 1));
    expect(await shapeOf(split)).toBe(await shapeOf(complete));
  });

  it('are all shown when the parent never arrives', async () => {
    const traceId = aTraceId();
    const missing = aSpanId();
    await send([aSpan({ traceId, parentSpanId: missing, name: 'orphan' }), aChat({ traceId, parentSpanId: missing })]);
    expect(await spansOf(gateway, traceId)).toMatchObject([{ parent_id: missing }, { parent_id: missing }]);
    expect(await trace(gateway, traceId)).toMatchObject({ tokens: 15, spans: { length: 2 } });
  });
});

describe('row 9: spans that form no tree', () => {
  it('may have a span that is its own parent', async () => {
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    await send([aChat({ traceId, spanId, parentSpanId: spanId })]);
    expect(await trace(gateway, traceId)).toMatchObject({ tokens: 15, spans: { length: 1 } });
  });

  it.each([2, 3, 10])('may form a cycle of %d', async (size) => {
    const traceId = aTraceId();
    const ids = Array.from({ length: size }, aSpanId);
    const chats = ids.map((spanId, at) => aChat({ traceId, spanId, parentSpanId: ids[(at + 1) % size] as string }));
    for (const chat of chats) await send([chat]);
    // The cycle is cut into a chain, and each link is assumed to repeat the usage of the one below it.
    expect(await trace(gateway, traceId)).toMatchObject({ tokens: 15, spans: { length: size } });
    await send([aSpan({ traceId, parentSpanId: ids[0] as string })]);
    expect(await trace(gateway, traceId)).toMatchObject({ tokens: 15, spans: { length: size + 1 } });
  });

  it('may be a chain of 100,000, which no code walks by recursion', async () => {
    const traceId = aTraceId();
    const length = 100_000;
    const idOf = (index: number) => (index + 1).toString(16).padStart(16, '0');
    const link = (index: number) => ({
      traceId,
      spanId: idOf(index),
      ...(index === 0 ? {} : { parentSpanId: idOf(index - 1) }),
      name: index === 0 ? 'top' : 'link',
      startTimeUnixNano: `${BigInt(testEpochMs + index) * 1_000_000n}`,
      endTimeUnixNano: `${BigInt(testEpochMs + length) * 1_000_000n}`,
      attributes: index === length - 1 ? (aChat()['attributes'] as object[]) : [],
    });
    for (let from = length; from > 0; from -= 25_000) {
      await send(
        Array.from({ length: 25_000 }, (_, at) => link(from - 1 - at)),
        protobuf,
      );
    }
    const [listed] = (await gateway.client.traces.list({ query: { limit: 1, sort_by: 'latency' } })).data;
    expect(listed).toMatchObject({ id: traceId, name: 'top', tokens: 15 });
    const { data, pagination } = await gateway.client.spans.list({ query: { trace_id: traceId, limit: 500, offset: 99_900 } });
    expect([pagination.total, data.length]).toEqual([length, 100]);
    expect((await gateway.fetch(`/v1/traces/${traceId}/graph`)).status).toBe(200);
  });
});

describe('row 10: one trace in many requests, from many services', () => {
  it('adds up exactly', async () => {
    const traceId = aTraceId();
    const root = aSpanId();
    const requests = Array.from({ length: 40 }, (_, index) =>
      aRequest(
        Array.from({ length: 5 }, () => aChat({ traceId, parentSpanId: root, inputTokens: index, outputTokens: 1 })),
        { service: `service-${index % 7}`, scope: `scope-${index % 3}` },
      ),
    );
    requests.push(aRequest([aSpan({ traceId, spanId: root, name: 'gateway' })], { service: 'front' }));
    const responses = await Promise.all(requests.map((request, index) => sendAs(forms[index % forms.length] as never, gateway, request)));
    for (const response of responses) expect(response).toMatchObject(accepted);
    const result = await trace(gateway, traceId);
    expect(result).toMatchObject({ name: 'gateway', tokens: 5 * ((39 * 40) / 2) + 200, spans: { length: 201 } });
    const services = new Set(result?.spans.map(({ service_name }) => service_name));
    expect(services.size).toBe(8);
    const costs = result?.spans.reduce((sum, { id, cost }) => (id === root ? sum : sum + cost), 0);
    expect(result?.cost).toBeCloseTo(costs as number, 9);
  });
});

/** The benchmark measures the figures of these rows (a million spans, list p95); these tests check correctness at a smaller size. */
describe('row 51: very many spans in one trace', () => {
  it('are accepted batch by batch and read page by page, each once', async () => {
    const traceId = aTraceId();
    const batch = (from: number) =>
      Array.from({ length: 1000 }, (_, at) => aSpan({ traceId, name: `n${from + at}`, startMs: testEpochMs + from + at }));
    for (let from = 0; from < 10_000; from += 1000) await send(batch(from), protobuf);
    const seen = new Set<string>();
    for (let offset = 0; offset < 10_000; offset += 500) {
      const { data, pagination } = await gateway.client.spans.list({ query: { trace_id: traceId, limit: 500, offset } });
      expect([data.length, pagination.total]).toEqual([500, 10_000]);
      for (const { id } of data) seen.add(id);
    }
    expect(seen.size).toBe(10_000);
    expect(await spansOf(gateway, traceId)).toHaveLength(10_000);
  });
});

describe('row 52: very many traces of one span', () => {
  it('are all listed, each once', async () => {
    const before = await traceCount(gateway);
    for (let sent = 0; sent < 10; sent++)
      await send(
        Array.from({ length: 1000 }, () => aSpan()),
        protobuf,
      );
    const seen = new Set<string>();
    for (let offset = 0; offset < before + 10_000; offset += 1000) {
      const { data, pagination } = await gateway.client.traces.list({ query: { limit: 1000, offset } });
      expect(pagination.total).toBe(before + 10_000);
      for (const { id } of data) seen.add(id);
    }
    expect(seen.size).toBe(before + 10_000);
  });
});
