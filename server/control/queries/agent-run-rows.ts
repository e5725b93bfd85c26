import { randomUUID } from 'node:crypto';
import { and, asc, count, desc, eq, gte, isNull, max, sql } from 'drizzle-orm';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import {
  type AgentChanges,
  type AgentOutput,
  type AgentRun,
  type AgentRunStore,
  type AgentWorkspace,
  type OneShotDraft,
  RunEnded,
  type SessionDraft,
  WorkspaceBusy,
} from '../agent-run-store.ts';
import { assertBelow } from '../limit-reached.ts';
import { asRun, isOpen, isRun, ofApp, type RunRow, selectBriefRuns, selectRuns } from './agent-run-row.ts';
import { type ControlDatabase, countRows, type Queries, type Reads } from './control-database.ts';
import { workerCheckpoints, workerEnvironments, workerOutput, workerRuns } from './schema/workers.ts';

type EnvironmentRow = typeof workerEnvironments.$inferSelect;

const environmentsOf = ({ tenant_id, app_id }: Scope) =>
  and(eq(workerEnvironments.tenant_id, tenant_id), eq(workerEnvironments.app_id, app_id));
const isEnvironment = (scope: Scope, id: string) => and(environmentsOf(scope), eq(workerEnvironments.id, id));

/** Initial state of a run. */
const initialState = {
  status: 'queued',
  ...{ base_commit: null, result: null, error: null, cost_usd: null, cancel_requested_at: null, started_at: null, completed_at: null },
} as const;

export class AgentRunRows implements AgentRunStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async open(by: Actor, scope: Scope, { task_prompt, ...draft }: SessionDraft, maxConcurrent: number | null): Promise<AgentRun> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'worker_environment.create', target: id }, async (write, created_at) => {
      const creation = { created_at, created_by: signatureOf(by), closed_at: null };
      const row: EnvironmentRow = { ...draft, id, ...scope, work_branch: branchOf(id), session: null, ...creation };
      await write.insert(workerEnvironments).values(row).run();
      const run = await insertRun(write, maxConcurrent, turnOf(row, task_prompt, 0, by, created_at));
      return { result: run, after: row };
    });
  }

  async createTurn(
    by: Actor,
    scope: Scope,
    environmentId: string,
    task_prompt: string,
    maxConcurrent: number | null,
  ): Promise<AgentRun | null> {
    return this.#database.write({ by, ...scope, action: 'worker_turn.create', target: environmentId }, async (write, created_at) => {
      const environment = await openEnvironment(write, scope, environmentId);
      if (!environment) return { result: null, unchanged: true };
      await assertNotBusy(write, environmentId);
      const isTurn = eq(workerRuns.worker_environment_id, environmentId);
      const { last } =
        (await write
          .select({ last: max(workerRuns.turn_index) })
          .from(workerRuns)
          .where(isTurn)
          .get()) ?? {};
      const turn = turnOf(environment, task_prompt, (last ?? -1) + 1, by, created_at);
      return { result: await insertRun(write, maxConcurrent, turn), after: turn };
    });
  }

  async createRun(by: Actor, scope: Scope, draft: OneShotDraft, maxConcurrent: number | null): Promise<AgentRun> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'worker_run.create', target: id }, async (write, created_at) => {
      const oneShot = { worker_environment_id: null, turn_index: 0, work_branch: branchOf(id) };
      const row: RunRow = { ...initialState, ...draft, ...oneShot, id, ...scope, created_at, created_by: signatureOf(by) };
      return { result: await insertRun(write, maxConcurrent, row), after: row };
    });
  }

  async listEnvironments(scope: Scope, { limit, offset }: PageQuery): Promise<Page<AgentWorkspace>> {
    const { queries } = this.#database;
    const filter = environmentsOf(scope);
    const order = [desc(workerEnvironments.created_at), asc(workerEnvironments.id)];
    const rows = selectEnvironments(queries)
      .where(filter)
      .groupBy(workerEnvironments.id)
      .orderBy(...order)
      .limit(limit)
      .offset(offset);
    return { data: (await rows.all()).map(asEnvironment), total: await countRows(queries, workerEnvironments, filter) };
  }

  async findEnvironment(scope: Scope, id: string): Promise<AgentWorkspace | null> {
    const row = await selectEnvironments(this.#database.queries).where(isEnvironment(scope, id)).groupBy(workerEnvironments.id).get();
    return row ? asEnvironment(row) : null;
  }

  async turns(scope: Scope, environmentId: string, { limit, offset }: PageQuery): Promise<Page<AgentRun> | null> {
    const { queries } = this.#database;
    if ((await countRows(queries, workerEnvironments, isEnvironment(scope, environmentId))) === 0) return null;
    const filter = and(ofApp(scope), eq(workerRuns.worker_environment_id, environmentId));
    const rows = await selectBriefRuns(queries).where(filter).orderBy(asc(workerRuns.turn_index)).limit(limit).offset(offset).all();
    return { data: rows.map(asRun), total: await countRows(queries, workerRuns, filter) };
  }

  async close(by: Actor, scope: Scope, environmentId: string): Promise<boolean> {
    return this.#database.write({ by, ...scope, action: 'worker_environment.close', target: environmentId }, async (write, closed_at) => {
      const before = await openEnvironment(write, scope, environmentId);
      if (!before) return { result: false, unchanged: true };
      await assertNotBusy(write, environmentId);
      await write.update(workerEnvironments).set({ closed_at }).where(isEnvironment(scope, environmentId)).run();
      return { result: true, before, after: { ...before, closed_at } };
    });
  }

  async listRuns(
    scope: Scope,
    { limit, offset, status }: PageQuery & { status?: AgentRun['status'] | undefined },
  ): Promise<Page<AgentRun>> {
    const { queries } = this.#database;
    const filter = and(ofApp(scope), status && eq(workerRuns.status, status));
    const order = [desc(workerRuns.created_at), asc(workerRuns.id)];
    const rows = selectBriefRuns(queries)
      .where(filter)
      .orderBy(...order)
      .limit(limit)
      .offset(offset);
    return { data: (await rows.all()).map(asRun), total: await countRows(queries, workerRuns, filter) };
  }

  async findRun(scope: Scope, id: string): Promise<AgentRun | null> {
    return findRun(this.#database.queries, scope, id);
  }

  async output(scope: Scope, id: string, { after, limit }: { after: number; limit: number }): Promise<AgentOutput | null> {
    const { queries } = this.#database;
    // Read before the lines: an ended run gets no more of them.
    const run = await findRun(queries, scope, id);
    if (!run) return null;
    const filter = and(eq(workerOutput.run_id, id), gte(workerOutput.seq, after));
    const rows = await queries.select().from(workerOutput).where(filter).orderBy(asc(workerOutput.seq)).limit(limit).all();
    return { status: run.status, lines: rows.map(({ run_id, ...line }) => line), next: (rows.at(-1)?.seq ?? after - 1) + 1 };
  }

  async changes(scope: Scope, id: string): Promise<AgentChanges | null> {
    const { queries } = this.#database;
    if (!(await findRun(queries, scope, id))) return null;
    const checkpoint = await queries.select().from(workerCheckpoints).where(eq(workerCheckpoints.run_id, id)).get();
    if (!checkpoint) return { commit_sha: null, files: [], patch: '', is_cut: false };
    const { commit_sha, files, patch, is_cut } = checkpoint;
    return { commit_sha, files, patch, is_cut };
  }

  async cancel(by: Actor, scope: Scope, id: string): Promise<AgentRun | null> {
    return this.#database.write({ by, ...scope, action: 'worker_run.cancel', target: id }, async (write, now) => {
      const before = await findRun(write, scope, id);
      if (!before) return { result: null, unchanged: true };
      if (before.status !== 'queued' && before.status !== 'running') throw new RunEnded(before.status);
      if (before.cancel_requested_at) return { result: before, unchanged: true };
      const ended = before.status === 'queued' ? ({ status: 'cancelled', completed_at: now } as const) : {};
      await write
        .update(workerRuns)
        .set({ cancel_requested_at: now, ...ended })
        .where(and(isRun(scope, id), isOpen))
        .run();
      const after = { ...before, cancel_requested_at: now, ...ended };
      return { result: after, before, after };
    });
  }
}

