/** Apps are isolated: every method treats records of another app as unknown, and leaves them unchanged. */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Transition } from '../alert-watch.ts';
import type { ControlStore } from '../control-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { claimOf } from './leases.ts';
import { all, aTenant, by, emptyQueue } from './records.ts';
import {
  type App,
  agentEvent,
  agentPart,
  anAppWithRecords,
  attempts,
  failed,
  type Ids,
  name,
  review,
  runEnd,
  stateOf,
  webhook,
} from './tenancy-records.ts';

/** Two apps of one tenant, and one of another. */
async function threeApps(control: ControlStore): Promise<App[]> {
  await emptyQueue(control);
  const [one, two] = [await aTenant(control), await aTenant(control)];
  return [
    await anAppWithRecords(control, one, 'first'),
    await anAppWithRecords(control, one, 'second'),
    await anAppWithRecords(control, two, 'first'),
  ];
}

const outcome = (work: () => Promise<unknown>): Promise<unknown> => work().catch((error: Error) => `${error.name}`);
const unknownIds = (): Ids => ({
  ...{ env: randomUUID(), deployment: randomUUID(), key: randomUUID(), queue: randomUUID(), item: randomUUID(), rule: randomUUID() },
  ...{
    comment: randomUUID(),
    alert: randomUUID(),
    channel: randomUUID(),
    user: randomUUID(),
    nonce: randomUUID(),
    run: randomUUID(),
    started: randomUUID(),
  },
  ...{ workspace: randomUUID(), task: randomUUID(), link: randomUUID() },
});

/** The list of the tenant's apps changes for both of its apps. */
const withoutApps = (state: unknown[]): unknown[] => state.filter((_, index) => index !== 1);

