/** Notices between gateways, on each implementation. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectionPool } from '../control/postgres/open.ts';
import { storageFailure } from '../control/postgres/storage-failure.ts';
import { type PostgresDatabase, PostgresServer, withClient } from '../fixtures/postgres.ts';
import { systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Coordination } from './coordination.ts';
import { memoryCoordination } from './memory.ts';
import { noticeBytesMax } from './notices.ts';
import { postgresCoordination } from './postgres.ts';
import { listenerName } from './postgres-listener.ts';

const number = z.strictObject({ n: z.int() });
const logged: { event: string; reason: string }[] = [];
const note = (event: string, fields?: Record<string, unknown>) => void logged.push({ event, reason: String(fields?.['reason']) });
const log: Log = { info: note, error: note };

const open: Coordination[] = [];
const opened = (coordination: Coordination) => {
  open.push(coordination);
  return coordination.notices;
};
type TestNotices = ReturnType<typeof opened>;

afterEach(async () => {
  await Promise.all(open.splice(0).map((coordination) => coordination.stop()));
  logged.length = 0;
});

function follow(notices: TestNotices, channel = 'numbers') {
  const heard: number[] = [];
  const counts = { missed: 0 };
  const stop = notices.follow(channel, number, { heard: ({ n }) => heard.push(n), missed: () => counts.missed++ });
  return { heard, counts, stop };
}

const postgres = await PostgresServer.start();
let database: PostgresDatabase;
beforeAll(async () => {
  database = await postgres.createDatabase();
});
afterAll(async () => {
  await database.drop();
  await postgres.stop();
});

const onPostgres = () => {
  const address = { url: database.url, connections: 2 };
  const pools = { pool: connectionPool(address), rateLimitPool: connectionPool(address) };
  return opened(postgresCoordination({ ...pools, failureOf: storageFailure, clock: systemClock, log }));
};
const sql = (text: string, values: unknown[] = []) => withClient(database.url, (client) => client.query(text, values));
const listening = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${listenerName}' AND query <> ''`;
const listeners = async () => (await sql(`SELECT pid ${listening}`)).rows.map(({ pid }) => pid as number);

/** Gateways that hear each other. */
async function gateways(count: number): Promise<TestNotices[]> {
  const made = Array.from({ length: count }, onPostgres);
  await expect.poll(async () => (await listeners()).length).toBe(count);
  return made;
}

describe.each([
  ['in memory', async () => opened(memoryCoordination(systemClock))],
  ['on PostgreSQL', async () => (await gateways(1))[0] as TestNotices],
])('notices %s', (_, openOne) => {
  it('do not return to the gateway that sent them', async () => {
    const notices = await openOne();
    const { heard } = follow(notices);
    for (let n = 0; n < 20; n++) notices.publish('numbers', { n });
    await sleep(300);
    expect(heard).toEqual([]);
  });

  it('never throw, whatever is sent, also after the end', async () => {
    const notices = await openOne();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    for (const payload of [circular, 1n, undefined, 'x'.repeat(10 * noticeBytesMax), () => {}]) notices.publish('numbers', payload);
    await open.pop()?.stop();
    notices.publish('numbers', { n: 1 });
    await sleep(50);
  });
});

