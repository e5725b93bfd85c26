/** The keys of a review, and those of acts that only a team has, are pressed and do what their labels say, as in `keys.spec.ts`. */
import { expect } from '@playwright/test';
import { aQueue } from '../server/fixtures/a-queue.ts';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { dialog, focused, seen } from './key-checks.ts';
import { type KeyCheck, type KeyChecks, listedKeys, pressKey } from './key-list.ts';
import { aRun } from './runs.ts';

let cloud: TestCloud;
let queueId: string;
test.beforeAll(async () => {
  cloud = await startTestCloud();
  const { tenant } = cloud;
  await cloud.ingest(tenant, aRequest(['first', 'second', 'third'].flatMap((name) => aRun({ name, startMs: Date.now() - 5000 }))));
  const traces = (await tenant.owner.traces.list({})).data;
  queueId = (
    await aQueue(
      tenant.owner,
      traces.map(({ id }) => ({ resource_id: id })),
    )
  ).queueId;
});
test.afterAll(() => cloud.stop());
test.use({ viewport: { width: 1440, height: 900 } });
test.setTimeout(900_000);

test('in a review, and the acts of a team', async ({ page }) => {
  // The scores of a project come with its files, which this team has not linked.
  const tone = { id: 'tone', name: 'tone', commit_sha: '', data_type: 'boolean', source: 'created', archived: false };
  const pagination = { limit: 1000, offset: 0, total: 1 };
  await page.route('**/v1/score-configs?*', (route) => route.fulfill({ json: { data: [tone], pagination } }));
  await enter(page, cloud.url, cloud.tenant, `/queues/${queueId}`);
  const open = async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: 'Skip' })).toBeEnabled();
    await expect(page.getByRole('treeitem').first()).toBeVisible();
  };
  const chosen: KeyCheck = async (shown, press) => {
    const form = shown.getByRole('form', { name: 'Review' });
    await expect(form.getByText('has no answer yet')).toBeVisible();
    await press();
    await expect(form.getByText('has no answer yet')).toBeHidden();
  };
  const goesOn =
    (before: readonly string[]): KeyCheck =>
    async (shown, press) => {
      const item = shown.getByRole('heading', { level: 1 }).first();
      const name = await shown.getByRole('region', { name: 'Item' }).getByRole('treeitem').first().textContent();
      for (const key of before) await shown.keyboard.press(key);
      await press();
      await expect(item).toBeVisible();
      await expect(shown.getByRole('region', { name: 'Item' }).getByRole('treeitem').first()).not.toHaveText(name ?? '');
    };
  const checks: KeyChecks = {
    'Review: Undo the last answer': async (shown, press) => {
      await shown.keyboard.press('1');
      await expect(shown.getByText('has no answer yet')).toBeHidden();
      await press();
      await expect(shown.getByText('has no answer yet')).toBeVisible();
    },
    'Review: Write a comment': focused('Comment (c)'),
    'Review: Submit and go to next item': goesOn(['1']),
    'Review: Skip and go to next item': goesOn([]),
    'Span: Add the span or its trace to a queue': dialog(/to a queue$/),
    'Span: Comment on the span or its trace': dialog(/^Comment on /),
    'Everywhere: Go to queues': seen((shown) => shown.getByRole('heading', { level: 1, name: 'Queues' })),
  };
  await open();
  const listed = await listedKeys(page);
  for (const { name, on } of listed.filter((key) => key.name.startsWith('Review: ') || key.name in checks)) {
    await open();
    const check = checks[name] ?? (name.startsWith('Review: tone: ') ? chosen : undefined);
    expect(check, name).toBeDefined();
    await check?.(page, () => pressKey(page, on[0] ?? ''));
    if (name.startsWith('Everywhere')) await page.goBack();
  }
  for (const name of Object.keys(checks)) expect(listed.map((key) => key.name)).toContain(name);
});
