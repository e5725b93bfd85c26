import { expect } from 'vitest';
import { aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { type Allowance, QuotaExceeded } from '../../ingest/allowance.ts';
import { arrivalMs, batchOf } from './batch-of.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { Tenant } from './tenant.ts';

const spansMax = (monthly_spans: number): Allowance => ({ monthly_spans, storage_bytes: null });
const bytesMax = (storage_bytes: number): Allowance => ({ monthly_spans: null, storage_bytes });
const spans = (count: number): object[] => Array.from({ length: count }, () => aSpan());

/** `stored`, or the exceeded limit. */
const write = ({ store, scope }: Tenant, sent: object[], allowance: Allowance, receivedMs = arrivalMs): Promise<unknown> =>
  store.writer.write(scope, batchOf(sent, receivedMs), allowance).then(
    () => 'stored',
    (error) => (error instanceof QuotaExceeded ? error.exceeded : error),
  );

const used = async ({ store, scope }: Tenant, atMs = arrivalMs) => (await store.usage.of(scope, atMs)).decode();

export function allowanceGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('concurrent batches never exceed the span limit', async ({ tenant }) => {
    const app = tenant();
    const results = await Promise.all(Array.from({ length: 64 }, () => write(app, spans(3), spansMax(100))));
    const stored = results.filter((result) => result === 'stored').length;
    expect(stored).toBe(33);
    expect(results.filter((result) => result !== 'stored')).toEqual(
      Array.from({ length: 31 }, () => ({ what: 'monthly_spans', current: 99, limit: 100 })),
    );
    expect((await app.spans()).total).toBe(99);
    expect((await used(app)).spans).toBe(99);
  });

  guarantee('duplicates are not counted, and are accepted even when nothing is left', async ({ tenant }) => {
    const app = tenant();
    const sent = spans(5);
    expect(await write(app, sent, spansMax(5))).toBe('stored');
    const { bytes } = await used(app);
    for (const allowance of [spansMax(5), spansMax(0), bytesMax(0)]) expect(await write(app, [...sent, ...sent], allowance)).toBe('stored');
    expect(await used(app)).toEqual({ spans: 5, bytes });
    expect(await write(app, [...sent, aSpan()], spansMax(5))).toEqual({ what: 'monthly_spans', current: 5, limit: 5 });
    expect((await app.spans()).total).toBe(5);
  });

  guarantee('the final record of a pending span does not count as another span', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    expect(await write(app, [{ ...aSpan(ids), endTimeUnixNano: '0' }], spansMax(1))).toBe('stored');
    expect(await write(app, [aSpan(ids)], spansMax(1))).toBe('stored');
    expect((await used(app)).spans).toBe(1);
  });

  guarantee('the count starts anew with the first millisecond of a month in UTC', async ({ tenant }) => {
    const app = tenant();
    const monthStartMs = Date.UTC(2026, 0, 1);
    expect(await write(app, spans(2), spansMax(2), monthStartMs - 1)).toBe('stored');
    expect(await write(app, spans(1), spansMax(2), monthStartMs - 1)).toMatchObject({ current: 2 });
    expect(await write(app, spans(1), spansMax(2), monthStartMs)).toBe('stored');
    expect([(await used(app, monthStartMs - 1)).spans, (await used(app, monthStartMs)).spans]).toEqual([2, 1]);
  });

  guarantee('the apps of a tenant share its allowance, and other tenants do not', async ({ tenant }) => {
    const app = tenant();
    const second = new Tenant(app.store, { ...app.scope, app_id: 'second' });
    expect(await write(app, spans(2), spansMax(3))).toBe('stored');
    expect(await write(second, spans(2), spansMax(3))).toMatchObject({ current: 2 });
    expect(await write(tenant(), spans(3), spansMax(3))).toBe('stored');
    expect((await used(second)).spans).toBe(2);
  });

  guarantee('stored bytes are counted, a repeated text is not, and nothing is stored beyond the limit', async ({ tenant }) => {
    const app = tenant();
    const text = 'x'.repeat(10_000);
    const textSpan = () => [aSpan({ attributes: { 'gen_ai.prompt': `${text}` } })];
    expect(await write(app, textSpan(), bytesMax(100_000))).toBe('stored');
    const once = (await used(app)).bytes;
    expect(once).toBeGreaterThan(10_000);
    expect(await write(app, textSpan(), bytesMax(100_000))).toBe('stored');
    expect((await used(app)).bytes).toBeLessThan(once * 1.5);
    const { spans: before, bytes } = await used(app);
    expect(await write(app, textSpan(), bytesMax(bytes))).toEqual({ what: 'storage_bytes', current: bytes, limit: bytes });
    expect(await used(app)).toEqual({ spans: before, bytes });
  });

  guarantee('a refused batch does not affect batches written at the same time', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const results = await Promise.all([
      write(app, spans(1), spansMax(1)),
      write(app, spans(2), spansMax(1)),
      write(other, spans(4), spansMax(10)),
      other.write(spans(1)),
    ]);
    expect(results).toMatchObject(['stored', { limit: 1 }, 'stored', { accepted: 1 }]);
    expect([(await app.spans()).total, (await other.spans()).total]).toEqual([1, 5]);
  });
}
