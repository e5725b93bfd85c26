/**
 * What the writer of a part of the journal does with its entries, without PostgreSQL, beside ClickHouse alone: copying the same rows of `span` and `record`
 * from table to table, with the same settings. In turn, in one run.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClickHouse } from '../../../server/fixtures/clickhouse.ts';
import { takenBytesMax, takenMax } from '../../../server/journal/journal-table.ts';
import type { ClickHouseTelemetry } from '../../../server/telemetry/clickhouse/store.ts';
import type { OwningWriter } from '../../../server/telemetry/store-requests.ts';
import { AgentStream } from '../../traffic/agent-stream.ts';
import { type PreparedRequest, preparedRequests } from './prepared-requests.ts';

export interface OwnerRound {
  spans: number;
  /** Spans a second of the writer. */
  owner: number;
  /** Spans a second of the copy. */
  engine: number;
}

const spansPerRequest = 500;

export async function measureOwnerPath(
  telemetry: ClickHouseTelemetry,
  url: string,
  { spans, rounds, seed }: { spans: number; rounds: number; seed: string },
): Promise<OwnerRound[]> {
  const writer = telemetry.openWriter(await telemetry.nextEpoch(), null);
  const measured: OwnerRound[] = [];
  for (const table of ['span', 'record']) await run(url, `CREATE TABLE ${table}_copy AS ${table}`);
  for (let round = 0; round < rounds; round++) {
    const scope = { tenant_id: `owner ${randomUUID()}`, app_id: 'app' };
    const stream = new AgentStream(`${seed} ${round}`, Date.now() - 22 * 3_600_000);
    const requests = [...preparedRequests(scope, stream, spans, spansPerRequest)];
    const made = requests.reduce((sum, request) => sum + request.spans, 0);
    const owner = made / (await applied(telemetry, writer, requests));
    await merged(url);
    measured.push({ spans: made, owner, engine: made / (await copied(url, scope.tenant_id)) });
  }
  for (const table of ['span', 'record']) await run(url, `DROP TABLE ${table}_copy`);
  await writer.stop();
  return measured;
}

/** Writes them in rounds, as an owner takes entries from the journal. @returns seconds */
export async function applied(telemetry: ClickHouseTelemetry, writer: OwningWriter, requests: readonly PreparedRequest[]): Promise<number> {
  const rounds: Uint8Array<ArrayBuffer>[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { request } of requests) {
    const { body, size } = await telemetry.encode(request);
    if (bytes + size > takenBytesMax || rounds.at(-1)?.length === takenMax) {
      rounds.push([]);
      bytes = 0;
    }
    rounds.at(-1)?.push(body);
    bytes += size;
  }
  const began = performance.now();
  let number = 0;
  for (const round of rounds) {
    const results = await writer.apply(round.map((body) => ({ number: number++, body, isAcknowledged: false })));
    for (const result of results) if ('error' in result) throw result.error;
  }
  return (performance.now() - began) / 1000;
}

/** Resolves when what was written is merged, so that this takes nothing from the copy. */
async function merged(url: string): Promise<void> {
  const running = () =>
    withClickHouse(url, async (client) => {
      const result = await client.query({ query: 'SELECT count() AS merges FROM system.merges', format: 'JSONEachRow' });
      return Number((await result.json<{ merges: string }>())[0]?.merges);
    });
  for (let quiet = 0; quiet < 5; await sleep(200)) quiet = (await running()) === 0 ? quiet + 1 : 0;
}

/** @returns seconds */
async function copied(url: string, tenant: string): Promise<number> {
  const began = performance.now();
  for (const table of ['span', 'record']) await run(url, `INSERT INTO ${table}_copy SELECT * FROM ${table} WHERE tenant_id = '${tenant}'`);
  return (performance.now() - began) / 1000;
}

const run = (url: string, query: string): Promise<void> => withClickHouse(url, async (client) => void (await client.command({ query })));
