import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MediaReference, mediaReference } from '../../../shared/contract/tracing/media.ts';
import { type LiveEvent, liveEvent } from '../../../shared/contract/viewer/viewer.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { badLimits } from '../../fixtures/bad-values.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, fetch, refusal, unseen } = contractClient(() => gateway);

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.stop());

/** Reads server-sent events one by one. */
async function openLive(): Promise<{ next(): Promise<LiveEvent>; close(): Promise<void> }> {
  const response = await fetch('/v1/viewer/live');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<LiveEvent> => {
    for (;;) {
      const event = /event: commit\ndata: (.*)\n\n/.exec(text);
      if (event) {
        text = text.slice(event.index + event[0].length);
        const parsed: unknown = JSON.parse(event[1] as string);
        expect(liveEvent.parse(parsed)).toEqual(parsed);
        return parsed as LiveEvent;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error(`The stream ended after ${JSON.stringify(text)}`);
      text += decoder.decode(value, { stream: true });
    }
  };
  return { next, close: () => reader.cancel() };
}

const aBatch = (traceIds: string[]) => aRequest(traceIds.map((traceId) => aSpan({ traceId })));

describe('GET /v1/viewer/live', () => {
  it('refuses the id of a run that none has', async () => {
    expect((await refusal(`/v1/viewer/live?run_id=${'x'.repeat(1000)}`)).code).toBe('invalid_query_params');
  });

  it('reports for every commit which traces it touched, once they can be read', async () => {
    const stream = await openLive();
    const traceIds = [aTraceId(), aTraceId()];
    await gateway.ingest(aBatch(traceIds));
    const { trace_ids, span_count, more } = await stream.next();
    expect({ trace_ids: trace_ids.sort(), span_count, more }).toEqual({ trace_ids: traceIds.sort(), span_count: 2, more: false });
    for (const traceId of traceIds) await client.traces.get({ params: { traceId }, query: {} });
    await stream.close();
  });

  it('reports to every follower', async () => {
    const streams = [await openLive(), await openLive(), await openLive()];
    const traceIds = [aTraceId()];
    await gateway.ingest(aBatch(traceIds));
    for (const stream of streams) expect((await stream.next()).trace_ids).toEqual(traceIds);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('does not report retries and refused requests', async () => {
    const stream = await openLive();
    const [first, second] = [aTraceId(), aTraceId()];
    const request = aBatch([first]);
    await gateway.ingest(request);
    expect((await stream.next()).trace_ids).toEqual([first]);
    await gateway.ingest(request);
    await gateway.ingest('no JSON');
    await gateway.ingest(aBatch([second]));
    expect((await stream.next()).trace_ids).toEqual([second]);
    await stream.close();
  });

  it('names at most two hundred traces and says that there were more', async () => {
    const stream = await openLive();
    await gateway.ingest(aBatch(Array.from({ length: 250 }, aTraceId)));
    const { trace_ids, span_count, more } = await stream.next();
    expect([trace_ids.length, span_count, more]).toEqual([200, 250, true]);
    await stream.close();
  });

  it('tells browsers when to reconnect, and is closed by a gateway that stops', async () => {
    const own = await startTestGateway();
    const response = await globalThis.fetch(`${own.url}/v1/viewer/live`);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^retry: 1000\n\n/);
    await own.stop();
    const ended = async (): Promise<true> => ((await reader.read()).done ? true : ended());
    expect(await ended().catch(() => true)).toBe(true);
  });
});

describe('GET /v1/viewer/traces/{traceId}/spans/{spanId}/raw', () => {
  it('shows the span exactly as it was received', async () => {
    const span = { ...aSpan({ traceId: aTraceId(), spanId: aSpanId(), attributes: { long: 'x'.repeat(9_000), n: 1 } }), traceState: 'a=b' };
    const { events: _none, ...received } = span as Record<string, unknown>;
    await gateway.ingest(aRequest([span], { service: 'shop', scope: 'tracer' }));
    const { data } = await client.viewer.rawSpan({
      params: { traceId: received['traceId'] as string, spanId: received['spanId'] as string },
    });
    expect(data.span).toEqual({ ...received, status: {} });
    expect(data.resource).toEqual({ attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] });
    expect(data.scope).toEqual({ name: 'tracer', version: '1' });
    expect(data.warnings).toEqual([]);
    expect(Math.abs(Date.parse(data.received_at) - Date.now())).toBeLessThan(60_000);
  });

  it('has the normalised values, under the names of their provenance', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    const tools = [{ name: 'lookup', parameters: { type: 'object' } }];
    const answer = [
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'It is winter.' },
          { type: 'text', content: 'Cold.' },
        ],
      },
    ];
    const attributes = { 'gen_ai.tool.definitions': JSON.stringify(tools), 'gen_ai.output.messages': JSON.stringify(answer) };
    await gateway.ingest(
      aRequest([aChat({ ...ids, model: 'gpt-4o', attributes: { ...attributes, 'gen_ai.usage.cache_read.input_tokens': 4 } })]),
    );
    const { data } = await client.viewer.rawSpan({ params: ids });
    expect(data.values).toMatchObject({ request_model: 'gpt-4o', input_tokens: 10, cache_read_tokens: 4, semantic_kind: 'llm' });
    expect(data.provenance['cache_read_tokens']).toBe('gen_ai.usage.cache_read.input_tokens');
    expect(data.values).not.toHaveProperty('reported_cost');
    expect(JSON.parse(data.tool_definitions)).toEqual(tools);
    expect(JSON.parse(data.output_messages)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'It is winter.' },
          { type: 'text', text: 'Cold.' },
        ],
      },
    ]);
  });

  it('shows what was adjusted to read it', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await gateway.ingest(aRequest([{ ...aSpan(ids), parentSpanId: 'no id' }]));
    expect((await client.viewer.rawSpan({ params: ids })).data.warnings.join()).toContain('parentSpanId');
  });

  it.each([
    ['an unknown span', aTraceId(), aSpanId()],
    ['no id at all', '%20', '%20'],
  ])('answers span_not_found for %s', async (_, traceId, spanId) => {
    const { status, code } = await refusal(`/v1/viewer/traces/${traceId}/spans/${spanId}/raw`);
    expect({ status, code }).toEqual({ status: 404, code: 'span_not_found' });
  });

  it('answers span_not_found for a span of another trace', async () => {
    const [first, second] = [aSpan({ traceId: aTraceId(), spanId: aSpanId() }), aSpan({ traceId: aTraceId() })];
    await gateway.ingest(aRequest([first, second]));
    expect((await refusal(`/v1/viewer/traces/${second['traceId']}/spans/${first['spanId']}/raw`)).code).toBe('span_not_found');
  });
});

