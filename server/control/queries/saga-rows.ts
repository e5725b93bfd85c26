import { randomUUID } from 'node:crypto';
import { and, asc, eq, max, sql } from 'drizzle-orm';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf, userIdOf } from '../actor.ts';
import type { CodeOutcome } from '../deployment-store.ts';
import { Duplicate } from '../duplicate.ts';
import type { Environment } from '../environment-store.ts';
import type { Claim } from '../lease-store.ts';
import { assertBelow } from '../limit-reached.ts';
import { type EnvironmentDraft, OperationInProgress, type ReleasePlan, type Saga, type SagaStore } from '../saga-store.ts';
import { type ControlDatabase, countRows, orDuplicate, type Queries, type Reads } from './control-database.ts';
import { copySnapshot, insertSnapshot } from './deployed-file-rows.ts';
import { asDeployment, completionAt, initialState, isDeployment, statusAfter } from './deployment-rows.ts';
import { asEnvironment, isEnvironment } from './environment-rows.ts';
import { claimLease, endLease, isFree, isHeld } from './lease-rows.ts';
import { deployments, sagas } from './schema/deployments.ts';
import { environments } from './schema/identity.ts';

type EnvironmentRow = typeof environments.$inferSelect;
type DeploymentRow = typeof deployments.$inferSelect;

const prefix = 'saga/';

