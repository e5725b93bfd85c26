import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { must } from '../../platform/assert.ts';
import type { Actor } from '../actor.ts';
import type { AgentReport, AgentRunQueue, AgentTask, RunKey, RunOutcome } from '../agent-run-queue.ts';
import type { AgentRun, OutputLine } from '../agent-run-store.ts';
import type { Claim } from '../lease-store.ts';
import { asRun, isOpen, isRun, ofApp, type RunRow, selectBriefRuns } from './agent-run-row.ts';
import type { ControlDatabase, Queries, Reads } from './control-database.ts';
import { claimLease, endLease, isFree, isHeld } from './lease-rows.ts';
import { apiKeys, environments } from './schema/identity.ts';
import { workerCheckpoints, workerEnvironments, workerOutput, workerRuns } from './schema/workers.ts';

const systemActor: Actor = { kind: 'system', id: 'workers', ip: null };
/** Permissions of a run key (docs/reference/access.md#run-keys). */
const runKeyPermissions = ['eval.write', 'trace.write', 'score.write', 'template.read', 'agent.write'] as const;
/** SQLite limits the bound values of a statement. */
const linesPerInsert = 1000;
const isRunning = eq(workerRuns.status, 'running');
const prefix = 'agent_run/';

const isLed = (reads: Reads, { scope, run, claim }: AgentTask) => and(isRun(scope, run.run_id), isRunning, isHeld(reads, claim));

export class AgentRunQueueRows implements AgentRunQueue {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async takeNext(key: RunKey, holder: string): Promise<AgentTask | null> {
    return this.#database.transaction(async (write, started_at) => {
      const oldest = [asc(workerRuns.created_at), asc(workerRuns.id)];
      const row = await write
        .select()
        .from(workerRuns)
        .where(eq(workerRuns.status, 'queued'))
        .orderBy(...oldest)
        .get();
      if (!row) return null;
      const started = { ...row, status: 'running', started_at } as const;
      await write.update(workerRuns).set({ status: 'running', started_at }).where(eq(workerRuns.id, row.id)).run();
      await insertKey(write, started, key, started_at);
      return taskOf(write, started, await leaseOf(write, started_at, row.id, holder));
    });
  }

  async takeOver(holder: string): Promise<AgentTask[]> {
    return this.#database.transaction(async (write, now) => {
      const isLeft = and(isRunning, isFree(write, now, sql`${prefix} || ${workerRuns.id}`));
      const rows = await write.select().from(workerRuns).where(isLeft).orderBy(asc(workerRuns.started_at)).all();
      const tasks: AgentTask[] = [];
      for (const row of rows) tasks.push(await taskOf(write, row, await leaseOf(write, now, row.id, holder)));
      return tasks;
    });
  }

  async thread({ scope, run }: AgentTask, limit: number): Promise<AgentRun[]> {
    if (run.environment_id === null) return [];
    const before = and(ofApp(scope), eq(workerRuns.worker_environment_id, run.environment_id), lt(workerRuns.turn_index, run.turn_index));
    const rows = await selectBriefRuns(this.#database.queries).where(before).orderBy(desc(workerRuns.turn_index)).limit(limit).all();
    return rows.map(asRun).reverse();
  }

  async begin(task: AgentTask, base_commit: string): Promise<void> {
    await this.#database.transaction((write) => write.update(workerRuns).set({ base_commit }).where(isLed(write, task)).run());
  }

  async append(task: AgentTask, lines: readonly OutputLine[], { session, cost_usd }: Partial<AgentReport>): Promise<boolean> {
    const { run_id } = task.run;
    const find = (queries: Reads) => queries.select().from(workerRuns).where(isLed(queries, task)).get();
    // Called several times a second for every run, so this read does not wait for the writer.
    if (lines.length === 0 && session === undefined && cost_usd === undefined)
      return (await find(this.#database.queries))?.cancel_requested_at === null;
    return this.#database.transaction(async (write) => {
      const row = await find(write);
      if (!row) return false;
      for (let from = 0; from < lines.length; from += linesPerInsert) {
        const batch = lines.slice(from, from + linesPerInsert).map((line) => ({ ...line, run_id }));
        await write.insert(workerOutput).values(batch).run();
      }
      if (cost_usd !== undefined) await write.update(workerRuns).set({ cost_usd }).where(isLed(write, task)).run();
      if (session !== undefined && row.worker_environment_id !== null)
        await write.update(workerEnvironments).set({ session }).where(eq(workerEnvironments.id, row.worker_environment_id)).run();
      return row.cancel_requested_at === null;
    });
  }

  async finish(task: AgentTask, { status, result, error, changes }: RunOutcome): Promise<boolean> {
    const { scope, run } = task;
    const auditEntry = { by: systemActor, ...scope, action: 'worker_run.finish', target: run.run_id };
    return this.#database.write(auditEntry, async (write, completed_at) => {
      const isMine = isLed(write, task);
      const before = await write.select().from(workerRuns).where(isMine).get();
      if (!before) return { result: false, unchanged: true };
      const finalStatus: AgentRun['status'] = before.cancel_requested_at === null ? status : 'cancelled';
      const outcome = { status: finalStatus, result, error: finalStatus === 'cancelled' ? null : error, completed_at };
      await write.update(workerRuns).set(outcome).where(isMine).run();
      await revokeKey(write, before, completed_at);
      await endLease(write, task.claim.name);
      if (changes?.commit_sha) {
        const { commit_sha, files, patch, is_cut } = changes;
        const sum = (side: 'insertions' | 'deletions') => files.reduce((lines, file) => lines + (file[side] ?? 0), 0);
        const counts = { file_count: files.length, insertions: sum('insertions'), deletions: sum('deletions') };
        await write
          .insert(workerCheckpoints)
          .values({ run_id: run.run_id, commit_sha, files, patch, is_cut, ...counts })
          .run();
      }
      return { result: true, before, after: { ...before, ...outcome } };
    });
  }

  async workspaces(): Promise<Set<string>> {
    const { queries } = this.#database;
    const open = await queries
      .select({ id: workerEnvironments.id })
      .from(workerEnvironments)
      .where(isNull(workerEnvironments.closed_at))
      .all();
    const isOneShot = and(isNull(workerRuns.worker_environment_id), isOpen);
    const runs = await queries.select({ id: workerRuns.id }).from(workerRuns).where(isOneShot).all();
    return new Set([...open, ...runs].map(({ id }) => id));
  }
}

