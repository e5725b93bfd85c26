/** Apps with a record of each kind, and every call about them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import type { RunOutcome } from '../agent-run-queue.ts';
import type { ControlStore } from '../control-store.ts';
import { channelDraft } from './alert-channels.ts';
import { alertDraft } from './alerts.ts';
import { claimOf } from './leases.ts';
import { all, appDraft, by, noCode } from './records.ts';

export const name = 'same everywhere';
const files = [{ path: 'agentmark.json', text: '{}' }];
const alert = alertDraft(name);
export const webhook = { url: 'https://a.b/', sealed_secret: 'x', sealed_previous_secret: null, previous_secret_until: null };
const queueRule = { filter: '', sample_percent: 100, max_per_day: 1, paused: false };
export const failed = { status: 'failed', card: null, cost_usd: 1, error: 'x' } as const;
export const agentEvent = { seq: 0, type: 'tool_call', timestamp: '2026-01-01T00:00:00.000Z', tool_call_id: 'c' } as const;
export const agentPart = {
  ...{ about: { session_id: 's', agent: 'a', started_at: agentEvent.timestamp, ended_at: agentEvent.timestamp }, events: [agentEvent] },
  ...{ blobs: [{ sha256: 'f', media_type: 'image/png', bytes: new Uint8Array(3) }], attribution: { name: 'dev', version: 1 } },
  quota: { events: true, bytes: null },
};
const outcomeOf = (patch: string): RunOutcome => ({
  ...{ status: 'succeeded', result: patch, error: null },
  changes: { commit_sha: 'c', files: [], patch, is_cut: false },
});
export const review = { status: 'completed', reviewer: 'r', scores: [], comment: 'c', author_name: null } as const;
export const runEnd = { status: 'succeeded', error: null, rows_total: 1, rows_done: 1, rows_failed: 0 } as const;

type Name =
  | 'env'
  | 'link'
  | 'deployment'
  | 'key'
  | 'queue'
  | 'item'
  | 'rule'
  | 'comment'
  | 'alert'
  | 'channel'
  | 'user'
  | 'nonce'
  | 'run'
  | 'started'
  | 'workspace'
  | 'task';
export type Ids = Record<Name, string>;
export interface App {
  scope: Scope;
  ids: Ids;
}

/** An app with a record of each kind, equal in every app but for the ids. */
export async function anAppWithRecords(control: ControlStore, tenant_id: string, appName: string): Promise<App> {
  const scope = { tenant_id, app_id: (await control.apps.create(by, tenant_id, appDraft(appName), null)).id };
  const user = await control.users.ensure(by, { email: `${randomUUID()}@a.test`, name: null, password_hash: 'x' });
  await control.tenants.setMember(by, tenant_id, user.id, 'read');
  const push = { deployment_type: 'push', branch: 'main', commit_sha: 'c', commit_message: null, initiated_by: 'x' } as const;
  const running = await control.deployments.start(by, scope, push, 'test');
  const { deployment } = running;
  await control.deployments.sync(by, running, [...files, { path: 'own', text: scope.app_id }]);
  await control.deployments.finish(by, running, noCode);
  const { environment, saga } = await control.sagas.create(by, scope, { name: 'preview', pr_number: 7 }, null, 'test');
  await control.sagas.settle(saga, null);
  await control.retention.replace(by, scope, { keep_days: 30, environments: [{ environment_id: environment.id, keep_days: 7 }] });
  const hides = { contents: true, attributes: true, costs: true };
  const shared = { trace_id: 'r', hides, expires_at: '2100-01-01T00:00:00.000Z', digest: randomBytes(32) };
  const link = must(await control.shareLinks.create(by, scope, shared, 1), 'links are allowed');
  const rights = { permissions: [], environment_id: environment.id, environment_kinds: null, run_id: null, expires_at: null };
  const key = await control.keys.create(by, scope, { name, digest: randomBytes(32), key_prefix: 'sk', ...rights }, null);
  const texts = { description: null, instructions: null, dataset_id: null };
  const queue = await control.queues.create(by, scope, { name, ...texts, score_config_names: ['a'], reviewers_required: 2 });
  await control.scoreConfigs.create(by, scope, { name, description: null, definition: { data_type: 'text' }, archived: false }, 1);
  await control.items.add(by, scope, queue.id, [{ resource_id: 'r', resource_type: 'trace' }]);
  const rule = await control.queueRules.create(by, scope, queue.id, queueRule, { ofQueue: 1, ofApp: 9 });
  const item = (await control.items.list(scope, queue.id, all))?.data[0]?.id ?? '';
  await control.items.review(by, scope, { queueId: queue.id, itemId: item }, { ...review, reviewer: 'somebody before' });
  const comment = await control.comments.create(by, scope, { resource_id: 'r', resource_type: 'trace', body: `@[b](user:${user.id})` });
  const watched = await control.alerts.create(by, scope, { ...alert, environment_id: environment.id });
  const claim = await claimOf(control);
  const notices = [{ destination: 'slack', environment_id: null, payload: 'x' } as const];
  expect(await control.alertWatch.change(claim, watched, { status: 'triggered', is_silenced: false, triggered_value: '1', notices })).toBe(
    true,
  );
  await control.alertDestinations.putWebhook(by, scope, environment.id, () => webhook);
  await control.alertDestinations.putSlack(by, scope, () => ({ sealed_token: 'x', channel_id: null }));
  const channel = await control.alertChannels.create(by, scope, channelDraft(name), 1);
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
  const experiment = { name, dataset: 'd.jsonl', prompt: null, prompt_name: null, evals: [] };
  const { run: started } = await control.experimentRuns.create(by, scope, experiment, 'test');
  const workspace = { name, repo: 'a/b', base: null, environment_id: environment.id, task_prompt: 't' };
  const worked = await control.agentRuns.open(by, scope, workspace, null);
  const task = must(
    await control.agentRunQueue.takeNext({ digest: randomBytes(32), key_prefix: 'sk', expires_at: '2030-01-01' }, 'test'),
    'a run is queued',
  );
  await control.agentRunQueue.append(task, [{ seq: 0, at: '2026', stream: 'stdout', text: scope.app_id }], { session: 's', cost_usd: 1 });
  await control.agentRunQueue.finish(task, outcomeOf(scope.app_id));
  const work = { task: worked.run_id, workspace: must(worked.environment_id, 'it is in one') };
  const ids = {
    ...work,
    link: link.id,
    env: environment.id,
    deployment: deployment.id,
    key: key.id,
    queue: queue.id,
    rule: rule?.id ?? '',
    item,
    comment: comment.id,
  };
  return { scope, ids: { ...ids, alert: watched.id, channel: channel.id, user: user.id, nonce, run, started: started.experiment_id } };
}

