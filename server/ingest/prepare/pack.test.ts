import { describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { createPricing } from '../cost/pricing.ts';
import { decodeJson } from '../otlp/decode-json.ts';
import { pack, unpack } from './pack.ts';
import { BatchBuilder } from './prepare.ts';

const parentId = 'aaaaaaaaaaaaaaaa';

function batchOf(spans: object[]) {
  const builder = new BatchBuilder(createPricing(), 1_768_471_200_000);
  for (const span of decodeJson(Buffer.from(JSON.stringify(aRequest(spans)))).spans) builder.add(span);
  return builder.finish();
}

describe('a packed batch', () => {
  it('is the same batch after a transfer to another thread', () => {
    const batch = batchOf([
      aSpan(),
      aSpan({ parentSpanId: parentId, status: 'ERROR' }),
      aChat({
        parentSpanId: parentId,
        attributes: {
          'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'long '.repeat(1000) }] }]),
          'gen_ai.usage.input_tokens': 0,
          'gen_ai.usage.output_tokens': 12,
          'session.id': 'a session, odd \ud800 and even 😀',
          'langfuse.trace.tags': ['b', 'a', ''],
          'agentmark.usage.cost_usd': 0.25,
        },
      }),
    ]);
    expect(batch.spans.some(({ texts }) => texts.length > 0)).toBe(true);
    expect(batch.spans.some(({ tags }) => tags.length > 0)).toBe(true);
    expect(unpack(structuredClone(pack(batch)))).toEqual(batch);
  });

  it('holds each text once', () => {
    const { texts, newTerms } = pack(batchOf([aChat(), aChat(), aChat()]));
    for (const list of [texts, newTerms]) expect(new Set(list).size).toBe(list.length);
  });

  it('may be empty', () => {
    expect(unpack(pack(batchOf([]))).spans).toEqual([]);
  });
});
