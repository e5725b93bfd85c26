/** What can be done from where one stands: from selected traces, from a span, and from a session; by key, in the sheet and in the palette. */
import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { addMember } from '../server/fixtures/add-member.ts';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: TestCloud;
const writer = { email: 'writer@acme.test', password: 'the password of writer@acme.test' };
const reader = { email: 'reader@acme.test', password: 'the password of reader@acme.test' };

test.beforeEach(async () => {
  cloud = await startTestCloud();
  const now = Date.now() - 5000;
  const run = (name: string, at: number) => aRun({ name, startMs: now - at * 1000, session: 'planning' });
  await cloud.ingest(cloud.tenant, aRequest(['first', 'second', 'third'].flatMap((name, at) => run(`${name} answer`, at))));
  await addMember(cloud, cloud.tenant, writer.email, 'write');
  await addMember(cloud, cloud.tenant, reader.email, 'read');
});
test.afterEach(() => cloud.stop());

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

async function comments(): Promise<string[]> {
  const { data } = await cloud.tenant.owner.comments.list({ query: {} });
  return data.map(({ resource_type, body }) => `${resource_type}: ${body}`);
}

async function select(page: Page): Promise<void> {
  await expect(page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]')).toHaveCount(3);
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('2 traces selected');
}

test('selected traces are commented on, scored, copied and exported', async ({ page, context }) => {
  const errors = watchConsole(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter(page, cloud.url, writer);
  await select(page);

  await page.keyboard.press('m');
  const comment = dialog(page, 'Comment on 2 traces');
  await comment.getByLabel('Comment', { exact: true }).fill('the tool was asked twice');
  await expectReadable(page);
  await comment.getByRole('button', { name: 'Add comment' }).click();
  await expect(comment.getByRole('status')).toContainText('2 comments added.');
  expect(await comments()).toEqual(['trace: the tool was asked twice', 'trace: the tool was asked twice']);
  await page.keyboard.press('Escape');

  await page.keyboard.press('v');
  const score = dialog(page, 'Score 2 traces');
  await score.getByLabel('Name').fill('tone');
  await score.getByLabel('Value').fill('0.5');
  await expectReadable(page);
  await score.getByRole('button', { name: 'Add score' }).click();
  await expect(score.getByRole('status')).toContainText('2 scores added.');
  const { data } = await cloud.tenant.owner.scores.list({ query: { name: 'tone' } });
  expect(data.map(({ source, score: value }) => `${source} ${value}`)).toEqual(['annotation 0.5', 'annotation 0.5']);
  await page.keyboard.press('Escape');

  await page.keyboard.press('y');
  await page.getByRole('menuitem', { name: 'AI prompt' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('# 2 traces');
  await page.keyboard.press('X');
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'JSON' }).click();
  expect((await saved).suggestedFilename()).toBe('traces-2.json');
  expect(errors).toEqual([]);
});

test('tags of selected traces are added and removed, and the list is filtered by them', async ({ page }) => {
  const errors = watchConsole(page);
  await enter(page, cloud.url, writer);
  await select(page);
  await page.keyboard.press('T');
  const tags = dialog(page, 'Tags of 2 traces');
  await expect(tags).toContainText('None of them has a tag yet.');
  await expect(tags.getByLabel('New tag')).toBeFocused();
  for (const tag of ['needs a fix', 'reviewed']) {
    await tags.getByLabel('New tag').fill(tag);
    await page.keyboard.press('Enter');
    await expect(tags.getByRole('list', { name: 'Tags' })).toContainText(tag);
  }
  await expectReadable(page);
  await tags.getByRole('button', { name: 'Remove tag reviewed' }).click();
  await expect(tags.getByRole('listitem')).toHaveCount(1);
  await tags.getByRole('button', { name: 'Done' }).click();
  await expect(tags).toBeHidden();

  await page.goto(`${cloud.url}/#/traces?filter=${encodeURIComponent('tags = "needs a fix"')}`);
  const rows = page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]');
  await expect(rows).toHaveCount(2);
  await rows.first().click();
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('needs a fix');
  await page.keyboard.press('T');
  await dialog(page, 'Tags of this trace').getByLabel('New tag').fill('one of two');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('one of two');
  expect(errors).toEqual([]);
});

