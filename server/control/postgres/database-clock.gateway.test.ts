/** Gateways on machines whose clocks differ have the same time, that of their database. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresDatabase, PostgresServer } from '../../fixtures/postgres.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../control-store.ts';
import { leaseMs } from '../lease-store.ts';
import { DatabaseClock } from './database-clock.ts';
import { openPostgresControl } from './open.ts';

const server = await PostgresServer.start();
let database: PostgresDatabase;
let right: ControlStore;
const real: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
const machineThatIs = (wrongByMs: number): Clock => ({ ...real, now: () => Date.now() + wrongByMs });
const open = (machine: Clock) => openPostgresControl({ url: database.url, connections: 2 }, machine, machine);

beforeAll(async () => {
  database = await server.createDatabase();
  right = await open(real);
});
afterAll(async () => {
  await right.stop();
  await database.drop();
  await server.stop();
});

it.each([-50_000, 50_000])(
  'a gateway on a machine whose clock is wrong by %i ms does not take over a lease that is held',
  async (wrongByMs) => {
    const wrong = await open(machineThatIs(wrongByMs));
    const name = `work ${wrongByMs}`;
    const claim = await right.leases.claim(name, 'right');
    expect(claim).not.toBeNull();
    expect(await wrong.leases.claim(name, 'wrong')).toBeNull();
    await right.leases.release(claim ?? { name, holder: '', epoch: 0 });
    expect(await wrong.leases.claim(name, 'wrong')).toMatchObject({ holder: 'wrong' });
    expect(await right.leases.claim(name, 'right')).toBeNull();
    await wrong.stop();
  },
);

it.each([-3_600_000, 3_600_000])('nor does one on a machine whose clock is set by %i ms while it runs', async (ms) => {
  let setByMs = 0;
  // It stands still, as that of a machine that is suspended does.
  const machine: Clock = { now: () => Date.now() + setByMs, monotonic: () => 0 };
  const store = await open(machine);
  const name = `work ${ms}`;
  await right.leases.claim(name, 'right');
  setByMs = ms;
  expect(await store.leases.claim(name, 'other')).toBeNull();
  setByMs = 0;
  expect(await store.leases.claim(name, 'other')).toBeNull();
  await store.stop();
});

it('a small difference, which may be the delay of the answer, is none, and a late answer says nothing', async () => {
  let delayMs = 0;
  let monotonicMs = 0;
  const machine: Clock = { now: () => 1_000_000, monotonic: () => (monotonicMs += delayMs) };
  const clock = new DatabaseClock(machine, machine);
  await clock.learn(async () => ({ ms: 1_000_900 }));
  expect(clock.now()).toBe(1_000_000);
  await clock.learn(async () => ({ ms: 1_000_000 + leaseMs }));
  expect(clock.now()).toBe(1_000_000 + leaseMs);
  delayMs = 1_500;
  await clock.learn(async () => ({ ms: 1_000_000 - leaseMs }));
  expect(clock.now()).toBe(1_000_000 + leaseMs);
});

it.each([
  [-75_000, 'behind'],
  [75_000, 'ahead of'],
] as const)('a machine whose clock is wrong by %i ms is refused with what is wrong', async (ms, where) => {
  await expect(open(machineThatIs(ms))).rejects.toMatchObject({
    name: 'StorageError',
    message: `the clock of this machine is 75 s ${where} the database's`,
  });
});
