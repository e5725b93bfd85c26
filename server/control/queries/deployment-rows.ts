import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { must } from '../../platform/assert.ts';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, userIdOf } from '../actor.ts';
import type {
  ClaimedDeployment,
  CodeOutcome,
  Deployment,
  DeploymentDraft,
  DeploymentFilter,
  DeploymentStore,
  RunningDeployment,
} from '../deployment-store.ts';
import type { SnapshotFile } from '../snapshot-store.ts';
import { type ControlDatabase, countRows, type Queries, type Reads } from './control-database.ts';
import { insertSnapshot, putLargeFiles } from './deployed-file-rows.ts';
import type { LargeValues } from './large-values.ts';
import { claimLease, endLease, isFree, isHeld } from './lease-rows.ts';
import { deployments } from './schema/deployments.ts';
import { apps, environments } from './schema/identity.ts';

type Row = typeof deployments.$inferSelect;

/** Builds are not cached. */
const uncached = { cache_hit: false, cache_decision_kind: null, cache_decision_detail: null };

export const asDeployment = ({ tenant_id, environment_id, ...deployment }: Row): Deployment => ({ ...deployment, ...uncached });

const prefix = 'deployment/';

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(deployments.tenant_id, tenant_id), eq(deployments.app_id, app_id));

export const isDeployment = (scope: Scope, id: string) => and(ofApp(scope), eq(deployments.id, id));

/** Initial state of a deployment. */
export const initialState = {
  deployment_status: 'running',
  code_status: 'pending',
  failure_reason: null,
  code_failure_reason: null,
  deployment_duration_ms: null,
  environment_epoch: null,
  aborted_by_deployment_id: null,
  completed_at: null,
} as const;

/** End time and duration of a deployment. */
export const completionAt = (completed_at: string, { created_at }: Pick<Row, 'created_at'>) => ({
  completed_at,
  deployment_duration_ms: Math.max(0, Date.parse(completed_at) - Date.parse(created_at)),
});

/** Final status of a deployment with this outcome of its code. */
export const statusAfter = (code_status: Row['code_status']): 'success' | 'failure' => (code_status === 'failed' ? 'failure' : 'success');

export class DeploymentRows implements DeploymentStore {
  readonly #database: ControlDatabase;
  readonly #values: LargeValues;

  constructor(database: ControlDatabase, values: LargeValues) {
    this.#database = database;
    this.#values = values;
  }

  async find(scope: Scope, id: string): Promise<Deployment | null> {
    const row = await this.#database.queries.select().from(deployments).where(isDeployment(scope, id)).get();
    return row ? asDeployment(row) : null;
  }

  async findVersion(scope: Scope, environmentId: string, version: number): Promise<Deployment | null> {
    const filter = and(ofApp(scope), eq(deployments.environment_id, environmentId), eq(deployments.env_version, version));
    const row = await this.#database.queries.select().from(deployments).where(filter).get();
    return row ? asDeployment(row) : null;
  }

  async list(scope: Scope, { limit, offset, status, environment_id }: PageQuery & DeploymentFilter): Promise<Page<Deployment>> {
    const { queries } = this.#database;
    const filter = and(
      ofApp(scope),
      status === undefined ? undefined : eq(deployments.deployment_status, status),
      environment_id === undefined ? undefined : eq(deployments.environment_id, environment_id),
    );
    const order = [desc(deployments.created_at), desc(deployments.env_version), asc(deployments.id)];
    const rows = await queries
      .select()
      .from(deployments)
      .where(filter)
      .orderBy(...order)
      .limit(limit)
      .offset(offset)
      .all();
    return { data: rows.map(asDeployment), total: await countRows(queries, deployments, filter) };
  }

  async findRunningCode(scope: Scope, environmentId: string): Promise<Deployment | null> {
    const filter = and(ofApp(scope), eq(deployments.environment_id, environmentId), eq(deployments.deployment_status, 'success'));
    const newest = [desc(deployments.created_at), desc(deployments.env_version)];
    const row = await this.#database.queries
      .select()
      .from(deployments)
      .where(filter)
      .orderBy(...newest)
      .get();
    return row?.code_status === 'deployed' ? asDeployment(row) : null;
  }

