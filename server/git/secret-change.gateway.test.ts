/** The secret of a gateway is changed as docs/deploy.md says: nobody is signed out, and no connection to another service is lost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ControlStore } from '../control/control-store.ts';
import { startSecretChange } from '../entry/cloud-secret-change.ts';
import { openControlBeside } from '../entry/open-control.ts';
import { aDevice } from '../fixtures/a-device.ts';
import { type ConnectedCloud, startConnectedCloud } from '../fixtures/git-hosts/connected-cloud.ts';
import { gitLabHooks } from '../fixtures/git-hosts/fake-gitlab.ts';
import { FakeRepository } from '../fixtures/git-hosts/fake-repository.ts';
import { testLeases } from '../fixtures/test-leases.ts';
import { SealedTexts } from '../identity/sealed-text.ts';
import type { Secrets } from '../identity/secrets.ts';
import { systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { ConnectStates } from './connect-states.ts';
import { GitConnections, gitTokensOwner, gitTokensPurpose } from './git-connections.ts';
import type { GitHost } from './git-host.ts';

const [before, after] = ['the secret before the change, which is long', 'the secret after the change, which is long'];
/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:9';

const events: { event: string; fields: Record<string, unknown> | undefined }[] = [];
const note = (event: string, fields?: Record<string, unknown>) => void events.push({ event, fields });
const log: Log = { info: note, error: note };

let connected: ConnectedCloud;
beforeAll(async () => {
  connected = await startConnectedCloud({ secret: before, log, alerts: { trustedOrigins: [nowhere] } });
  connected.hosts.gitlab.repositories.push(new FakeRepository(1, 'team/owls', { 'service.json': '{}' }));
});
afterAll(() => connected.stop());

const hookToken = () => gitLabHooks(connected.hosts.gitlab)[0]?.token ?? '';

/** Status of a push that GitLab reports with that token. */
async function pushed(token: string): Promise<number> {
  const body = JSON.stringify({ object_kind: 'push', ref: 'refs/heads/main', after: crypto.randomUUID(), project_id: 1 });
  const headers = { 'Content-Type': 'application/json', 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': token };
  return (await connected.cloud.fetch('/v1/git/webhooks/gitlab', { method: 'POST', headers, body })).status;
}

async function report(event: string): Promise<Record<string, unknown> | undefined> {
  await expect.poll(() => events.some((noted) => noted.event === event), { timeout: 10_000 }).toBe(true);
  return events.splice(0).find((noted) => noted.event === event)?.fields;
}

const none = { sealed_again: 0, unreadable: 0, changed: 0, webhooks_set: 0, webhooks_failed: 0, webhooks_refused: 0 };
const counts = (some: Partial<typeof none>) => ({ began_at: expect.any(String), ...none, ...some });

it('goes on with both secrets, and then with the new one alone', async () => {
  const { cloud, hosts } = connected;
  const { tenant } = cloud;
  const app = { params: { appId: tenant.app_id } };
  await connected.connect(tenant, 'gitlab');
  await tenant.owner.appGit.link({ ...app, body: { repository: 'team/owls', branch: 'main' } });
  const [environment] = (await tenant.owner.environments.list(app)).data;
  const webhook = { params: { environmentId: environment?.id ?? '' } };
  const { alertDestinations } = tenant.owner;
  for (const secret of ['an older secret of the webhook', 'a secret of the webhook'])
    await alertDestinations.putWebhook({ ...webhook, body: { url: `${nowhere}/`, secret } });
  const oldToken = hookToken();
  const machine = await aDevice(cloud);

  hosts.gitlab.outage = { status: 503, body: {} };
  await cloud.restart({ options: { secret: after, previousSecret: before } });
  expect(await report('secret_change_waits')).toEqual(counts({ sealed_again: 3, webhooks_failed: 1 }));
  expect((await tenant.owner.auth.me({})).data.user.email).toBe(tenant.email);
  await tenant.owner.deviceSignIn.approve({ body: { user_code: machine.user_code, environment_name: environment?.name ?? '' } });
  expect(await machine.ask()).toMatchObject({ status: 'linked' });
  expect([await pushed(oldToken), hookToken()]).toEqual([202, oldToken]);

  hosts.gitlab.outage = null;
  Object.assign(gitLabHooks(hosts.gitlab)[0] ?? {}, { push_events: false });
  await cloud.restart({ options: { secret: after, previousSecret: before } });
  expect(await report('secret_change_done')).toEqual({
    ...{ ...counts({ webhooks_set: 1 }), reminder: expect.stringContaining('GLASSHOUSE_SECRET_PREVIOUS') },
  });
  // What somebody changed in a webhook stays.
  expect(gitLabHooks(hosts.gitlab)[0]).toMatchObject({ push_events: false });
  expect([gitLabHooks(hosts.gitlab).length, hookToken() === oldToken, await pushed(oldToken), await pushed(hookToken())]).toEqual([
    ...[1, false, 202, 202],
  ]);
  Object.assign(gitLabHooks(hosts.gitlab)[0] ?? {}, { token: 'of a secret that is lost' });
  await connected.connect(tenant, 'gitlab');
  expect(await pushed(hookToken())).toBe(202);
  const { data: login } = await cloud.as(null).auth.login({ body: { email: tenant.email, password: tenant.password } });

  await cloud.restart({ options: { secret: after } });
  expect((await cloud.as(login.token).auth.me({})).data.user.email).toBe(tenant.email);
  await expect(tenant.owner.auth.me({})).rejects.toMatchObject({ status: 401 });
  expect((await cloud.as(login.token, tenant.app_id).appGit.repositories(app)).data).toHaveLength(1);
  expect([await pushed(oldToken), await pushed(hookToken())]).toEqual([401, 202]);
  const { data } = await cloud.as(login.token, tenant.app_id).alertDestinations.testWebhook(webhook);
  expect(data).toEqual({ state: 'failed', answer: 'unreachable' });
  expect(events.filter(({ event }) => event.startsWith('secret_change'))).toEqual([]);
});

/** Another gateway of the same store, with these secrets. */
async function besides(work: (control: ControlStore) => Promise<void>): Promise<void> {
  const control = await openControlBeside(connected.cloud.dataDir, connected.cloud.place, systemClock);
  try {
    await work(control);
  } finally {
    await control.stop();
  }
}

const connectionsOf = (control: ControlStore, secrets: Secrets, hosts: GitHost[] = []) =>
  new GitConnections(hosts, control.git, new SealedTexts(secrets, gitTokensPurpose), testLeases(control), systemClock);

it('is not done while a text cannot be opened, and seals again what was changed meanwhile', async () => {
  await besides(async (control) => {
    const named: string[] = [];
    const error: Log['error'] = (event, fields) => {
      named.push(event);
      note(event, fields);
    };
    const round = async (secrets: Secrets, event: string, sealedTexts = control.sealedTexts) => {
      const git = { connections: connectionsOf(control, secrets) };
      const change = startSecretChange({
        secrets,
        control: { git: control.git, sealedTexts },
        git,
        leases: testLeases(control),
        log: { ...log, error },
      });
      const result = await report(event);
      await change.stop();
      return result;
    };
    const wrong = await round(['a secret that nothing is sealed with', 'a mistyped secret'], 'secret_change_waits');
    expect(wrong).toEqual(counts({ unreadable: 3, webhooks_refused: 1 }));
    expect(named.sort()).toEqual([...Array<string>(3).fill('secret_change_unreadable'), 'secret_change_waits', 'secret_change_webhook']);

    const owner = connected.cloud.tenant;
    const ofOther = new SealedTexts([after], gitTokensPurpose);
    let isChanged = false;
    const changing: ControlStore['sealedTexts'] = {
      ...control.sealedTexts,
      replace: async (place, text, sealed) => {
        const again = isChanged || place !== 'git tokens' ? null : ofOther.open(text.sealed, gitTokensOwner(owner));
        if (again !== null) isChanged = await control.sealedTexts.replace(place, text, ofOther.seal(again, gitTokensOwner(owner)));
        return control.sealedTexts.replace(place, text, sealed);
      },
    };
    const done = await round(['a third secret, which is long', after], 'secret_change_done', changing);
    expect([isChanged, done]).toEqual([true, expect.objectContaining(counts({ sealed_again: 3, webhooks_refused: 1 }))]);
  });
});

it('a connection that was begun with one secret is completed with the other, in both orders of a fleet', async () => {
  await besides(async (control) => {
    const { tenant_id, app_id } = connected.cloud.tenant;
    const states = (secrets: Secrets) => new ConnectStates(secrets, control.git, systemClock);
    const [early, late] = [states([before, after]), states([after, before])];
    for (const [begins, ends] of [
      [early, late],
      [late, early],
    ] as const) {
      const { state, browserSecret } = await begins.begin({ tenant_id, app_id, actor_kind: 'user', actor_id: 'ada' }, 'gitlab');
      expect(await states(['another secret']).consume(state, browserSecret)).toBeNull();
      expect(await ends.consume(state, browserSecret)).toMatchObject({ app_id });
    }
  });
});

it('keeps renewed tokens when those before are sealed again during the request', async () => {
  await besides(async (control) => {
    const scope = { tenant_id: connected.cloud.tenant.tenant_id, app_id: connected.cloud.tenant.app_id };
    const owner = gitTokensOwner(scope);
    const texts = new SealedTexts([after, before], gitTokensPurpose);
    const expired = JSON.stringify({ access_token: 'old', refresh_token: 'once', expires_at: '2020-01-01T00:00:00.000Z' });
    const sealed = new SealedTexts([before], gitTokensPurpose).seal(expired, owner);
    await control.git.connect({ kind: 'system', id: 'test', ip: null }, scope, {
      provider: 'gitlab',
      installation_id: null,
      sealed_tokens: sealed,
    });
    const renew = async () => {
      const again = texts.sealAgain(sealed, owner) ?? '';
      expect(await control.sealedTexts.replace('git tokens', { ...scope, id: scope.app_id, sealed }, again)).toBe(true);
      return { access_token: 'new', refresh_token: 'next', expires_at: '2999-01-01T00:00:00.000Z' };
    };
    const host = { provider: 'gitlab', renew } as unknown as GitHost;
    const found = await connectionsOf(control, [after, before], [host]).find(scope);
    expect(found?.access.access_token).toBe('new');
    const stored = (await control.git.findConnection(scope))?.sealed_tokens ?? '';
    expect(JSON.parse(texts.open(stored, owner) ?? '{}')).toMatchObject({ refresh_token: 'next' });
  });
});