/** Pending outbox entries of its agent session, with their contents. */
async function pendingParts(control: ControlStore, scope: Scope): Promise<unknown> {
  const entries = await control.agentSessions.pending(0, 100, { scope, session_id: 's' });
  return Promise.all(entries.map(async (entry) => [entry, await control.agentSessions.contents(entry)]));
}

/** Everything that can be read of an app. */
export async function stateOf(c: ControlStore, { scope, ids }: App): Promise<unknown[]> {
  const { tenant_id, app_id } = scope;
  return Promise.all([
    ...[c.apps.find(tenant_id, app_id), c.apps.list(tenant_id, all), c.tenants.findMember(tenant_id, ids.user)],
    ...[c.environments.list(scope, all), c.environments.findDetail(scope, ids.env), c.environments.findDefault(scope)],
    ...[c.environments.findNamed(scope, 'preview'), c.environments.findPreview(scope, 7), c.retention.of(scope)],
    c.shareLinks.list(scope, all),
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
    ...[c.notices.list({ tenant_id, user_id: ids.user }, all), c.notices.unread({ tenant_id, user_id: ids.user })],
    ...[c.queues.waiting(scope, ids.user, [ids.queue]), c.queues.progress(scope, ids.queue, ['2026-01-01'])],
    ...[c.queues.list(scope, all), c.queues.find(scope, ids.queue), c.items.list(scope, ids.queue, all)],
    ...[c.scoreConfigs.list(scope), c.queueRules.list(scope, ids.queue)],
    ...[c.alerts.list(scope, all), c.alerts.find(scope, ids.alert), c.alerts.history(scope, ids.alert, all)],
    ...[c.alertWatch.deliveries(scope, ids.alert, all), c.evalRuns.list(scope, all), c.evalRuns.show(scope, ids.run)],
    ...[c.agentSessions.list(scope, all), c.agentSessions.find(scope, 's'), c.agentSessions.findBlob(scope, 'f')],
    pendingParts(c, scope),
    ...[c.evalTrials.list(scope, ids.run, all), c.evalTrials.tasks(scope, ids.run, all), c.escalations.list(scope, ids.run, all)],
    ...[c.experimentRuns.find(scope, ids.started), c.experimentRuns.running(scope)],
    ...[c.alertDestinations.findWebhook(scope, ids.env), c.alertDestinations.findSlack(scope)],
    ...[c.alertChannels.list(scope), c.alertChannels.find(scope, ids.channel)],
    ...[c.agentRuns.listEnvironments(scope, all), c.agentRuns.findEnvironment(scope, ids.workspace), c.agentRuns.listRuns(scope, all)],
    ...[c.agentRuns.turns(scope, ids.workspace, all), c.agentRuns.findRun(scope, ids.task), c.agentRuns.changes(scope, ids.task)],
    ...[c.agentRuns.output(scope, ids.task, { after: 0, limit: 10 })],
  ]);
}

