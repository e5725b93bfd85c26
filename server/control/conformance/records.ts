/** Records for the tests of the suite. */
import { randomBytes, randomUUID } from 'node:crypto';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Actor } from '../actor.ts';
import type { AgentTask, RunOutcome } from '../agent-run-queue.ts';
import type { AppDraft } from '../app-store.ts';
import type { ControlStore } from '../control-store.ts';
import type { Environment } from '../environment-store.ts';
import type { KeyDraft } from '../key-store.ts';
import type { ReleasePlan, Saga } from '../saga-store.ts';
import type { Role } from '../tenant-store.ts';

export const by: Actor = { kind: 'system', id: 'test', ip: null };
export const all = { limit: 100, offset: 0 };
export const noCode = { code_status: 'skipped', code_failure_reason: null } as const;

export const appDraft = (name: string): AppDraft => ({ name, display_name: null, runtime: 'nodejs', entry_point: null });

export const aTenant = async (control: ControlStore): Promise<string> =>
  (await control.tenants.create(by, { name: randomUUID(), plan: 'team' })).id;

/** A new app, of a new tenant by default. */
export async function anApp(control: ControlStore, tenantId?: string): Promise<Scope> {
  const tenant_id = tenantId ?? (await aTenant(control));
  return { tenant_id, app_id: (await control.apps.create(by, tenant_id, appDraft(randomUUID()), null)).id };
}

export const defaultOf = async (control: ControlStore, scope: Scope): Promise<Environment> =>
  must(await control.environments.findDefault(scope), 'every app has one');

export async function aUser(control: ControlStore, password_hash: string | null = null): Promise<string> {
  return (await control.users.ensure(by, { email: `${randomUUID()}@a.test`, name: null, password_hash })).id;
}

export async function aMember(control: ControlStore, tenantId: string, role: Role): Promise<string> {
  const id = await aUser(control);
  await control.tenants.setMember(by, tenantId, id, role);
  return id;
}

export const keyDraft = (name: string, rest: Partial<KeyDraft> = {}): KeyDraft => ({
  ...{ name, permissions: ['trace.write'], environment_id: null, environment_kinds: null, run_id: null, expires_at: null },
  ...{ digest: randomBytes(32), key_prefix: 'sk' },
  ...rest,
});

/** A new environment, besides the default one. */
export async function anEnvironment(control: ControlStore, scope: Scope, name: string = randomUUID()): Promise<Environment> {
  const { saga } = await control.sagas.create(by, scope, { name, pr_number: null }, null, 'test');
  return must(await control.sagas.settle(saga, null), 'it was made');
}

/** Deploys files to the default environment. @returns id of the deployment */
export async function push(control: ControlStore, scope: Scope, commit_sha: string, files: Record<string, string>): Promise<string> {
  const draft = { deployment_type: 'push', branch: 'main', commit_message: `message ${commit_sha}`, initiated_by: 'x' } as const;
  const running = await control.deployments.start(by, scope, { ...draft, commit_sha }, 'test');
  const snapshot = Object.entries(files).map(([path, text]) => ({ path, text }));
  await control.deployments.sync(by, running, snapshot);
  await control.deployments.finish(by, running, noCode);
  return running.deployment.id;
}

/** Plan of a promotion of a deployment. */
export async function promotionOf(
  control: ControlStore,
  scope: Scope,
  environment: Environment,
  source_deployment_id: string | null,
): Promise<ReleasePlan> {
  const { id: source_env_id } = await defaultOf(control, scope);
  return { kind: 'promotion', environment, note: null, source_env_id, source_deployment_id, commit_sha: 'p' };
}

/** Completes a promotion. */
export async function finishRelease(control: ControlStore, saga: Saga): Promise<void> {
  const pinned = must(await control.sagas.pin(saga), 'its source exists');
  await control.sagas.finish(must(await control.sagas.built(pinned, noCode), 'it has not ended'));
}

/** Number of entries in the audit log of a tenant with this action and target. */
export async function auditedTimes(control: ControlStore, tenantId: string, action: string, target: string): Promise<number> {
  const { data } = await control.audit.list(tenantId, { limit: 10_000, offset: 0 });
  return data.filter((entry) => entry.action === action && entry.target === target).length;
}

export const runKey = () => ({ digest: randomBytes(32), key_prefix: 'sk', expires_at: '2030-01-01T00:00:00.000Z' });

export const runOutcome = (result: string): RunOutcome => ({ status: 'succeeded', result, error: null, changes: null });

/** Takes the oldest run, which the test has just queued. */
export const takeRun = async (control: ControlStore, key = runKey()): Promise<AgentTask> =>
  must(await control.agentRunQueue.takeNext(key, 'test'), 'a run is queued');

/** Ends all runs, of all apps, so that the next one that is taken is one of the test. */
export async function emptyQueue({ agentRunQueue, leases }: ControlStore): Promise<void> {
  for (let task = await agentRunQueue.takeNext(runKey(), 'test'); task; task = await agentRunQueue.takeNext(runKey(), 'test'))
    await agentRunQueue.finish(task, runOutcome('drained'));
  for (const holder of ['test', 'other']) await leases.releaseAll(holder);
  for (const task of await agentRunQueue.takeOver('test')) await agentRunQueue.finish(task, runOutcome('drained'));
}
