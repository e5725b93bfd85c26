/** Traces and spans are added to a queue from where one stands; and the scores that a queue can ask for. */
import { expect } from '@playwright/test';
import { aQueue } from '../server/fixtures/a-queue.ts';
import { addMember } from '../server/fixtures/add-member.ts';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: TestCloud;
const writer = { email: 'writer@acme.test', password: 'the password of writer@acme.test' };

test.beforeAll(async () => {
  cloud = await startTestCloud();
  const { tenant } = cloud;
  const now = Date.now() - 5000;
  await cloud.ingest(
    tenant,
    aRequest(['first', 'second'].flatMap((name, at) => aRun({ name: `${name} answer`, startMs: now - at * 1000 }))),
  );
  await addMember(cloud, tenant, writer.email, 'write');
});
test.afterAll(() => cloud.stop());

test('selected traces, and a span or its trace', async ({ page }) => {
  const { owner } = cloud.tenant;
  await enter(page, cloud.url, writer);
  const rows = page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]');
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('q');
  const dialog = page.getByRole('dialog', { name: 'Add 2 traces to a queue' });
  await expect(dialog).toContainText('There is no queue yet.');
  await expectReadable(page);
  await page.keyboard.press('Escape');

  const { queueId } = await aQueue(owner, []);
  const items = async () => (await owner.annotationItems.list({ params: { queueId }, query: {} })).data.map((item) => item.resource_type);
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Add to queue' }).click();
  await dialog.getByRole('button', { name: 'Add 2 items' }).click();
  await expect(dialog.getByRole('status')).toContainText('2 items added.');
  expect(await items()).toEqual(['trace', 'trace']);
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('link', { name: 'first answer' }).click();
  await expect(page.getByRole('region', { name: 'Trace', exact: true }).getByRole('button', { name: 'Add to queue' })).toBeVisible();
  await page.keyboard.press('q');
  const ofSpan = page.getByRole('dialog', { name: /^Add this (span|trace) to a queue$/ });
  await expectReadable(page);
  await ofSpan.getByRole('button', { name: 'Its trace' }).click();
  await ofSpan.getByRole('button', { name: 'Add 1 item' }).click();
  await expect(ofSpan.getByRole('status')).toContainText('0 of 1 item added; the others are in the queue already.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('q');
  await ofSpan.getByRole('button', { name: 'Add 1 item' }).click();
  await ofSpan.getByRole('link', { name: 'Open queue' }).click();
  await expect(page).toHaveURL(new RegExp(`/queues/${queueId}`));
  expect((await items()).sort()).toEqual(['span', 'trace', 'trace']);
});

test('items are assigned under Items, and their assignee reviews them first', async ({ page }) => {
  const own = await cloud.addTenant('shared-work');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const resources = ['first', 'second', 'third'].map((resource_id) => ({ resource_id, resource_type: 'session' as const }));
  const { queueId } = await aQueue(own.owner, resources);
  const email = (await own.owner.auth.me()).data.user.email;
  await enter(page, cloud.url, own, `/queues/${queueId}?view=items&items=free`);
  await page.getByLabel('Select third').check();
  await page.getByLabel('Assign to').selectOption({ label: email });
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByRole('status')).toContainText('1 item assigned');
  await expect(page.getByRole('region', { name: 'Selection' })).toHaveCount(0);
  await expect(row('third')).toHaveCount(0);
  await expectReadable(page);
  await page.getByRole('button', { name: 'Mine' }).click();
  await expect(row('third')).toContainText(email);
  await expect(row('first')).toHaveCount(0);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Open third in new window' })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByRole('link', { name: 'Open first in new window' })).toBeVisible();
  await page.getByRole('button', { name: 'Items', exact: true }).click();
  await row('second').getByRole('button').click();
  await expect(page.getByRole('link', { name: 'Open second in new window' })).toBeVisible();
  await page.keyboard.press('1');
  await page.keyboard.type('1');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('link', { name: 'Open first in new window' })).toBeVisible();
  await expect(page).not.toHaveURL(/item=/);
  await page.getByRole('button', { name: 'Progress' }).click();
  await expect(page.getByRole('table', { name: 'Reviewers' })).toContainText(email);
  await expectReadable(page);
});

test('a score configuration is created, offered in the form of a queue, edited and archived', async ({ page }) => {
  const errors = watchConsole(page);
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const own = await cloud.addTenant('score-configs');
  await enter(page, cloud.url, own, '/settings/scores');
  await page.getByRole('button', { name: 'New score configuration' }).click();
  const form = dialog('New score configuration');
  await form.getByLabel('Name', { exact: true }).fill('tone');
  await form.getByLabel('Label 1').fill('kind');
  await expect(form.getByText('Each category needs a label.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Create' })).toBeDisabled();
  await form.getByLabel('Label 2').fill('rude');
  await expectReadable(page);
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(row('tone')).toContainText('kind (1), rude (0)');
  await row('tone').getByRole('button', { name: 'Edit tone' }).click();
  const editing = dialog('Edit tone');
  await editing.getByRole('button', { name: 'Number' }).click();
  await editing.getByLabel('Highest value').fill('5');
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(row('tone')).toContainText('5 or less');
  const offered = async () => {
    await page.goto(`${cloud.url}/#/queues`);
    await page.getByRole('button', { name: 'New queue' }).first().click();
    return dialog('New queue').getByRole('button', { name: 'tone' });
  };
  await expect(await offered()).toBeVisible();
  await page.goto(`${cloud.url}/#/settings/scores`);
  await row('tone').getByRole('button', { name: 'Archive tone' }).click();
  await expect(row('tone')).toContainText('Archived');
  await expect(await offered()).toHaveCount(0);
  expect(errors).toEqual([]);
});
