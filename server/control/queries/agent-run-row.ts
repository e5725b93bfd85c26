/** Agent runs as rows and as API records. */
import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { briefTextChars } from '../../../shared/contract/operations/worker-runs.ts';
import type { Scope } from '../../platform/scope.ts';
import type { AgentRun } from '../agent-run-store.ts';
import type { Reads } from './control-database.ts';
import { workerCheckpoints, workerRuns } from './schema/workers.ts';

export type RunRow = typeof workerRuns.$inferSelect;

export const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(workerRuns.tenant_id, tenant_id), eq(workerRuns.app_id, app_id));
export const isRun = (scope: Scope, id: string) => and(ofApp(scope), eq(workerRuns.id, id));
export const isOpen = inArray(workerRuns.status, ['queued', 'running']);

/** Columns of a checkpoint, without the list of changes, which can be long. */
const checkpoint = {
  commit_sha: workerCheckpoints.commit_sha,
  files: workerCheckpoints.file_count,
  insertions: workerCheckpoints.insertions,
  deletions: workerCheckpoints.deletions,
};

/** Runs with their last checkpoints. */
export const selectRuns = (queries: Reads) =>
  queries.select({ run: workerRuns, checkpoint }).from(workerRuns).leftJoin(workerCheckpoints, eq(workerCheckpoints.run_id, workerRuns.id));

const brief = <T>(column: SQLiteColumn): SQL<T> =>
  sql`CASE WHEN length(${column}) > ${briefTextChars} THEN substr(${column}, 1, ${briefTextChars}) || '…' ELSE ${column} END`;

/** Like `selectRuns`, with long texts truncated, for lists. */
export const selectBriefRuns = (queries: Reads) =>
  queries
    .select({
      run: {
        ...getTableColumns(workerRuns),
        task_prompt: brief<string>(workerRuns.task_prompt),
        result: brief<string | null>(workerRuns.result),
      },
      checkpoint,
    })
    .from(workerRuns)
    .leftJoin(workerCheckpoints, eq(workerCheckpoints.run_id, workerRuns.id));

export const asRun = ({ run, checkpoint: lastCheckpoint }: { run: RunRow; checkpoint: AgentRun['checkpoint'] | null }): AgentRun => ({
  run_id: run.id,
  environment_id: run.worker_environment_id,
  turn_index: run.turn_index,
  status: run.status,
  task_prompt: run.task_prompt,
  repo: run.repo,
  work_branch: run.work_branch,
  result: run.result,
  error: run.error,
  cost_usd: run.cost_usd,
  checkpoint: lastCheckpoint,
  cancel_requested_at: run.cancel_requested_at,
  created_at: run.created_at,
  started_at: run.started_at,
  completed_at: run.completed_at,
});