/** Every call that an app can make with ids; each resolves or rejects. */
export function attempts(c: ControlStore, scope: Scope, ids: Ids): (() => Promise<unknown>)[] {
  const running = { scope, deployment: { id: ids.deployment }, claim: { name: `deployment/${ids.deployment}`, holder: 'test', epoch: 1 } };
  const place = { queueId: ids.queue, itemId: ids.item };
  const rulePlace = { queueId: ids.queue, ruleId: ids.rule };
  return [
    ...[() => c.environments.find(scope, ids.env), () => c.environments.findDetail(scope, ids.env)],
    ...[() => c.deployments.find(scope, ids.deployment), () => c.deployments.findVersion(scope, ids.env, 1)],
    ...[() => c.deployments.findRunningCode(scope, ids.env), () => c.deployments.list(scope, { ...all, environment_id: ids.env })],
    ...[() => c.deployments.sync(by, running, files), () => c.deployments.finish(by, running, noCode)],
    () => c.deployments.fail(by, running, 'x'),
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
    ...[() => c.items.review(by, scope, place, review), () => c.items.assign(by, scope, ids.queue, [ids.item], null)],
    ...[() => c.queues.waiting(scope, ids.user, [ids.queue]), () => c.queues.progress(scope, ids.queue, ['2026-01-01'])],
    ...[() => c.queueRules.list(scope, ids.queue), () => c.queueRules.create(by, scope, ids.queue, queueRule, { ofQueue: 20, ofApp: 20 })],
    ...[() => c.queueRules.replace(by, scope, rulePlace, queueRule), () => c.queueRules.remove(by, scope, rulePlace)],
    ...[() => c.queueRules.fill(by, scope, rulePlace, ['r2']), () => c.queueRules.note(scope, rulePlace, 'behind')],
    ...[() => c.comments.find(scope, ids.comment), () => c.comments.remove(by, scope, ids.comment, false)],
    ...[() => c.alerts.find(scope, ids.alert), () => c.alerts.replace(by, scope, ids.alert, { ...alert, name: 'x' })],
    ...[() => c.alerts.remove(by, scope, ids.alert), () => c.alerts.history(scope, ids.alert, all)],
    () => c.alerts.mute(by, scope, ids.alert, '2100-01-01T00:00:00.000Z'),
    ...[() => c.alerts.acknowledge(by, scope, ids.alert), () => c.alertWatch.deliveries(scope, ids.alert, all)],
    ...[() => c.alertChannels.find(scope, ids.channel), () => c.alertChannels.remove(by, scope, ids.channel)],
    () => c.alertChannels.change(by, scope, ids.channel, (channel) => channel),
    ...[() => c.alertDestinations.findWebhook(scope, ids.env), () => c.alertDestinations.removeWebhook(by, scope, ids.env)],
    () => c.sagas.remove(by, scope, ids.env, 'test'),
    () => c.shareLinks.revoke(by, scope, ids.link),
    () => c.retention.replace(by, scope, { keep_days: 1, environments: [{ environment_id: ids.env, keep_days: 1 }] }),
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