test('a span or its trace is commented on, scored and added to a dataset', async ({ page }) => {
  await enter(page, cloud.url, writer);
  await page.getByRole('link', { name: 'first answer' }).click();
  await expect(page.getByRole('button', { name: 'More actions' })).toBeVisible();
  await page.keyboard.press('m');
  await dialog(page, 'Comment on this span').getByRole('button', { name: 'Its trace' }).click();
  const comment = dialog(page, 'Comment on this trace');
  await comment.getByLabel('Comment', { exact: true }).fill('a good run');
  await comment.getByRole('button', { name: 'Add comment' }).click();
  await expect(comment.getByRole('status')).toContainText('1 comment added.');
  await page.keyboard.press('Escape');
  // Those of the trace are shown on its first span, and in the dialog.
  await page.getByRole('tab', { name: /Comments/ }).click();
  await expect(page.getByRole('list', { name: 'Comments' })).toContainText('a good run');
  await page.keyboard.press('m');
  await dialog(page, 'Comment on this span').getByRole('button', { name: 'Its trace' }).click();
  await expect(dialog(page, 'Comment on this trace').getByRole('list', { name: 'Comments' })).toContainText('a good run');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Score', exact: false }).click();
  await expect(dialog(page, 'Score this span')).toBeVisible();
  // A key that is pressed before the page is told that the dialog was closed.
  await page.evaluate(() => {
    document.querySelector('dialog')?.close();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true }));
  });
  await dialog(page, 'Add this span to a dataset').getByRole('button', { name: 'Its trace' }).click();
  await expect(dialog(page, 'Add this trace to a dataset').getByLabel('Input')).toHaveValue(/first answer/);
});

test('a session is commented on as a whole, and a turn of it', async ({ page }) => {
  await enter(page, cloud.url, writer, '/sessions/planning');
  await expect(page.getByRole('button', { name: 'More actions' })).toBeVisible();
  await page.keyboard.press('m');
  const comment = dialog(page, 'Comment on this session');
  await comment.getByLabel('Comment', { exact: true }).fill('it went in circles');
  await expectReadable(page);
  await comment.getByRole('button', { name: 'Add comment' }).click();
  await expect(comment.getByRole('status')).toBeVisible();
  expect(await comments()).toEqual(['session: it went in circles']);
  await page.keyboard.press('Escape');
  await expect(comment).toHaveCount(0);
  await page.keyboard.press('m');
  await expect(comment.getByRole('list', { name: 'Comments' })).toContainText('it went in circles');
  await comment.getByRole('button', { name: 'This turn' }).click();
  await expect(dialog(page, 'Comment on this trace').getByRole('list', { name: 'Comments' })).toHaveCount(0);
});

test('a mentioned member finds the comment from their inbox, and it is read', async ({ page, browser }) => {
  const trace = (await cloud.tenant.client.traces.list({})).data.find(({ name }) => name === 'first answer');
  await enter(page, cloud.url, writer, `/traces/${trace?.id}?tab=comments`);
  const field = page.getByLabel('Comment', { exact: true });
  await field.pressSequentially('ask @acme');
  const people = page.getByRole('listbox', { name: 'People to mention' });
  await expect(people).toHaveCount(0);
  for (const _ of 'acme') await page.keyboard.press('Backspace');
  await expect(people.getByRole('option')).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(people).toHaveCount(0);
  await field.pressSequentially('re');
  await expect(people.getByRole('option', { name: reader.email })).toHaveAttribute('aria-selected', 'true');
  await expectReadable(page);
  await page.keyboard.press('Enter');
  await field.pressSequentially('<img src=x onerror=pwned(1)>');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await expect(page.locator('[data-mention]')).toHaveText(`@${reader.email}`);
  expect(await comments()).toEqual([expect.stringMatching(/^span: ask @\[reader@acme\.test\]\(user:[0-9a-f-]{36}\) <img/)]);

  const theirs = await (await browser.newContext()).newPage();
  const errors = watchConsole(theirs);
  await enter(theirs, cloud.url, reader);
  await expect(theirs.getByRole('link', { name: /unread/ })).toHaveCount(1);
  await theirs.getByRole('link', { name: 'Inbox 1 unread' }).click();
  await expect(theirs.getByRole('table', { name: 'Inbox' })).toContainText('ask @reader@acme.test <img src=x onerror=pwned(1)>');
  await expectReadable(theirs);
  await theirs.getByRole('button', { name: `Unread: ${writer.email} mentioned you on a span` }).click();
  await expect(theirs.getByRole('list', { name: 'Comments' }).locator('[aria-current]')).toContainText('<img src=x onerror=pwned(1)>');
  await expect(theirs.getByRole('link', { name: 'Inbox', exact: true })).toBeVisible();
  await expect(theirs.locator('img[src=x]')).toHaveCount(0);
  expect(errors).toEqual([]);
  await expectOtherNotices(theirs);
});