  async takeOver(holder: string): Promise<RunningDeployment[]> {
    const isRunning = and(eq(deployments.deployment_status, 'running'), isNull(deployments.env_version));
    return this.#database.transaction(async (write, now) => {
      const isLeft = and(isRunning, isFree(write, now, sql`${prefix} || ${deployments.id}`));
      const rows = await write.select().from(deployments).where(isLeft).orderBy(asc(deployments.created_at)).all();
      const taken: RunningDeployment[] = [];
      for (const row of rows) taken.push(await claimed(write, now, row, holder));
      return taken;
    });
  }

  async start(by: Actor, scope: Scope, draft: DeploymentDraft, holder: string): Promise<RunningDeployment> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'deployment.start', target: id }, async (write, created_at) => {
      const environment = must(await defaultOf(write, scope), 'every app has a default environment');
      const row: Row = {
        ...{ ...draft, ...initialState, id, ...scope, environment_id: environment.id, environment_name: environment.name, created_at },
        ...{ files_status: 'syncing', actor_id: userIdOf(by), env_version: null, note: null },
        ...{ source_env_id: null, source_deployment_id: null },
      };
      await abort(write, scope, row);
      await write.insert(deployments).values(row).run();
      return { result: await claimed(write, created_at, row, holder), after: row };
    });
  }

  async sync(by: Actor, running: ClaimedDeployment, files: readonly SnapshotFile[]): Promise<Deployment | null> {
    const { scope } = running;
    const { id } = running.deployment;
    const elsewhere = await putLargeFiles(this.#values, scope, files);
    return this.#change(by, running, 'deployment.sync', async (row, write, now) => {
      if (row.files_status === 'synced') return {};
      await insertSnapshot(write, scope, { deployment_id: id, environment_id: row.environment_id, created_at: now }, files, elsewhere);
      const { epoch } = must(await defaultOf(write, scope), 'every app has a default environment');
      const served = { current_commit_sha: row.commit_sha, latest_deployment_id: id, epoch: epoch + 1, updated_at: now };
      await write.update(environments).set(served).where(eq(environments.id, row.environment_id)).run();
      await write
        .update(apps)
        .set({ commit_sha: row.commit_sha })
        .where(and(eq(apps.tenant_id, scope.tenant_id), eq(apps.id, scope.app_id)))
        .run();
      return { files_status: 'synced', code_status: 'building', environment_epoch: epoch + 1 };
    });
  }

  async finish(by: Actor, running: ClaimedDeployment, code: CodeOutcome): Promise<Deployment | null> {
    return this.#change(by, running, 'deployment.finish', (row, _, now) => ({
      ...{ ...code, deployment_status: statusAfter(code.code_status), ...completionAt(now, row) },
    }));
  }

  async fail(by: Actor, running: ClaimedDeployment, failure_reason: string): Promise<Deployment | null> {
    return this.#change(by, running, 'deployment.fail', (row, _, now) => ({
      ...{ files_status: 'failed', code_status: 'skipped', deployment_status: 'failure', failure_reason, ...completionAt(now, row) },
    }));
  }

  /** Changes a running deployment; null when it is not running, or the lease is lost. */
  #change(
    by: Actor,
    { scope, deployment: { id }, claim }: ClaimedDeployment,
    action: string,
    change: (row: Row, write: Queries, now: string) => Partial<Row> | Promise<Partial<Row>>,
  ): Promise<Deployment | null> {
    return this.#database.write({ by, ...scope, action, target: id }, async (write, now) => {
      const isRunning: SQL | undefined = and(
        ...[isDeployment(scope, id), eq(deployments.deployment_status, 'running'), isHeld(write, claim)],
      );
      const before = await write.select().from(deployments).where(isRunning).get();
      if (!before) return { result: null, unchanged: true };
      const after = { ...before, ...(await change(before, write, now)) };
      await write.update(deployments).set(after).where(isRunning).run();
      if (after.deployment_status !== 'running') await endLease(write, claim.name);
      return { result: asDeployment(after), before, after };
    });
  }
}

const defaultOf = (write: Reads, { tenant_id, app_id }: Scope) =>
  write
    .select()
    .from(environments)
    .where(and(eq(environments.tenant_id, tenant_id), eq(environments.app_id, app_id), eq(environments.is_default, true)))
    .get();

async function claimed(write: Queries, now: string, row: Row, holder: string): Promise<RunningDeployment> {
  const claim = must(await claimLease(write, now, prefix + row.id, holder), 'nobody has the lease');
  return { scope: { tenant_id: row.tenant_id, app_id: row.app_id }, deployment: asDeployment(row), claim };
}

/** Aborts the running deployment of the environment in favour of the new one. */
async function abort(write: Queries, scope: Scope, { id, environment_id, created_at: now }: Row): Promise<void> {
  const isRunning = and(ofApp(scope), eq(deployments.environment_id, environment_id), eq(deployments.deployment_status, 'running'));
  for (const row of await write.select().from(deployments).where(isRunning).all()) {
    const files_status = row.files_status === 'synced' ? row.files_status : 'failed';
    const aborted = { deployment_status: 'failure', files_status, code_status: 'skipped', aborted_by_deployment_id: id } as const;
    const failure_reason = 'Aborted: a later deployment replaced it';
    await write
      .update(deployments)
      .set({ ...aborted, failure_reason, ...completionAt(now, row) })
      .where(eq(deployments.id, row.id))
      .run();
    await endLease(write, prefix + row.id);
  }
}