const leaseOf = async (write: Queries, now: string, id: string, holder: string): Promise<Claim> =>
  must(await claimLease(write, now, prefix + id, holder), 'nobody has the lease');

async function taskOf(queries: Reads, row: RunRow, claim: Claim): Promise<AgentTask> {
  const { tenant_id, app_id, worker_environment_id, base, base_commit, work_branch, model, max_cost_usd, metadata } = row;
  const isWorkspace = worker_environment_id === null ? null : eq(workerEnvironments.id, worker_environment_id);
  const { session = null } = (isWorkspace && (await queries.select().from(workerEnvironments).where(isWorkspace).get())) ?? {};
  const place = {
    scope: { tenant_id, app_id },
    claim,
    run: asRun({ run: row, checkpoint: null }),
    workspace_id: worker_environment_id ?? row.id,
  };
  return { ...place, base, base_commit, work_branch, model, max_cost_usd, metadata, session };
}

/** Inserts a key for the environment of the run, or for the default one when that was deleted. */
async function insertKey(
  write: Queries,
  { id, tenant_id, app_id, environment_id }: RunRow,
  { expires_at, ...key }: RunKey,
  created_at: string,
): Promise<void> {
  const all = await write
    .select()
    .from(environments)
    .where(and(eq(environments.tenant_id, tenant_id), eq(environments.app_id, app_id)))
    .all();
  const chosen = all.find(({ id: candidate }) => candidate === environment_id) ?? all.find(({ is_default }) => is_default);
  const row = {
    ...{ id: randomUUID(), tenant_id, app_id, name: `worker run ${id}`, key_prefix: key.key_prefix, digest: Buffer.from(key.digest) },
    ...{
      permissions: [...runKeyPermissions],
      environment_id: must(chosen, 'every app has a default environment').id,
      environment_kinds: null,
    },
    ...{ run_id: id, created_at, created_by: 'system:workers', last_used_at: null, expires_at, revoked_at: null },
  };
  await write.insert(apiKeys).values(row).run();
}

async function revokeKey(write: Queries, { id }: RunRow, revoked_at: string): Promise<void> {
  const isOfRun = and(eq(apiKeys.run_id, id), isNull(apiKeys.revoked_at));
  await write.update(apiKeys).set({ revoked_at }).where(isOfRun).run();
}