export function tenancyGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('records of another app, of the same tenant or of another, are treated as unknown', async ({ control }) => {
    const apps = await threeApps(control);
    const before = await Promise.all(apps.map((app) => stateOf(control, app)));
    for (const caller of apps) {
      const expected: unknown[] = [];
      for (const attempt of attempts(control, caller.scope, unknownIds())) expected.push(await outcome(attempt));
      for (const target of apps.filter((app) => app !== caller)) {
        for (const [index, attempt] of attempts(control, caller.scope, target.ids).entries())
          expect([String(attempt), await outcome(attempt)]).toEqual([String(attempt), expected[index]]);
        const isMember = target.scope.tenant_id === caller.scope.tenant_id;
        expect((await control.tenants.findMember(caller.scope.tenant_id, target.ids.user)) !== null).toBe(isMember);
        expect((await control.apps.find(caller.scope.tenant_id, target.scope.app_id)) !== null).toBe(isMember);
      }
    }
    expect(await Promise.all(apps.map((app) => stateOf(control, app)))).toEqual(before);
  });

  guarantee('an app id with the id of another tenant is an unknown app', async ({ control }) => {
    const apps = await threeApps(control);
    const [first, , third] = apps as [App, App, App];
    const mismatched = { tenant_id: third.scope.tenant_id, app_id: first.scope.app_id };
    const before = await Promise.all(apps.map((app) => stateOf(control, app)));
    const missing = attempts(control, mismatched, unknownIds());
    for (const [index, attempt] of attempts(control, mismatched, first.ids).entries()) {
      expect([String(attempt), await outcome(attempt)]).toEqual([String(attempt), await outcome(missing[index] as () => Promise<unknown>)]);
    }
    await outcome(() => control.git.connect(by, mismatched, { provider: 'github', installation_id: 9, sealed_tokens: 'theirs' }));
    expect(await Promise.all(apps.map((app) => stateOf(control, app)))).toEqual(before);
  });

  guarantee('two tenants may invite the same address, and neither can withdraw the other’s invitation', async ({ control }) => {
    const [one, two] = [await aTenant(control), await aTenant(control)];
    const draft = () => ({
      email: 'guest@a.test',
      name: null,
      role: 'read' as const,
      expires_at: '2030-01-01T00:00:00.000Z',
      digest: randomBytes(32),
    });
    const [ours, theirs] = [
      await control.invitations.create(by, one, draft(), null),
      await control.invitations.create(by, two, draft(), null),
    ];
    const open = async () => [await control.invitations.list(one), await control.invitations.list(two)];
    expect(await open()).toEqual([[ours], [theirs]]);
    expect(await control.invitations.remove(by, one, theirs.id)).toBe(false);
    expect(await open()).toEqual([[ours], [theirs]]);
  });

  guarantee(
    'writers for all tenants check the owner: a record with another scope is unknown, and a foreign key has no name',
    async ({ control }) => {
      const apps = await threeApps(control);
      for (const caller of apps) {
        for (const target of apps.filter((app) => app !== caller)) {
          const alert = must(await control.alerts.find(target.scope, target.ids.alert), 'it was made');
          const transition: Transition = { status: 'resolved', is_silenced: false, triggered_value: '0', notices: [] };
          expect(await control.alertWatch.change(await claimOf(control), { ...alert, ...caller.scope }, transition)).toBe(false);
          expect(await control.alertWatch.notifyLate(await claimOf(control), { ...alert, ...caller.scope }, [])).toBe(false);
          const key = { kind: 'key', id: target.ids.key, ip: null } as const;
          const comment = await control.comments.create(key, caller.scope, { resource_id: 'z', resource_type: 'trace', body: 'b' });
          expect(comment.author_name).toBe(target.scope.tenant_id === caller.scope.tenant_id ? name : null);
          const before = await stateOf(control, target);
          const made = await control.alerts.create(by, caller.scope, { ...alert, name: randomUUID(), environment_id: null });
          expect(await stateOf(control, target)).toEqual(before);
          await control.alerts.remove(by, caller.scope, made.id);
        }
      }
    },
  );

  guarantee('what one app removes or replaces, others keep', async ({ control }) => {
    const apps = await threeApps(control);
    const [first, ...others] = apps as [App, ...App[]];
    const { scope, ids } = first;
    const before = await Promise.all(others.map((app) => stateOf(control, app)));
    const isListed = async () => [
      (await control.apps.list(scope.tenant_id, all)).total,
      (await control.tenants.members(scope.tenant_id)).length,
    ];
    expect(await isListed()).toEqual([2, 2]);
    await control.alertDestinations.putSlack(by, scope, () => ({ sealed_token: 'y', channel_id: 'C1' }));
    await control.alertDestinations.putWebhook(by, scope, ids.env, () => ({ ...webhook, url: 'https://c.d/' }));
    await control.git.connect(by, scope, { provider: 'github', installation_id: 2, sealed_tokens: 'y' });
    await control.git.renew(scope, 'y', 'z');
    await control.git.makeDue(by, scope);
    await control.datasetRows.append(by, scope, 'd.jsonl', ['{}', '{}'], 1000);
    const own: (() => Promise<unknown>)[] = [
      ...[
        () => control.items.review(by, scope, { queueId: ids.queue, itemId: ids.item }, review),
        () => control.queues.remove(by, scope, ids.queue),
      ],
      ...[() => control.comments.remove(by, scope, ids.comment, false), () => control.alerts.remove(by, scope, ids.alert)],
      () => control.alertChannels.remove(by, scope, ids.channel),
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
    const draft = { deployment_type: 'push', branch: 'main', commit_sha: 'd', commit_message: null, initiated_by: 'x' } as const;
    const second = await control.deployments.start(by, scope, draft, 'test');
    await control.deployments.sync(by, second, [{ path: 'other', text: 'y' }]);
    await control.deployments.fail(by, second, 'x');
    await control.sagas.discard(must(await control.sagas.remove(by, scope, ids.env, 'test'), 'it exists'));
    expect(await Promise.all(others.map(async (app) => withoutApps(await stateOf(control, app))))).toEqual(before.map(withoutApps));
    await control.apps.update(by, scope.tenant_id, scope.app_id, { name: 'renamed' });
    await control.apps.remove(by, scope.tenant_id, scope.app_id);
    expect(await Promise.all(others.map(async (app) => withoutApps(await stateOf(control, app))))).toEqual(before.map(withoutApps));
  });

  guarantee('the audit log of a tenant contains only its own entries', async ({ control }) => {
    const apps = await threeApps(control);
    for (const { scope } of apps) {
      const { data } = await control.audit.list(scope.tenant_id, { limit: 1000, offset: 0 });
      expect(data.length).toBeGreaterThan(10);
      const others = apps.filter((each) => each.scope.tenant_id !== scope.tenant_id).flatMap(({ ids }) => Object.values(ids));
      expect(data.filter(({ target }) => others.includes(target))).toEqual([]);
    }
  });

  guarantee('a session id, an event number or a blob hash that another app also uses does not affect that app', async ({ control }) => {
    const apps = await threeApps(control);
    const second = apps[1] as App;
    const { id: third } = await control.tenants.create(by, { name: randomUUID(), plan: 'team' });
    const newcomers = [await anAppWithRecords(control, third, 'x'), await anAppWithRecords(control, second.scope.tenant_id, 'x')];
    const before = await stateOf(control, second);
    const bytesBefore = await control.agentSessions.storedBytes(second.scope.tenant_id);
    const more = { ...agentPart, trace_id: 'other', events: [agentEvent, { ...agentEvent, seq: 1, type: 'tool_result' as const }] };
    for (const { scope } of newcomers) {
      expect(await control.agentSessions.record(by, scope, more)).toMatchObject({ isNew: false, events_added: 1, blobs_added: 0 });
      expect(await stateOf(control, second)).toEqual(before);
      for (const { position } of await control.agentSessions.pending(0, 100, { scope, session_id: 's' }))
        await control.agentSessions.arrived(position);
      expect(await stateOf(control, second)).toEqual(before);
      const grown = (await control.agentSessions.storedBytes(second.scope.tenant_id)) > bytesBefore;
      expect(grown).toBe(scope.tenant_id === second.scope.tenant_id);
    }
  });
}