describe('notices on PostgreSQL', () => {
  it('reach every other gateway that follows their channel, in order, until it no longer does', async () => {
    const [a, b, c] = (await gateways(3)) as [TestNotices, TestNotices, TestNotices];
    const [inB, inC, elsewhere] = [follow(b), follow(c), follow(c, 'letters')];
    for (let n = 0; n < 300; n++) a.publish('numbers', { n });
    const all = Array.from({ length: 300 }, (_, n) => n);
    await expect.poll(() => inB.heard).toEqual(all);
    await expect.poll(() => inC.heard).toEqual(all);
    expect(elsewhere.heard).toEqual([]);
    inB.stop();
    a.publish('numbers', { n: 300 });
    await expect.poll(() => inC.heard.at(-1)).toBe(300);
    expect(inB.heard.at(-1)).toBe(299);
  });

  it('may have as many bytes as promised; of larger ones the others learn that something is missing', async () => {
    const [a, b] = (await gateways(2)) as [TestNotices, TestNotices];
    const lengths: number[] = [];
    let missed = 0;
    b.follow('x'.repeat(40), z.string(), { heard: ({ length }) => lengths.push(length), missed: () => missed++ });
    a.publish('x'.repeat(40), 'ä'.repeat((noticeBytesMax - 2) / 2));
    await expect.poll(() => lengths).toEqual([(noticeBytesMax - 2) / 2]);
    expect(missed).toBe(0);
    a.publish('x'.repeat(40), 'x'.repeat(noticeBytesMax));
    await expect.poll(() => missed).toBe(1);
    expect(logged).toEqual([{ event: 'notice_dropped', reason: expect.stringContaining(`${noticeBytesMax + 2}`) }]);
  });

  it('of another form, of another version and of strangers are ignored', async () => {
    const [a, b] = (await gateways(2)) as [TestNotices, TestNotices];
    const { heard, counts } = follow(b);
    const from = crypto.randomUUID();
    const strange = [
      ...['', '{', 'null', '[]', '7', '{}'],
      ...[{ v: 2, from }, { v: 1, from: 'me' }, { v: 1, from, more: 1 }, { from }, { v: 1 }].map((parts) =>
        JSON.stringify({ channel: 'numbers', payload: { n: 9 }, ...parts }),
      ),
      JSON.stringify({ v: 1, from, channel: 7, payload: { n: 9 } }),
    ];
    for (const text of strange) await sql("SELECT pg_notify('glasshouse_notices', $1)", [text]);
    for (const payload of [{ n: 'x' }, { n: 1, more: 2 }, null, { n: 0.5 }]) a.publish('numbers', payload);
    a.publish('numbers', { n: 1 });
    await expect.poll(() => heard).toEqual([1]);
    expect(counts.missed).toBe(0);
  });

  it('a follower that fails does not keep them from others', async () => {
    const [a, b] = (await gateways(2)) as [TestNotices, TestNotices];
    const fail = () => {
      throw new Error('no');
    };
    b.follow('numbers', number, { heard: fail, missed: fail });
    const { heard } = follow(b);
    a.publish('numbers', { n: 1 });
    await expect.poll(() => heard).toEqual([1]);
  });

  it('go on after the connection that listens was ended, and the followers learn that some may be missing', async () => {
    const [a, b] = (await gateways(2)) as [TestNotices, TestNotices];
    const { heard, counts } = follow(b);
    for (let round = 1; round <= 2; round++) {
      const before = await listeners();
      await sql(`SELECT pg_terminate_backend(pid) ${listening}`);
      await expect.poll(() => counts.missed).toBe(round);
      await expect.poll(async () => (await listeners()).filter((pid) => !before.includes(pid)).length).toBe(2);
      a.publish('numbers', { n: round });
      await expect.poll(() => heard.at(-1)).toBe(round);
    }
    expect(logged.filter(({ event }) => event === 'notices_not_heard')).toHaveLength(2);
  });

  it('cannot be sent while the database refuses the gateway, which nobody notices but the log and, later, the followers', async () => {
    const [a, b] = (await gateways(2)) as [TestNotices, TestNotices];
    const { heard, counts } = follow(b);
    a.publish('numbers', { n: 0 });
    await expect.poll(() => heard).toEqual([0]);
    const name = new URL(database.url).pathname.slice(1);
    const elsewhere = new URL(database.url);
    elsewhere.pathname = '/postgres';
    await withClient(elsewhere.href, async (client) => {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    });
    a.publish('numbers', { n: 1 });
    await expect.poll(() => logged.map(({ event }) => event)).toContain('notice_dropped');
    await withClient(elsewhere.href, (client) => client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`));
    await expect.poll(() => counts.missed).toBeGreaterThan(0);
    await expect
      .poll(() => {
        a.publish('numbers', { n: 2 });
        return heard.at(-1);
      })
      .toBe(2);
  });
});
