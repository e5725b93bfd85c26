import { randomUUID } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type { ExperimentRunDraft, ExperimentRunStore, Progress, RunEnd, StoredRun } from '../experiment-run-store.ts';
import type { Claim } from '../lease-store.ts';
import type { ControlDatabase } from './control-database.ts';
import { claimLease, endLease, isFree } from './lease-rows.ts';
import { experimentRuns as table } from './schema/experiment-runs.ts';

const runningMax = 100;
const prefix = 'experiment/';

const leaseOf = (id: string): string => prefix + id;

type Row = typeof table.$inferSelect;

const asRun = ({ tenant_id, app_id, ...run }: Row): StoredRun => run;

const isRunning = eq(table.status, 'running');
const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(table.tenant_id, tenant_id), eq(table.app_id, app_id));
const isRun = (scope: Scope, id: string) => and(ofApp(scope), eq(table.experiment_id, id));

export class ExperimentRunRows implements ExperimentRunStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async create(by: Actor, scope: Scope, draft: ExperimentRunDraft, holder: string): Promise<{ run: StoredRun; claim: Claim }> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'experiment_run.create', target: id }, async (write, created_at) => {
      const initial = { rows_total: null, rows_done: 0, rows_failed: 0, error: null, finished_at: null };
      const row = {
        ...draft,
        ...initial,
        experiment_id: id,
        ...scope,
        status: 'running',
        created_by: signatureOf(by),
        created_at,
      } as const;
      const run = asRun(await write.insert(table).values(row).returning().get());
      const claim = must(await claimLease(write, created_at, leaseOf(id), holder), 'the id is new');
      return { result: { run, claim }, after: run };
    });
  }

  async find(scope: Scope, id: string): Promise<StoredRun | null> {
    const row = await this.#database.queries.select().from(table).where(isRun(scope, id)).get();
    return row ? asRun(row) : null;
  }

  async running(scope: Scope): Promise<StoredRun[]> {
    const rows = await this.#database.queries
      .select()
      .from(table)
      .where(and(ofApp(scope), isRunning))
      .orderBy(desc(table.created_at), table.experiment_id)
      .limit(runningMax)
      .all();
    return rows.map(asRun);
  }

  async progress(scope: Scope, id: string, progress: Progress): Promise<void> {
    const unfinished = and(isRun(scope, id), isRunning);
    await this.#database.transaction((write) => write.update(table).set(progress).where(unfinished).run());
  }

  async finish(by: Actor, scope: Scope, id: string, end: RunEnd): Promise<boolean> {
    return this.#database.write({ by, ...scope, action: `experiment_run.${end.status}`, target: id }, async (write, finished_at) => {
      const unfinished = and(isRun(scope, id), isRunning);
      const set = { ...end, finished_at };
      const ended = await write.update(table).set(set).where(unfinished).returning().get();
      if (ended) await endLease(write, leaseOf(id));
      return ended ? { result: true, after: asRun(ended) } : { result: false, unchanged: true };
    });
  }

  async abandon(error: string): Promise<void> {
    await this.#database.transaction(async (write, finished_at) => {
      const isAbandoned = and(isRunning, isFree(write, finished_at, sql`${prefix} || ${table.experiment_id}`));
      const set = { status: 'failed', error, finished_at } as const;
      const abandoned = await write.update(table).set(set).where(isAbandoned).returning().all();
      for (const { experiment_id } of abandoned) await endLease(write, leaseOf(experiment_id));
    });
  }
}
