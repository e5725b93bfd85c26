/**
 * What the owner of a part of the journal does with its entries, beside the database alone: copying the same rows of `span` and `record` from table to
 * table, with the same settings. In turn, in one run.
 */
import { randomUUID } from 'node:crypto';
import { withClickHouse } from '../../../server/fixtures/clickhouse.ts';
import type { ClickHouseTelemetry } from '../../../server/telemetry/clickhouse/store.ts';
import type { OwningWriter } from '../../../server/telemetry/store-requests.ts';
import { AgentStream } from '../../traffic/agent-stream.ts';
import { type PreparedRequest, preparedRequests } from './prepared-requests.ts';

export interface OwnerRound {
  spans: number;
  /** Spans a second. */
  owner: number;
  engine: number;
}

const spansPerRequest = 500;
/** Entries that an owner takes at once. */
const entriesAtOnce = 64;

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
    measured.push({ spans: made, owner, engine: made / (await copied(url, scope.tenant_id)) });
  }
  for (const table of ['span', 'record']) await run(url, `DROP TABLE ${table}_copy`);
  await writer.stop();
  return measured;
}

/** As from a journal. @returns seconds */
export async function applied(telemetry: ClickHouseTelemetry, writer: OwningWriter, requests: readonly PreparedRequest[]): Promise<number> {
  const bodies = await Promise.all(requests.map(async ({ request }) => (await telemetry.encode(request)).body));
  const began = performance.now();
  const entries = bodies.entries();
  const lane = async () => {
    for (const [number, body] of entries) {
      const result = await writer.apply({ number, body, isAcknowledged: false });
      if ('error' in result) throw result.error;
    }
  };
  await Promise.all(Array.from({ length: entriesAtOnce }, lane));
  return (performance.now() - began) / 1000;
}

/** @returns seconds */
async function copied(url: string, tenant: string): Promise<number> {
  const began = performance.now();
  for (const table of ['span', 'record']) await run(url, `INSERT INTO ${table}_copy SELECT * FROM ${table} WHERE tenant_id = '${tenant}'`);
  return (performance.now() - began) / 1000;
}

const run = (url: string, query: string): Promise<void> => withClickHouse(url, async (client) => void (await client.command({ query })));