export class SagaRows implements SagaStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async takeOver(holder: string): Promise<Saga[]> {
    return this.#database.transaction(async (write, now) => {
      const isLeft = isFree(write, now, sql`${prefix} || ${sagas.id}`);
      const rows = await write.select().from(sagas).where(isLeft).orderBy(asc(sagas.created_at), asc(sagas.id)).all();
      const taken: Saga[] = [];
      for (const row of rows) taken.push(asSaga(row, await leaseOf(write, now, row.id, holder)));
      return taken;
    });
  }

  async step(saga: Saga): Promise<Saga['step'] | null> {
    return (await stepOf(this.#database.queries, saga)) ?? null;
  }

  async create(by: Actor, scope: Scope, { name, pr_number }: EnvironmentDraft, max: number | null, holder: string) {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'environment.create', target: id }, async (write, created_at) => {
      const isMine = and(eq(environments.tenant_id, scope.tenant_id), eq(environments.app_id, scope.app_id));
      assertBelow(max, await countRows(write, environments, isMine));
      const isTaken =
        pr_number !== null && (await countRows(write, environments, and(isMine, eq(environments.source_pr_number, pr_number)))) > 0;
      if (isTaken) throw new Duplicate('environment', `of pull request ${pr_number}`);
      const isPreview = pr_number !== null;
      const row: EnvironmentRow = {
        ...{ id, ...scope, name, kind: isPreview ? 'preview' : 'production', is_default: false, is_ephemeral: isPreview },
        ...{ source_pr_number: pr_number, current_version: null, current_commit_sha: null, latest_deployment_id: null, epoch: 1 },
        ...{ hosting_app_name: null, created_at, created_by_id: userIdOf(by), updated_at: null },
      };
      await orDuplicate('environment', name, () => write.insert(environments).values(row).run());
      const draft = { kind: 'creation', scope, environment_id: id, deployment_id: null, epoch: 1, by } as const;
      const saga = await begin(write, created_at, draft, holder);
      return { result: { saga, environment: asEnvironment(row) }, after: row };
    });
  }

  async settle(saga: Saga, hosting_app_name: string | null): Promise<Environment | null> {
    const { scope, environment_id, by } = saga;
    return this.#database.write({ by, ...scope, action: 'environment.settle', target: environment_id }, async (write) => {
      const before = await environmentOf(write, scope, environment_id);
      if (!before || (await stepOf(write, saga)) === undefined) return { result: null, unchanged: true };
      await write.update(environments).set({ hosting_app_name }).where(isEnvironment(scope, environment_id)).run();
      await end(write, saga);
      const after = { ...before, hosting_app_name };
      return { result: asEnvironment(after), before, after };
    });
  }

  async remove(by: Actor, scope: Scope, environment_id: string, holder: string): Promise<Saga | null> {
    return this.#database.transaction(async (write, now) => {
      const environment = await environmentOf(write, scope, environment_id);
      if (!environment) return null;
      const draft = { kind: 'removal', scope, environment_id, deployment_id: null, epoch: environment.epoch, by } as const;
      return begin(write, now, draft, holder);
    });
  }

  async discard(saga: Saga): Promise<void> {
    const { scope, environment_id, by } = saga;
    await this.#database.write({ by, ...scope, action: 'environment.delete', target: environment_id }, async (write) => {
      const before = await environmentOf(write, scope, environment_id);
      if (!before || (await stepOf(write, saga)) === undefined) return { result: undefined, unchanged: true };
      await write.delete(environments).where(isEnvironment(scope, environment_id)).run();
      await endLease(write, saga.claim.name);
      // Its snapshots are copies of those of the default environment, which stay.
      return { result: undefined, before };
    });
  }

  async abandon(saga: Saga): Promise<void> {
    await this.#database.transaction(async (write) => {
      if ((await stepOf(write, saga)) !== undefined) await end(write, saga);
    });
  }

  async release(by: Actor, scope: Scope, { kind, environment, ...source }: ReleasePlan, holder: string) {
    const id = randomUUID();
    const action = kind === 'promotion' ? 'environment.promote' : 'environment.rollback';
    return this.#database.write({ by, ...scope, action, target: environment.id }, async (write, created_at) => {
      await assertNoOther(write, environment.id);
      if ((await environmentOf(write, scope, environment.id))?.epoch !== environment.epoch) throw new OperationInProgress(null);
      const row: DeploymentRow = {
        ...{ ...source, ...initialState, id, ...scope, environment_id: environment.id, environment_name: environment.name, created_at },
        ...{ deployment_type: 'manual', files_status: 'pending', branch: null, commit_message: await messageOf(write, scope, source) },
        ...{ initiated_by: signatureOf(by), actor_id: userIdOf(by), env_version: await nextVersion(write, environment.id) },
      };
      await write.insert(deployments).values(row).run();
      const { epoch } = environment;
      const draft = { kind, scope, environment_id: environment.id, deployment_id: id, epoch, by };
      const saga = await begin(write, created_at, draft, holder);
      return { result: { saga, deployment: asDeployment(row) }, after: row };
    });
  }

  async pin(saga: Saga): Promise<Saga | null> {
    const { scope, environment_id, by, epoch } = saga;
    return this.#database.write({ by, ...scope, action: 'environment.pin', target: environment_id }, async (write, now) => {
      const step = await stepOf(write, saga);
      if (step !== 'begun') return { result: step ? { ...saga, step } : null, unchanged: true };
      const deployment = await deploymentOf(write, saga);
      if (!(await snapshotOf(write, deployment, now))) {
        await fail(write, saga, deployment, now);
        return { result: null, before: deployment };
      }
      const served = { current_version: deployment.env_version, current_commit_sha: deployment.commit_sha, epoch: epoch + 1 };
      const isAsRead = and(isEnvironment(scope, environment_id), eq(environments.epoch, epoch));
      const { changes } = await write
        .update(environments)
        .set({ ...served, latest_deployment_id: deployment.id, updated_at: now })
        .where(isAsRead)
        .run();
      if (changes !== 1) throw new Error('Invariant violated: only the saga of an environment changes its epoch');
      const synced = { files_status: 'synced', code_status: 'building', environment_epoch: epoch + 1 } as const;
      await write.update(deployments).set(synced).where(isDeployment(scope, deployment.id)).run();
      return { result: await advance(write, saga, 'pinned'), before: deployment, after: { ...deployment, ...synced, ...served } };
    });
  }

  async built(saga: Saga, code: CodeOutcome): Promise<Saga | null> {
    return this.#database.transaction(async (write) => {
      const step = await stepOf(write, saga);
      if (step !== 'pinned') return step ? { ...saga, step } : null;
      const { id } = await deploymentOf(write, saga);
      await write.update(deployments).set(code).where(isDeployment(saga.scope, id)).run();
      return advance(write, saga, 'built');
    });
  }

  async finish(saga: Saga): Promise<void> {
    const { scope, by } = saga;
    const target = must(saga.deployment_id, 'only releases are finished');
    await this.#database.write({ by, ...scope, action: 'deployment.finish', target }, async (write, now) => {
      if ((await stepOf(write, saga)) === undefined) return { result: undefined, unchanged: true };
      const before = await deploymentOf(write, saga);
      const after = { ...before, deployment_status: statusAfter(before.code_status), ...completionAt(now, before) };
      await write.update(deployments).set(after).where(isDeployment(scope, target)).run();
      await end(write, saga);
      return { result: undefined, before, after };
    });
  }
}

