import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { createPricing } from '../cost/pricing.ts';
import { decodeJson } from '../otlp/decode-json.ts';
import { BatchBuilder } from './prepare.ts';
import { hashSize, type PreparedBatch, type Slice } from './prepared.ts';
import { decodeRecord } from './record.ts';

const history = (length: number) =>
  JSON.stringify(Array.from({ length }, (_, step) => ({ role: 'user', parts: [{ type: 'text', content: `${step} ë `.repeat(400) }] })));

const decoded = decodeJson(
  Buffer.from(
    JSON.stringify(
      aRequest([
        aSpan(),
        ...[1, 2, 3].map((steps) => aChat({ attributes: { 'gen_ai.input.messages': history(steps) } })),
        aSpan({ name: 'Größe 😀', attributes: { emoji: '😀'.repeat(2000) } }),
      ]),
    ),
  ),
).spans;

function batchOf(): PreparedBatch {
  const builder = new BatchBuilder(createPricing(), 1_768_471_200_000);
  for (const span of decoded) builder.add(span);
  return builder.finish();
}

describe('a prepared batch', () => {
  const batch = batchOf();
  const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.length);
  const textAt = ({ at, size }: Slice) => bytes.toString('utf8', at, at + size);

  it('restores every span from its bytes', () => {
    batch.spans.forEach(({ record, texts, ...row }, index) => {
      const ids = { trace_id: row.trace_id, span_id: row.span_id, parent_id: row.parent_id };
      const { span } = decodeRecord(textAt(record), ids, (place) => textAt(texts[place] as Slice));
      expect(span).toEqual(decoded[index]?.span);
    });
  });

  it('has the hash of each long text directly before it', () => {
    const texts = batch.spans.flatMap((span) => span.texts);
    expect(texts.length).toBeGreaterThan(5);
    for (const { at, size } of texts) {
      const hash = createHash('sha256')
        .update(bytes.subarray(at, at + size))
        .digest();
      expect(bytes.subarray(at - hashSize, at)).toEqual(hash.subarray(0, hashSize));
    }
  });

  it('names equal pieces of growing histories by equal hashes', () => {
    const hashes = batch.spans.slice(1, 4).map(({ texts }) => texts.map(({ at }) => bytes.toString('hex', at - hashSize, at)));
    // Every piece of the shorter history, its newest message included, is a piece of the longer one.
    expect(hashes[1]?.length).toBeGreaterThan(0);
    expect(hashes[2]?.slice(0, hashes[1]?.length)).toEqual(hashes[1]);
    expect(new Set(hashes[2]).size).toBeGreaterThan(new Set(hashes[1]).size);
  });

  it('has previews only of the calls that lists may show for their trace', () => {
    const builder = new BatchBuilder(createPricing(), 1_768_471_200_000);
    const traceId = 'a'.repeat(32);
    const call = (second: number, attributes: Record<string, string>) =>
      aChat({ traceId, parentSpanId: 'b'.repeat(16), startMs: testEpochMs + second * 1000, attributes });
    const empty = { 'gen_ai.input.messages': '', 'gen_ai.output.messages': '' };
    // Sent in another order than they happened.
    const calls = [call(4, empty), call(2, {}), call(0, empty), call(1, {}), call(3, {})];
    for (const span of decodeJson(Buffer.from(JSON.stringify(aRequest(calls)))).spans) builder.add(span);
    const shown = builder.finish().spans.map(({ preview }) => [preview.input, preview.output].map((text) => text && text !== ''));
    expect(shown).toEqual([
      [null, ''],
      [null, null],
      ['', null],
      [true, null],
      [null, true],
    ]);
  });

  it('holds each resource and scope once', () => {
    expect(batch.resources).toHaveLength(2);
    expect(new Set(batch.spans.map(({ resource }) => resource)).size).toBe(1);
  });

  it('owns its buffer, so that it can be transferred', () => {
    const { bytes: ownBytes } = batchOf();
    expect(structuredClone(ownBytes, { transfer: [ownBytes.buffer as ArrayBuffer] })).toHaveLength(bytes.length);
  });
});
