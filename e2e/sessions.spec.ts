/** The list of sessions, and one session as a conversation over time. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { aRun } from './runs.ts';

let gateway: TestGateway;
const hour = 3_600_000;
const session = 'night shift/1';
const start = Date.now() - 5 * hour;

test.beforeEach(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(
    aRequest([
      ...aRun({ name: 'first turn', startMs: start, session, ask: 'Where is the Comet?', reply: 'Behind the moon.' }),
      ...aRun({ name: 'second turn', startMs: start + 60_000, session, ask: 'And now?', reply: 'Still there.' }),
      ...aRun({ name: 'third turn', startMs: start + 3 * hour + 60_000, session, ask: 'Any news?', failed: true }),
      ...aRun({ name: 'elsewhere', startMs: start, session: 'other' }),
    ]),
  );
});
test.afterEach(() => gateway.stop());

test('a session is opened from the list as a conversation, with long pauses collapsed', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions`);
  await page
    .getByRole('row', { name: /night shift/ })
    .getByRole('link')
    .click();
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await expect(conversation.getByText('Where is the Comet?')).toBeVisible();
  await expect(conversation.getByText('Behind the moon.')).toBeVisible();
  await expect(conversation.getByText(/3 hours later/)).toBeVisible();
  await expect(page.getByRole('region', { name: /^Turn \d/ })).toHaveCount(3);
  await expect(page.getByText('elsewhere')).toHaveCount(0);
  await expect(page.locator('dl')).toContainText('Turns3');
});

test('one key selects the failed turn, another opens its trace, and Back returns to it', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions/${encodeURIComponent(session)}`);
  await expect(page.getByRole('region', { name: 'Turn 3: third turn' })).toBeVisible();
  await page.keyboard.press('e');
  await expect(page).toHaveURL(/turn=/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'third turn', level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('region', { name: 'Turn 3: third turn' })).toBeInViewport();
});

test('a turn that arrives while the session is open is added', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions/${encodeURIComponent(session)}`);
  await expect(page.getByRole('region', { name: /^Turn \d/ })).toHaveCount(3);
  await gateway.ingest(aRequest(aRun({ name: 'fourth turn', startMs: Date.now(), session, ask: 'Good night' })));
  await page.keyboard.press('End');
  await expect(page.getByRole('region', { name: 'Turn 4: fourth turn' }).getByText('Good night')).toBeVisible();
});

test('a running turn has no duration, and neither has its session', async ({ page }) => {
  const [, root] = aRun({ name: 'slow turn', startMs: Date.now(), session: 'live' });
  await gateway.ingest(aRequest([{ ...root, endTimeUnixNano: '0' }]));
  await page.goto(`${gateway.url}/#/sessions/live`);
  const turn = page.getByRole('region', { name: 'Turn 1: slow turn' });
  await expect(turn.getByTitle('Still running')).toHaveText('—');
  await expect(page.locator('dl')).toContainText('Turns1');
  await expect(page.locator('dl')).not.toContainText(/Active time|Duration/);
  await gateway.ingest(aRequest([root as object]));
  await expect(turn).toContainText('900 ms');
  await expect(page.locator('dl')).toContainText('Active time900 ms');
});

test('a session of hundreds of turns renders only a few at a time', async ({ page }) => {
  const turns = Array.from({ length: 300 }, (_, i) =>
    aRun({ name: `turn of ${i}`, startMs: start + i * 2000, session: 'long', ask: `Ask ${i}` }),
  );
  await gateway.ingest(aRequest(turns.flat()));
  await page.goto(`${gateway.url}/#/sessions/long`);
  await expect(page.getByText('Ask 0', { exact: true })).toBeVisible();
  expect(await page.getByRole('region', { name: /^Turn \d/ }).count()).toBeLessThan(40);
  await expect(page.locator('dl')).toContainText('Turns300');
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.getByText('Ask 299', { exact: true })).toBeVisible({ timeout: 5000 });
  }).toPass();
});

for (const colorScheme of ['dark', 'light'] as const) {
  test(`sessions are accessible, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const serious = async () =>
      (await new AxeBuilder({ page }).analyze()).violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
    await page.goto(`${gateway.url}/#/sessions`);
    await expect(page.getByRole('row', { name: /night shift/ })).toBeVisible();
    expect(await serious()).toEqual([]);
    await page.goto(`${gateway.url}/#/sessions/${encodeURIComponent(session)}`);
    await expect(page.getByText('Any news?')).toBeVisible();
    await page.keyboard.press('e');
    expect(await serious()).toEqual([]);
  });
}
