/** Tables that are small enough to be moved as a whole: each row replaces that of an earlier run. */
import type { Scope } from '../../platform/scope.ts';
import { ofApp } from '../../telemetry/clickhouse/read/read-context.ts';
import { appKey } from '../../telemetry/clickhouse/write/app-key.ts';
import { isUsage, type UsageRow, usageRow } from '../../telemetry/clickhouse/write/usage-rows.ts';
import { readStoredId } from '../../telemetry/sqlite/file/id-codec.ts';
import { isMoved, type SourceApp, type TelemetrySource } from './telemetry-source.ts';
import type { TelemetryTarget } from './telemetry-target.ts';

interface MovedTable {
  name: string;
  /** Columns that name a row, after those of the app. */
  key: readonly string[];
  values: readonly string[];
  /** Rows of apps that are not deleted. */
  sql: string;
}

const isOfApp = 'JOIN scope ON scope.id = scope WHERE scope.leaving = 0';

const tables: readonly MovedTable[] = [
  {
    name: 'runaway',
    key: ['trace_id', 'rule'],
    values: ['service', 'subject', 'value', 'cost', 'cost_per_minute', 'found_ms', 'updated_ms', 'ended_ms'],
    sql: `SELECT tenant_id, app_id, trace.trace_id, rule, service, subject, value, runaway.cost, cost_per_minute, found_ms, updated_ms,
      coalesce(ended_ms, 0) AS ended_ms FROM runaway JOIN trace ON trace.id = runaway.trace JOIN scope ON scope.id = trace.scope WHERE ${isMoved}`,
  },
  {
    name: 'runaway_threshold',
    key: ['service', 'rule'],
    values: ['threshold'],
    sql: `SELECT tenant_id, app_id, service, rule, threshold FROM runaway_threshold ${isOfApp}`,
  },
  {
    name: 'deletion',
    key: ['id'],
    values: ['created_ms', 'state', 'traces', 'spans', 'removed_traces'],
    // Nothing of theirs is here to be removed.
    sql: `SELECT tenant_id, app_id, deletion.id, created_ms, 'done' AS state, traces, spans, traces AS removed_traces FROM deletion ${isOfApp}`,
  },
];

/** Names of the moved tables whose rows differ. */
export async function moveSmallTables(source: TelemetrySource, target: TelemetryTarget): Promise<string[]> {
  const different: string[] = [];
  for (const table of tables) {
    const rows = sourceRows(source, table);
    const columns = ['tenant_id', 'app_id', ...table.key, ...table.values].join(', ');
    const stored = () => target.rows<Row>(`SELECT ${columns} FROM ${table.name} FINAL`);
    const keyOf = (row: Row) => JSON.stringify([row.tenant_id, row.app_id, ...table.key.map((column) => row[column])]);
    const kept = new Set(rows.map(keyOf));
    const own = new Set(source.apps().map(appKey));
    // Deletions that this command made to remove traces stay.
    const isExtra = (row: Row) => table.name !== 'deletion' && own.has(appKey(row)) && !kept.has(keyOf(row));
    const gone = (await stored()).filter(isExtra).map((row) => ({ ...row, gone: 1 }));
    await target.put(table.name, [...rows, ...gone]);
    const there = new Set((await stored()).filter((row) => kept.has(keyOf(row))).map(rowText));
    if (rows.some((row) => !there.has(rowText(row)))) different.push(table.name);
  }
  if (await usageDiffers(source, target)) different.push('usage');
  return different;
}

type Row = Scope & Record<string, unknown>;

const rowText = (row: Row): string => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));

const sourceRows = ({ db }: TelemetrySource, { sql }: MovedTable): Row[] =>
  db
    .prepare<[], Row>(sql)
    .all()
    .map((row) => ('trace_id' in row ? { ...row, trace_id: readStoredId(row['trace_id']) } : row));

interface Used {
  tenant_id: string;
  month: number;
  spans: number;
  bytes: number;
}

/**
 * Moves usage. Call it when nothing is being removed: that gives bytes back.
 * @returns whether it differs then
 */