describe('GET /v1/viewer/traces/{traceId}/spans/{spanId}/media/{sha256}', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(20_000)]);
  const html = Buffer.from(`<script>alert(1)</script>${' '.repeat(9_000)}`);

  /** Stores a span that answers with these bytes, and reads the reference that its trace shows in their place. */
  async function referenceTo(bytes: Buffer, mimeType: string): Promise<MediaReference> {
    const traceId = aTraceId();
    const output = JSON.stringify([{ mimeType, base64: bytes.toString('base64') }]);
    await gateway.ingest(aRequest([aSpan({ traceId, attributes: { 'agentmark.output': output } })]));
    const { data } = await client.traces.get({ params: { traceId }, query: {} });
    return mediaReference.parse((JSON.parse(data.spans[0]?.output ?? '[]') as unknown[])[0]);
  }

  it('returns the bytes that a trace read only refers to, with their type', async () => {
    const { url, size, sha256 } = await referenceTo(png, 'image/png');
    const response = await fetch(url as string);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    expect(size).toBe(png.length);
    expect(
      Object.fromEntries(
        ['content-type', 'etag', 'cache-control', 'content-disposition'].map((name) => [name, response.headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'image/png',
      etag: `"${sha256}"`,
      'cache-control': 'private, max-age=31536000, immutable',
      'content-disposition': null,
    });
  });

  it.each(['text/html', 'image/svg+xml', 'image/png'])(
    'serves what claims to be %s and is no picture as a download in a sandbox',
    async (mimeType) => {
      const { headers } = await fetch((await referenceTo(html, mimeType)).url as string);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[0-9a-f]{12}\.bin"$/);
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    },
  );

  it('answers media_not_found for bytes that this span does not have', async () => {
    const { url } = await referenceTo(png, 'image/png');
    const path = (url as string).split('/');
    const other = (at: number, value: string) => path.with(at, value).join('/');
    for (const missing of [other(-1, 'f'.repeat(64)), other(-3, aSpanId()), other(-5, aTraceId())]) {
      const { status, code } = await refusal(missing);
      expect({ status, code }, missing).toEqual({ status: 404, code: 'media_not_found' });
    }
  });

  it.each(['abc', 'F'.repeat(64), 'f'.repeat(63)])('refuses %s, which is not a hash', async (sha256) => {
    const { status, code, details } = await refusal(`/v1/viewer/traces/${aTraceId()}/spans/${aSpanId()}/media/${sha256}`);
    expect({ status, code, keys: Object.keys(details) }).toEqual({ status: 400, code: 'invalid_path_params', keys: ['sha256'] });
  });
});

