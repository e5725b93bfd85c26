/** A machine is linked in the browser, against a real cloud: its code is entered, compared and approved, and its key works. */
import { expect, type Page } from '@playwright/test';
import { aDevice, type DeviceProgress } from '../server/fixtures/a-device.ts';
import { addMember } from '../server/fixtures/add-member.ts';
import { testClock } from '../server/fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../server/fixtures/test-cloud.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { enter, signIn } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: TestCloud;
let tenant: TestTenant;
let errors: string[];
let now = Date.now();

test.beforeAll(async () => {
  cloud = await startTestCloud({ clock: testClock(() => now) });
  tenant = cloud.tenant;
});
test.afterAll(() => cloud.stop());
test.beforeEach(({ page }) => {
  // Sign-in attempts are limited per minute.
  now += 60_000;
  errors = watchConsole(page);
});

const form = (page: Page) => page.getByRole('form', { name: 'Approve or deny' });
const linkButton = (page: Page) => form(page).getByRole('button', { name: 'Approve' });
const confirmation = (page: Page) => form(page).getByLabel('The machine in front of me shows this code');

test('a code is entered, compared and approved by keyboard; the new key sends to the selected app and environment', async ({ page }) => {
  await tenant.owner.environments.create({ body: { name: 'staging' } });
  const { data: app } = await tenant.owner.apps.create({ body: { name: 'second' } });
  await cloud.as(tenant.token, app.id).environments.create({ body: { name: 'laptops' } });
  const device = await aDevice(cloud, 'the laptop of mira');

  await enter(page, cloud.url, tenant, '/link');
  await expect(page).toHaveTitle('Link a machine · Glasshouse');
  await expectReadable(page);
  await page.getByLabel('Code', { exact: true }).fill(device.user_code.toLowerCase().replace('-', ' '));
  await page.keyboard.press('Enter');
  await expect(form(page).getByRole('heading', { name: device.user_code })).toBeVisible();
  await expect(form(page)).toContainText('the laptop of mira');
  await expect(form(page)).toContainText('127.0.0.1');
  await expect(linkButton(page)).toBeDisabled();
  await confirmation(page).focus();
  await page.keyboard.press('Space');
  await form(page).getByLabel('App of acme').selectOption('second');
  await expect(form(page).getByLabel('Environment')).not.toContainText('staging');
  await form(page).getByLabel('Environment').selectOption('laptops');
  await expectReadable(page);
  await linkButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'the laptop of mira is linked' })).toContainText('laptops of second');
  await expectReadable(page);

  const linked = (await device.ask()) as Extract<DeviceProgress, { status: 'linked' }>;
  expect(linked).toMatchObject({ status: 'linked', app_id: app.id, app_name: 'second', environment: 'laptops' });
  const sent = await cloud.ingest(
    { api_key: linked.key, app_id: app.id },
    aRequest(aRun({ name: 'from the laptop', startMs: now - 2000 })),
  );
  expect(sent.status).toBe(200);
  await page.goto(`${cloud.url}/#/traces?app=${app.id}`);
  await expect(page.getByRole('link', { name: 'from the laptop' })).toBeVisible();
  await page.goto(`${cloud.url}/#/settings/keys`);
  await expect(page.getByRole('row').filter({ hasText: 'the laptop of mira' })).toContainText('laptops');
  expect(errors).toEqual([]);
});

test('a link with the code leads through the sign-in and back; after a denial the machine gets no key', async ({ page }) => {
  const device = await aDevice(cloud, 'a stranger');
  await page.goto(device.verification_uri_complete);
  await signIn(page, tenant);
  await expect(form(page).getByRole('heading', { name: device.user_code })).toBeVisible();
  await form(page).getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Denied' })).toContainText('a stranger gets no key');
  await expectReadable(page);
  expect(await device.ask()).toEqual({ status: 'denied' });
  await page.getByRole('button', { name: 'Link another' }).click();
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible();
  expect(errors).toEqual([]);
});

test('for an expired, decided or unknown code the page says so, and another can be entered', async ({ page }) => {
  const [over, decided] = [await aDevice(cloud), await aDevice(cloud)];
  await tenant.owner.deviceSignIn.deny({ body: { user_code: decided.user_code } });
  await enter(page, cloud.url, tenant, `/link?code=${decided.user_code}`);
  const problem = page.getByText('No machine is waiting with this code, or the code has expired.');
  await expect(problem).toBeVisible();
  await expectReadable(page);

  await page.getByLabel('Code', { exact: true }).fill(over.user_code);
  await page.keyboard.press('Enter');
  await confirmation(page).check();
  now += 600_000;
  await linkButton(page).click();
  await expect(form(page).getByRole('alert')).toContainText('No machine is waiting with that code');
  await expectReadable(page);
  expect(await over.ask()).toEqual({ status: 'expired' });
  expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
});

test('a member who may not create keys is told so, and can deny', async ({ page }) => {
  const reader = { email: 'reader@acme.test', ...(await addMember(cloud, tenant, 'reader@acme.test', 'read')) };
  const device = await aDevice(cloud);
  await enter(page, cloud.url, reader, `/link?code=${device.user_code}`);
  await expect(form(page)).toContainText('Your role cannot create keys.');
  await expect(linkButton(page)).toHaveCount(0);
  await expectReadable(page);
  await form(page).getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Denied' })).toBeVisible();
  expect(errors).toEqual([]);
});
