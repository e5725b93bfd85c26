/** Deleting traces of a team: by hand, by filter, by session and by user, each with a confirmation and an audit entry. */
import { expect, type Page } from '@playwright/test';
import { openSqliteControl } from '../server/control/sqlite/open.ts';
import { addMember } from '../server/fixtures/add-member.ts';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { systemClock } from '../server/platform/clock.ts';
import { aRequest, aSpan } from '../shared/fixtures/otlp.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: TestCloud;
const admin = { email: 'admin@acme.test', password: 'the password of admin@acme.test' };
const writer = { email: 'writer@acme.test', password: 'the password of writer@acme.test' };

test.beforeEach(async () => {
  cloud = await startTestCloud();
  const now = Date.now() - 600_000;
  const runs = [
    ...['one', 'two', 'three'].map((name, at) => aRun({ name: `answer ${name}`, startMs: now - at * 60_000 })),
    ...['one', 'two'].map((name, at) => aRun({ name: `failure ${name}`, startMs: now - at * 50_000, failed: true })),
    ...['one', 'two'].map((name, at) => aRun({ name: `plan ${name}`, startMs: now - at * 40_000, session: 'planning' })),
    ...['one', 'two'].map((name, at) => aRun({ name: `question ${name}`, startMs: now - at * 30_000, user: 'ada' })),
  ];
  await cloud.ingest(cloud.tenant, aRequest(runs.flat()));
  await addMember(cloud, cloud.tenant, admin.email, 'admin');
  await addMember(cloud, cloud.tenant, writer.email, 'write');
});
test.afterEach(() => cloud.stop());

const rows = (page: Page) => page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]');
const dialog = (page: Page) => page.getByRole('dialog');
const names = async () => (await cloud.tenant.owner.traces.list({})).data.map(({ name }) => name).sort();

/** Entries about deletions, oldest first: who, and whether the amount is recorded. */
async function audited(): Promise<string[]> {
  const control = openSqliteControl(cloud.dataDir, systemClock);
  try {
    const { data } = await control.audit.list(cloud.tenant.tenant_id, { limit: 100, offset: 0 });
    const deletions = data.filter(({ action }) => action === 'trace.delete').toReversed();
    return deletions.map(({ actor_kind, before_hash, after_hash }) => `${actor_kind} ${before_hash?.length} ${after_hash}`);
  } finally {
    await control.stop();
  }
}
const entry = 'user 64 null';

async function confirm(page: Page, says: string, traces: number): Promise<void> {
  await expect(dialog(page)).toContainText(says);
  await expect(dialog(page)).toContainText('This cannot be undone.');
  await dialog(page)
    .getByRole('button', { name: `Delete ${traces} traces` })
    .click();
  await expect(dialog(page)).toHaveCount(0);
}

test('an admin deletes by hand, by filter, by session and by user', async ({ page }) => {
  const errors = watchConsole(page);
  await enter(page, cloud.url, admin);
  await expect(rows(page)).toHaveCount(9);
  for (const name of ['answer one', 'answer two'])
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .click();
  await page.keyboard.press('Delete');
  await expectReadable(page);
  await dialog(page).getByRole('button', { name: 'Keep it' }).click();
  expect([(await names()).length, await audited()]).toEqual([9, []]);
  await page.keyboard.press('Delete');
  await confirm(page, '2 traces with 4 spans and all scores on them will be deleted.', 2);
  await expect(rows(page)).toHaveCount(7);
  expect(await audited()).toEqual([entry]);

  await page.goto(`${cloud.url}/#/traces?filter=status+%3D+ERROR`);
  await page.getByRole('button', { name: 'Delete all 2 traces…' }).click();
  await confirm(page, 'Delete all traces that match?', 2);
  await expect(rows(page)).toHaveCount(0);

  await page.goto(`${cloud.url}/#/sessions/planning`);
  await expect(page.getByRole('button', { name: /^Delete session…/ })).toBeVisible();
  await page.keyboard.press('Delete');
  await confirm(page, 'Delete this session?', 2);
  await expect(page).not.toHaveURL(/planning/);

  // From a trace of the user, by the command palette.
  await page.goto(`${cloud.url}/#/traces`);
  await page.getByRole('link', { name: 'question one' }).click();
  await page.getByRole('region', { name: 'Facts' }).getByRole('link', { name: 'ada' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Delete all traces of this user…' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await page.keyboard.type('delete user');
  await page.keyboard.press('Enter');
  await confirm(page, 'Delete all traces of the user ada?', 2);
  await expect(rows(page)).toHaveCount(0);
  expect(await names()).toEqual(['answer three']);
  expect(await audited()).toEqual([entry, entry, entry, entry]);
  expect(errors).toEqual([]);
});

test('traces of a user that the list hides are deleted with the user', async ({ page }) => {
  const hidden = aSpan({ name: 'auth', attributes: { 'user.id': 'ada' } });
  await cloud.ingest(cloud.tenant, aRequest([hidden], { scope: 'codex_core' }));
  await enter(page, cloud.url, admin, '/traces?user_id=ada');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Delete all traces of this user…' }).click();
  await confirm(page, '3 traces with 5 spans', 3);
});

test('a member without the permission sees no way to delete, and the keys do nothing', async ({ page }) => {
  await enter(page, cloud.url, writer, '/traces?user_id=ada');
  await expect(rows(page)).toHaveCount(2);
  for (const key of ['j', 'x', 'Delete']) await page.keyboard.press(key);
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 trace selected');
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await page.keyboard.type('delete');
  await expect(page.getByRole('option', { name: /^Delete/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'question one' }).click();
  await expect(page.getByRole('heading', { name: 'question one', level: 1 })).toBeVisible();
  await page.keyboard.press('Delete');
  await page.goto(`${cloud.url}/#/sessions/planning`);
  await expect(page.getByRole('button', { name: 'More actions' })).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  expect([(await names()).length, await audited()]).toEqual([9, []]);
});
