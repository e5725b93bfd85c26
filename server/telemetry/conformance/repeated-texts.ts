/** Agents send their whole history with every call, so repeated texts must not be stored again. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { type DeclareGuarantee, type StoreLocation, whileOpen } from './guarantee.ts';
import { Tenant } from './tenant.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };

/** Text that cannot be compressed below three quarters of its size. */
const noise = (length: number): string =>
  randomBytes(Math.ceil(length * 0.75))
    .toString('base64')
    .slice(0, length);

const chat = (messages: object[]) => ({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) });

/** Writes each request separately, so that nothing repeats within one, and returns by how many bytes the store grew. */
async function growth(location: StoreLocation, requests: object[][]): Promise<number> {
  const before = await location.sizeBytes();
  await whileOpen(location, async (store) => {
    const app = new Tenant(store, scope);
    for (const spans of requests) await app.write(spans);
  });
  return (await location.sizeBytes()) - before;
}

export function repeatedTextGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a message of 20 kB in a hundred spans is stored once', async ({ location }) => {
    const data = location();
    const attributes = chat([{ role: 'system', content: noise(20_000) }]);
    await growth(data, [[aSpan({ name: 'first', attributes })]]);
    const repeatedGrowth = await growth(
      data,
      Array.from({ length: 100 }, () => [aSpan({ name: 'first', attributes })]),
    );
    expect(repeatedGrowth).toBeLessThan(100_000);
    const uniqueGrowth = await growth(
      data,
      Array.from({ length: 5 }, () => [aSpan({ attributes: chat([{ role: 'system', content: noise(20_000) }]) })]),
    );
    expect(uniqueGrowth).toBeGreaterThan(5 * 15_000);
  });

  guarantee('a second span with the same 20 kB takes little more than its row', async ({ location }) => {
    const data = location();
    const attributes = { 'output.value': noise(20_000) };
    await growth(data, [[aSpan({ attributes })]]);
    expect(await growth(data, [[aSpan({ attributes })]])).toBeLessThan(15_000);
  });

  guarantee('fifty growing histories take about the size of their unique text, and each is read back complete', async ({ location }) => {
    const data = location();
    const messages = Array.from({ length: 50 }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: noise(2_000) }));
    const histories = messages.map((_, index) => messages.slice(0, index + 1));
    const unique = JSON.stringify(messages).length;
    expect(JSON.stringify(histories).length).toBeGreaterThan(20 * unique);
    const traceId = aTraceId();
    const ids = histories.map(() => aSpanId());
    await growth(data, [[aSpan({ attributes: chat([{ role: 'user', content: 'an ordinary start' }]) })]]);
    const historyGrowth = await growth(
      data,
      histories.map((history, index) => [aSpan({ traceId, spanId: ids[index] as string, attributes: chat(history) })]),
    );
    expect(historyGrowth).toBeLessThan(1.5 * unique);
    await whileOpen(data, async (store) => {
      const app = new Tenant(store, scope);
      for (const [index, history] of histories.entries()) {
        const read = JSON.parse((await app.io(traceId, ids[index] as string))?.input ?? '') as { content: string }[];
        expect(read.map(({ content }) => content)).toEqual(history.map(({ content }) => content));
      }
    });
  });

  guarantee('a retry stores nothing at all', async ({ location }) => {
    const data = location();
    const spans = Array.from({ length: 50 }, () => aSpan({ attributes: { 'output.value': noise(5_000) } }));
    await growth(data, [spans]);
    expect(Math.abs(await growth(data, [spans, spans, spans]))).toBeLessThanOrEqual(data.sizeVariesBy ?? 0);
  });
}
