/** The control store isolates apps: every method treats records of another app as unknown, and leaves them unchanged. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testClock } from '../fixtures/test-clock.ts';
import { must } from '../platform/assert.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { RunOutcome } from './agent-run-queue.ts';
import type { AlertDraft } from './alert-store.ts';
import type { Transition } from './alert-watch.ts';
import type { ControlStore } from './control-store.ts';
import { openSqliteControl } from './drizzle/store.ts';

const by: Actor = { kind: 'system', id: 'test', ip: null };
const all = { limit: 100, offset: 0 };
const name = 'same everywhere';
const files = [{ path: 'agentmark.json', text: '{}' }];
const code = { code_status: 'skipped', code_failure_reason: null } as const;
const alert: AlertDraft = {
  ...{ name, metric: 'cost', threshold: 1, time_window: 5, use_slack: false, use_webhook: true, environment_id: null },
  ...{ evaluation_name: null, evaluation_aggregation: null, evaluation_threshold_direction: null },
};
const webhook = { url: 'https://a.b/', sealed_secret: 'x', sealed_previous_secret: null, previous_secret_until: null };
const failed = { status: 'failed', card: null, cost_usd: 1, error: 'x' } as const;
const agentEvent = { seq: 0, type: 'tool_call', timestamp: '2026-01-01T00:00:00.000Z', tool_call_id: 'c' } as const;
const agentPart = {
  ...{ about: { session_id: 's', agent: 'a', started_at: agentEvent.timestamp, ended_at: agentEvent.timestamp }, events: [agentEvent] },
  ...{ blobs: [{ sha256: 'f', media_type: 'image/png', bytes: new Uint8Array(3) }], attribution: { name: 'dev', version: 1 } },
  quota: { events: true, bytes: null },
};
const outcomeOf = (patch: string): RunOutcome => ({
  ...{ status: 'succeeded', result: patch, error: null },
  changes: { commit_sha: 'c', files: [], patch, is_cut: false },
});
const review = { status: 'completed', reviewer: 'r', scores: [], comment: 'c', author_name: null } as const;
const runEnd = { status: 'succeeded', error: null, rows_total: 1, rows_done: 1, rows_failed: 0 } as const;

type Name =
  | 'env'
  | 'deployment'
  | 'key'
  | 'queue'
  | 'item'
  | 'comment'
  | 'alert'
  | 'user'
  | 'nonce'
  | 'run'
  | 'started'
  | 'workspace'
  | 'task';
type Ids = Record<Name, string>;
interface App {
  scope: Scope;
  ids: Ids;
}

let folder: string;
let control: ControlStore;
let apps: App[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-tenancy-'));
  let now = Date.UTC(2026, 0, 1);
  control = openSqliteControl(
    folder,
    testClock(() => (now += 1000)),
  );
  const [one, two] = [
    await control.tenants.create(by, { name: 'one', plan: 'team' }),
    await control.tenants.create(by, { name: 'two', plan: 'team' }),
  ];
  apps = [await anApp(one.id, 'first'), await anApp(one.id, 'second'), await anApp(two.id, 'first')];
});
afterAll(async () => {
  await control.stop();
  rmSync(folder, { recursive: true });
});

/** An app with a record of each kind, equal in every app but for the ids. */
async function anApp(tenant_id: string, appName: string): Promise<App> {
  const draft = { name: appName, display_name: null, runtime: 'nodejs', entry_point: null } as const;
  const scope = { tenant_id, app_id: (await control.apps.create(by, tenant_id, draft)).id };
  const user = await control.users.ensure(by, { email: `${randomUUID()}@a.test`, name: null, password_hash: 'x' });
  await control.tenants.setMember(by, tenant_id, user.id, 'read');
  const push = { deployment_type: 'push', branch: 'main', commit_sha: 'c', commit_message: null, initiated_by: 'x' } as const;
  const deployment = await control.deployments.start(by, scope, push);
  await control.deployments.sync(by, scope, deployment.id, [...files, { path: 'own', text: scope.app_id }]);
  await control.deployments.finish(by, scope, deployment.id, code);
  const { environment, saga } = await control.sagas.create(by, scope, { name: 'preview', pr_number: 7 });
  await control.sagas.settle(saga, null);
  const rights = { permissions: [], environment_id: environment.id, environment_kinds: null, run_id: null, expires_at: null };
  const key = await control.keys.create(by, scope, { name, digest: randomBytes(32), key_prefix: 'sk', ...rights });
  const texts = { description: null, instructions: null, dataset_id: null };
  const queue = await control.queues.create(by, scope, { name, ...texts, score_config_names: ['a'], reviewers_required: 2 });
  await control.items.add(by, scope, queue.id, [{ resource_id: 'r', resource_type: 'trace' }]);
  const item = (await control.items.list(scope, queue.id, all))?.data[0]?.id ?? '';
  await control.items.review(by, scope, { queueId: queue.id, itemId: item }, { ...review, reviewer: 'somebody before' });
  const comment = await control.comments.create(by, scope, { resource_id: 'r', resource_type: 'trace', body: 'b' });
  const watched = await control.alerts.create(by, scope, { ...alert, environment_id: environment.id });
  await control.alertWatch.takeLease('test', 1_000_000);
  const notices = [{ destination: 'slack', environment_id: null, payload: 'x' } as const];
  expect(await control.alertWatch.change('test', watched, { status: 'triggered', triggered_value: '1', notices })).toBe(true);
  await control.alertDestinations.putWebhook(by, scope, environment.id, () => webhook);
  await control.alertDestinations.putSlack(by, scope, { sealed_token: 'x', channel_id: null });
  await control.git.connect(by, scope, { provider: 'github', installation_id: 1, sealed_tokens: appName });
  await control.git.link(by, scope, { provider: 'github', repository_id: '1', repository: 'a/b', branch: `${appName} of ${tenant_id}` });
  await control.datasetRows.append(by, scope, 'd.jsonl', ['{}'], 1000);
  const bound = { permissions: [], environment_id: environment.id, environment_kinds: null, expires_at: null };
  const runDraft = { name, experiment_key: null, metadata: null, key: { ...bound, digest: randomBytes(32), key_prefix: 'sk' } };
  const { id: run } = await control.evalRuns.create(by, scope, runDraft);
  await control.evalTrials.add(by, scope, run, [{ task_id: 'a', trial_index: 0, status: 'passed' }]);
  await control.escalations.create(by, scope, run, { attempts: 1, task_ids: ['a'] });
  expect(await control.agentSessions.record(by, scope, { ...agentPart, trace_id: scope.app_id })).toMatchObject({ events_added: 1 });
  const nonce = randomUUID();
  await control.git.issueNonce(scope, nonce, '2030-01-01T00:00:00.000Z');
  const started = await control.experimentRuns.create(by, scope, { name, dataset: 'd.jsonl', prompt: null, prompt_name: null, evals: [] });
  const workspace = { name, repo: 'a/b', base: null, environment_id: environment.id, task_prompt: 't' };
  const worked = await control.agentRuns.open(by, scope, workspace, null);
  const task = must(
    await control.agentRunQueue.takeNext({ digest: randomBytes(32), key_prefix: 'sk', expires_at: '2030-01-01' }),
    'a run is queued',
  );
  await control.agentRunQueue.append(task, [{ seq: 0, at: '2026', stream: 'stdout', text: scope.app_id }], { session: 's', cost_usd: 1 });
  await control.agentRunQueue.finish(task, outcomeOf(scope.app_id));
  const work = { task: worked.run_id, workspace: must(worked.environment_id, 'it is in one') };
  const ids = { ...work, env: environment.id, deployment: deployment.id, key: key.id, queue: queue.id, item, comment: comment.id };
  return { scope, ids: { ...ids, alert: watched.id, user: user.id, nonce, run, started: started.experiment_id } };
}

