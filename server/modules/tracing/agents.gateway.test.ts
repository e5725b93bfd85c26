import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../fixtures/code-of.ts';
import { bytesLike } from '../../fixtures/media-bytes.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

let cloud: TestCloud;
let mine: TestTenant;
let other: TestTenant;
let partCount = 0;

beforeAll(async () => {
  cloud = await startTestCloud();
  mine = cloud.tenant;
  other = await cloud.addTenant('other');
});
afterAll(() => cloud.stop());

type Part = Parameters<TestTenant['client']['agents']['ingest']>[0]['body'];
type Event = Part['events'][number];

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 10, 0, second)).toISOString();
const userEvent = (seq: number, text = `said ${seq}`): Event => ({ seq, type: 'user', timestamp: at(seq), text });
const aPart = (part: Partial<Part> = {}): Part => ({
  session_id: `s-${++partCount}`,
  agent: 'claude_code',
  started_at: at(0),
  events: [userEvent(0)],
  ...part,
});
const ingest = async (part: Part, client = mine.client) => (await client.agents.ingest({ body: part })).data;
const read = async (sessionId: string, client = mine.client) => (await client.agents.get({ params: { sessionId } })).data;
const spansOf = async (traceId: string) => (await mine.client.traces.get({ params: { traceId }, query: {} })).data.spans;

function aBlob(bytes: Uint8Array, media_type = 'image/png') {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { sha256, media_type, data: Buffer.from(bytes).toString('base64') };
}

const fetchBlob = (sha256: string, headers = {}, { api_key, app_id } = mine) =>
  cloud.fetch(`/v1/agents/blob/${sha256}`, { headers: { Authorization: api_key, 'X-Service-App-Id': app_id, ...headers } });

const about = { title: 'Fix the build', repo: 'team/owls', branch: 'main', commit_sha: 'abc', model: 'claude-sonnet-4-5', user_id: 'ann' };
const turn: Event[] = [
  { seq: 0, type: 'system', timestamp: at(0), text: 'Be brief' },
  { seq: 1, type: 'user', timestamp: at(1), text: 'Why does it fail?' },
  { seq: 2, type: 'tool_call', timestamp: at(2), tool_name: 'Bash', tool_call_id: 'c1', input: { command: 'make' } },
  { seq: 3, type: 'tool_result', timestamp: at(5), tool_call_id: 'c1', output: { code: 2 } },
  { seq: 4, type: 'assistant', timestamp: at(6), text: 'A test fails', input_tokens: 100, output_tokens: 10, cost_usd: 0.25 },
];