describe('GET /v1/viewer/ingest-log', () => {
  it('lists what reached the gateway, newest first, refused requests too', async () => {
    const headers = { 'User-Agent': 'log-test/1', 'X-Request-Id': 'first' };
    const body = gzipSync(JSON.stringify(aBatch([aTraceId()])));
    await gateway.ingest(new Uint8Array(body), { ...headers, 'Content-Encoding': 'gzip' });
    await gateway.ingest('{', { ...headers, 'X-Request-Id': 'second' });
    const { data } = await client.viewer.ingestLog({ query: { search: 'LOG-TEST' } });
    expect(data).toMatchObject([
      { id: 'second', path: '/v1/traces', status: 400, code: 'invalid_otlp_payload', bytes: 1, spans_accepted: 0, encoding: 'identity' },
      { id: 'first', status: 200, code: null, message: '', bytes: body.length, spans_accepted: 1, spans_rejected: 0, encoding: 'gzip' },
    ]);
    for (const entry of data) expect(entry).toMatchObject({ media_type: 'application/json', user_agent: 'log-test/1' });
  });

  it('counts refused spans of accepted requests and says why', async () => {
    await gateway.ingest(aRequest([aSpan(), { ...aSpan(), traceId: '' }]), { 'User-Agent': 'partial/1' });
    const { data } = await client.viewer.ingestLog({ query: { search: 'partial/1' } });
    expect(data).toMatchObject([{ status: 200, spans_accepted: 1, spans_rejected: 1, message: expect.stringContaining('traceId') }]);
  });

  it('reports which instrumentation wrote the spans, their semantic kinds, and the duplicates', async () => {
    const request = aRequest([aChat(), aChat(), aSpan()]);
    await gateway.ingest(request, { 'User-Agent': 'known/1' });
    await gateway.ingest(request, { 'User-Agent': 'known/1' });
    const { data } = await client.viewer.ingestLog({ query: { search: 'known/1' } });
    const recognised = { families: { genai: 2, '': 1 }, kinds: { llm: 2, function: 1 } };
    expect(data).toMatchObject([
      { spans_accepted: 0, spans_duplicate: 3, spans_rejected: 0, ...recognised },
      { spans_accepted: 3, spans_duplicate: 0, spans_rejected: 0, ...recognised },
    ]);
  });

  it.each([
    ['/v1/trace', {}, 404, 'not_found'],
    ['/v1/traces', { Origin: 'https://example.com' }, 403, 'origin_not_allowed'],
  ])('logs what is posted to %s and rejected', async (path, headers, status, code) => {
    await gateway.fetch(path, { method: 'POST', body: '{}', headers: { ...headers, 'User-Agent': `lost/${code}` } });
    const { data } = await client.viewer.ingestLog({ query: { search: `lost/${code}` } });
    expect(data).toMatchObject([{ path, status, code, spans_accepted: 0 }]);
  });

  it('reports to followers that requests arrived, and how many were refused', async () => {
    const response = await fetch('/v1/viewer/live');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    await gateway.ingest('no JSON');
    let text = '';
    while (!text.includes('event: requests\ndata: ')) text += decoder.decode((await reader.read()).value, { stream: true });
    expect(text).toContain('event: requests\ndata: {"request_count":1,"refused_count":1}');
    await reader.cancel();
  });

  it('shows as many as are requested, fifty by default', async () => {
    for (let index = 0; index < 55; index++) await gateway.ingest({}, { 'User-Agent': 'many/1' });
    expect((await client.viewer.ingestLog({ query: {} })).data).toHaveLength(50);
    expect((await client.viewer.ingestLog({ query: { limit: 1 } })).data).toHaveLength(1);
    expect((await client.viewer.ingestLog({ query: { limit: 500, search: 'many/1' } })).data).toHaveLength(55);
    expect((await client.viewer.ingestLog({ query: { search: 'nothing like it' } })).data).toEqual([]);
  });

  it.each([...badLimits(500).map((value) => `limit=${encodeURIComponent(value)}`), 'limit=1&limit=1', 'search=a&search=a'])(
    'refuses %s and names it',
    async (query) => {
      const { code, details } = await refusal(`/v1/viewer/ingest-log?${query}`);
      expect({ code, keys: Object.keys(details) }).toEqual({ code: 'invalid_query_params', keys: [query.split('=')[0]] });
    },
  );
});

