/** Settings and shared work of a team, in the browser against a real cloud gateway. */
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { addMember } from '../server/fixtures/add-member.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../server/fixtures/test-cloud.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { enter, signIn } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: TestCloud;
let tenant: TestTenant;
let errors: string[];

test.beforeAll(async () => {
  cloud = await startTestCloud();
  tenant = cloud.tenant;
});
test.afterAll(() => cloud.stop());
test.beforeEach(({ page }) => {
  errors = watchConsole(page);
});

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const row = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text });

test('a key is shown once, grants access, and is useless after it is revoked', async ({ page }) => {
  await enter(page, cloud.url, tenant, '/settings/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const form = dialog(page, 'New key');
  await form.getByLabel('Name', { exact: true }).fill('Full Access');
  await form.getByRole('button', { name: 'Create key' }).click();
  await expect(form.getByText(/named "Full Access" already/)).toBeVisible();
  await form.getByLabel('Name', { exact: true }).fill('reader');
  await form.getByRole('button', { name: 'Custom' }).click();
  await form.getByLabel('trace.read').check();
  await form.getByLabel('trace.write').check();
  await expectReadable(page);
  await form.getByRole('button', { name: 'Create key' }).click();

  const created = dialog(page, 'API key reader');
  await expect(created.getByText('The value is shown only this once.')).toBeVisible();
  const key = (await created.locator('pre').first().textContent()) ?? '';
  await expect(created.locator('pre').last()).toContainText(`authorization=${key},x-service-app-id=${tenant.app_id}`);
  const readTraces = () => cloud.fetch('/v1/traces', { headers: { authorization: key, 'x-service-app-id': tenant.app_id } });
  expect((await readTraces()).status).toBe(200);
  await created.getByRole('button', { name: 'I have copied it' }).click();
  await expect(row(page, 'reader')).toContainText('2 permissions');
  await expect(page.locator('body')).not.toContainText(key);

  await page.getByRole('button', { name: 'Revoke reader' }).click();
  await dialog(page, 'Revoke reader').getByRole('button', { name: 'Revoke key' }).click();
  await expect(row(page, 'reader')).toHaveCount(0);
  expect((await readTraces()).status).toBe(401);
  await expectReadable(page);
  expect(errors.filter((error) => !error.includes('409'))).toEqual([]);
});

test('the version of one environment is promoted into another, and rolled back', async ({ page }) => {
  await enter(page, cloud.url, tenant, '/settings/environments');
  await page.getByRole('button', { name: 'New environment' }).click();
  await dialog(page, 'New environment').getByLabel('Name', { exact: true }).fill('staging');
  await dialog(page, 'New environment').getByRole('button', { name: 'Create environment' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'staging' })).toBeVisible();
  await expect(page.getByText('No deployments yet')).toBeVisible();

  for (const [version, note] of ['first', 'second'].entries()) {
    await page.getByRole('button', { name: 'Promote to this environment' }).click();
    const promote = dialog(page, 'Promote to staging');
    await expect(promote.getByText(`and will serve version ${version + 1}`)).toBeVisible();
    await promote.getByLabel('Note').fill(note);
    await promote.getByRole('button', { name: 'Promote' }).click();
    await expect(row(page, note)).toContainText('Succeeded');
  }
  await expectReadable(page);
  await page.getByRole('button', { name: 'Roll back to version 1' }).click();
  await dialog(page, 'Roll staging back to version 1').getByLabel('Note').fill('it was better');
  await dialog(page, 'Roll staging back to version 1').getByRole('button', { name: 'Roll back' }).click();
  await expect(row(page, 'it was better')).toContainText('v3');
  await expect(row(page, 'it was better')).toContainText('Succeeded');
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('version 3');

  await page.getByRole('link', { name: 'Deployments', exact: true }).click();
  await expect(row(page, 'staging')).toHaveCount(3);
  await expectReadable(page);
  await page.getByRole('link', { name: 'Environments', exact: true }).click();
  await page.getByRole('link', { name: 'staging' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const deletion = dialog(page, 'Delete staging');
  await expect(deletion.getByRole('list', { name: 'Also deleted' })).toContainText('3 deployments');
  await deletion.getByRole('button', { name: 'Delete environment' }).click();
  await expect(row(page, 'staging')).toHaveCount(0);
  expect(errors).toEqual([]);
});

test('traces that are too old are counted before a rule deletes them', async ({ page }) => {
  const own = await cloud.addTenant('retention');
  const before = (days: number) => aRun({ name: `${days} days old`, startMs: Date.now() - days * 86_400_000 });
  await cloud.ingest(own, aRequest([...before(40), ...before(20), ...before(1)]));
  await enter(page, cloud.url, own, '/settings/retention');
  const form = page.getByRole('form', { name: 'Retention' });
  await expect(form.getByText('Kept forever.')).toBeVisible();
  await form.getByLabel('Days for the app').fill('0');
  await expect(form.getByText('Enter a whole number from 1 to 3650, or leave it empty.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByLabel('Days for the app').fill('30');
  await form.getByLabel('dev').fill('10');
  await expect(form.getByText('Kept for 10 days.')).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  const question = dialog(page, 'Delete older traces?');
  await expect(question.getByText('Currently 2 traces.')).toBeVisible();
  await expectReadable(page);
  await question.getByRole('button', { name: 'Delete older traces' }).click();
  await expect(question).toHaveCount(0);
  await page.reload();
  await expect(form.getByLabel('Days for the app')).toHaveValue('30');
  await expect(form.getByLabel('dev')).toHaveValue('10');
  expect(errors).toEqual([]);
});

test('a queue is reviewed completely by keyboard', async ({ page }) => {
  const startMs = Date.now() - 60_000;
  for (const name of ['first case', 'second case']) await cloud.ingest(tenant, aRequest(aRun({ name, startMs })));
  const traces = (await tenant.client.traces.list({})).data;
  await enter(page, cloud.url, tenant, '/queues');
  await page.getByRole('button', { name: 'New queue' }).click();
  const form = dialog(page, 'New queue');
  await form.getByLabel('Name', { exact: true }).fill('Answers of today');
  await form.getByLabel('Scores').fill('helpfulness');
  await form.getByRole('button', { name: 'Create queue' }).click();
  await page.getByRole('button', { name: 'Add items' }).first().click();
  await dialog(page, 'Add items')
    .getByLabel('IDs')
    .fill(traces.map(({ id }) => id).join('\n'));
  await dialog(page, 'Add items').getByRole('button', { name: 'Add 2 items' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: /case$/ })).toBeVisible();
  await expectReadable(page);

  const score = page.getByLabel('helpfulness', { exact: true });
  await score.focus();
  await page.keyboard.type('0.8');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 2')).toBeVisible();
  await expect(score).toHaveValue('');
  await score.focus();
  await page.keyboard.type('0.4');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Answers another question.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing left for you to review')).toBeVisible();
  await expect(page.getByText('All 2 items have been reviewed.')).toBeVisible();
  await expect.poll(async () => (await tenant.client.scores.list({})).data.map(({ score: value }) => value).sort()).toEqual([0.4, 0.8]);
  expect(errors).toEqual([]);
});

test('a reviewer who types while the item still loads keeps the field', async ({ page }) => {
  await cloud.ingest(tenant, aRequest(aRun({ name: 'slow case', startMs: Date.now() - 60_000 })));
  const [trace] = (await tenant.client.traces.list({ query: { name: 'slow case' } })).data;
  const { data: queue } = await tenant.client.annotationQueues.create({
    body: { name: 'Slow answers', score_config_names: ['helpfulness'] },
  });
  const items = [{ resource_id: trace?.id ?? '', resource_type: 'trace' as const }];
  await tenant.client.annotationItems.add({ params: { queueId: queue.id }, body: { items } });
  const loading = Promise.withResolvers<void>();
  await page.route(/\/outline/, async (route) => {
    await loading.promise;
    await route.continue();
  });
  await enter(page, cloud.url, tenant, `/queues/${queue.id}`);
  const score = page.getByLabel('helpfulness', { exact: true });
  await score.focus();
  await page.keyboard.type('0.');
  loading.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'slow case' })).toBeVisible();
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.keyboard.type('4');
  await expect(score).toHaveValue('0.4');
});