/** Pending outbox entries of its agent session, with their contents. */
async function pendingParts(scope: Scope): Promise<unknown> {
  const entries = await control.agentSessions.pending(0, 100, { scope, session_id: 's' });
  return Promise.all(entries.map(async (entry) => [entry, await control.agentSessions.contents(entry)]));
}

/** Everything that can be read of an app. */
async function stateOf({ scope, ids }: App): Promise<unknown[]> {
  const { tenant_id, app_id } = scope;
  const c = control;
  return Promise.all([
    ...[c.apps.find(tenant_id, app_id), c.apps.list(tenant_id, all), c.tenants.findMember(tenant_id, ids.user)],
    ...[c.environments.list(scope, all), c.environments.findDetail(scope, ids.env), c.environments.findDefault(scope)],
    ...[c.environments.findNamed(scope, 'preview'), c.environments.findPreview(scope, 7)],
    ...[
      c.deployments.list(scope, all),
      c.deployments.list(scope, { ...all, environment_id: ids.env }),
      c.deployments.find(scope, ids.deployment),
    ],
    ...[c.snapshots.files(scope, ids.deployment), c.snapshots.paths(scope, ids.deployment)],
    ...[c.snapshots.compare(scope, null, ids.deployment), c.snapshots.latestChanges(scope, ids.env)],
    c.snapshots.history(scope, ids.env, 'agentmark.json', all),
    ...[c.git.findConnection(scope), c.git.findLink(scope)],
    ...[c.datasetRows.list(scope), c.datasetRows.count(scope, 'd.jsonl'), c.datasetRows.lines(scope, 'd.jsonl')],
    ...[c.keys.list(scope, all), c.keys.count(scope), c.comments.list(scope, all), c.comments.find(scope, ids.comment)],
    ...[c.queues.list(scope, all), c.queues.find(scope, ids.queue), c.items.list(scope, ids.queue, all)],
    ...[c.alerts.list(scope, all), c.alerts.find(scope, ids.alert), c.alerts.history(scope, ids.alert, all)],
    ...[c.alertWatch.deliveries(scope, ids.alert, all), c.evalRuns.list(scope, all), c.evalRuns.show(scope, ids.run)],
    ...[c.agentSessions.list(scope, all), c.agentSessions.find(scope, 's'), c.agentSessions.findBlob(scope, 'f')],
    pendingParts(scope),
    ...[c.evalTrials.list(scope, ids.run, all), c.evalTrials.tasks(scope, ids.run, all), c.escalations.list(scope, ids.run, all)],
    ...[c.experimentRuns.find(scope, ids.started), c.experimentRuns.running(scope)],
    ...[c.alertDestinations.findWebhook(scope, ids.env), c.alertDestinations.findSlack(scope)],
    ...[c.agentRuns.listEnvironments(scope, all), c.agentRuns.findEnvironment(scope, ids.workspace), c.agentRuns.listRuns(scope, all)],
    ...[c.agentRuns.turns(scope, ids.workspace, all), c.agentRuns.findRun(scope, ids.task), c.agentRuns.changes(scope, ids.task)],
    ...[c.agentRuns.output(scope, ids.task, { after: 0, limit: 10 })],
  ]);
}

