import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outlineFlag } from '../../../shared/contract/tracing/outline-flags.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, refusal, unseen } = contractClient(() => gateway);

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.stop());

const startMs = 1_790_000_000_000;

/** A root with a chat and a failed tool, sent children first, and a span whose parent never arrives. */
async function aTree() {
  const [traceId, root, chat, tool, lost] = [aTraceId(), aSpanId(), aSpanId(), aSpanId(), aSpanId()];
  await gateway.ingest(
    aRequest([
      aSpan({ traceId, spanId: tool, parentSpanId: chat, name: 'lookup', startMs: startMs + 30, durationMs: 5, status: 'ERROR' }),
      aChat({ traceId, spanId: chat, parentSpanId: root, startMs: startMs + 10, ask: 'Where is the Comet?', reply: 'Behind the moon.' }),
      aSpan({ traceId, spanId: lost, parentSpanId: aSpanId(), name: 'lost', startMs: startMs + 40 }),
      aSpan({ traceId, spanId: root, name: 'run', startMs, durationMs: 100, attributes: { 'session.id': 'night', 'user.id': 'mira' } }),
    ]),
  );
  return { traceId, root, chat, tool, lost };
}

describe('GET /v1/viewer/traces/{traceId}/context', () => {
  it('has a window with the prompt of the model call, in every reported token', async () => {
    const { traceId, chat } = await aTree();
    const { windows, is_whole } = (await client.contextWindows.find({ params: { traceId } })).data;
    expect(windows).toHaveLength(1);
    expect(windows[0]).toMatchObject({ model: 'gpt-4o', limit_tokens: 128_000, parts: [{ origin: 'user', label: 'Where is the Comet?' }] });
    expect(windows[0]?.calls).toMatchObject([{ span_id: chat, prompt: 'recorded', parts: [0], tokens: [10], input_tokens: 10 }]);
    expect(is_whole).toBe(true);
  });

  it('is 404 for a trace that is not stored', async () => {
    expect((await refusal('/v1/viewer/traces/missing/context')).code).toBe('trace_not_found');
  });
});

describe('GET /v1/viewer/traces/{traceId}/outline', () => {
  it('gives every span one position in every column, oldest first, with the position of its parent', async () => {
    const { traceId, root, chat, tool, lost } = await aTree();
    const { data } = await client.traceViewer.outline({ params: { traceId } });
    const { spans } = data;
    expect(spans.id).toEqual([root, chat, tool, lost]);
    expect(spans.parent).toEqual([-1, 0, 1, -1]);
    expect(spans.start_us).toEqual([0, 10_000, 30_000, 40_000]);
    expect(spans.name.map((name) => data.names[name])).toEqual(['run', expect.any(String), 'lookup', 'lost']);
    expect(spans.status).toEqual([expect.any(Number), expect.any(Number), 2, expect.any(Number)]);
    expect((spans.flags[3] ?? 0) & outlineFlag.orphan).toBe(outlineFlag.orphan);
    expect((spans.flags[1] ?? 0) & outlineFlag.generation).toBe(outlineFlag.generation);
    for (const column of Object.values(spans)) expect(column).toHaveLength(4);
    expect(data).toMatchObject({ id: traceId, session_id: 'night', user_id: 'mira', origin: new Date(startMs).toISOString() });
  });

  it('has the same numbers as the trace itself', async () => {
    const { traceId } = await aTree();
    const { data: outline } = await client.traceViewer.outline({ params: { traceId } });
    const { data: trace } = await client.traces.get({ params: { traceId }, query: {} });
    expect(outline.spans.id).toEqual(trace.spans.map((span) => span.id));
    expect(outline.spans.tokens).toEqual(trace.spans.map((span) => span.tokens));
    expect(outline.spans.duration_us.map((us) => us / 1000)).toEqual(trace.spans.map((span) => span.duration_ms));
    expect(outline.spans.model.map((model) => outline.models[model] ?? null)).toEqual(trace.spans.map((span) => span.model));
    expect(outline).toMatchObject({ cost: trace.cost, tokens: trace.tokens, status: trace.status, name: trace.name, start: trace.start });
  });

  it('attaches the children of a placeholder to the parent of the placeholder', async () => {
    const [traceId, root, pending, child] = [aTraceId(), aSpanId(), aSpanId(), aSpanId()];
    await gateway.ingest(
      aRequest([
        aSpan({ traceId, spanId: root, startMs }),
        aSpan({ traceId, spanId: pending, parentSpanId: root, startMs: startMs + 1, attributes: { 'logfire.span_type': 'pending_span' } }),
        aSpan({ traceId, spanId: child, parentSpanId: pending, startMs: startMs + 2 }),
      ]),
    );
    const { spans } = (await client.traceViewer.outline({ params: { traceId } })).data;
    expect([spans.id, spans.parent]).toEqual([
      [root, child],
      [-1, 0],
    ]);
  });

  it('says which spans are still in progress', async () => {
    const traceId = aTraceId();
    await gateway.ingest(aRequest([{ ...aSpan({ traceId, startMs }), endTimeUnixNano: '0' }]));
    const { spans } = (await client.traceViewer.outline({ params: { traceId } })).data;
    expect((spans.flags[0] ?? 0) & outlineFlag.pending).toBe(outlineFlag.pending);
  });

  it('says which spans record the work of an instrumentation itself', async () => {
    const [traceId, turn] = [aTraceId(), aSpanId()];
    const spans = [
      aSpan({ traceId, spanId: turn, name: 'session_task.turn', startMs, durationMs: 100 }),
      aSpan({ traceId, parentSpanId: turn, name: 'get_model_info', startMs: startMs + 1 }),
    ];
    await gateway.ingest(aRequest(spans, { scope: 'codex_core' }));
    const { flags } = (await client.traceViewer.outline({ params: { traceId } })).data.spans;
    expect(flags.map((flag) => flag & outlineFlag.bookkeeping)).toEqual([0, outlineFlag.bookkeeping]);
  });

  it('answers trace_not_found for an unknown trace', async () => {
    const { status, code } = await refusal(`/v1/viewer/traces/${aTraceId()}/outline`);
    expect({ status, code }).toEqual({ status: 404, code: 'trace_not_found' });
  });
});