describe('GET /v1/viewer/places/:id', () => {
  it('finds the trace of a trace and of a span', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await gateway.ingest(aRequest([aSpan(ids)]));
    const placeOf = async (id: string) => (await client.viewer.place({ params: { id } })).data;
    expect(await placeOf(ids.traceId)).toEqual({ trace_id: ids.traceId, span_id: null });
    expect(await placeOf(ids.spanId)).toEqual({ trace_id: ids.traceId, span_id: ids.spanId });
  });

  it.each([
    ['readable, in its own case', 'Span-ABC', 'Span-ABC'],
    ['a UUID in upper case', '3F2504E0-4F89-41D3-9A0C-0305E82C3301', '3F2504E0-4F89-41D3-9A0C-0305E82C3301'],
    ['hex in upper case', 'ABCDEF0123456789', 'abcdef0123456789'],
    ['hex of another length, in upper case', 'ABCDEF0123456789ABCDEF0123456789', 'ABCDEF0123456789ABCDEF0123456789'],
    ['padded base64', 'q83vASNFZ4k=', 'abcdef0123456789'],
    ['base64 with a slash and a plus', '/+7dzLuqmYg=', 'ffeeddccbbaa9988'],
    ['bare base64', 'q83vASNFZ4k', 'abcdef0123456789'],
  ])('names a span as it is stored: %s', async (_, sent, stored) => {
    const traceId = aTraceId();
    await gateway.ingest(aRequest([aSpan({ traceId, spanId: sent })]));
    const { data } = await client.viewer.place({ params: { id: sent } });
    expect(data).toEqual({ trace_id: traceId, span_id: stored });
    expect((await fetch(`/v1/traces/${data.trace_id}/spans/${encodeURIComponent(data.span_id as string)}`)).status).toBe(200);
  });

  it('answers span_not_found for an id that nothing has', async () => {
    expect((await refusal(`/v1/viewer/places/${aSpanId()}`)).code).toBe('span_not_found');
  });
});

describe('GET /v1/viewer/price', () => {
  it('names the row of the list and its rates, for a provider or for the maker', async () => {
    const { data } = await client.viewer.price({ query: { model: 'gpt-4o-2024-08-06' } });
    expect(data).toMatchObject({ matched: expect.stringContaining('openai/gpt-4o'), estimated: false, input: 2.5, output: 10 });
    expect((await client.viewer.price({ query: { model: 'gpt-4o', provider: 'azure' } })).data?.matched).toContain('gpt-4o');
  });

  it('is null for a model that no list has', async () => {
    expect((await client.viewer.price({ query: { model: 'house-blend-7b' } })).data).toBeNull();
  });

  it('refuses to price nothing', async () => {
    expect((await refusal('/v1/viewer/price')).code).toBe('invalid_query_params');
  });
});

it('every declared answer of these routes was received', () => {
  expect(unseen('viewer')).toEqual([]);
});
