import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaReference } from '../../../shared/contract/tracing/media.ts';
import { type AttributeInput, aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { bytesLike, mediaTypes, pictureShapes } from '../../fixtures/media-bytes.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const json = (value: unknown) => JSON.stringify(value);
/** Makes any payload longer than what a trace read shows completely. */
const story = 'so it goes, '.repeat(1_000);

async function sendSpan(attributes: Record<string, AttributeInput>) {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  expect((await gateway.ingest(aRequest([aSpan({ ...ids, attributes })]))).status).toBe(200);
  const [span] = (await gateway.client.traces.get({ params: { traceId: ids.traceId }, query: {} })).data.spans;
  const { data: io } = await gateway.client.spans.io({ params: ids });
  return { ...ids, span, io, at: (sha256: string) => `/v1/viewer/traces/${ids.traceId}/spans/${ids.spanId}/media/${sha256}` };
}

/** The first reference anywhere in a text. */
function referenceIn(text: string | undefined) {
  let found: ReturnType<typeof mediaReference.parse> | undefined;
  JSON.parse(text ?? '{}', (_, value: unknown) => {
    if (typeof value === 'string' && /^[[{"]/.test(value)) found ??= referenceIn(value);
    found ??= mediaReference.safeParse(value).data;
    return value;
  });
  return found;
}

/** The media of a payload that holds nothing but these bytes, declared as this type. */
async function fetchMedia(mimeType: string, bytes: Uint8Array) {
  const { at } = await sendSpan({ 'output.value': json({ mimeType, base64: Buffer.from(bytes).toString('base64') }) });
  return gateway.fetch(at(sha256Of(bytes)));
}

async function expectDownload(response: Response, bytes: Uint8Array, type = 'application/octet-stream') {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[0-9a-f]{12}\.(bin|pdf)"$/);
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
}

describe('a picture in a long payload', () => {
  const png = bytesLike('image/png', 20_000);

  it.each(pictureShapes(png))('as %s is a reference in the trace, bytes at its URL, and complete in the span', async (_, value) => {
    const { span, io, at } = await sendSpan({ 'input.value': json({ story, value }), 'openinference.span.kind': 'CHAIN' });
    expect(span?.truncated_fields).toEqual(['input']);
    expect(Buffer.byteLength(span?.input ?? '')).toBeLessThanOrEqual(8_192);
    expect(span?.input).toContain(at(sha256Of(png)));
    expect(io.input).toBe(json({ story, value }));
    const response = await gateway.fetch(at(sha256Of(png)));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
  });

  it.each([
    ['AI SDK', 'ai.prompt.messages', { type: 'file', mediaType: 'image/png', data: png.toString('base64') }],
    ['GenAI', 'gen_ai.input.messages', { type: 'blob', modality: 'image', mime_type: 'image/png', content: png.toString('base64') }],
    ['Anthropic', 'gen_ai.prompt', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } }],
    ['Gemini', 'gen_ai.input.messages', { inlineData: { mimeType: 'image/png', data: png.toString('base64') } }],
  ])('in a message of %s becomes the same kind of part', async (_, key, part) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Look' }, part] }];
    const { span, io, at } = await sendSpan({ 'gen_ai.operation.name': 'chat', [key]: json(messages) });
    const sha256 = sha256Of(png);
    const media = { type: 'media', mimeType: 'image/png', modality: 'image', sha256, size: png.length, url: at(sha256) };
    expect(JSON.parse(span?.input ?? '')).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Look' }, media] }]);
    expect(io.input).toContain(png.toString('base64'));
  });

  it('in flattened attributes is a reference as well', async () => {
    const content = 'llm.input_messages.0.message.contents.0.message_content.';
    const { span } = await sendSpan({
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.role': 'user',
      [`${content}type`]: 'image',
      [`${content}image.image.url`]: `data:image/png;base64,${png.toString('base64')}`,
    });
    expect(referenceIn(span?.input)).toMatchObject({ mimeType: 'image/png', sha256: sha256Of(png) });
  });

  it('that was generated is a reference in the output and in its object', async () => {
    const { span, io } = await sendSpan({ 'agentmark.output': json([{ mimeType: 'image/png', base64: png.toString('base64') }]) });
    expect(span?.truncated_fields).toEqual(['output', 'output_object']);
    expect(referenceIn(span?.output)).toMatchObject({ type: 'media', sha256: sha256Of(png) });
    expect(span?.output_object).toBe(span?.output);
    expect(io.output).toContain(png.toString('base64'));
  });

  it('that a tool returned is a reference in its result', async () => {
    const result = json({ content: [{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }] });
    const { span } = await sendSpan({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'shot',
      'gen_ai.tool.call.result': result,
    });
    expect(referenceIn(span?.output)).toMatchObject({ sha256: sha256Of(png) });
    expect(referenceIn(span?.tool_calls)).toMatchObject({ sha256: sha256Of(png) });
  });
});

describe('a small payload', () => {
  it('keeps its picture inline, which has a URL all the same', async () => {
    const png = bytesLike('image/png');
    const value = json({ mimeType: 'image/png', base64: png.toString('base64') });
    const { span, at } = await sendSpan({ 'output.value': value });
    expect([span?.output, span?.truncated_fields]).toEqual([value, undefined]);
    expect((await gateway.fetch(at(sha256Of(png)))).status).toBe(200);
  });
});

describe('bytes', () => {
  it.each(mediaTypes.filter((type) => type !== 'application/pdf'))('of %s are displayed as their own type and no other', async (type) => {
    const bytes = bytesLike(type);
    const response = await fetchMedia(type, bytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
      etag: `"${sha256Of(bytes)}"`,
    });
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each([
    ['image/png', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['text/html', '<!doctype html><script>alert(document.domain)</script>'],
    ['text/html\r\nX-Evil: 1', '<script>alert(1)</script>'],
    ['image/gif', 'GIF8 <script>alert(1)</script>'],
    ['application/zip', 'PK\x03\x04'],
  ])('that are not %s can only be downloaded', async (mimeType, text) => {
    const response = await fetchMedia(mimeType, Buffer.from(text));
    expect(response.headers.get('x-evil')).toBeNull();
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    await expectDownload(response, Buffer.from(text));
  });

  it('of another type than declared can only be downloaded', async () => {
    const jpeg = bytesLike('image/jpeg');
    await expectDownload(await fetchMedia('image/png', jpeg), jpeg);
  });

  it('of a PDF are downloaded as a PDF', async () => {
    const pdf = bytesLike('application/pdf');
    await expectDownload(await fetchMedia('application/pdf', pdf), pdf, 'application/pdf');
  });

  it('of 14 MB arrive completely', async () => {
    const film = bytesLike('video/mp4', 14_000_000);
    const response = await fetchMedia('video/mp4', film);
    expect(sha256Of(Buffer.from(await response.arrayBuffer()))).toBe(sha256Of(film));
  });

  it('are not sent to a client that has them', async () => {
    const png = bytesLike('image/png');
    const { at } = await sendSpan({ 'output.value': json({ mimeType: 'image/png', base64: png.toString('base64') }) });
    const ask = (tag: string) => gateway.fetch(at(sha256Of(png)), { headers: { 'If-None-Match': tag } });
    const notModified = await ask(`"other", W/"${sha256Of(png)}"`);
    expect([notModified.status, await notModified.text(), notModified.headers.get('etag')]).toEqual([304, '', `"${sha256Of(png)}"`]);
    expect((await ask('"other"')).status).toBe(200);
  });

  it('that are not base64 are not served', async () => {
    const base64 = `${bytesLike('image/png', 9_000).toString('base64')} [truncated]`;
    const { span, at } = await sendSpan({ 'output.value': json({ mimeType: 'image/png', base64 }) });
    expect(referenceIn(span?.output)).toEqual({
      type: 'media',
      mimeType: 'image/png',
      modality: 'image',
      problem: 'The bytes are not valid base64, or were cut off',
    });
    expect((await gateway.fetch(at(sha256Of(Buffer.from(base64, 'base64'))))).status).toBe(404);
  });
});

describe('a media URL', () => {
  const codeOf = async (path: string) => {
    const response = await gateway.fetch(path);
    const { error } = (await response.json()) as { error: { code: string; details?: object } };
    return { status: response.status, code: error.code, ...(error.details ? { details: Object.keys(error.details) } : {}) };
  };

  it('of bytes, a span or a trace that is not there is not found', async () => {
    const png = bytesLike('image/png');
    const first = await sendSpan({ 'output.value': json({ mimeType: 'image/png', base64: png.toString('base64') }) });
    const other = await sendSpan({ 'output.value': 'no picture' });
    const missing = { status: 404, code: 'media_not_found' };
    expect(await codeOf(first.at('0'.repeat(64)))).toEqual(missing);
    expect(await codeOf(other.at(sha256Of(png)))).toEqual(missing);
    expect(await codeOf(first.at(sha256Of(png)).replace(first.spanId, other.spanId))).toEqual(missing);
    expect(await codeOf(first.at(sha256Of(png)).replace(first.traceId, aTraceId()))).toEqual(missing);
  });

  it.each(['abc', 'A'.repeat(64), 'g'.repeat(64), '0'.repeat(65), `${'0'.repeat(64)}%0A`])(
    'with %s for a hash is refused',
    async (sha256) => {
      const path = `/v1/viewer/traces/${aTraceId()}/spans/${aSpanId()}/media/${sha256}`;
      expect(await codeOf(path)).toEqual({ status: 400, code: 'invalid_path_params', details: ['sha256'] });
    },
  );

  it('works whatever characters the ids contain', async () => {
    const png = bytesLike('image/png', 9_000);
    const ids = { traceId: 'run:42?ä#1', spanId: 'Step%2D1' };
    const attributes = { 'output.value': json({ mimeType: 'image/png', base64: png.toString('base64') }) };
    await gateway.ingest(aRequest([aSpan({ ...ids, attributes })]));
    const { data } = await gateway.client.traces.get({ params: { traceId: ids.traceId }, query: {} });
    const response = await gateway.fetch(referenceIn(data.spans[0]?.output)?.url ?? '/');
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(data.output).toBe(data.spans[0]?.output);
  });
});