describe('a session', () => {
  it('is stored as it was sent, and once however often it is sent', async () => {
    const part = aPart({ ...about, metadata: { host: 'laptop' }, events: turn, ended_at: at(9) });
    const first = await cloud.fetch('/v1/agents/sessions', {
      method: 'POST',
      headers: { Authorization: mine.api_key, 'X-Service-App-Id': mine.app_id, 'Content-Type': 'application/json' },
      body: JSON.stringify(part),
    });
    expect(first.status).toBe(201);
    const { data } = (await first.json()) as { data: Awaited<ReturnType<typeof ingest>> };
    expect(data).toEqual({
      ...{ session_id: part.session_id, trace_id: expect.stringMatching(/^[0-9a-f]{32}$/), events_added: 5, blobs_added: 0 },
      url: expect.stringContaining(`/#/sessions/${part.session_id}`),
    });
    expect(await ingest(part)).toEqual({ ...data, events_added: 0 });
    const stored = await read(part.session_id);
    const { events, started_at, ...fields } = part;
    expect(stored).toEqual({
      ...{ ...fields, events, started_at: at(0), trace_id: data.trace_id, event_count: 5 },
      ...{ created_at: expect.any(String), url: data.url },
    });
    const { data: list } = await mine.client.agents.list({ query: { limit: 1000 } });
    expect(list.find(({ session_id }) => session_id === part.session_id)).toEqual({ ...stored, events: undefined });
  });

  it('grows; the first event of each number counts, and the first value of each field', async () => {
    const part = aPart({ title: 'first' });
    const { trace_id } = await ingest(part);
    const more = {
      ...part,
      title: 'second',
      model: 'm',
      ended_at: at(9),
      events: [userEvent(0, 'forged'), userEvent(1), userEvent(1, 'twice'), userEvent(2)],
    };
    expect(await ingest(more)).toMatchObject({ trace_id, events_added: 2 });
    const stored = await read(part.session_id);
    expect(stored).toMatchObject({ title: 'first', model: 'm', event_count: 3, ended_at: at(9) });
    expect(stored.events).toEqual([userEvent(0), userEvent(1), userEvent(2)]);
    await ingest({ ...part, ended_at: at(5), started_at: at(3) });
    expect(await read(part.session_id)).toEqual(stored);
    const texts = (await spansOf(trace_id)).map(({ input }) => input ?? '').join();
    expect(texts).toContain('said 1');
    expect(texts).not.toMatch(/forged|twice/);
  });

  it('is a session with one trace, of a span for each event, with its costs', async () => {
    const part = aPart({ ...about, events: turn, ended_at: at(9) });
    const { trace_id } = await ingest(part);
    const { data: sessions } = await mine.client.sessions.list({ query: { search: part.session_id } });
    expect(sessions).toMatchObject([{ id: part.session_id, name: 'Fix the build', trace_count: 1, total_cost: 0.25, total_tokens: 110 }]);
    const { data: traces } = await mine.client.traces.list({ query: { session_id: part.session_id } });
    expect(traces).toMatchObject([{ id: trace_id, name: 'Fix the build', latency_ms: 9000, span_count: 6 }]);
    const spans = await spansOf(trace_id);
    expect(spans.map(({ name, span_kind }) => `${name} ${span_kind}`).sort()).toEqual([
      ...['Bash tool', 'Fix the build agent', 'assistant llm', 'result of Bash function', 'system function', 'user function'],
    ]);
    const bash = spans.find(({ name }) => name === 'Bash');
    expect(bash).toMatchObject({ input: '{"command":"make"}', output: '{"code":2}', duration_ms: 3000 });
    expect(spans.find(({ name }) => name === 'result of Bash')?.parent_id).toBe(bash?.id);
    const answer = spans.find(({ name }) => name === 'assistant');
    expect(answer).toMatchObject({ model: 'claude-sonnet-4-5', cost: 0.25, input_tokens: 100, output_tokens: 10 });
    expect([answer?.input, answer?.output].join()).toMatch(/Be brief.*Why does it fail\?.*A test fails/);
  });

  it('that is running has no end; a result that arrives later ends its call', async () => {
    const part = aPart({ events: turn.slice(0, 3) });
    const { trace_id } = await ingest(part);
    const isOpen = async () => (await spansOf(trace_id)).filter(({ duration_ms }) => duration_ms === 0).length;
    expect(await isOpen()).toBe(4);
    await ingest({ ...part, events: turn.slice(3) });
    expect((await spansOf(trace_id)).find(({ name }) => name === 'Bash')).toMatchObject({ output: '{"code":2}', duration_ms: 3000 });
    await ingest({ ...part, events: [], ended_at: at(20) });
    expect((await spansOf(trace_id)).find(({ parent_id }) => !parent_id)).toMatchObject({ duration_ms: 20_000 });
  });

  it('of another tenant, or that does not exist, is not found, and the same id in another tenant is another session', async () => {
    const part = aPart();
    const { trace_id } = await ingest(part);
    expect(await codeOf(read(part.session_id, other.client))).toBe('404 agent_session_not_found');
    expect(await codeOf(read('nobody'))).toBe('404 agent_session_not_found');
    await ingest({ ...part, events: [userEvent(0, 'theirs')] }, other.client);
    expect((await read(part.session_id)).events).toEqual([userEvent(0)]);
    expect((await spansOf(trace_id)).map(({ input }) => input).join()).not.toContain('theirs');
    expect((await other.client.agents.list({})).pagination.total).toBe(1);
  });

  it('accepts whatever an agent may send', async () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100; level++) deep = { deep };
    const events: Event[] = [
      { seq: 9_007_199_254_740_991, type: 'user', timestamp: '2199-12-31T23:59:59.999Z', text: 'late' },
      { seq: 0, type: 'tool_call', timestamp: '1970-01-01T00:00:00Z', input: deep, tool_call_id: 'x' },
      { seq: 1, type: 'tool_result', timestamp: '2026-01-01T00:00:00+14:00', output: deep, tool_call_id: 'x', tool_name: '__proto__' },
      { seq: 2, type: 'tool_call', timestamp: at(1), tool_name: 'same', tool_call_id: 'x', input: null },
      { seq: 3, type: 'assistant', timestamp: at(0), text: '\0<script>alert(1)</script>', cost_usd: 1e-9, input_tokens: 0 },
      { seq: 4, type: 'tool_result', timestamp: at(3), tool_call_id: 'nobody asked', text: '' },
      { seq: 5, type: 'user', timestamp: at(3), input: { structured: true }, images: [{ sha256: 'f'.repeat(64) }] },
    ];
    const part = aPart({
      session_id: 'a b/../c?d=é&#',
      title: '',
      started_at: at(50),
      ended_at: at(0),
      metadata: { __proto__x: 'y', constructor: 'z' },
      events,
    });
    const { trace_id, events_added } = await ingest(part);
    expect(events_added).toBe(7);
    expect(await spansOf(trace_id)).toHaveLength(8);
    const { data } = await mine.client.agents.list({ query: { limit: 1000 } });
    expect(data.find(({ session_id }) => session_id === part.session_id)).toMatchObject({ event_count: 7, trace_id });
  });

  it.each([
    ['1 001 events', { events: Array.from({ length: 1001 }, (_, seq) => userEvent(seq)) }],
    ['a negative number', { events: [userEvent(-1)] }],
    ['a fractional number', { events: [userEvent(0.5)] }],
    ['a number that is too large', { events: [{ ...userEvent(0), seq: 2 ** 53 }] }],
    ['an unknown kind of event', { events: [{ ...userEvent(0), type: 'thought' as 'user' }] }],
    ['a date that does not exist', { events: [{ ...userEvent(0), timestamp: '2026-02-30T00:00:00Z' }] }],
    ['a time before 1970', { events: [{ ...userEvent(0), timestamp: '1969-12-31T23:59:59Z' }] }],
    ['a time that is too late', { events: [{ ...userEvent(0), timestamp: '+275760-09-13T00:00:00Z' }] }],
    ['a text with an unpaired surrogate', { events: [userEvent(0, '\ud800')] }],
    ['no name', { session_id: '' }],
    ['a name of 256 characters', { session_id: 'x'.repeat(256) }],
    ['too much metadata', { metadata: { book: 'x'.repeat(20_000) } }],
    ['21 blobs', { blobs: Array(21).fill(aBlob(new Uint8Array(1))) }],
  ] as [string, Partial<Part>][])('with %s is refused', async (_, invalid) => {
    const part = aPart(invalid);
    expect(await codeOf(ingest(part))).toBe('400 invalid_request_body');
    if (part.session_id.length < 256 && part.session_id !== '')
      expect(await codeOf(read(part.session_id))).toBe('404 agent_session_not_found');
  });

  it('too deep or too large is refused before it is read', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const post = (body: string) =>
      cloud.fetch('/v1/agents/sessions', {
        method: 'POST',
        headers: { Authorization: mine.api_key, 'X-Service-App-Id': mine.app_id, 'Content-Type': 'application/json' },
        body,
      });
    const part = JSON.stringify(aPart({ events: [{ ...userEvent(0), input: 'DEEP' }] })).replace('"DEEP"', deep);
    expect((await post(part)).status).toBe(400);
    expect((await post(JSON.stringify(aPart({ events: [userEvent(0, 'x'.repeat(11 * 1024 * 1024))] })))).status).toBe(413);
  });

  it('cannot grow without limit', async () => {
    const part = aPart();
    const text = 'x'.repeat(9 * 1024 * 1024);
    for (let seq = 0; seq < 3; seq++) await ingest({ ...part, events: [userEvent(seq, text)] });
    expect(await codeOf(ingest({ ...part, events: [userEvent(3, text)] }))).toBe('413 payload_too_large');
    expect((await read(part.session_id)).event_count).toBe(3);
  });
});

