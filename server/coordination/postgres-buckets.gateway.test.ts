/** Token buckets of several gateways on one PostgreSQL. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../control/postgres/migrate.ts';
import { connectionPool, shortLimits } from '../control/postgres/open.ts';
import { storageFailure } from '../control/postgres/storage-failure.ts';
import { type PostgresDatabase, PostgresServer, withClient } from '../fixtures/postgres.ts';
import { systemClock } from '../platform/clock.ts';
import { countAllowed, describeBuckets, isAllowed, times } from './conformance/describe-buckets.ts';
import { PostgresBuckets } from './postgres-buckets.ts';

const server = await PostgresServer.start();
let database: PostgresDatabase;
let observer: Pool;
const open: { buckets: PostgresBuckets; pool: Pool }[] = [];
let passedMs = 0;

const run = (sql: string) => observer.query(sql);
const elapse = async (ms: number) => {
  passedMs += ms;
  await run(`UPDATE bucket SET full_at = full_at - ${ms} * interval '1 millisecond'`);
};
/** A network between a gateway and the database that may fall silent. */
async function aNetwork() {
  const { hostname, port, searchParams } = new URL(database.url);
  const folder = searchParams.get('host');
  const open: Socket[] = [];
  let isSilent = false;
  const relay = createServer((near) => {
    const far = folder ? connect(join(folder, `.s.PGSQL.${port || 5432}`)) : connect(Number(port || 5432), hostname);
    open.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes: Buffer) => isSilent || to.write(bytes));
      from.on('error', () => {});
    }
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = new URL(database.url);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const setSilent = (silent: boolean) => {
    isSilent = silent;
  };
  const close = () => {
    relay.close();
    for (const socket of open) socket.destroy();
  };
  return { url: url.href, setSilent, close };
}