/** Every call that an app can make with ids; each resolves or rejects. */
function attempts(scope: Scope, ids: Ids): (() => Promise<unknown>)[] {
  const place = { queueId: ids.queue, itemId: ids.item };
  const c = control;
  return [
    ...[() => c.environments.find(scope, ids.env), () => c.environments.findDetail(scope, ids.env)],
    ...[() => c.deployments.find(scope, ids.deployment), () => c.deployments.findVersion(scope, ids.env, 1)],
    ...[() => c.deployments.findRunningCode(scope, ids.env), () => c.deployments.list(scope, { ...all, environment_id: ids.env })],
    ...[() => c.deployments.sync(by, scope, ids.deployment, files), () => c.deployments.finish(by, scope, ids.deployment, code)],
    () => c.deployments.fail(by, scope, ids.deployment, 'x'),
    ...[() => c.snapshots.files(scope, ids.deployment), () => c.snapshots.paths(scope, ids.deployment)],
    () => c.snapshots.text(scope, ids.deployment, 'agentmark.json'),
    ...[() => c.snapshots.compare(scope, ids.deployment, null), () => c.snapshots.latestChanges(scope, ids.env)],
    () => c.snapshots.history(scope, ids.env, 'agentmark.json', all),
    ...[() => c.git.consumeNonce(scope, ids.nonce), () => c.keys.revoke(by, scope, ids.key)],
    ...[
      () => c.queues.find(scope, ids.queue),
      () => c.queues.update(by, scope, ids.queue, { name: 'x' }),
      () => c.queues.remove(by, scope, ids.queue),
    ],
    ...[() => c.items.list(scope, ids.queue, all), () => c.items.add(by, scope, ids.queue, [{ resource_id: 'q', resource_type: 'trace' }])],
    ...[
      () => c.items.find(scope, place),
      () => c.items.update(by, scope, place, { status: 'skipped' }),
      () => c.items.remove(by, scope, place),
    ],
    () => c.items.review(by, scope, place, review),
    ...[() => c.comments.find(scope, ids.comment), () => c.comments.remove(by, scope, ids.comment, false)],
    ...[() => c.alerts.find(scope, ids.alert), () => c.alerts.replace(by, scope, ids.alert, { ...alert, name: 'x' })],
    ...[() => c.alerts.remove(by, scope, ids.alert), () => c.alerts.history(scope, ids.alert, all)],
    () => c.alertWatch.deliveries(scope, ids.alert, all),
    ...[() => c.alertDestinations.findWebhook(scope, ids.env), () => c.alertDestinations.removeWebhook(by, scope, ids.env)],
    () => c.sagas.remove(by, scope, ids.env),
    ...[() => c.evalRuns.find(scope, ids.run), () => c.evalRuns.show(scope, ids.run), () => c.evalRuns.report(by, scope, ids.run, failed)],
    ...[() => c.evalTrials.list(scope, ids.run, all), () => c.evalTrials.tasks(scope, ids.run, all)],
    () => c.evalTrials.add(by, scope, ids.run, [{ task_id: 'a', trial_index: 0, status: 'failed' }]),
    () => c.escalations.list(scope, ids.run, all),
    ...[
      () => c.experimentRuns.find(scope, ids.started),
      () => c.experimentRuns.progress(scope, ids.started, { ...runEnd, rows_done: 7 }),
      () => c.experimentRuns.finish(by, scope, ids.started, runEnd),
    ],
    ...[() => c.agentRuns.findEnvironment(scope, ids.workspace), () => c.agentRuns.turns(scope, ids.workspace, all)],
    ...[() => c.agentRuns.createTurn(by, scope, ids.workspace, 't', null), () => c.agentRuns.close(by, scope, ids.workspace)],
    ...[
      () => c.agentRuns.findRun(scope, ids.task),
      () => c.agentRuns.changes(scope, ids.task),
      () => c.agentRuns.cancel(by, scope, ids.task),
    ],
    () => c.agentRuns.output(scope, ids.task, { after: 0, limit: 10 }),
  ];
}