/** Of a notice that is gone, of a span that was deleted, and of a session, opened by its address. */
async function expectOtherNotices(theirs: Page): Promise<void> {
  const { owner, app_id } = cloud.tenant;
  const body = `@[you](user:${(await owner.members.list()).data.find(({ email }) => email === reader.email)?.id})`;
  await owner.comments.create({ body: { resource_type: 'session', resource_id: 'planning', body } });
  await owner.comments.create({ body: { resource_type: 'span', resource_id: 'f'.repeat(16), body } });
  await theirs.goto(`${cloud.url}/#/inbox?app=${app_id}&open=${randomUUID()}`);
  await expect(theirs.getByText('The notice in the address is gone')).toBeVisible();
  await theirs.getByRole('button', { name: /^Unread: .* mentioned you on a span$/ }).click();
  await expect(theirs.getByText('The comment could not be opened.')).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Inbox 2 unread' })).toBeVisible();

  const ofSession: string = await theirs.evaluate(async () => {
    const answer = await fetch('/v1/viewer/notices', { headers: { 'x-glasshouse-page': '1' } });
    return (await answer.json()).data[1].id;
  });
  await theirs.goto(`${cloud.url}/#/inbox?app=${app_id}`);
  await theirs.goto(`${cloud.url}/#/inbox?app=${app_id}&open=${ofSession}`);
  await expect(dialog(theirs, 'Comment on this session')).toContainText('You cannot add a comment.');
  await theirs.keyboard.press('Escape');
  await expect(theirs.getByRole('link', { name: 'Inbox 1 unread' })).toBeVisible();
  await theirs.goBack();
  await expect(theirs.getByRole('table', { name: 'Inbox' })).toBeVisible();
}

test('the sheet and the palette list what can be done with what is selected or open', async ({ page }) => {
  const acts = (of: string) => [`Add ${of} to a dataset`, `Add ${of} to a queue`, `Score ${of}`];
  const expectListed = async (labels: readonly string[]) => {
    await page.keyboard.press('?');
    for (const label of labels) await expect(dialog(page, 'Keys')).toContainText(label);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('ControlOrMeta+k');
    for (const name of labels) await expect(page.getByRole('option', { name })).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await enter(page, cloud.url, writer);
  await select(page);
  await expectListed([...acts('the selected traces'), 'Comment on the selected traces', 'Export the selected traces', 'Copy menu']);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await page.keyboard.type('comment on the selected');
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Comment on 2 traces')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(`${cloud.url}/#/sessions/planning`);
  await expect(page.getByRole('button', { name: 'More actions' })).toBeVisible();
  await expectListed([...acts('the turn'), 'Comment on the turn or the session', 'Export session', 'Copy menu']);
});

test('a member who may only read sees why an act is not possible, and its key does nothing', async ({ page }) => {
  await enter(page, cloud.url, reader);
  await select(page);
  await expect(page.getByRole('button', { name: 'Comment' })).toHaveAttribute('title', /does not allow this \(comment\.write\)/);
  for (const key of ['m', 'v', 'd', 'q']) await page.keyboard.press(key);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
