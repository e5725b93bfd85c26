/** Workers of one app that come at the same time: one of them stays, and each of the others learns why it does not. */
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

it(`of ${atOnce} that race, ${rounds} times, exactly one lives, and every other was closed with 1000 and the reason`, async () => {
  let holder: TestWorker | null = null;
  let replaced = 0;
  for (let round = 0; round < rounds; round++) {
    const come = await Promise.all(Array.from({ length: atOnce }, () => connectWorker(cloud.url, cloud.tenant.api_key)));
    const all: TestWorker[] = holder ? [holder, ...come] : come;
    // The one that stays has no end: it is the one that is left when all the others have told theirs.
    const ends = all.map(async (worker, index) => ({ index, end: await worker.closed }));
    const gone = new Set<number>();
    while (gone.size < all.length - 1) {
      const { index, end } = await Promise.race(ends.filter((_, each) => !gone.has(each)));
      expect(end).toEqual({ code: 1000, reason: 'Replaced by new connection' });
      gone.add(index);
      replaced++;
    }
    holder = all.find((_, index) => !gone.has(index)) ?? null;
    holder?.say({ type: 'heartbeat' });
    await holder?.next('heartbeat-ack');
    expect(all.filter(({ socket }) => socket.readyState === WebSocket.OPEN)).toEqual([holder]);
  }
  expect(replaced).toBe(rounds * atOnce - 1);
  process.stdout.write(`replacement: ${rounds} races of ${atOnce}, ${replaced} closed as they must be\n`);
  holder?.socket.terminate();
}, 600_000);

it('the new one is let in before the old one is told to go', async () => {
  const old = await connectWorker(cloud.url, cloud.tenant.api_key);
  const young = new WebSocket(`${cloud.url.replace('http', 'ws')}/v1/connect`, {
    headers: { authorization: `Bearer ${cloud.tenant.api_key}` },
  });
  const order: string[] = [];
  const both = Promise.all([
    new Promise<void>((resolve) => young.once('upgrade', () => resolve(void order.push('accepted')))),
    old.closed.then(() => order.push('closed')),
  ]);
  await both;
  expect(order).toEqual(['accepted', 'closed']);
  // One that is refused takes nobody's place.
  await expect(connectWorker(cloud.url, 'sk_service_nobodys')).rejects.toThrow('401');
  expect(young.readyState).toBe(WebSocket.OPEN);
  young.terminate();
});
