/** Moves the data of teams from the data folder of one gateway to the databases of a cluster, which must be empty (docs/scale.md). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { storageFailure } from '../../control/postgres/storage-failure.ts';
import { controlFile } from '../../control/sqlite/open.ts';
import { createPricing } from '../../ingest/cost/pricing.ts';
import { readOverrides } from '../../ingest/cost/read-overrides.ts';
import type { Log } from '../../platform/log.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { lockFolder } from '../../telemetry/sqlite/file/folder-lock.ts';
import { telemetryFile } from '../../telemetry/sqlite/store.ts';
import { StorageError } from '../../telemetry/storage-error.ts';
import { ControlMigration, type CopiedTable } from './control-migration.ts';
import { type Copied, TelemetryCopy } from './copy-telemetry.ts';
import { markMoved } from './moved-folder.ts';
import { type Reconciled, TelemetryMigration } from './telemetry-migration.ts';
import { type Progress, readProgress } from './telemetry-progress.ts';
import { beginning, type Position, TelemetrySource } from './telemetry-source.ts';
import { TelemetryTarget } from './telemetry-target.ts';

export interface MigrationOptions {
  /** Data folder of the old gateway. */
  from: string;
  postgres: string;
  clickhouse: string;
  /** The old gateway is stopped: moves the rest, and the control store. */
  isLast: boolean;
  /** Compares everything again, not only what came since it was compared. */
  comparesAll: boolean;
  threadEntry: URL;
  log: Log;
  report: MigrationReport;
}

export interface MigrationReport {
  copied(total: Copied, position: Position, end: Position): void;
  compared(spans: number): void;
  repaired(sentence: string): void;
}

export type MigrationResult =
  | { state: 'moved already' }
  | { state: 'different'; differences: string[] }
  /** `tables`: of the control store; null while the old gateway goes on. */
  | ({ state: 'equal'; tables: CopiedTable[] | null } & Reconciled);

/** 'GLMV' in ASCII. */
const migrationLock = 0x474c4d56;
/** A pass that copies so few rows has caught up. */
const caughtUpRows = 2_000;

/** @throws StartRefusal or FolderInUse with a sentence; then it may be called again, and goes on */
export async function migrateTeamData(options: MigrationOptions): Promise<MigrationResult> {
  const { from, isLast } = options;
  for (const file of [controlFile(from), telemetryFile(from)])
    if (!existsSync(file))
      throw new StartRefusal(`There is no store ${file}: --from names the data folder of the gateway that was used until now`);
  const folder = isLast ? await lockFolder(from, 'cloud:migrate', '--from') : null;
  const postgres = new Client({ connectionString: options.postgres, application_name: 'glasshouse cloud:migrate' });
  postgres.on('error', () => {});
  try {
    await postgres.connect().catch((error: Error) => {
      throw new StartRefusal(`The database of GLASSHOUSE_POSTGRES_URL cannot be used: ${error.message}`);
    });
    const { rows } = await postgres.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [migrationLock]);
    if (!rows[0]?.locked) throw new StartRefusal('Another cloud:migrate moves data to these databases: wait until it ends');
    return await migrateTo(postgres, options);
  } catch (error) {
    const failure = error instanceof StorageError ? error : storageFailure(error);
    throw failure ? new StartRefusal(`The move has stopped: ${failure.message}. Run it again: it goes on where it was`) : error;
  } finally {
    await postgres.end();
    folder?.release();
  }
}

async function migrateTo(postgres: Client, options: MigrationOptions): Promise<MigrationResult> {
  const { from, clickhouse, threadEntry, log } = options;
  const prices = readOverrides(join(from, 'prices.json'));
  const source = new TelemetrySource(from, createPricing(prices));
  const control = new ControlMigration(from, postgres);
  try {
    requireKnownApps(source, control);
    // The addresses may be those of a fleet that is in use: nothing is changed there before they are known to be right.
    await requireNoGateway(postgres);
    const isDone = await control.isDone();
    const progress = (await readProgress(clickhouse, source.installation)) ?? emptyProgress(source);
    if (isDone) return movedAlready(source, progress, options);
    if (options.isLast) requireFinishedDeletions(source);
    const target = await TelemetryTarget.open({ clickhouse, postgres, threadEntry, prices, log });
    try {
      return await migrateStores({ source, target, control, postgres }, progress, options);
    } finally {
      await target.close();
    }
  } finally {
    control.close();
    source.close();
  }
}