const outcome = (work: () => Promise<unknown>): Promise<unknown> => work().catch((error: Error) => `${error.name}`);
const unknownIds = (): Ids => ({
  ...{ env: randomUUID(), deployment: randomUUID(), key: randomUUID(), queue: randomUUID(), item: randomUUID() },
  ...{ comment: randomUUID(), alert: randomUUID(), user: randomUUID(), nonce: randomUUID(), run: randomUUID(), started: randomUUID() },
  ...{ workspace: randomUUID(), task: randomUUID() },
});

it('records of another app, of the same tenant or of another, are treated as unknown', async () => {
  for (const caller of apps) {
    for (const target of apps.filter((app) => app !== caller)) {
      const before = await Promise.all(apps.map(stateOf));
      const missing = unknownIds();
      for (const [index, attempt] of attempts(caller.scope, target.ids).entries()) {
        const expected = await outcome(attempts(caller.scope, missing)[index] as () => Promise<unknown>);
        expect([String(attempt), await outcome(attempt)]).toEqual([String(attempt), expected]);
      }
      expect(await Promise.all(apps.map(stateOf))).toEqual(before);
      const isMember = target.scope.tenant_id === caller.scope.tenant_id;
      expect((await control.tenants.findMember(caller.scope.tenant_id, target.ids.user)) !== null).toBe(isMember);
      expect((await control.apps.find(caller.scope.tenant_id, target.scope.app_id)) !== null).toBe(isMember);
    }
  }
});