/** Branch for the commits of a workspace; the name is reserved. */
const branchOf = (workspaceId: string): string => `glasshouse/${workspaceId}`;

const turnOf = (environment: EnvironmentRow, task_prompt: string, turn_index: number, by: Actor, created_at: string): RunRow => {
  const { id, tenant_id, app_id, environment_id, repo, base, work_branch } = environment;
  const place = { tenant_id, app_id, environment_id, worker_environment_id: id, repo, base, work_branch };
  const own = { id: randomUUID(), turn_index, task_prompt, model: null, max_cost_usd: null, metadata: null };
  return { ...initialState, ...place, ...own, created_at, created_by: signatureOf(by) };
};

/** @throws LimitReached */
async function insertRun(write: Queries, maxConcurrent: number | null, row: RunRow): Promise<AgentRun> {
  const unfinished = await countRows(write, workerRuns, and(eq(workerRuns.tenant_id, row.tenant_id), isOpen));
  assertBelow(maxConcurrent, unfinished);
  await write.insert(workerRuns).values(row).run();
  return asRun({ run: row, checkpoint: null });
}

/** @throws WorkspaceBusy */
async function assertNotBusy(write: Reads, environmentId: string): Promise<void> {
  const busy = and(eq(workerRuns.worker_environment_id, environmentId), isOpen);
  const run = await write.select({ id: workerRuns.id }).from(workerRuns).where(busy).get();
  if (run) throw new WorkspaceBusy(run.id);
}

const openEnvironment = (write: Reads, scope: Scope, id: string): Promise<EnvironmentRow | undefined> =>
  write
    .select()
    .from(workerEnvironments)
    .where(and(isEnvironment(scope, id), isNull(workerEnvironments.closed_at)))
    .get();

async function findRun(queries: Reads, scope: Scope, id: string): Promise<AgentRun | null> {
  const row = await selectRuns(queries).where(isRun(scope, id)).get();
  return row ? asRun(row) : null;
}

const selectEnvironments = (queries: Reads) =>
  queries
    .select({
      environment: workerEnvironments,
      turn_count: count(workerRuns.id),
      busy: sql<number>`count(*) FILTER (WHERE ${isOpen})`,
    })
    .from(workerEnvironments)
    .leftJoin(workerRuns, eq(workerRuns.worker_environment_id, workerEnvironments.id));

function asEnvironment({
  environment,
  turn_count,
  busy,
}: {
  environment: EnvironmentRow;
  turn_count: number;
  busy: number;
}): AgentWorkspace {
  const { id, name, repo, work_branch, created_at, closed_at } = environment;
  return { id, name, status: closed_at ? 'closed' : busy > 0 ? 'busy' : 'idle', repo, turn_count, work_branch, created_at };
}
