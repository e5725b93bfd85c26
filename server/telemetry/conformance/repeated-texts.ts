/** Agents send their whole history with every call: what repeats must not be paid for again. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { type Declare, type StorePlace, whileOpen } from './promise.ts';
import { Tenant } from './tenant.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };

/** Text that no compression makes smaller than three quarters. */
const noise = (length: number): string =>
  randomBytes(Math.ceil(length * 0.75))
    .toString('base64')
    .slice(0, length);

const chat = (messages: object[]) => ({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) });

/** Writes each request by itself, so that nothing repeats within one, and says by how much the store grew. */
async function growth(place: StorePlace, requests: object[][]): Promise<number> {
  const before = await place.sizeBytes();
  await whileOpen(place, async (store) => {
    const app = new Tenant(store, scope);
    for (const spans of requests) await app.write(spans);
  });
  return (await place.sizeBytes()) - before;
}

export function repeatedTextPromises(promise: Declare): void {
  promise('a message of 20 kB in a hundred spans is stored once', async ({ place }) => {
    const here = place();
    const attributes = chat([{ role: 'system', content: noise(20_000) }]);
    await growth(here, [[aSpan({ name: 'first', attributes })]]);
    const again = await growth(
      here,
      Array.from({ length: 100 }, () => [aSpan({ name: 'first', attributes })]),
    );
    expect(again).toBeLessThan(100_000);
    const other = await growth(
      here,
      Array.from({ length: 5 }, () => [aSpan({ attributes: chat([{ role: 'system', content: noise(20_000) }]) })]),
    );
    expect(other).toBeGreaterThan(5 * 15_000);
  });

  promise('the second span with the same 20 kB costs little more than its row', async ({ place }) => {
    const here = place();
    const attributes = { 'output.value': noise(20_000) };
    await growth(here, [[aSpan({ attributes })]]);
    expect(await growth(here, [[aSpan({ attributes })]])).toBeLessThan(15_000);
  });

  promise('fifty growing histories cost about their unique text, and each is read back whole', async ({ place }) => {
    const here = place();
    const messages = Array.from({ length: 50 }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: noise(2_000) }));
    const histories = messages.map((_, index) => messages.slice(0, index + 1));
    const unique = JSON.stringify(messages).length;
    expect(JSON.stringify(histories).length).toBeGreaterThan(20 * unique);
    const traceId = aTraceId();
    const ids = histories.map(() => aSpanId());
    await growth(here, [[aSpan({ attributes: chat([{ role: 'user', content: 'an ordinary start' }]) })]]);
    const grown = await growth(
      here,
      histories.map((history, index) => [aSpan({ traceId, spanId: ids[index] as string, attributes: chat(history) })]),
    );
    expect(grown).toBeLessThan(1.5 * unique);
    await whileOpen(here, async (store) => {
      const app = new Tenant(store, scope);
      for (const [index, history] of histories.entries()) {
        const read = JSON.parse((await app.io(traceId, ids[index] as string))?.input ?? '') as { content: string }[];
        expect(read.map(({ content }) => content)).toEqual(history.map(({ content }) => content));
      }
    });
  });

  promise('a retry stores nothing at all', async ({ place }) => {
    const here = place();
    const spans = Array.from({ length: 50 }, () => aSpan({ attributes: { 'output.value': noise(5_000) } }));
    await growth(here, [spans]);
    expect(await growth(here, [spans, spans, spans])).toBe(0);
  });
}