it('an app id with the id of another tenant is an unknown app', async () => {
  const [first, , third] = apps as [App, App, App];
  const mismatched = { tenant_id: third.scope.tenant_id, app_id: first.scope.app_id };
  const before = await Promise.all(apps.map(stateOf));
  const missing = attempts(mismatched, unknownIds());
  for (const [index, attempt] of attempts(mismatched, first.ids).entries()) {
    expect([String(attempt), await outcome(attempt)]).toEqual([String(attempt), await outcome(missing[index] as () => Promise<unknown>)]);
  }
  await outcome(() => control.git.connect(by, mismatched, { provider: 'github', installation_id: 9, sealed_tokens: 'theirs' }));
  expect(await Promise.all(apps.map(stateOf))).toEqual(before);
});

it('the key of a run whose environment was deleted is for the default environment of its own app', async () => {
  for (const { scope } of apps) {
    const draft = {
      name: null,
      repo: null,
      base: null,
      environment_id: randomUUID(),
      task_prompt: 't',
      model: null,
      max_cost_usd: null,
      metadata: null,
    };
    const { run_id } = await control.agentRuns.createRun(by, scope, draft, null);
    const task = must(
      await control.agentRunQueue.takeNext({ digest: randomBytes(32), key_prefix: 'sk', expires_at: '2030-01-01' }),
      'a run is queued',
    );
    expect(task.run.run_id).toBe(run_id);
    const key = (await control.keys.list(scope, all)).data.find((each) => each.name === `worker run ${run_id}`);
    expect(key?.environment_id).toBe((await control.environments.findDefault(scope))?.id);
    await control.agentRunQueue.finish(task, outcomeOf('done'));
  }
});

it('two tenants may invite the same address, and neither can withdraw the other’s invitation', async () => {
  const [first, , third] = apps as [App, App, App];
  const draft = () => ({
    email: 'guest@a.test',
    name: null,
    role: 'read' as const,
    expires_at: '2030-01-01T00:00:00.000Z',
    digest: randomBytes(32),
  });
  const [one, two] = [first.scope.tenant_id, third.scope.tenant_id];
  const [ours, theirs] = [await control.invitations.create(by, one, draft()), await control.invitations.create(by, two, draft())];
  const open = async () => [await control.invitations.list(one), await control.invitations.list(two)];
  expect(await open()).toEqual([[ours], [theirs]]);
  expect(await control.invitations.remove(by, one, theirs.id)).toBe(false);
  expect(await open()).toEqual([[ours], [theirs]]);
});

it('writers for all tenants check the owner: a record with another scope is unknown, and a foreign key has no name', async () => {
  for (const caller of apps) {
    for (const target of apps.filter((app) => app !== caller)) {
      const alert = must(await control.alerts.find(target.scope, target.ids.alert), 'it was made');
      const transition: Transition = { status: 'resolved', triggered_value: '0', notices: [] };
      expect(await control.alertWatch.change('test', { ...alert, ...caller.scope }, transition)).toBe(false);
      const key = { kind: 'key', id: target.ids.key, ip: null } as const;
      const comment = await control.comments.create(key, caller.scope, { resource_id: 'z', resource_type: 'trace', body: 'b' });
      expect(comment.author_name).toBe(target.scope.tenant_id === caller.scope.tenant_id ? name : null);
      const before = await stateOf(target);
      const made = await control.alerts.create(by, caller.scope, { ...alert, name: randomUUID(), environment_id: null });
      expect(await stateOf(target)).toEqual(before);
      await control.alerts.remove(by, caller.scope, made.id);
    }
  }
});