describe('GET /v1/viewer/traces/{traceId}/spans', () => {
  it('returns the requested spans as a trace read shows them, in the requested order, with the times of their events', async () => {
    const { traceId, tool, chat } = await aTree();
    const { data: trace } = await client.traces.get({ params: { traceId }, query: {} });
    const { data } = await client.traceViewer.previews({ params: { traceId }, query: { ids: [tool, aSpanId(), chat].join() } });
    const previews = data.map(({ event_us: _us, event_count: _count, ...span }) => span);
    expect(previews).toEqual([tool, chat].map((id) => trace.spans.find((span) => span.id === id)));
    expect(data[0]).toMatchObject({ event_us: expect.any(Array), event_count: expect.any(Number) });
  });

  it('samples very many events evenly, and says how many there are', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    const events = Array.from({ length: 1000 }, (_, i) => ({ name: 'token', atMs: startMs + i }));
    await gateway.ingest(aRequest([aSpan({ ...ids, startMs, durationMs: 2000, events })]));
    const [span] = (await client.traceViewer.previews({ params: { traceId: ids.traceId }, query: { ids: ids.spanId } })).data;
    expect(span?.event_count).toBe(1000);
    expect(span?.event_us).toEqual(Array.from({ length: 500 }, (_, i) => i * 2000));
  });

  it('returns nothing of another trace', async () => {
    const { chat } = await aTree();
    expect((await client.traceViewer.previews({ params: { traceId: aTraceId() }, query: { ids: chat } })).data).toEqual([]);
  });

  it.each(['', 'ids=', `ids=${Array.from({ length: 201 }, aSpanId).join()}`])('refuses %.20s', async (query) => {
    const { code, details } = await refusal(`/v1/viewer/traces/${aTraceId()}/spans?${query}`);
    expect({ code, keys: Object.keys(details) }).toEqual({ code: 'invalid_query_params', keys: ['ids'] });
  });
});

describe('GET /v1/viewer/traces/{traceId}/find', () => {
  /** Repeats the request until everything was searched. */
  async function findAll(traceId: string, q: string) {
    const found: string[] = [];
    let searched = 0;
    for (let after: string | null | undefined; after !== null; ) {
      const { data } = await client.traceViewer.find({ params: { traceId }, query: { q, ...(after && { after }) } });
      found.push(...data.ids);
      searched += data.searched;
      after = data.next;
    }
    return { found, searched };
  }

  it('finds words in names, in payloads and beyond their previews, without regard to case', async () => {
    const { traceId, chat, tool } = await aTree();
    expect(await findAll(traceId, 'comet')).toEqual({ found: [chat], searched: 4 });
    expect((await findAll(traceId, 'LOOKUP')).found).toEqual([tool]);
    const long = aSpanId();
    const value = `${'x'.repeat(20_000)} needle`;
    await gateway.ingest(aRequest([aSpan({ traceId, spanId: long, attributes: { 'input.value': value } })]));
    expect((await findAll(traceId, 'needle')).found).toEqual([long]);
  });

  it('goes through a large trace in steps and misses nothing', async () => {
    const traceId = aTraceId();
    const ids = Array.from({ length: 1500 }, aSpanId);
    await gateway.ingest(aRequest(ids.map((spanId, i) => aSpan({ traceId, spanId, name: i % 2 ? 'odd' : 'even' }))));
    const { found, searched } = await findAll(traceId, 'odd');
    expect([searched, found.sort()]).toEqual([1500, ids.filter((_, i) => i % 2).sort()]);
  });

  it('finds nothing in an unknown trace', async () => {
    expect(await findAll(aTraceId(), 'comet')).toEqual({ found: [], searched: 0 });
  });

  it.each(['q=', 'q=%20', 'q=a&after=-1', 'q=a&after=x', 'q=a&after=0x10', 'q=a&after=1e1', 'q=a&after=1.0'])(
    'refuses %s',
    async (query) => {
      expect((await refusal(`/v1/viewer/traces/${aTraceId()}/find?${query}`)).code).toBe('invalid_query_params');
    },
  );
});

it('every declared answer of these routes was received', () => {
  expect([...unseen('traceViewer'), ...unseen('contextWindows')]).toEqual([]);
});
