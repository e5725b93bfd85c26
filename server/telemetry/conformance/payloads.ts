import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { anyValue, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { must } from '../../platform/assert.ts';
import { arrivalMs } from './batch-of.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

/** Texts that browsers, terminals and careless databases get wrong. */
const unicode = [
  'naïve café — “quotes” … ‰',
  '日本語 中文 한국어 ไทย हिन्दी',
  'مرحبا שלום \u202eright to left\u202c',
  '👩‍👩‍👧‍👦 🏳️‍🌈 🇺🇳 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \u{10ffff}',
  'e\u0301 is not \u00e9, \ufb01 is not fi',
  'line\u2028separator\u2029paragraph\ufeffbom\u0085next',
  'tab\tnew\nreturn\r\nbell\u0007escape\u001b[31m',
  `quotes ' " \` back \\ slash / %00 %s \${x} {{y}} </script> -- ; DROP TABLE span`,
].join('\n');

const attribute = (key: string, value: object) => ({ key, value });

/** A span with every kind of value, as OTLP/JSON. */
const everything = {
  traceId: aTraceId(),
  spanId: aSpanId(),
  parentSpanId: aSpanId(),
  traceState: 'vendor=1,other=2',
  flags: 257,
  name: 'all of it',
  kind: 3,
  startTimeUnixNano: '1768471200123456789',
  endTimeUnixNano: '1768471201000000001',
  attributes: [
    attribute('text', { stringValue: unicode }),
    attribute('empty text', { stringValue: '' }),
    attribute('long text', { stringValue: `${unicode}${'0123456789'.repeat(900)}` }),
    attribute('long list', {
      stringValue: JSON.stringify(Array.from({ length: 40 }, (_, index) => ({ role: 'user', content: `${index} ${unicode}` }))),
    }),
    attribute('true', { boolValue: true }),
    attribute('false', { boolValue: false }),
    attribute('int', { intValue: '42' }),
    attribute('zero', { intValue: '0' }),
    attribute('long', { intValue: '9223372036854775807' }),
    attribute('short', { intValue: '-9223372036854775808' }),
    attribute('double', { doubleValue: 0.1 }),
    attribute('whole double', { doubleValue: 3 }),
    attribute('tiny', { doubleValue: 5e-324 }),
    attribute('not a number', { doubleValue: 'NaN' }),
    attribute('infinite', { doubleValue: '-Infinity' }),
    attribute('bytes', { bytesValue: randomBytes(33).toString('base64') }),
    attribute('nothing', {}),
    attribute('list', {
      arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }, {}, { arrayValue: { values: [{ boolValue: true }] } }] },
    }),
    attribute('map', {
      kvlistValue: { values: [attribute('in', { kvlistValue: { values: [attribute('deep', { intValue: '9007199254740993' })] } })] },
    }),
    attribute('long map', anyValue(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key ${index}`, unicode])))),
    attribute('repeated', { stringValue: 'first' }),
    attribute('repeated', { stringValue: 'last' }),
    attribute('$', { stringValue: '$' }),
  ],
  droppedAttributesCount: 3,
  events: [
    {
      timeUnixNano: '1768471200500000001',
      name: 'exception',
      attributes: [attribute('exception.message', { stringValue: unicode.repeat(9) })],
    },
    { timeUnixNano: '1768471200600000000', name: '', droppedAttributesCount: 2 },
  ],
  droppedEventsCount: 4,
  links: [
    { traceId: aTraceId(), spanId: aSpanId(), traceState: 'a=b', flags: 1, attributes: [attribute('why', { stringValue: 'retry' })] },
  ],
  droppedLinksCount: 5,
  status: { code: 2, message: unicode },
};

async function write(app: Tenant, attributes: Record<string, string>): Promise<{ traceId: string; spanId: string }> {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  await app.write([aSpan({ ...ids, attributes })]);
  return ids;
}

export function payloadGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a span is read back exactly as it was sent: every value, event, link, count and nanosecond', async ({ tenant }) => {
    const app = tenant();
    await app.write([everything]);
    const raw = must(await app.raw(everything.traceId, everything.spanId), 'the span was stored');
    expect(raw.span).toEqual(everything);
    expect(raw.resource).toEqual({ attributes: [attribute('service.name', { stringValue: 'test-service' })] });
    expect(raw.scope).toEqual({ name: 'test', version: '1' });
    expect(raw.received_at).toBe(new Date(arrivalMs).toISOString());
  });

  guarantee('text in any script is read back unchanged', async ({ tenant }) => {
    const app = tenant();
    const { traceId, spanId } = await write(app, { 'output.value': unicode, 'agentmark.metadata.note': unicode });
    expect((await app.io(traceId, spanId))?.output).toBe(unicode);
    expect((await app.io(traceId, spanId))?.metadata).toEqual({ note: unicode });
    expect((await app.detail(traceId)).output).toBe(unicode);
  });

  guarantee('a value of 15 MB is read back complete, and a trace read has only a preview of it', async ({ tenant }) => {
    const app = tenant();
    const large = `${randomBytes(5_600_000).toString('base64')} ${'🙂'.repeat(1_900_000)} end`;
    expect(Buffer.byteLength(large)).toBeGreaterThan(15_000_000);
    const { traceId, spanId } = await write(app, { 'output.value': large });
    expect((await app.io(traceId, spanId))?.output === large).toBe(true);
    const [span] = (await app.detail(traceId)).spans;
    expect(span?.truncated_fields).toEqual(['output']);
    expect(Buffer.byteLength(span?.output ?? '')).toBeLessThanOrEqual(8_192);
    expect(large.startsWith((span?.output ?? '').slice(0, 8_000))).toBe(true);
  });

  guarantee('the preview of a long conversation is a conversation, and a single read has all of it', async ({ tenant }) => {
    const app = tenant();
    const messages = Array.from({ length: 80 }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: `${index} ${unicode}` }));
    const { traceId, spanId } = await write(app, { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) });
    const [span] = (await app.detail(traceId)).spans;
    expect(span?.truncated_fields).toEqual(['input']);
    expect(Buffer.byteLength(span?.input ?? '')).toBeLessThanOrEqual(8_192);
    expect(Array.isArray(JSON.parse(span?.input ?? ''))).toBe(true);
    const read = JSON.parse((await app.io(traceId, spanId))?.input ?? '') as typeof messages;
    expect(read.map(({ content }) => content)).toEqual(messages.map(({ content }) => content));
  });

  guarantee('generated media are read back byte for byte', async ({ tenant }) => {
    const app = tenant();
    const image = { mimeType: 'image/png', base64: randomBytes(300_000).toString('base64') };
    const speech = { mimeType: 'audio/mpeg', base64: randomBytes(100_000).toString('base64'), format: 'mp3' };
    const { traceId, spanId } = await write(app, { 'agentmark.output': JSON.stringify([image, speech]) });
    const io = must(await app.io(traceId, spanId), 'the span was stored');
    for (const { base64 } of [image, speech]) expect(`${io.output}${io.output_object}`.includes(base64)).toBe(true);
    const raw = JSON.stringify(await app.raw(traceId, spanId));
    for (const { base64 } of [image, speech]) expect(raw.includes(base64)).toBe(true);
  });

  guarantee('texts around the length from which they are stored separately are read back complete', async ({ tenant }) => {
    const app = tenant();
    const lengths = [0, 1, 1_022, 1_023, 1_024, 1_025, 2_048, 8_191, 8_192, 8_193, 131_071, 131_072, 131_073];
    for (const length of lengths) {
      const text = randomBytes(length).toString('latin1').replaceAll('\0', ' ').slice(0, length);
      const { traceId, spanId } = await write(app, { text, list: JSON.stringify([text, text, { text }]) });
      const raw = (await app.raw(traceId, spanId))?.span as { attributes: { value: { stringValue: string } }[] } | undefined;
      expect(
        raw?.attributes.map(({ value }) => value.stringValue === text || value.stringValue === JSON.stringify([text, text, { text }])),
      ).toEqual([true, true]);
    }
  });

  guarantee('ids that are words are stored as they were sent', async ({ tenant }) => {
    const app = tenant();
    await app.write([
      aSpan({ traceId: 'run:42', spanId: 'Step-1' }),
      aSpan({ traceId: 'run:42', spanId: 'step-2', parentSpanId: 'Step-1' }),
    ]);
    const spans = await app.ofTrace('run:42');
    expect(spans.map(({ id, parent_id, trace_id }) => [id, parent_id, trace_id])).toEqual([
      ['Step-1', null, 'run:42'],
      ['step-2', 'Step-1', 'run:42'],
    ]);
    expect((await app.raw('run:42', 'step-2'))?.span).toMatchObject({ traceId: 'run:42', spanId: 'step-2', parentSpanId: 'Step-1' });
  });
}
