/** Workers of one app that connect at the same time: one of them stays, and each of the others is told why it is closed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connectWorker, type TestWorker } from '../../fixtures/a-worker.ts';
import { times } from '../../fixtures/full-numbers.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';

const rounds = times(60, 1000);
const atOnce = 3;
let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

it(`of ${atOnce} that race, ${rounds} times, exactly one stays, and every other is closed with 1000 and the reason`, async () => {
  let current: TestWorker | null = null;
  let replaced = 0;
  for (let round = 0; round < rounds; round++) {
    const newcomers = await Promise.all(Array.from({ length: atOnce }, () => connectWorker(cloud.url, cloud.tenant.api_key)));
    const all: TestWorker[] = current ? [current, ...newcomers] : newcomers;
    // The one that stays is never closed: it is the one that is left when all the others are.
    const ends = all.map(async (worker, index) => ({ index, end: await worker.closed }));
    const closed = new Set<number>();
    while (closed.size < all.length - 1) {
      const { index, end } = await Promise.race(ends.filter((_, other) => !closed.has(other)));
      expect(end).toEqual({ code: 1000, reason: 'Replaced by new connection' });
      closed.add(index);
      replaced++;
    }
    current = all.find((_, index) => !closed.has(index)) ?? null;
    current?.say({ type: 'heartbeat' });
    await current?.next('heartbeat-ack');
    expect(all.filter(({ socket }) => socket.readyState === WebSocket.OPEN)).toEqual([current]);
  }
  expect(replaced).toBe(rounds * atOnce - 1);
  process.stdout.write(`replacement: ${rounds} races of ${atOnce}, ${replaced} closed as they must be\n`);
  current?.socket.terminate();
}, 600_000);

it('the new one is accepted before the old one is closed', async () => {
  const oldWorker = await connectWorker(cloud.url, cloud.tenant.api_key);
  const newWorker = new WebSocket(`${cloud.url.replace('http', 'ws')}/v1/connect`, {
    headers: { authorization: `Bearer ${cloud.tenant.api_key}` },
  });
  const order: string[] = [];
  const both = Promise.all([
    new Promise<void>((resolve) => newWorker.once('upgrade', () => resolve(void order.push('accepted')))),
    oldWorker.closed.then(() => order.push('closed')),
  ]);
  await both;
  expect(order).toEqual(['accepted', 'closed']);
  // A worker that is refused replaces nobody.
  await expect(connectWorker(cloud.url, 'sk_service_nobodys')).rejects.toThrow('401');
  expect(newWorker.readyState).toBe(WebSocket.OPEN);
  newWorker.terminate();
});