/** The buckets of one gateway. */
function aGateway(url = database.url) {
  const pool = connectionPool({ url, connections: 2 }, shortLimits);
  let queries = 0;
  const counting = new Proxy(pool, {
    get: (target, name) => {
      if (name === 'query') queries++;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const buckets = new PostgresBuckets(counting, storageFailure, { monotonic: () => systemClock.monotonic() + passedMs });
  open.push({ buckets, pool });
  return { buckets, queries: () => queries };
}

beforeAll(async () => {
  database = await server.createDatabase();
  await withClient(database.url, migrate);
  observer = connectionPool({ url: database.url, connections: 1 });
});
afterAll(async () => {
  for (const { buckets, pool } of open) {
    buckets.stop();
    await pool.end();
  }
  await observer.end();
  await database.drop();
  await server.stop();
});

describeBuckets('on PostgreSQL', async () => ({ buckets: aGateway().buckets, elapse, stop: async () => {} }));

describe('several gateways', () => {
  it.each([5, 60])('allow %i a minute together', async (limit) => {
    const gateways = times(3, () => aGateway());
    const began = performance.now();
    const takes = times(limit, () => gateways.map(({ buckets }) => buckets.take(`together ${limit}`, limit))).flat();
    const allowed = await countAllowed(takes);
    expect(allowed).toBeGreaterThanOrEqual(limit);
    expect(allowed).toBeLessThanOrEqual(limit + ((performance.now() - began) / 60_000) * limit);
  });

  it('lose no more of a high limit than what the others hold', async () => {
    const [first, second, third] = times(3, () => aGateway()) as [
      ReturnType<typeof aGateway>,
      ReturnType<typeof aGateway>,
      ReturnType<typeof aGateway>,
    ];
    const began = performance.now();
    for (const { buckets } of [first, second]) await buckets.take('uneven', 6000);
    const allowed = await countAllowed(times(7000, () => third.buckets.take('uneven', 6000)));
    // Each of the others holds 99 tokens.
    expect(allowed).toBeGreaterThanOrEqual(5800);
    expect(allowed).toBeLessThanOrEqual(5800 + (performance.now() - began) / 10 + 1);
  });

  it('hold no more than a second’s worth together beyond what the bucket holds', async () => {
    const limit = 60_000;
    const gateways = times(5, () => aGateway());
    for (const { buckets } of gateways) await buckets.take('held', limit);
    // All leases but the last have lapsed, and the bucket is nearly full.
    await elapse(4_900);
    const began = performance.now();
    const takes = times(limit / 4, () => gateways.map(({ buckets }) => buckets.take('held', limit))).flat();
    expect(await countAllowed(takes)).toBeLessThanOrEqual(limit + limit / 60 + (performance.now() - began) * (limit / 60_000));
  });

  it('do not use up the bucket of a tenant with few requests', async () => {
    const gateways = times(5, () => aGateway());
    for (let second = 0; second < 120; second++) {
      for (const { buckets } of gateways) expect(isAllowed(await buckets.take('quiet', 6000))).toBe(true);
      await elapse(1_000);
    }
  });

  it('ask the database a few times a second for a tenant with many requests, allowed or not', async () => {
    const { buckets, queries } = aGateway();
    let allowed = 0;
    const start = performance.now();
    for (let tenth = 0; tenth < 50; tenth++) {
      allowed += await countAllowed(times(100, () => buckets.take('hot', 60_000)));
      await elapse(100);
    }
    expect(allowed).toBe(5000);
    // Five virtual seconds, and those that pass by themselves.
    expect(queries()).toBeLessThanOrEqual(6 + (performance.now() - start) / 1000);
    const before = queries();
    const began = performance.now();
    await countAllowed(times(70_000, () => buckets.take('hot', 60_000)));
    for (let round = 0; round < 100; round++) await buckets.take('hot', 60_000);
    // A second's worth at once until it is empty, and then each quarter of a second.
    expect(queries() - before).toBeLessThanOrEqual(75 + (performance.now() - began) / 250);
  });

  it('share one query for requests that wait for it', async () => {
    const { buckets, queries } = aGateway();
    await countAllowed(times(200, () => buckets.take('shared', 600)));
    expect(queries()).toBeLessThanOrEqual(2);
  });
});

it('a clock of the database that is set back locks nobody out for more than a minute', async () => {
  const { buckets } = aGateway();
  await buckets.take('ahead', 60);
  await run("UPDATE bucket SET full_at = full_at + interval '1 hour'");
  expect(await buckets.take('ahead', 60)).toMatchObject({ retryAfterSeconds: 1 });
  await expect.poll(async () => isAllowed(await buckets.take('ahead', 60))).toBe(true);
});

it('full buckets are deleted, and no others', async () => {
  const { buckets } = aGateway();
  await run('DELETE FROM bucket');
  for (const name of ['old', 'older']) await buckets.take(name, 1000);
  await elapse(60_000);
  await countAllowed(times(10, () => buckets.take('in use', 10)));
  await buckets.deleteFull();
  expect((await run('SELECT name FROM bucket')).rowCount).toBe(1);
  expect(await countAllowed([buckets.take('in use', 10)])).toBe(0);
});

describe('when PostgreSQL is away', () => {
  it('what hangs is given up, and asked again after a moment', () =>
    withClient(database.url, async (client) => {
      const { buckets, queries } = aGateway();
      await client.query('BEGIN; LOCK TABLE bucket');
      const outcomes = await Promise.allSettled(times(50, () => buckets.take('hanging', 10)));
      expect(new Set(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.errorKind))).toEqual(new Set(['slow']));
      await expect(buckets.take('another', 10)).rejects.toMatchObject({ name: 'StorageError' });
      await buckets.putBack('another', 10);
      expect(queries()).toBe(1);
      passedMs += 1_001;
      const began = performance.now();
      const later = Promise.allSettled(times(50, (index) => buckets.take(`hanging ${index}`, 10)));
      await sleep(100);
      expect(queries()).toBeLessThanOrEqual(2 + Math.floor((performance.now() - began) / 1_000));
      await later;
      await client.query('ROLLBACK');
      await expect.poll(() => buckets.take('hanging', 10).catch(() => null)).toMatchObject({ retryAfterSeconds: null });
    }));

  it('a network that falls silent is given up as well, for open connections and new ones', async () => {
    const network = await aNetwork();
    const { buckets } = aGateway(network.url);
    await buckets.take('silent', 10);
    network.setSilent(true);
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(buckets.take('silent', 10)).rejects.toMatchObject({ name: 'StorageError' });
      passedMs += 1_001;
    }
    network.setSilent(false);
    await expect.poll(() => buckets.take('silent', 10).catch(() => null)).toMatchObject({ retryAfterSeconds: null });
    network.close();
  });

  it('connections that have ended are replaced', async () => {
    const { buckets } = aGateway();
    await buckets.take('ended', 10);
    await run('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
    await expect.poll(() => buckets.take('ended', 10).catch(() => null)).toMatchObject({ limit: 10, retryAfterSeconds: null });
  });
});