const asSaga = ({ tenant_id, app_id, actor_kind, actor_id, created_at, ...saga }: typeof sagas.$inferSelect, claim: Claim): Saga => ({
  ...saga,
  scope: { tenant_id, app_id },
  by: { kind: actor_kind, id: actor_id, ip: null },
  claim,
});

/** @throws OperationInProgress */
async function assertNoOther(write: Reads, environmentId: string): Promise<void> {
  const running = await write.select({ id: sagas.id }).from(sagas).where(eq(sagas.environment_id, environmentId)).get();
  if (running) throw new OperationInProgress(running.id);
}

async function begin(write: Queries, created_at: string, draft: Omit<Saga, 'id' | 'step' | 'claim'>, holder: string): Promise<Saga> {
  await assertNoOther(write, draft.environment_id);
  const { scope, by, ...rest } = draft;
  const saga = { ...rest, id: randomUUID(), step: 'begun' } as const;
  await write
    .insert(sagas)
    .values({ ...saga, ...scope, actor_kind: by.kind, actor_id: by.id, created_at })
    .run();
  return { ...saga, scope, by, claim: await leaseOf(write, created_at, saga.id, holder) };
}

const leaseOf = async (write: Queries, now: string, id: string, holder: string): Promise<Claim> =>
  must(await claimLease(write, now, prefix + id, holder), 'nobody has the lease');

/** Undefined once the saga has ended, or the lease is lost. */
const stepOf = async (reads: Reads, { id, claim }: Saga) =>
  (
    await reads
      .select({ step: sagas.step })
      .from(sagas)
      .where(and(eq(sagas.id, id), isHeld(reads, claim)))
      .get()
  )?.step;

async function advance(write: Queries, saga: Saga, step: Saga['step']): Promise<Saga> {
  await write.update(sagas).set({ step }).where(eq(sagas.id, saga.id)).run();
  return { ...saga, step };
}

async function end(write: Queries, { id, claim }: Saga): Promise<void> {
  await write.delete(sagas).where(eq(sagas.id, id)).run();
  await endLease(write, claim.name);
}

const environmentOf = (write: Reads, scope: Scope, id: string): Promise<EnvironmentRow | undefined> =>
  write.select().from(environments).where(isEnvironment(scope, id)).get();

const deploymentOf = async (write: Reads, { scope, deployment_id }: Saga): Promise<DeploymentRow> =>
  must(
    await write
      .select()
      .from(deployments)
      .where(isDeployment(scope, must(deployment_id, 'a release has one')))
      .get(),
    'a saga is deleted with its deployment',
  );

/** Versions are 1, 2, 3…; failed ones keep their number. */
const nextVersion = async (write: Reads, environmentId: string): Promise<number> =>
  ((
    await write
      .select({ last: max(deployments.env_version) })
      .from(deployments)
      .where(eq(deployments.environment_id, environmentId))
      .get()
  )?.last ?? 0) + 1;

const messageOf = async (
  write: Reads,
  scope: Scope,
  { source_deployment_id }: Pick<ReleasePlan, 'source_deployment_id'>,
): Promise<string | null> =>
  source_deployment_id === null
    ? null
    : ((await write.select().from(deployments).where(isDeployment(scope, source_deployment_id)).get())?.commit_message ?? null);

/** A default environment without a push has no snapshot, which makes an empty copy. */
async function snapshotOf(write: Queries, deployment: DeploymentRow, created_at: string): Promise<boolean> {
  const { id, environment_id, tenant_id, app_id, source_deployment_id } = deployment;
  const snapshot = { deployment_id: id, environment_id, created_at };
  const scope = { tenant_id, app_id };
  if (source_deployment_id !== null) return copySnapshot(write, scope, snapshot, source_deployment_id);
  await insertSnapshot(write, scope, snapshot, []);
  return true;
}

async function fail(write: Queries, saga: Saga, deployment: DeploymentRow, now: string): Promise<void> {
  const failure_reason = 'The source of the release was deleted meanwhile';
  const failed = { deployment_status: 'failure', files_status: 'failed', code_status: 'skipped', failure_reason } as const;
  await write
    .update(deployments)
    .set({ ...failed, ...completionAt(now, deployment) })
    .where(isDeployment(saga.scope, deployment.id))
    .run();
  await end(write, saga);
}