const emptyProgress = ({ installation }: TelemetrySource): Progress => ({
  installation,
  copied: beginning,
  compared: null,
  textsFrom: '0',
});

interface Stores {
  source: TelemetrySource;
  target: TelemetryTarget;
  control: ControlMigration;
  postgres: Client;
}

async function migrateStores(
  { source, target, control, postgres }: Stores,
  stored: Progress,
  options: MigrationOptions,
): Promise<MigrationResult> {
  const { isLast, comparesAll, report } = options;
  const total: Copied = { spans: 0, logs: 0, scores: 0 };
  const onCopied = (copied: Copied, position: Position, end: Position) => {
    const sum = { spans: total.spans + copied.spans, logs: total.logs + copied.logs, scores: total.scores + copied.scores };
    report.copied(sum, position, end);
  };
  const copy = new TelemetryCopy(source, target, onCopied);
  let progress: Progress = comparesAll ? { ...stored, compared: null, textsFrom: '0' } : stored;
  const pass = async (): Promise<number> => {
    const passed = await copy.pass(progress);
    progress = passed.progress;
    for (const key of ['spans', 'logs', 'scores'] as const) total[key] += passed.copied[key];
    return passed.copied.spans + passed.copied.logs;
  };
  while ((await pass()) > caughtUpRows);
  const migration = new TelemetryMigration({ source, target, copy, onCompared: report.compared, onRepair: report.repaired });
  const reconciled = await source.inSnapshot(async () => {
    await pass();
    return migration.reconcile(progress);
  });
  if (reconciled.differences.length > 0) return { state: 'different', differences: reconciled.differences };
  await target.keepCompared(progress);
  if (!isLast) return { state: 'equal', tables: null, ...reconciled };
  await requireNoGateway(postgres);
  const tables = await control.copy();
  if ('different' in tables) return { state: 'different', differences: tables.different.map((table) => `The rows of ${table} differ`) };
  markMoved(options.from);
  return { state: 'equal', tables: tables.copied, ...reconciled };
}

function movedAlready(source: TelemetrySource, { copied }: Progress, { from, isLast }: MigrationOptions): MigrationResult {
  if (source.hasNewer(copied))
    throw new StartRefusal(
      'Everything was moved before, but the old store has received more since then: its gateway was started again. Stop it. What it received is not ' +
        'in the cluster. To move it too, empty both databases and run all steps again; what the cluster has received meanwhile is then lost.',
    );
  if (isLast) markMoved(from);
  return { state: 'moved already' };
}

/** A gateway over there would write for the same tenants. */
async function requireNoGateway(postgres: Client): Promise<void> {
  const { rows: found } = await postgres.query<{ exists: boolean }>("SELECT to_regclass('journal_writer') IS NOT NULL AS exists");
  if (!found[0]?.exists) return;
  const { rows } = await postgres.query("SELECT 1 FROM journal_writer WHERE seen > clock_timestamp() - interval '10 seconds' LIMIT 1");
  if (rows.length > 0)
    throw new StartRefusal(
      'A gateway uses the database of GLASSHOUSE_POSTGRES_URL, or did until some seconds ago: start gateways when the move is done',
    );
}

/** Teams of a gateway with GLASSHOUSE_POSTGRES_URL are not in the folder: its telemetry would come without them. */
function requireKnownApps(source: TelemetrySource, control: ControlMigration): void {
  const unknown = control.unknown(source.apps());
  // An app that was just deleted has left meanwhile.
  const [app] = source.apps().filter(({ id }) => unknown.some((other) => other.id === id));
  if (app)
    throw new StartRefusal(
      `The telemetry has app ${app.app_id} of team ${app.tenant_id}, which control.db does not have. A gateway whose teams are on PostgreSQL already ` +
        '(GLASSHOUSE_POSTGRES_URL) cannot be moved by this command.',
    );
}

/** Only its gateway can finish them. */
function requireFinishedDeletions({ db }: TelemetrySource): void {
  const open = ['deletion_trace', 'deletion_score'].some((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined);
  if (open)
    throw new StartRefusal('Traces are still being deleted in the old store: start its gateway once more until that is done, then stop it');
}
