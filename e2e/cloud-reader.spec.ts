/** A member with the role read sees everything, and disabled actions say why before anything is filled in. */
import { expect } from '@playwright/test';
import { aQueue } from '../server/fixtures/a-queue.ts';
import { addMember } from '../server/fixtures/add-member.ts';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { aRequest, aTraceId } from '../shared/fixtures/otlp.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, expectReadableAtAnyWidth, watchConsole } from './screen-checks.ts';

let cloud: TestCloud;
let queueId: string;
let traceId: string;
const reader = { email: 'reader@acme.test', password: 'the password of reader@acme.test' };
const writer = { email: 'writer@acme.test', password: 'the password of writer@acme.test' };

test.beforeAll(async () => {
  cloud = await startTestCloud();
  const { tenant } = cloud;
  const spans = aRun({ name: 'answer a customer', startMs: Date.now() - 5000 });
  await cloud.ingest(tenant, aRequest(spans));
  traceId = String((spans[0] as { traceId?: string }).traceId ?? aTraceId());
  await tenant.owner.scores.create({ body: { resource_id: traceId, name: 'tone', score: 1, source: 'annotation' } });
  ({ queueId } = await aQueue(tenant.owner, [{ resource_id: traceId, resource_type: 'trace' }]));
  await addMember(cloud, tenant, reader.email, 'read');
  await addMember(cloud, tenant, writer.email, 'write');
});
test.afterAll(() => cloud.stop());

/** Buttons that the role disables, by page. */
const disabledActions: [path: string, permission: string, buttons: string[]][] = [
  ['/setup', 'trace.write', ['Send demo trace']],
  ['/queues', 'annotation_queue.write', ['New queue']],
  ['/scores', 'score.write', ['Add a score']],
  ['/datasets', 'dataset.write', ['New dataset']],
  ['/datasets?name=rows', 'dataset.write', ['Add from spans', 'Add from traces', 'Add a row']],
];

test('a reader is told why an action is disabled on each page', async ({ page }) => {
  const errors = watchConsole(page);
  await enter(page, cloud.url, reader);
  for (const [path, permission, buttons] of disabledActions) {
    await page.goto(`${cloud.url}/#${path}`);
    for (const name of buttons) {
      const button = page.getByRole('button', { name, exact: true }).first();
      await expect(button).toBeDisabled();
      await expect(button).toHaveAttribute(
        'title',
        `Your role, read, does not allow this (${permission}). An owner or admin can change it.`,
      );
    }
    await expectReadable(page);
  }
  // The dataset does not exist.
  expect(errors.filter((error) => !/status of 40[04]/.test(error))).toEqual([]);
});

test('a reader sees a queue item without a form', async ({ page }) => {
  const errors = watchConsole(page);
  await enter(page, cloud.url, reader, `/queues/${queueId}`);
  const review = page.getByRole('region', { name: 'Review' });
  await expect(review).toContainText('You cannot review this item. Your role, read, does not allow this (annotation_queue.review).');
  await expect(review.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add items' }).first()).toBeDisabled();
  await expectReadableAtAnyWidth(page);
  expect(errors).toEqual([]);
});

test('a reader reads the scores and comments of a span, and cannot add any', async ({ page }) => {
  await enter(page, cloud.url, reader, `/traces/${traceId}`);
  await page.getByRole('tab', { name: /Scores/ }).click();
  await expect(page.getByText('You cannot add a score. Your role, read, does not allow this (score.write).')).toBeVisible();
  await expect(page.getByRole('form', { name: 'Add a score' })).toHaveCount(0);
  await page.getByRole('tab', { name: /Comments/ }).click();
  await expect(page.getByText('You cannot add a comment. Your role, read, does not allow this (comment.write).')).toBeVisible();
  await expectReadable(page);
});

test('a member with the role write can use all of these actions', async ({ page }) => {
  await enter(page, cloud.url, writer);
  for (const [path, , buttons] of disabledActions) {
    await page.goto(`${cloud.url}/#${path}`);
    for (const name of buttons) await expect(page.getByRole('button', { name, exact: true }).first()).toBeEnabled();
  }
  await page.goto(`${cloud.url}/#/queues/${queueId}`);
  await expect(page.getByRole('form', { name: 'Review' })).toBeVisible();
});
