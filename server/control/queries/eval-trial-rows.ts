import { and, asc, avg, countDistinct, desc, eq, sql, sum } from 'drizzle-orm';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Actor } from '../actor.ts';
import type { EvalTask, EvalTrialStore, Trial } from '../eval-trial-store.ts';
import { type ControlDatabase, conflictOn, countRows } from './control-database.ts';
import { isRun } from './eval-run-rows.ts';
import { evalRuns, evalTrials } from './schema/evals.ts';

type AddResult = Awaited<ReturnType<EvalTrialStore['add']>>;
type Row = typeof evalTrials.$inferSelect;

const ofRun = ({ tenant_id, app_id }: Scope, runId: string) =>
  and(eq(evalTrials.tenant_id, tenant_id), eq(evalTrials.app_id, app_id), eq(evalTrials.run_id, runId));

/** As in the API: without absent properties. */
const asTrial = ({ run_id, tenant_id, app_id, ...row }: Row): Trial =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Trial;

/** A trial that replaces another keeps none of its values. */
const emptyTrial = { score: null, trace_id: null, duration_ms: null, cost_usd: null, error: null, metadata: null };

const countOf = (status: Trial['status']) => sql<number>`count(*) FILTER (WHERE ${evalTrials.status} = ${status})`.mapWith(Number);
const counts = { passed: countOf('passed'), failed: countOf('failed'), error: countOf('error') };
const failureRate = sql`avg(CASE WHEN ${evalTrials.status} = 'passed' THEN 0 ELSE 1 END)`;

export class EvalTrialRows implements EvalTrialStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async add(by: Actor, scope: Scope, runId: string, trials: readonly Trial[]): Promise<AddResult> {
    return this.#database.write<AddResult>({ by, ...scope, action: 'eval_run.add_trials', target: runId }, async (write) => {
      const run = await write.select({ status: evalRuns.status }).from(evalRuns).where(isRun(scope, runId)).get();
      if (!run) return { result: null, unchanged: true };
      if (run.status === 'succeeded' || run.status === 'failed') return { result: { ended: run.status }, unchanged: true };
      let updated = 0;
      for (const trial of trials) {
        const { task_id, trial_index, ...values } = trial;
        const set = { ...emptyTrial, ...values };
        const same = and(ofRun(scope, runId), eq(evalTrials.task_id, task_id), eq(evalTrials.trial_index, trial_index));
        updated += await countRows(write, evalTrials, same);
        await write
          .insert(evalTrials)
          .values({ run_id: runId, task_id, trial_index, ...scope, ...set })
          .onConflictDoUpdate({
            target: conflictOn(evalTrials.run_id, evalTrials.task_id, evalTrials.trial_index),
            set,
            setWhere: sql`${ofRun(scope, runId)}`,
          })
          .run();
      }
      return { result: { added: trials.length - updated, updated }, after: { trials } };
    });
  }

  async list(scope: Scope, runId: string, query: PageQuery & { status?: Trial['status'] | undefined }): Promise<Page<Trial>> {
    const { queries } = this.#database;
    const { limit, offset, status } = query;
    const filter = and(ofRun(scope, runId), status === undefined ? undefined : eq(evalTrials.status, status));
    const rows = await queries
      .select()
      .from(evalTrials)
      .where(filter)
      .orderBy(asc(evalTrials.task_id), asc(evalTrials.trial_index))
      .limit(limit)
      .offset(offset)
      .all();
    return { data: rows.map(asTrial), total: await countRows(queries, evalTrials, filter) };
  }

  async tasks(scope: Scope, runId: string, { limit, offset }: PageQuery): Promise<Page<EvalTask>> {
    const { queries } = this.#database;
    const mine = ofRun(scope, runId);
    const rows = await queries
      .select({
        ...{ task_id: evalTrials.task_id, ...counts, average_score: avg(evalTrials.score).mapWith(Number) },
        ...{ cost_usd: sum(evalTrials.cost_usd).mapWith(Number), duration_ms: avg(evalTrials.duration_ms).mapWith(Number) },
      })
      .from(evalTrials)
      .where(mine)
      .groupBy(evalTrials.task_id)
      .orderBy(desc(failureRate), asc(evalTrials.task_id))
      .limit(limit)
      .offset(offset)
      .all();
    const total =
      (
        await queries
          .select({ tasks: countDistinct(evalTrials.task_id) })
          .from(evalTrials)
          .where(mine)
          .get()
      )?.tasks ?? 0;
    const asTask = ({ passed, failed, error, ...task }: (typeof rows)[number]): EvalTask => ({
      ...task,
      trials: { passed, failed, error, total: passed + failed + error },
    });
    return { data: rows.map(asTask), total };
  }
}