async function usageDiffers({ db }: TelemetrySource, target: TelemetryTarget): Promise<boolean> {
  // Bytes count since the beginning, in whichever month they are.
  const used = db
    .prepare<[], Used>(
      `SELECT tenant_id, month, sum(spans) AS spans, sum(bytes) AS bytes FROM (
         SELECT tenant_id, month, spans, 0 AS bytes FROM usage UNION ALL SELECT tenant_id, 0, 0, bytes FROM holding) GROUP BY tenant_id, month`,
    )
    .all();
  const [last] = await target.rows<{ arrival: number }>('SELECT max(arrival) AS arrival FROM record');
  const rows = used.map(({ tenant_id, month, ...row }) => usageRow(tenant_id, month, row, last?.arrival ?? 0));
  // What this run removed before gave bytes back in another month.
  const stored = await storedUsage(target);
  const isKept = new Set(rows.map(usageKey));
  await target.put('place', [...rows, ...stored.filter((row) => !isKept.has(usageKey(row))).map((row) => ({ ...row, gone: 1 }))]);
  const there = new Set((await storedUsage(target)).map((row) => JSON.stringify([usageKey(row), row.spans, row.bytes])));
  return there.size !== rows.length || rows.some((row) => !there.has(JSON.stringify([usageKey(row), row.spans, row.bytes])));
}

const storedUsage = (target: TelemetryTarget) =>
  target.rows<UsageRow>(`SELECT tenant_id, app_id, trace_id, arrival, spans, bytes FROM place FINAL WHERE ${isUsage}`);

const usageKey = ({ tenant_id, trace_id }: UsageRow): string => JSON.stringify([tenant_id, trace_id]);

const writtenAtOnce = 500;

/** Tags that people added to traces. */
export async function moveTags({ db }: TelemetrySource, target: TelemetryTarget, app: SourceApp): Promise<void> {
  const { tenant_id, app_id } = app;
  const here = db
    .prepare<[number], { trace_id: unknown; added_tags: string }>(
      `SELECT trace_id, added_tags FROM trace JOIN scope ON scope.id = trace.scope WHERE trace.scope = ? AND added_tags <> '[]' AND ${isMoved}`,
    )
    .all(app.id);
  const stored = await target.rows<{ trace_id: string; added_tags: string[] }>(
    `SELECT trace_id, added_tags FROM place FINAL WHERE ${ofApp} AND notEmpty(added_tags)`,
    { tenant_id, app_id },
  );
  const tags = new Map(here.map(({ trace_id, added_tags }) => [readStoredId(trace_id), JSON.parse(added_tags) as string[]]));
  const there = new Map(stored.map(({ trace_id, added_tags }) => [trace_id, added_tags]));
  const changes = [...new Set([...tags.keys(), ...there.keys()])];
  const write = (id: string) => {
    const [wanted, found] = [new Set(tags.get(id)), new Set(there.get(id))];
    const [add, remove] = [[...wanted.difference(found)], [...found.difference(wanted)]];
    if (add.length + remove.length === 0) return [];
    return target.write({ kind: 'tags', scope: { tenant_id, app_id }, tags: { trace_ids: [id], add, remove } });
  };
  for (let at = 0; at < changes.length; at += writtenAtOnce) await Promise.all(changes.slice(at, at + writtenAtOnce).flatMap(write));
}

/** Marks deleted apps, so that what may still arrive for them is not stored. What was copied of them before is erased. */
export async function moveDeletedApps(source: TelemetrySource, target: TelemetryTarget): Promise<void> {
  const known = new Set((await target.rows<Scope>('SELECT tenant_id, app_id FROM erased_app FINAL')).map(appKey));
  const apps = ['record', 'log', 'place', 'score'].map((table) => `SELECT tenant_id, app_id FROM ${table}`).join(' UNION DISTINCT ');
  const copied = new Set((await target.rows<Scope>(apps)).map(appKey));
  for (const scope of source.deletedApps().filter((app) => !known.has(appKey(app)))) {
    if (copied.has(appKey(scope))) await target.write({ kind: 'erasure', scope });
    else await target.put('erased_app', [{ ...scope, erased_ms: Date.now(), is_done: 1 }]);
  }
}
