/** Gateways on machines whose clocks differ have the same time, that of their database. */
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type PostgresDatabase, PostgresServer } from '../../fixtures/postgres.ts';
import type { Clock } from '../../platform/clock.ts';
import { DatabaseClock } from './database-clock.ts';

const server = await PostgresServer.start();
let database: PostgresDatabase;
let pool: Pool;
/** By how much the clock of the machine is wrong. */
let wrongByMs = 0;
const machine: Clock = { now: () => Date.now() + wrongByMs, monotonic: () => performance.now() };

beforeAll(async () => {
  database = await server.createDatabase();
  pool = new Pool({ connectionString: database.url });
});
beforeEach(() => {
  wrongByMs = 0;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  await server.stop();
});

it.each([-50_000, 0, 50_000])('on a machine whose clock is wrong by %i ms it is right', async (ms) => {
  wrongByMs = ms;
  const clock = await DatabaseClock.open(pool, machine, machine);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(5_000);
});

it.each([-3_600_000, 3_600_000])('it does not move when the clock of the machine is set by %i ms', async (ms) => {
  const clock = await DatabaseClock.open(pool, machine, machine);
  wrongByMs = ms;
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(5_000);
});

it('a small difference, which may be the delay of the answer, is none', async () => {
  const stopped: Clock = { now: () => 1_000, monotonic: () => 0 };
  const clock = await DatabaseClock.open(pool, stopped);
  expect(clock.now()).toBe(1_000);
});

it.each([
  [-75_000, 'behind'],
  [75_000, 'ahead of'],
] as const)('a machine whose clock is wrong by %i ms is refused with what is wrong', async (ms, where) => {
  wrongByMs = ms;
  await expect(DatabaseClock.open(pool, machine, machine)).rejects.toMatchObject({
    name: 'StorageError',
    message: `the clock of this machine is 75 s ${where} the database's`,
  });
});
