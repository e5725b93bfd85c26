import { randomUUID } from 'node:crypto';
import { and, count, countDistinct, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type {
  EvalReport,
  EvalRun,
  EvalRunDraft,
  EvalRunStore,
  EvalStatus,
  ListedEvalRun,
  ReportResult,
  ShownEvalRun,
} from '../eval-run-store.ts';
import { type ControlDatabase, countRows, type Queries, type Reads } from './control-database.ts';
import { escalations, evalRuns, evalTrials } from './schema/evals.ts';
import { apiKeys } from './schema/identity.ts';

type Row = typeof evalRuns.$inferSelect;
type Table = typeof evalRuns | typeof evalTrials | typeof escalations | typeof apiKeys;

const ofApp = (table: Table, { tenant_id, app_id }: Scope) => and(eq(table.tenant_id, tenant_id), eq(table.app_id, app_id));
export const isRun = (scope: Scope, id: string) => and(ofApp(evalRuns, scope), eq(evalRuns.id, id));

const asRun = ({ tenant_id, name, experiment_key, metadata, created_by, ...run }: Row): EvalRun => run;

/** List columns of a run, without its card, which may be large. */
const listed = {
  ...{ id: evalRuns.id, status: evalRuns.status, app_id: evalRuns.app_id, name: evalRuns.name, experiment_key: evalRuns.experiment_key },
  ...{ cost_usd: evalRuns.cost_usd, error: evalRuns.error, created_by: evalRuns.created_by, created_at: evalRuns.created_at },
  ...{ claimed_at: evalRuns.claimed_at, completed_at: evalRuns.completed_at },
};
type RunResults = Pick<ListedEvalRun, 'trials' | 'tasks' | 'escalations' | 'key_expires_at'>;

export class EvalRunRows implements EvalRunStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async create(by: Actor, scope: Scope, { key, ...draft }: EvalRunDraft): Promise<EvalRun> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'eval_run.create', target: id }, async (write, created_at) => {
      const creation = { id, ...scope, created_at, created_by: signatureOf(by) };
      const initial = { status: 'queued' as const, card: null, cost_usd: null, error: null, claimed_at: null, completed_at: null };
      const row: Row = { ...draft, ...initial, ...creation };
      await write.insert(evalRuns).values(row).run();
      const kinds = key.environment_kinds && [...key.environment_kinds];
      const binding = { ...creation, id: randomUUID(), name: `eval run ${id}`, run_id: id, last_used_at: null, revoked_at: null };
      await write
        .insert(apiKeys)
        .values({ ...key, ...binding, permissions: [...key.permissions], environment_kinds: kinds, digest: Buffer.from(key.digest) })
        .run();
      return { result: asRun(row), after: row };
    });
  }

  async find(scope: Scope, id: string): Promise<EvalRun | null> {
    const row = await this.#find(this.#database.queries, scope, id);
    return row && asRun(row);
  }

  async show(scope: Scope, id: string): Promise<ShownEvalRun | null> {
    const row = await this.#find(this.#database.queries, scope, id);
    if (!row) return null;
    const { tenant_id, ...run } = row;
    return { ...run, ...(await this.#resultsOf(scope, [id]))(id) };
  }

  async list(scope: Scope, { limit, offset, status }: PageQuery & { status?: EvalStatus | undefined }): Promise<Page<ListedEvalRun>> {
    const { queries } = this.#database;
    const filter = and(ofApp(evalRuns, scope), status === undefined ? undefined : eq(evalRuns.status, status));
    const newest = [desc(evalRuns.created_at), evalRuns.id];
    const rows = await queries
      .select(listed)
      .from(evalRuns)
      .where(filter)
      .orderBy(...newest)
      .limit(limit)
      .offset(offset)
      .all();
    const resultsOf = await this.#resultsOf(
      scope,
      rows.map(({ id }) => id),
    );
    return { data: rows.map((row) => ({ ...row, ...resultsOf(row.id) })), total: await countRows(queries, evalRuns, filter) };
  }

  async report(by: Actor, scope: Scope, id: string, report: EvalReport): Promise<ReportResult | null> {
    return this.#database.write<ReportResult | null>(
      { by, ...scope, action: `eval_run.${report.status}`, target: id },
      async (write, now) => {
        const before = await this.#find(write, scope, id);
        if (!before) return { result: null, unchanged: true };
        const after = await compareAndSet(write, scope, id, report, now);
        if (!after) return { result: { outcome: 'late', status: before.status }, unchanged: true };
        if (report.status !== 'running') await revokeKey(write, scope, id, now);
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        return { result: { outcome: 'taken', status: after.status }, before, after, ...(isSame && { unchanged: true }) };
      },
    );
  }

  async #find(queries: Reads, scope: Scope, id: string): Promise<Row | null> {
    return (await queries.select().from(evalRuns).where(isRun(scope, id)).get()) ?? null;
  }

  /** Results of runs, counted from their records. */
  async #resultsOf(scope: Scope, ids: string[]): Promise<(id: string) => RunResults> {
    const { queries } = this.#database;
    const ofRuns = (table: typeof evalTrials | typeof escalations | typeof apiKeys) => and(ofApp(table, scope), inArray(table.run_id, ids));
    const trialCounts = await queries
      .select({ run_id: evalTrials.run_id, status: evalTrials.status, trials: count() })
      .from(evalTrials)
      .where(ofRuns(evalTrials))
      .groupBy(evalTrials.run_id, evalTrials.status)
      .all();
    const tasks = await queries
      .select({ run_id: evalTrials.run_id, tasks: countDistinct(evalTrials.task_id) })
      .from(evalTrials)
      .where(ofRuns(evalTrials))
      .groupBy(evalTrials.run_id)
      .all();
    const escalationCounts = await queries
      .select({ run_id: escalations.run_id, tickets: count() })
      .from(escalations)
      .where(ofRuns(escalations))
      .groupBy(escalations.run_id)
      .all();
    const keys = await queries
      .select({ run_id: apiKeys.run_id, expires_at: apiKeys.expires_at })
      .from(apiKeys)
      .where(and(ofRuns(apiKeys), isNull(apiKeys.revoked_at)))
      .all();
    return (id) => {
      const trials = { passed: 0, failed: 0, error: 0, total: 0 };
      for (const { run_id, status, trials: number } of trialCounts) {
        if (run_id !== id) continue;
        trials[status] = number;
        trials.total += number;
      }
      const of = <T extends { run_id: string | null }>(rows: T[]) => rows.find(({ run_id }) => run_id === id);
      return {
        trials,
        tasks: of(tasks)?.tasks ?? 0,
        escalations: of(escalationCounts)?.tickets ?? 0,
        key_expires_at: of(keys)?.expires_at ?? null,
      };
    };
  }
}

/** The only statement that changes the state of a run. It changes no run that has ended. */
function compareAndSet(
  write: Queries,
  scope: Scope,
  id: string,
  { status, card, cost_usd, error }: EvalReport,
  now: string,
): Promise<Row | undefined> {
  const reported = { ...(card && { card }), ...(cost_usd !== null && { cost_usd }), ...(error !== null && { error }) };
  const claimed_at = sql<string>`coalesce(${evalRuns.claimed_at}, ${now})`;
  return write
    .update(evalRuns)
    .set({ ...reported, status, claimed_at, ...(status === 'running' ? {} : { completed_at: now }) })
    .where(and(isRun(scope, id), inArray(evalRuns.status, ['queued', 'running'])))
    .returning()
    .get();
}

async function revokeKey(write: Queries, scope: Scope, runId: string, revoked_at: string): Promise<void> {
  const own = and(ofApp(apiKeys, scope), eq(apiKeys.run_id, runId), isNull(apiKeys.revoked_at));
  await write.update(apiKeys).set({ revoked_at }).where(own).run();
}
