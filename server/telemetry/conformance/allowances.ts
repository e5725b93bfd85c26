import { expect } from 'vitest';
import { aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { type Allowance, AllowanceSpent } from '../../ingest/allowance.ts';
import { arrivalMs, batchOf } from './batch-of.ts';
import type { Declare } from './promise.ts';
import { Tenant } from './tenant.ts';

const spansMax = (monthly_spans: number): Allowance => ({ monthly_spans, storage_bytes: null });
const bytesMax = (storage_bytes: number): Allowance => ({ monthly_spans: null, storage_bytes });
const spans = (count: number): object[] => Array.from({ length: count }, () => aSpan());

/** `stored`, or what stood against it. */
const write = ({ store, scope }: Tenant, sent: object[], allowance: Allowance, receivedMs = arrivalMs): Promise<unknown> =>
  store.writer.write(scope, batchOf(sent, receivedMs), allowance).then(
    () => 'stored',
    (error) => (error instanceof AllowanceSpent ? error.spent : error),
  );

const used = async ({ store, scope }: Tenant, atMs = arrivalMs) => (await store.usage.of(scope, atMs)).decode();

export function allowancePromises(promise: Declare): void {
  promise('batches that are written side by side never take more spans than there may be', async ({ tenant }) => {
    const app = tenant();
    const answers = await Promise.all(Array.from({ length: 64 }, () => write(app, spans(3), spansMax(100))));
    const stored = answers.filter((answer) => answer === 'stored').length;
    expect(stored).toBe(33);
    expect(answers.filter((answer) => answer !== 'stored')).toEqual(
      Array.from({ length: 31 }, () => ({ what: 'monthly_spans', current: 99, limit: 100 })),
    );
    expect((await app.spans()).total).toBe(99);
    expect((await used(app)).spans).toBe(99);
  });

  promise('what is stored already counts once, and is taken again when nothing is left', async ({ tenant }) => {
    const app = tenant();
    const sent = spans(5);
    expect(await write(app, sent, spansMax(5))).toBe('stored');
    const { bytes } = await used(app);
    for (const allowance of [spansMax(5), spansMax(0), bytesMax(0)]) expect(await write(app, [...sent, ...sent], allowance)).toBe('stored');
    expect(await used(app)).toEqual({ spans: 5, bytes });
    expect(await write(app, [...sent, aSpan()], spansMax(5))).toEqual({ what: 'monthly_spans', current: 5, limit: 5 });
    expect((await app.spans()).total).toBe(5);
  });

  promise('the final record of a running span is no span more', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    expect(await write(app, [{ ...aSpan(ids), endTimeUnixNano: '0' }], spansMax(1))).toBe('stored');
    expect(await write(app, [aSpan(ids)], spansMax(1))).toBe('stored');
    expect((await used(app)).spans).toBe(1);
  });

  promise('a month begins anew with its first millisecond, UTC', async ({ tenant }) => {
    const app = tenant();
    const turnMs = Date.UTC(2026, 0, 1);
    expect(await write(app, spans(2), spansMax(2), turnMs - 1)).toBe('stored');
    expect(await write(app, spans(1), spansMax(2), turnMs - 1)).toMatchObject({ current: 2 });
    expect(await write(app, spans(1), spansMax(2), turnMs)).toBe('stored');
    expect([(await used(app, turnMs - 1)).spans, (await used(app, turnMs)).spans]).toEqual([2, 1]);
  });

  promise('the apps of a tenant share what it may write, and no other tenant does', async ({ tenant }) => {
    const app = tenant();
    const second = new Tenant(app.store, { ...app.scope, app_id: 'second' });
    expect(await write(app, spans(2), spansMax(3))).toBe('stored');
    expect(await write(second, spans(2), spansMax(3))).toMatchObject({ current: 2 });
    expect(await write(tenant(), spans(3), spansMax(3))).toBe('stored');
    expect((await used(second)).spans).toBe(2);
  });

  promise(
    'bytes are counted as they are kept, a text that comes again is not, and beyond the cap nothing is stored',
    async ({ tenant }) => {
      const app = tenant();
      const text = 'x'.repeat(10_000);
      const said = () => [aSpan({ attributes: { 'gen_ai.prompt': `${text}` } })];
      expect(await write(app, said(), bytesMax(100_000))).toBe('stored');
      const once = (await used(app)).bytes;
      expect(once).toBeGreaterThan(10_000);
      expect(await write(app, said(), bytesMax(100_000))).toBe('stored');
      expect((await used(app)).bytes).toBeLessThan(once * 1.5);
      const { spans: before, bytes } = await used(app);
      expect(await write(app, said(), bytesMax(bytes))).toEqual({ what: 'storage_bytes', current: bytes, limit: bytes });
      expect(await used(app)).toEqual({ spans: before, bytes });
    },
  );

  promise('what is refused takes nothing with it that is written beside it', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const answers = await Promise.all([
      write(app, spans(1), spansMax(1)),
      write(app, spans(2), spansMax(1)),
      write(other, spans(4), spansMax(10)),
      other.write(spans(1)),
    ]);
    expect(answers).toMatchObject(['stored', { limit: 1 }, 'stored', { accepted: 1 }]);
    expect([(await app.spans()).total, (await other.spans()).total]).toEqual([1, 5]);
  });
}
