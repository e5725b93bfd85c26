/** A store of a fleet that grows to millions of spans of one app, and is read at each stage through a gateway. */
import type { Bootstrapped } from '../../../server/entry/bootstrap.ts';
import { withClickHouse } from '../../../server/fixtures/clickhouse.ts';
import { ClickHouseTelemetry } from '../../../server/telemetry/clickhouse/store.ts';
import { measureFilters } from '../../measure/filters.ts';
import { measureLimitReads } from '../../measure/limit-reads.ts';
import { measurePaths, type ReadMeasure, readClient } from '../../measure/reads.ts';
import { AgentStream } from '../../traffic/agent-stream.ts';
import type { ChaosFleet } from '../chaos/chaos-fleet.ts';
import { headersOf } from '../chaos/sender.ts';
import { applied } from './owner-path.ts';
import { type PreparedRequest, prepared, preparedRequests } from './prepared-requests.ts';

export interface Stage {
  spans: number;
  traces: number;
  /** Spans a second since the stage before, including the time to generate them. */
  filledAt: number;
  reads: ReadMeasure[];
  tables: TableSize[];
}

/** What a table takes on the disk for each span, bytes. */
export interface TableSize {
  table: string;
  bytes: number;
  parts: number;
}

interface Growing {
  fleet: ChaosFleet;
  app: Bootstrapped;
  seed: string;
  stages: readonly number[];
  msMax: number;
  log(line: string): void;
}

const spansPerRequest = 500;
const spansAtOnce = 20_000;
const specialSpans = 200;
const specials = 10;
const entry = new URL('../../../server/entry/thread.ts', import.meta.url);
/** Time for ClickHouse to merge what was written last. */
const settleMs = 20_000;

export async function measureStages({ fleet, app, seed, stages, msMax, log }: Growing): Promise<Stage[]> {
  const { tenant_id, app_id } = app;
  const scope = { tenant_id, app_id };
  const { url } = fleet.cluster.clickhouse;
  const telemetry = await ClickHouseTelemetry.connect({
    address: { url, connections: 10 },
    blobs: { place: { s3: fleet.cluster.s3.place } },
    entry,
  });
  const writer = telemetry.openImport(await telemetry.nextEpoch());
  const stream = new AgentStream(seed, Date.now() - 22 * 3_600_000);
  const measured: Stage[] = [];
  let [spans, traces] = [0, 0];
  const write = async (requests: PreparedRequest[]) => {
    await applied(telemetry, writer, requests);
    spans += requests.reduce((sum, request) => sum + request.spans, 0);
  };
  for (const stage of stages) {
    const [began, before] = [performance.now(), spans];
    while (spans < stage) {
      await write([...preparedRequests(scope, stream, Math.min(spansAtOnce, stage - spans), spansPerRequest)]);
      log(`  ${spans} spans after ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
    const filledAt = ((spans - before) / (performance.now() - began)) * 1000;
    const large = Array.from({ length: specials }, () => stream.special(specialSpans));
    await write(large.map((trace) => prepared(scope, trace.spans)));
    traces = stream.traceCount;
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const ids = large.map(({ spans: [first] }) => first?.trace_id ?? '');
    measured.push({
      spans,
      traces,
      filledAt,
      reads: await readsOf(fleet, app, { spans, traces, ids, msMax }),
      tables: await sizes(url, spans),
    });
  }
  await writer.stop();
  await telemetry.close();
  return measured;
}

interface Filled {
  spans: number;
  traces: number;
  /** Of traces of 200 spans. */
  ids: string[];
  msMax: number;
}

async function readsOf(fleet: ChaosFleet, app: Bootstrapped, { spans, traces, ids, msMax }: Filled): Promise<ReadMeasure[]> {
  const [url = ''] = fleet.cluster.instances.values();
  const of = { url, headers: headersOf(app), msMax, callsMax: 60 };
  const client = readClient(of);
  const day = 24 * 3_600_000;
  const range = `start_date=${dateOf(Date.now() - 2 * day)}&end_date=${dateOf(Date.now() + day)}`;
  const plain = await measurePaths(
    client,
    [
      ['traces, first page', ['/v1/traces?limit=50']],
      ['viewer list, first page', ['/v1/viewer/traces?limit=50']],
      ['sessions, first page', ['/v1/sessions?limit=50']],
      ['spans, first page', ['/v1/spans?limit=50']],
      [`trace of ${specialSpans}`, ids.map((id) => `/v1/traces/${id}`)],
      ['metrics', [`/v1/metrics?${range}`]],
    ],
    of,
  );
  client.close();
  const options = { ...of, checkpoint: { requests: 0, spans, traces, specials: [] } };
  return [...plain, ...(await measureFilters(options)), ...(await measureLimitReads(options))];
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Of tables, and of the text index apart. */
async function sizes(url: string, spans: number): Promise<TableSize[]> {
  const query = `
    SELECT * FROM (SELECT table, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table
    UNION ALL SELECT concat('index ', table, '.', name), sum(data_compressed_bytes), 0 FROM system.data_skipping_indices
    WHERE database = currentDatabase() AND type = 'text' GROUP BY table, name) ORDER BY bytes DESC`;
  return withClickHouse(url, async (client) => {
    const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<{ table: string; bytes: string; parts: string }>();
    return rows.map(({ table, bytes, parts }) => ({ table, bytes: Number(bytes) / spans, parts: Number(parts) }));
  });
}