it('what one app removes or replaces, others keep', async () => {
  const [first, ...others] = apps as [App, ...App[]];
  const { scope, ids } = first;
  const before = await Promise.all(others.map(stateOf));
  const isListed = async () => [
    (await control.apps.list(scope.tenant_id, all)).total,
    (await control.tenants.members(scope.tenant_id)).length,
  ];
  expect(await isListed()).toEqual([2, 2]);
  await control.alertDestinations.putSlack(by, scope, { sealed_token: 'y', channel_id: 'C1' });
  await control.alertDestinations.putWebhook(by, scope, ids.env, () => ({ ...webhook, url: 'https://c.d/' }));
  await control.git.connect(by, scope, { provider: 'github', installation_id: 2, sealed_tokens: 'y' });
  await control.git.renew(scope, 'y', 'z');
  await control.datasetRows.append(by, scope, 'd.jsonl', ['{}', '{}'], 1000);
  const own: (() => Promise<unknown>)[] = [
    ...[
      () => control.items.review(by, scope, { queueId: ids.queue, itemId: ids.item }, review),
      () => control.queues.remove(by, scope, ids.queue),
    ],
    ...[() => control.comments.remove(by, scope, ids.comment, false), () => control.alerts.remove(by, scope, ids.alert)],
    ...[() => control.alertDestinations.removeWebhook(by, scope, ids.env), () => control.alertDestinations.removeSlack(by, scope)],
    ...[
      () => control.git.unlink(by, scope),
      () => control.keys.revoke(by, scope, ids.key),
      () => control.git.consumeNonce(scope, ids.nonce),
    ],
    () => control.agentRuns.close(by, scope, ids.workspace),
  ];
  await control.evalTrials.add(by, scope, ids.run, [{ task_id: 'a', trial_index: 0, status: 'failed' }]);
  expect(await control.evalRuns.report(by, scope, ids.run, failed)).toEqual({ outcome: 'taken', status: 'failed' });
  own.push(() => control.experimentRuns.finish(by, scope, ids.started, runEnd));
  for (const act of own) expect([String(act), await act()]).not.toEqual([String(act), false]);
  const second = await control.deployments.start(by, scope, {
    ...{ deployment_type: 'push', branch: 'main', commit_sha: 'd', commit_message: null, initiated_by: 'x' },
  });
  await control.deployments.sync(by, scope, second.id, [{ path: 'other', text: 'y' }]);
  await control.deployments.fail(by, scope, second.id, 'x');
  await control.sagas.discard(await control.sagas.remove(by, scope, ids.env));
  expect(await Promise.all(others.map(async (app) => withoutApps(await stateOf(app))))).toEqual(before.map(withoutApps));
  await control.apps.update(by, scope.tenant_id, scope.app_id, { name: 'renamed' });
  await control.apps.remove(by, scope.tenant_id, scope.app_id);
  expect(await Promise.all(others.map(async (app) => withoutApps(await stateOf(app))))).toEqual(before.map(withoutApps));
});

/** The list of the tenant's apps changes for both of its apps. */
const withoutApps = (state: unknown[]): unknown[] => state.filter((_, index) => index !== 1);

it('the audit log of a tenant contains only its own entries', async () => {
  for (const { scope } of apps) {
    const { data } = await control.audit.list(scope.tenant_id, { limit: 1000, offset: 0 });
    expect(data.length).toBeGreaterThan(10);
    const others = apps.filter((each) => each.scope.tenant_id !== scope.tenant_id).flatMap(({ ids }) => Object.values(ids));
    expect(data.filter(({ target }) => others.includes(target))).toEqual([]);
  }
});

it('a session id, an event number or a blob hash that another app also uses does not affect that app', async () => {
  const second = apps[1] as App;
  const { id: third } = await control.tenants.create(by, { name: 'three', plan: 'team' });
  const newcomers = [await anApp(third, 'x'), await anApp(second.scope.tenant_id, 'x')];
  const before = await stateOf(second);
  const bytesBefore = await control.agentSessions.storedBytes(second.scope.tenant_id);
  const more = { ...agentPart, trace_id: 'other', events: [agentEvent, { ...agentEvent, seq: 1, type: 'tool_result' as const }] };
  for (const { scope } of newcomers) {
    expect(await control.agentSessions.record(by, scope, more)).toMatchObject({ isNew: false, events_added: 1, blobs_added: 0 });
    expect(await stateOf(second)).toEqual(before);
    for (const { position } of await control.agentSessions.pending(0, 100, { scope, session_id: 's' }))
      await control.agentSessions.arrived(position);
    expect(await stateOf(second)).toEqual(before);
    const grown = (await control.agentSessions.storedBytes(second.scope.tenant_id)) > bytesBefore;
    expect(grown).toBe(scope.tenant_id === second.scope.tenant_id);
  }
});
