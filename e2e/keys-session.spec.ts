/** Every key of a session, of a comparison, and of the lists is pressed and does what its label says, as in `keys.spec.ts`. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { checkedElsewhere, dialog, everywhere, focused, leaveRow, menu, openingAt, rows, seen, to } from './key-checks.ts';
import { type KeyCheck, type KeyChecks, tryKeys } from './key-list.ts';
import { aRun } from './runs.ts';

let gateway: TestGateway;
test.beforeAll(async () => {
  gateway = await startTestGateway();
});
test.afterAll(() => gateway.stop());
test.use({ viewport: { width: 1440, height: 900 } });
test.setTimeout(900_000);

const opening = openingAt(() => gateway.url);

const startMs = Date.now() - 600_000;
const session = 'on-keys';
const turn = (page: Page, number: number) => page.getByRole('region', { name: new RegExp(`^Turn ${number}:`) });
const isCurrent =
  (number: number, before: readonly string[] = []): KeyCheck =>
  async (page, press) => {
    for (const key of before) await page.keyboard.press(key);
    await press();
    await expect(page.getByRole('navigation', { name: 'Turns' }).locator('[aria-current=true]')).toHaveText(new RegExp(`^${number}\\D`));
  };

test('in a session', async ({ page }) => {
  const long = 'Every word of the manual. '.repeat(120);
  await gateway.ingest(
    aRequest([
      ...aRun({ name: 'first', startMs, session, ask: 'Where is the Comet?', reply: long }),
      ...aRun({ name: 'second', startMs: startMs + 60_000, session, ask: 'And the probe?', failed: true }),
      ...aRun({ name: 'third', startMs: startMs + 120_000, session, ask: 'Is the Comet near?', reply: 'Yes.' }),
    ]),
  );
  const open = opening(page, `/sessions/${session}`, (shown) => shown.getByText('And the probe?'));
  const ofSession: KeyChecks = {
    'Session: Next turn': isCurrent(2),
    'Session: Previous turn': isCurrent(1, ['j']),
    'Session: Next turn with an error': isCurrent(2),
    'Session: Previous turn with an error': isCurrent(2),
    'Session: First turn': isCurrent(1, ['End']),
    'Session: Last turn': isCurrent(3),
    'Session: Open or close long texts of the turn': async (shown, press) => {
      await expect(turn(shown, 1).getByRole('button', { name: 'Open the whole' })).toBeVisible();
      await press();
      await expect(turn(shown, 1).getByRole('button', { name: 'Show less' })).toBeVisible();
    },
    'Session: Open its trace': to(/#\/traces\/\w+/, ['j']),
    'Session: Back': to(/#\/sessions$/),
    'Session: Search the session': focused('Search the session'),
    'Session: Compare the turn with the previous one': to(/#\/compare\?a=\w+&b=\w+/, ['j', 'j']),
    'Session: Add the turn to a dataset': dialog(/to a dataset$/),
    'Session: Score the turn': dialog(/^Score /),
    'Session: Change the tags of the turn': dialog(/^Tags of /),
    'Session: Copy menu': menu('Copy'),
    'Whole session: Export session': menu('Export session'),
    'Whole session: Delete the session': dialog(/^Delete /),
  };
  const chosen = async () => {
    await open();
    for (const key of ['j', 'k']) await page.keyboard.press(key);
  };
  // The first turn has none before it, so that its key is not listed.
  const { 'Session: Compare the turn with the previous one': compare, ...ofFirst } = ofSession;
  await tryKeys(page, chosen, ofFirst, everywhere);
  const second = async () => {
    await open();
    for (const key of ['j', 'j']) await page.keyboard.press(key);
    await expect(page).toHaveURL(/turn=/);
  };
  await tryKeys(page, second, { 'Session: Compare the turn with the previous one': compare as KeyCheck }, { ...everywhere, ...ofFirst });

  const find = opening(page, `/sessions/${session}?q=Comet`, (shown) => shown.getByText('2 turns found'));
  const ofFound: KeyChecks = { 'Session: Next turn found': isCurrent(3, ['n']), 'Session: Previous turn found': isCurrent(3) };
  await tryKeys(page, find, ofFound, { ...everywhere, ...ofSession });
});

test('in a session with a running turn', async ({ page }) => {
  const [, root] = aRun({ name: 'slow turn', startMs: Date.now(), session: 'live' });
  await gateway.ingest(aRequest([...aRun({ name: 'first turn', startMs, session: 'live' }), { ...root, endTimeUnixNano: '0' }]));
  const open = opening(page, '/sessions/live', (shown) => shown.getByRole('button', { name: 'Following' }));
  await open();
  const others = checkedElsewhere(
    ...['Next turn', 'Previous turn', 'Next turn with an error', 'Previous turn with an error', 'First turn', 'Last turn'].map(
      (label) => `Session: ${label}`,
    ),
    ...['Open or close long texts of the turn', 'Open its trace', 'Back', 'Search the session'].map((label) => `Session: ${label}`),
    ...['Compare the turn with the previous one', 'Add the turn to a dataset', 'Score the turn'].map((label) => `Session: ${label}`),
    ...['Change the tags of the turn', 'Copy menu'].map((label) => `Session: ${label}`),
    ...['Whole session: Export session', 'Whole session: Delete the session'],
  );
  const follow = seen((shown) => shown.getByRole('button', { name: 'Follow', exact: true, pressed: false }));
  await tryKeys(page, open, { 'Session: Follow the running turn': follow }, { ...everywhere, ...others });
});

test('in a comparison', async ({ page }) => {
  const runs = ['Rome', 'Oslo'].map((reply, at) => aRun({ name: 'Plan', startMs: startMs + at * 1000, ask: 'Where to?', reply }));
  await gateway.ingest(aRequest(runs.flat()));
  const [idA, idB] = runs.map(([span]) => (span as { traceId: string }).traceId);
  const path = `/compare?a=${idA}&b=${idB}`;
  const open = opening(page, path, (shown) => shown.getByRole('region', { name: 'Verdict' }));
  await tryKeys(
    page,
    open,
    {
      ...rows,
      'Comparison: Back': to(/#\/traces$/),
      'Comparison: Swap the runs': to(new RegExp(`a=${idB}&b=${idA}`)),
      'Comparison: Open run A': to(new RegExp(`#/traces/${idA}`)),
      'Comparison: Open run B': to(new RegExp(`#/traces/${idB}`)),
      'Comparison: Add both traces to a dataset': dialog(/to a dataset$/),
      'Comparison: Copy the link to this comparison': async (shown, press) => {
        await shown.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await press();
        await expect.poll(() => shown.evaluate(() => navigator.clipboard.readText())).toContain(path);
      },
      'Steps: Next difference': to(/step=/),
      'Steps: Previous difference': to(/step=/),
      'Steps: Show equal steps': to(/equal=shown/),
      'List: Open the row': to(/step=|equal=/, ['j']),
    },
    everywhere,
  );
});

test('in the other lists, and on the dashboard', async ({ page }) => {
  await gateway.ingest(aRequest(['one', 'two', 'three'].flatMap((name) => aRun({ name, startMs, session: name }))));
  const sessions = opening(page, '/sessions', (shown) => shown.getByRole('row', { name: /three/ }));
  const ofList: KeyChecks = { ...rows, 'List: Open the row': to(/#\/sessions\/\w+/, ['j']), 'List: Leave the row': leaveRow };
  await tryKeys(page, sessions, { ...ofList, 'Sessions: Search sessions': focused('Search by ID or name') }, everywhere);

  const log = opening(page, '/ingest-log', (shown) => shown.getByRole('row').nth(1));
  const listKeys = checkedElsewhere(...Object.keys(ofList));
  await tryKeys(page, log, { 'Ingest log: Search the log': focused('Search requests') }, { ...everywhere, ...listKeys });

  const dashboard = opening(page, '/dashboard', (shown) => shown.getByRole('heading', { level: 1, name: 'Dashboard' }));
  const ofDashboard: KeyChecks = {
    'Dashboard: Next time range': to(/range=/),
    'Dashboard: Break down by the next one': to(/by=/),
    'Traces: Filter': focused('Filter'),
  };
  await tryKeys(page, dashboard, ofDashboard, everywhere);
});
