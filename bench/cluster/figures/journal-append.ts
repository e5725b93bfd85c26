/** Accepting requests into the journal, beside inserting the same bytes into a table of one column. In turn, in one run. */
import { Pool } from 'pg';
import { storageFailure } from '../../../server/control/postgres/storage-failure.ts';
import { noNotices } from '../../../server/coordination/notices.ts';
import { Journal } from '../../../server/journal/journal.ts';
import { entriesOfCommit, JournalTable } from '../../../server/journal/journal-table.ts';
import { must } from '../../../server/platform/assert.ts';
import { silentLog } from '../../../server/platform/log.ts';
import type { ClickHouseTelemetry } from '../../../server/telemetry/clickhouse/store.ts';
import type { SentRequest } from '../../../server/telemetry/store-requests.ts';
import { AgentStream } from '../../traffic/agent-stream.ts';
import { preparedRequests } from './prepared-requests.ts';

/** Megabytes a second of what is stored. */
export interface JournalRound {
  journal: number;
  raw: number;
}

const spansPerRequest = 50;
/** No gateway runs here, so entries stay. */
const scope = { tenant_id: 'journal', app_id: 'app' };

export async function measureJournal(
  telemetry: ClickHouseTelemetry,
  postgresUrl: string,
  { spans, rounds, seed }: { spans: number; rounds: number; seed: string },
): Promise<JournalRound[]> {
  const pool = new Pool({ connectionString: postgresUrl, max: 4 });
  const measured: JournalRound[] = [];
  try {
    await pool.query('CREATE TABLE raw_body (body bytea NOT NULL)');
    await pool.query('ALTER TABLE raw_body ALTER COLUMN body SET STORAGE EXTERNAL');
    for (let round = 0; round < rounds; round++) {
      const encoded = new Map<SentRequest, { body: Uint8Array; size: number }>();
      const stream = new AgentStream(`${seed} ${round}`, Date.now() - 22 * 3_600_000);
      for (const { request } of preparedRequests(scope, stream, spans, spansPerRequest)) {
        encoded.set(request, await telemetry.encode(request));
      }
      const megabytes = [...encoded.values()].reduce((sum, { body }) => sum + body.length, 0) / 1e6;
      const journal = megabytes / (await seconds(() => appended(pool, encoded)));
      const raw = megabytes / (await seconds(() => inserted(pool, [...encoded.values()])));
      measured.push({ journal, raw });
      await pool.query('TRUNCATE raw_body, journal');
    }
    await pool.query('DROP TABLE raw_body');
  } finally {
    await pool.end();
  }
  return measured;
}

/** As a gateway does for requests that come at the same time, from the encoded request to its answer. */
async function appended(pool: Pool, encoded: ReadonlyMap<SentRequest, { body: Uint8Array; size: number }>): Promise<void> {
  const journal = new Journal({
    table: new JournalTable(pool, storageFailure),
    notices: noNotices,
    log: silentLog,
    limits: { waitMs: 0, busyWaitMs: 0 },
    encode: async (request) => must(encoded.get(request), 'each request was encoded'),
    wake: () => {},
  });
  const requests = encoded.keys();
  const sender = async () => {
    for (const request of requests) {
      const result = await journal.write(request);
      if ('error' in result) throw result.error;
    }
  };
  await Promise.all(Array.from({ length: entriesOfCommit }, sender));
  await journal.stop();
}

/** Over one connection, in commits of the size of those of the journal. */
async function inserted(pool: Pool, all: readonly { body: Uint8Array }[]): Promise<void> {
  for (let from = 0; from < all.length; from += entriesOfCommit) {
    const bodies = all.slice(from, from + entriesOfCommit).map(({ body }) => Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    await pool.query(`INSERT INTO raw_body VALUES ${bodies.map((_, at) => `($${at + 1})`).join(', ')}`, bodies);
  }
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
