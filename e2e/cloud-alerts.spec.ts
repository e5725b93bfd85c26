/** Alerts, their channels and destinations, in the browser against a real cloud gateway. */
import { expect, type Page } from '@playwright/test';
import { startTestCloud, type TestCloud, type TestTenant } from '../server/fixtures/test-cloud.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
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

test('an alert is created, invalid input is explained, it is changed and deleted; its destination never shows its secret', async ({
  page,
}) => {
  await enter(page, cloud.url, tenant, '/alerts');
  await page.getByRole('button', { name: 'New alert' }).first().click();
  const form = dialog(page, 'New alert');
  await form.getByLabel('Name', { exact: true }).fill('Too many failures');
  await form.getByLabel(/^Threshold/).fill('150');
  await form.getByRole('button', { name: 'Create alert' }).click();
  await expect(form.getByText('Must be a percentage, 0 to 100.')).toBeVisible();
  await form.getByLabel(/^Threshold/).fill('5');
  await expect(form.getByRole('region', { name: 'Preview' })).toContainText('In the last 7 days this would not have triggered');
  await expectReadable(page);
  await form.getByRole('button', { name: 'Create alert' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Too many failures' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Values' }).getByText('Threshold 5 %').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('Error rate above 5 % within 15 min');
  await expectReadable(page);

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog(page, 'Edit Too many failures')
    .getByLabel(/^Time window/)
    .fill('30');
  await dialog(page, 'Edit Too many failures').getByRole('button', { name: 'Save alert' }).click();
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('within 30 min');
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.getByRole('menuitem', { name: /For 8 hours/ }).click();
  await expect(page.getByRole('region', { name: 'Attention' })).toContainText('Muted by');
  await expectReadable(page);
  await page.getByRole('button', { name: 'Unmute' }).click();
  await expect(page.getByRole('region', { name: 'Attention' })).toHaveCount(0);

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.getByRole('link', { name: 'Destinations', exact: true }).click();
  const webhook = page.getByRole('form', { name: 'Webhook' });
  await webhook.getByLabel('URL').fill('http://127.0.0.1/hook');
  await webhook.getByRole('button', { name: 'Save webhook' }).click();
  await expect(webhook.getByText(/^Must /)).toBeVisible();
  await webhook.getByLabel('URL').fill('https://hooks.example.com/glasshouse');
  await webhook.getByRole('button', { name: 'Generate' }).click();
  const secret = await webhook.getByLabel('Secret').inputValue();
  await webhook.getByRole('button', { name: 'Save webhook' }).click();
  await expect(webhook.getByLabel('New secret')).toHaveValue('');
  await page.reload();
  await expect(webhook.getByLabel('URL')).toHaveValue('https://hooks.example.com/glasshouse');
  await expect(page.locator('body')).not.toContainText(secret);
  await page.getByRole('button', { name: 'Add channel' }).click();
  const channel = dialog(page, 'Add channel');
  await channel.getByLabel('Kind').selectOption({ label: 'Microsoft Teams' });
  await channel.getByLabel('Name', { exact: true }).fill('Support team');
  await channel.getByLabel('URL').fill('https://127.0.0.1/workflow');
  await channel.getByRole('button', { name: 'Add channel' }).click();
  await expect(channel.getByText(/^Must /)).toBeVisible();
  await channel.getByLabel('URL').fill('https://hooks.example.com/a-token-in-it');
  await channel.getByRole('button', { name: 'Add channel' }).click();
  await expect(page.getByRole('list', { name: 'Channels' })).toContainText('Microsoft Teams · hooks.example.com');
  await expect(page.locator('body')).not.toContainText('a-token-in-it');
  await expectReadable(page);
  const { data } = await tenant.owner.alertChannels.create({
    body: { kind: 'slack', name: 'Gone', address: 'https://hooks.example.com/gone' },
  });

  await page.getByRole('link', { name: 'Alerts' }).click();
  await page.getByRole('link', { name: 'Too many failures' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const edited = dialog(page, 'Edit Too many failures');
  await edited.getByLabel('Support team').check();
  await edited.getByLabel('Gone').check();
  await tenant.owner.alertChannels.remove({ params: { channelId: data.id } });
  await edited.getByRole('button', { name: 'Save alert' }).click();
  await expect(edited.getByRole('group', { name: 'Notify' })).toContainText('Names a channel that the app does not have.');
  await expect(edited.getByLabel('Gone')).toHaveCount(0);
  await edited.getByRole('button', { name: 'Save alert' }).click();
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('1 channel');

  await page.getByRole('link', { name: 'Alerts' }).first().click();
  await page.getByRole('link', { name: 'Too many failures' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog(page, 'Delete Too many failures').getByRole('button', { name: 'Delete alert' }).click();
  await expect(page.getByText('No alerts yet')).toBeVisible();
  expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
});