describe('a blob', () => {
  const png = bytesLike('image/png', 2000, 1);

  it('is read by its hash as it was sent, and is not sent again to a client that has it', async () => {
    const blob = aBlob(png);
    const part = aPart({ events: [{ ...userEvent(0), images: [{ sha256: blob.sha256 }] }], blobs: [blob] });
    expect(await ingest(part)).toMatchObject({ blobs_added: 1 });
    expect(await ingest(part)).toMatchObject({ blobs_added: 0 });
    const answer = await fetchBlob(blob.sha256);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'image/png', 'content-length': '2000', etag: `"${blob.sha256}"`, 'x-content-type-options': 'nosniff' },
      ...{ 'content-security-policy': "sandbox; default-src 'none'", 'cross-origin-resource-policy': 'same-origin' },
    });
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(png));
    const again = await fetchBlob(blob.sha256, { 'If-None-Match': `"${blob.sha256}"` });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each([
    'text/html',
    'image/svg+xml',
    'application/javascript',
    'text/javascript; charset=utf-8',
    'application/pdf',
    'application/xhtml+xml',
  ])('of type %s is a download, never displayed', async (media_type) => {
    const blob = aBlob(Buffer.from(`<script>alert("${media_type}")</script>`), media_type);
    await ingest(aPart({ blobs: [blob] }));
    const { headers } = await fetchBlob(blob.sha256);
    expect(headers.get('content-type')).toBe(media_type);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${blob.sha256.slice(0, 12)}.bin"`);
    expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual([
      'nosniff',
      "sandbox; default-src 'none'",
    ]);
  });

  it('keeps the type that it was first sent with, for its own app', async () => {
    const blob = aBlob(Buffer.from('first'), 'image/png');
    await ingest(aPart({ blobs: [blob] }));
    expect(await ingest(aPart({ blobs: [{ ...blob, media_type: 'text/html' }] }))).toMatchObject({ blobs_added: 0 });
    expect(await ingest(aPart({ blobs: [{ ...blob, media_type: 'text/html' }] }), other.client)).toMatchObject({ blobs_added: 1 });
    expect((await fetchBlob(blob.sha256)).headers.get('content-type')).toBe('image/png');
    expect((await fetchBlob(blob.sha256, {}, other)).headers.get('content-type')).toBe('text/html');
  });

  it('of another tenant is answered like an unknown one', async () => {
    const blob = aBlob(Buffer.from('secret of mine'));
    await ingest(aPart({ blobs: [blob] }));
    const [foreign, missing] = [await fetchBlob(blob.sha256, {}, other), await fetchBlob('0'.repeat(64), {}, other)];
    const comparable = async (answer: Response) => [answer.status, (await answer.text()).replace(/[0-9a-f]{64}/, 'HASH')];
    expect(await comparable(foreign)).toEqual(await comparable(missing));
    expect(foreign.status).toBe(404);
  });

  it.each(['F'.repeat(64), 'f'.repeat(63), '..%2f..%2fetc%2fpasswd', 'g'.repeat(64)])('cannot be requested as %s', async (name) => {
    expect((await fetchBlob(name)).status).toBe(400);
  });

  const large = (size: number) => aBlob(new Uint8Array(size));
  it.each([
    ['another hash', { ...aBlob(png), sha256: '0'.repeat(64) }, 'blobs.1'],
    ['one byte over 5 MB', large(5 * 1024 * 1024 + 1), 'blobs.1'],
    ['far over 5 MB', large(6 * 1024 * 1024), 'blobs.1.data'],
    ['no base64', { ...aBlob(png), data: '***' }, 'blobs.1'],
    ['base64 for URLs', { ...aBlob(Buffer.from([255, 255, 255])), data: '____' }, 'blobs.1'],
    ['a hash in capitals', { ...aBlob(png), sha256: 'A'.repeat(64) }, 'blobs.1.sha256'],
    ['a path for a type', { ...aBlob(png), media_type: '../../etc/passwd' }, 'blobs.1.media_type'],
    ['a header in its type', { ...aBlob(png), media_type: 'image/png\r\nSet-Cookie: a=b' }, 'blobs.1.media_type'],
    ['no type', { ...aBlob(png), media_type: '' }, 'blobs.1.media_type'],
  ])('with %s is refused, with all that was sent with it', async (_, invalid, field) => {
    const good = aBlob(Buffer.from(`good beside ${_}`));
    const part = aPart({ blobs: [good, invalid] });
    await expect(ingest(part)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request_body',
      details: { [field]: expect.any(String) },
    });
    expect((await fetchBlob(good.sha256)).status).toBe(404);
    expect(await codeOf(read(part.session_id))).toBe('404 agent_session_not_found');
  });

  it('of 5 MB is accepted', async () => {
    const blob = large(5 * 1024 * 1024);
    expect(await ingest(aPart({ blobs: [blob] }))).toMatchObject({ blobs_added: 1 });
    expect((await (await fetchBlob(blob.sha256)).arrayBuffer()).byteLength).toBe(5 * 1024 * 1024);
  });
});