test('an invited member joins by a link that is shown once, sees what the role allows, and changes the password', async ({
  page,
  browser,
}) => {
  // Two people, and password hashing is slow.
  test.slow();
  await enter(page, cloud.url, tenant, '/settings/members');
  await page.getByRole('button', { name: 'Leave as owner@acme.test' }).click();
  await dialog(page, 'Leave team').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('alert')).toContainText('A team needs an owner');
  await page.keyboard.press('Escape');
  const invite = async () => {
    await page.getByRole('button', { name: 'Invite member' }).click();
    const form = dialog(page, 'Invite member');
    await form.getByLabel('Email').fill('pia@acme.test');
    await form.getByLabel('Role').selectOption('read');
    await expectReadable(page);
    await form.getByRole('button', { name: 'Create invitation' }).click();
    const link = (await dialog(page, 'pia@acme.test is invited').locator('pre').textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(row(page, 'pia@acme.test')).toContainText('Invited');
    return link;
  };
  const withdrawn = await invite();
  await page.getByRole('button', { name: 'Withdraw pia@acme.test' }).click();
  await expect(row(page, 'pia@acme.test')).toHaveCount(0);
  const link = await invite();

  const memberPage = await (await browser.newContext()).newPage();
  const join = async (url: string, password: string) => {
    await memberPage.goto(url);
    await memberPage.reload();
    await memberPage.getByLabel('Password').fill(password);
    await memberPage.getByRole('button', { name: 'Join' }).click();
  };
  const first = 'the first one of pia';
  await join(withdrawn, first);
  await expect(memberPage.getByRole('alert')).toHaveText('This invitation was used or withdrawn, or has expired. Ask for a new one.');
  await join(link, 'short');
  await expect(memberPage.getByRole('alert')).toHaveText('The password must have at least 12 characters.');
  await expectReadable(memberPage);
  await join(link, first);
  await expect(memberPage.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await memberPage.goto(`${cloud.url}/#/settings/keys`);
  await expect(row(memberPage, 'Full Access')).toBeVisible();
  await expect(memberPage.getByRole('button', { name: 'New key' })).toHaveCount(0);
  await memberPage.getByRole('link', { name: 'Your account' }).click();
  await memberPage.getByLabel('Current password').fill(first);
  await memberPage.getByLabel('New password').fill('a long one of my own');
  await memberPage.getByRole('button', { name: 'Change password' }).click();
  await expect(memberPage.getByText('Password changed.')).toBeVisible();
  await expectReadable(memberPage);
  await expect(memberPage.getByRole('region', { name: 'Where you are signed in' })).toContainText('(this one)');
  await memberPage.getByRole('button', { name: 'Sign out', exact: true }).click();
  await signIn(memberPage, { email: 'pia@acme.test', password: 'a long one of my own' });
  await expect(memberPage.getByRole('navigation', { name: 'Pages' })).toBeVisible();

  await page.reload();
  await page.getByRole('button', { name: 'Sign out pia@acme.test' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await memberPage.reload();
  await expect(memberPage.getByRole('heading', { name: 'Sign in to Glasshouse' })).toBeVisible();
  await memberPage.context().close();
  await page.getByRole('button', { name: 'Remove pia@acme.test' }).click();
  await page.getByRole('button', { name: 'Remove member' }).click();
  await expect(row(page, 'pia@acme.test')).toHaveCount(0);
  await page.getByRole('link', { name: 'Usage' }).click();
  await expect(page.getByRole('heading', { name: 'Ingest' })).toBeVisible();
  await expectReadable(page);
});

test('each app shows its own traces, and the selected app is remembered', async ({ page }) => {
  await cloud.ingest(tenant, aRequest(aRun({ name: 'of the first app', startMs: Date.now() - 60_000 })));
  await enter(page, cloud.url, tenant, '/settings/apps');
  await page.getByRole('button', { name: 'New app' }).click();
  await dialog(page, 'New app').getByLabel('Name', { exact: true }).fill('billing bot');
  await dialog(page, 'New app').getByRole('button', { name: 'Create app' }).click();
  await expect(page.getByRole('heading', { name: 'Send the first trace' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Send the first trace' })).toBeVisible();
  await page.getByRole('button', { name: /app and account: billing bot/ }).click();
  await expectReadable(page);
  await page.getByRole('button', { name: 'default', exact: true }).click();
  await expect(page.getByRole('link', { name: 'of the first app' })).toBeVisible();

  await tenant.owner.environments.create({ body: { name: 'staging' } });
  const choose = async (environment: string) => {
    await page.getByRole('button', { name: /app and account: default/ }).click();
    await page.getByRole('region', { name: 'Environments' }).getByRole('button', { name: environment }).click();
  };
  await choose('staging');
  await expect(page.getByRole('link', { name: 'of the first app' })).toHaveCount(0);
  await choose('dev');
  await expect(page.getByRole('link', { name: 'of the first app' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('a comment on a span is visible after a reload, and can be deleted', async ({ page }) => {
  await cloud.ingest(tenant, aRequest(aRun({ name: 'worth a word', startMs: Date.now() - 60_000 })));
  const trace = (await tenant.client.traces.list({})).data.find(({ name }) => name === 'worth a word');
  await enter(page, cloud.url, tenant, `/traces/${trace?.id}?tab=comments`);
  await page.getByRole('tab', { name: 'Comments' }).click();
  await page.getByLabel('Comment', { exact: true }).fill('The refund rule is *older* than this.');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await expect(page.getByRole('list', { name: 'Comments' })).toContainText('owner@acme.test');
  await page.reload();
  await page.getByRole('tab', { name: 'Comments' }).click();
  await expect(page.getByRole('list', { name: 'Comments' })).toContainText('The refund rule is');
  await expectReadable(page);
  await page.getByRole('button', { name: 'Delete comment' }).click();
  await expect(page.getByText('No comments yet.')).toBeVisible();
  expect(errors).toEqual([]);
});

test('the audit log says who did what, is filtered and downloaded, and is not for members', async ({ page, browser }) => {
  await tenant.owner.apps.update({ params: { appId: tenant.app_id }, body: { display_name: '<b>=Billing</b>' } });
  await enter(page, cloud.url, tenant, '/settings/usage');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('who changed what');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
  const renamed = row(page, 'Changed an app').first();
  await expect(renamed).toContainText(tenant.email);
  await expect(renamed).toContainText('display name: none → <b>=Billing</b>');
  await expectReadable(page);

  await page.getByLabel('What').selectOption('Apps');
  await expect(page).toHaveURL(/[?&]action=app(&|$)/);
  await expect(row(page, 'Signed in')).toHaveCount(0);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.split('\r\n')[0]).toMatch(/^at,actor_kind/);
  expect(file).toContain('display_name: none → <b>=Billing</b>');
  expect(file).not.toContain('session.start');
  await page.getByLabel('What').selectOption('Slack');
  await expect(page.getByText('No entries match')).toBeVisible();
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await renamed.getByRole('button').click();
  await expect(page.getByLabel('Who')).toHaveValue(tenant.user_id);

  const { password } = await addMember(cloud, tenant, 'writer@acme.test', 'write');
  const memberPage = await (await browser.newContext()).newPage();
  await enter(memberPage, cloud.url, { email: 'writer@acme.test', password }, '/settings/audit-log');
  await expect(memberPage.getByRole('heading', { name: 'The audit log is for owners and admins' })).toBeVisible();
  await expect(memberPage.getByRole('link', { name: 'Usage' })).toBeVisible();
  await expect(memberPage.getByRole('link', { name: 'Audit log' })).toHaveCount(0);
  await memberPage.context().close();
  expect(errors).toEqual([]);
});
