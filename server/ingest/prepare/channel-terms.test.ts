import { describe, expect, it } from 'vitest';
import { aChat, aRequest } from '../../../shared/fixtures/otlp.ts';
import { createPricing } from '../cost/pricing.ts';
import { decodeJson } from '../otlp/decode-json.ts';
import { ReceivedTerms, SentTerms, termLengthMax } from './channel-terms.ts';
import { pack, unpack } from './pack.ts';
import { BatchBuilder } from './prepare.ts';

function batchOf(names: readonly string[]) {
  const builder = new BatchBuilder(createPricing(), 1_768_471_200_000);
  const spans = names.map((name) => aChat({ name, attributes: { 'session.id': `session of ${name}` } }));
  for (const span of decodeJson(Buffer.from(JSON.stringify(aRequest(spans)))).spans) builder.add(span);
  return builder.finish();
}

describe('terms of a channel', () => {
  it('are sent once, and every batch arrives as it was', () => {
    const [sent, received] = [new SentTerms(), new ReceivedTerms()];
    const first = batchOf(['a', 'b']);
    const second = batchOf(['b', 'c', 'a']);
    expect(unpack(structuredClone(pack(first, sent)), received)).toEqual(first);
    const packed = pack(second, sent);
    expect(packed.newTerms).toEqual(['c', 'session of c']);
    expect(unpack(structuredClone(packed), received)).toEqual(second);
  });

  it('begin anew when there are too many, and when a batch brings its own', () => {
    const [sent, received] = [new SentTerms(), new ReceivedTerms()];
    const names = Array.from({ length: 400 }, (_, index) => `${index} ${'long'.repeat(100)}`);
    const starts = new Set<number>();
    for (let from = 0; from < 12_000; from += 400) {
      const batch = batchOf(names.map((name) => `${from} ${name}`));
      const packed = pack(batch, sent);
      starts.add(packed.knownTerms);
      expect(unpack(packed, received)).toEqual(batch);
    }
    expect(starts.has(0)).toBe(true);
    expect(Math.max(...starts)).toBeLessThan(20_000);
    const other = batchOf(['of another sender']);
    expect(unpack(pack(other), received)).toEqual(other);
  });

  it('are not texts that are too long to repeat', () => {
    const name = 'n'.repeat(termLengthMax + 1);
    const batch = batchOf([name]);
    const packed = pack(batch);
    expect(packed.newTerms).not.toContain(name);
    expect(unpack(packed)).toEqual(batch);
  });

  it('that are missing are a mistake, never another text', () => {
    const sent = new SentTerms();
    pack(batchOf(['lost']), sent);
    expect(() => unpack(pack(batchOf(['next']), sent), new ReceivedTerms())).toThrow('terms');
  });
});
