/** The secret of a gateway is changed as docs/deploy.md says: nobody is signed out, and no connection to another service is lost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice } from '../fixtures/a-device.ts';
import { type ConnectedCloud, startConnectedCloud } from '../fixtures/git-hosts/connected-cloud.ts';
import { gitLabHooks } from '../fixtures/git-hosts/fake-gitlab.ts';
import { FakeRepository } from '../fixtures/git-hosts/fake-repository.ts';
import type { Log } from '../platform/log.ts';

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
  expect(await report('secret_change_waits')).toEqual({ sealed_again: 3, unreadable: 0, webhooks_set: 0, webhooks_failed: 1 });
  expect((await tenant.owner.auth.me({})).data.user.email).toBe(tenant.email);
  await tenant.owner.deviceSignIn.approve({ body: { user_code: machine.user_code, environment_name: environment?.name ?? '' } });
  expect(await machine.ask()).toMatchObject({ status: 'linked' });
  expect([await pushed(oldToken), hookToken()]).toEqual([202, oldToken]);

  hosts.gitlab.outage = null;
  await cloud.restart({ options: { secret: after, previousSecret: before } });
  expect(await report('secret_change_done')).toEqual({ sealed_again: 0, unreadable: 0, webhooks_set: 1, webhooks_failed: 0 });
  expect([gitLabHooks(hosts.gitlab).length, hookToken() === oldToken, await pushed(oldToken), await pushed(hookToken())]).toEqual([
    ...[1, false, 202, 202],
  ]);
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
