/** The context view of a trace: what fills the windows of its agents, what it costs, and where the prompt cache broke. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aContextRun, factChecker, leadAnalyst, priceScout } from '../shared/fixtures/context-run.ts';
import { aRequest, aSpan, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, expectReadableAtAnyWidth, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;
test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(() => gateway.stop());

async function ingestRun(...of: Parameters<typeof aContextRun>): Promise<string> {
  const { traceId, request } = aContextRun(...of);
  expect((await gateway.ingest(request)).status).toBe(200);
  return traceId;
}

const crew = [leadAnalyst, priceScout, factChecker];
const findings = (page: Page) => page.getByRole('region', { name: 'Findings' });
const callHead = (page: Page, call: number, of: number) => page.getByRole('heading', { name: `Call ${call} of ${of}`, exact: true });

test('a time in the system prompt breaks the cache: where, which words, what it cost', async ({ page }) => {
  const errors = watchConsole(page);
  const traceId = await ingestRun(crew, Date.now() - 300_000);
  await page.goto(`${gateway.url}/#/traces/${traceId}`);
  await page.getByRole('group', { name: 'View' }).waitFor();
  await page.keyboard.press('x');
  await expect(findings(page)).toContainText('Cache broke at call 9');
  await expect(findings(page)).toContainText('The time in the system prompt changed.');
  await expect(findings(page)).toContainText('of the bill');
  await expect(findings(page)).toContainText('Peak at call 14');
  // The worst break is chosen.
  await expect(callHead(page, 9, 14)).toBeVisible();
  const broke = page.getByRole('region', { name: 'The cache broke here' });
  await expect(broke).toContainText('System prompt, line 2, character');
  await expect(broke.locator('del')).toHaveText('09:31.');
  await expect(broke.locator('ins')).toHaveText('09:32.');
  await expect(broke).toContainText('were paid in full instead of read from the cache: $');
  await expect(broke).toContainText('instead of');
  await page.keyboard.press('l');
  await expect(broke.locator('del')).toHaveText('It is Monday, 23 November 2026, 09:31.');
  await expect(page.getByRole('region', { name: 'Rewritten' })).toContainText('System prompt');
  await expect(page.getByRole('region', { name: 'Dropped' })).toContainText('web_search result');
  await expectReadableAtAnyWidth(page);
  expect(errors).toEqual([]);
});

test('keys lead through calls, breaks, heaviest parts and agents; the address keeps what is chosen', async ({ page }) => {
  const traceId = await ingestRun(crew, Date.now() - 300_000);
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=context`);
  await expect(callHead(page, 9, 14)).toBeVisible();
  await page.keyboard.press('j');
  await expect(callHead(page, 10, 14)).toBeVisible();
  await expect(page.getByRole('region', { name: 'The cache broke here' })).toHaveCount(0);
  for (const key of ['k', 'k', 'k']) await page.keyboard.press(key);
  await expect(callHead(page, 7, 14)).toBeVisible();
  await page.keyboard.press('b');
  await expect(callHead(page, 9, 14)).toBeVisible();

  const heaviest = page.getByRole('region', { name: 'Heaviest over the run' }).getByRole('button');
  await page.keyboard.press('h');
  await expect(heaviest.first()).toHaveAttribute('aria-pressed', 'true');
  expect(page.url()).toContain('part=');
  await page.keyboard.press('v');
  await expect(page.getByRole('heading', { name: 'What the calls cost' })).toBeVisible();
  expect(page.url()).toContain('by=cost');

  await page.keyboard.press(']');
  await expect(page.getByRole('button', { name: 'price-scout' })).toHaveAttribute('aria-pressed', 'true');
  await expect(findings(page)).toContainText('Held in all 9 calls');
  await page.keyboard.press('[');
  await expect(page.getByRole('button', { name: 'lead-analyst' })).toHaveAttribute('aria-pressed', 'true');

  await page.keyboard.press('j');
  const address = page.url();
  await page.reload();
  await expect(callHead(page, 10, 14)).toBeVisible();
  expect(page.url()).toBe(address);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Detail' }).getByRole('heading', { name: 'chat claude-sonnet-4-5' })).toBeVisible();
  await page.keyboard.press('x');
  await expect(callHead(page, 10, 14)).toBeVisible();

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' }).getByText('Next cache break')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('next cache break');
  await page.keyboard.press('Enter');
  await expect(callHead(page, 9, 14)).toBeVisible();
});

test('in a narrow window the chosen call is opened without scrolling', async ({ page }) => {
  const traceId = await ingestRun(crew, Date.now() - 300_000);
  await page.setViewportSize({ width: 900, height: 700 });
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=context`);
  const open = page.getByRole('button', { name: 'Open call 9' });
  await expect(open).toBeInViewport({ ratio: 1 });
  await open.click();
  await expect(page.getByRole('heading', { name: 'chat claude-sonnet-4-5' })).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('x');
  await expect(callHead(page, 9, 14)).toBeVisible();
  await expect(open).toBeHidden();
});

test('a band in the picture selects its call and part', async ({ page }) => {
  const traceId = await ingestRun([leadAnalyst], Date.now() - 300_000);
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=context`);
  const picture = page.getByRole('img', { name: 'Columns of the calls' });
  await expect(picture).toBeVisible();
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const column = (call: number) => box.x + ((call - 0.5) / 14) * box.width;
  // A little above the tool definitions and the system prompt lies the largest part, for as long as it is carried.
  const limit = 200_000;
  await page.mouse.click(column(5), box.y + box.height * (1 - 20_000 / limit));
  await expect(callHead(page, 5, 14)).toBeVisible();
  const pressed = page.getByRole('region', { name: 'Heaviest over the run' }).locator('[aria-pressed=true]');
  await expect(pressed).toContainText('grid-storage-cost-survey-2026.pdf');
  await expect(page.getByRole('complementary', { name: 'Chosen call' }).locator('[aria-pressed=true]').last()).toContainText(
    'price-scout result',
  );
});

test('one call, no call, messages that were not recorded, and a model without a known window', async ({ page }) => {
  const one = await ingestRun([{ ...leadAnalyst, steps: [] }], Date.now() - 300_000);
  await page.goto(`${gateway.url}/#/traces/${one}?view=context`);
  await expect(callHead(page, 1, 1)).toBeVisible();
  await expect(findings(page)).toContainText('There is no previous call to compare it with.');
  await expectReadable(page);

  const traceId = aTraceId();
  await gateway.ingest(aRequest([aSpan({ traceId, name: 'rotate the logs', startMs: Date.now() - 1000 })]));
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=context`);
  await expect(page.getByRole('heading', { name: 'No model calls' })).toBeVisible();
  await expectReadable(page);

  const silent = aContextRun([leadAnalyst], Date.now() - 300_000);
  const texts = ['gen_ai.input.messages', 'gen_ai.system_instructions', 'gen_ai.tool.definitions'];
  const calls = silent.spans.filter((span) => String((span as { name: string }).name).startsWith('chat '));
  const withoutTexts = (span: object) => {
    const { attributes } = span as { attributes: { key: string }[] };
    return { ...span, attributes: attributes.filter(({ key }) => !texts.includes(key)) };
  };
  await gateway.ingest(aRequest(silent.spans.map((span) => (calls.slice(0, 3).includes(span) ? withoutTexts(span) : span))));
  await page.goto(`${gateway.url}/#/traces/${silent.traceId}?view=context&call=2`);
  await expect(page.getByText('The messages of calls 1 to 3 were not recorded; shares begin at call 4.')).toBeVisible();
  await expect(page.getByText('The messages of this call were not recorded.')).toBeVisible();

  const unknown = await ingestRun([{ ...leadAnalyst, model: 'our-own-model-7b' }], Date.now() - 300_000);
  await page.goto(`${gateway.url}/#/traces/${unknown}?view=context`);
  await expect(page.getByText('The window of our-own-model-7b is not known.')).toBeVisible();
  await expect(page.getByText('Limit of our-own-model-7b')).toHaveCount(0);
  await page.getByRole('button', { name: 'Set it' }).click();
  await page.getByRole('textbox').fill('128 000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Limit of our-own-model-7b')).toBeVisible();
  await expect(findings(page)).toContainText('of the window');
});

test('more than 60 calls are an area in which a range is picked', async ({ page }) => {
  const steps = Array.from({ length: 89 }, (_, at) => ['fetch_page', `page-${at}.example`, 1_500] as const);
  const { pruneAt: _, ...analyst } = leadAnalyst;
  const traceId = await ingestRun([{ ...analyst, steps }], Date.now() - 900_000);
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=context&call=50`);
  await expect(page.getByText('90 calls. Drag to pick some')).toBeVisible();
  const picture = page.getByRole('img', { name: 'Columns of the calls' });
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width * 0.2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByText('Calls 19 to 46 of 90')).toBeVisible();
  expect(page.url()).toContain('calls=19-46');
  // A range moves the chosen call into it, and then follows it.
  await expect(callHead(page, 46, 90)).toBeVisible();
  await page.keyboard.press('End');
  await expect(callHead(page, 90, 90)).toBeVisible();
  await expect(page.getByText('Calls 63 to 90 of 90')).toBeVisible();
  await page.keyboard.press('0');
  await expect(page.getByText('90 calls. Drag to pick some')).toBeVisible();

  await page.goto(`${gateway.url}/#/traces/${traceId}?view=context&calls=19-46&call=20`);
  await expect(page.getByText('Calls 19 to 46 of 90')).toBeVisible();
  await page.keyboard.press('f');
  await expect(callHead(page, 90, 90)).toBeVisible();
  await expect(page.getByText('Calls 63 to 90 of 90')).toBeVisible();
});

test('text of a trace is shown as text', async ({ page }) => {
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202e';
  const traceId = await ingestRun(
    [
      {
        ...leadAnalyst,
        name: hostile,
        system: (call) => `${hostile} ${call < 9 ? 'a' : 'b'}`,
        ask: hostile,
        steps: leadAnalyst.steps.map(() => [hostile, hostile, 300] as const),
      },
    ],
    Date.now() - 300_000,
    hostile,
  );
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=context`);
  await expect(findings(page)).toBeVisible();
  expect(await page.locator('img, main script').count()).toBe(0);
  expect(await page.title()).toContain('Glasshouse');
});

test('a failed request says so, and the view recovers', async ({ page }) => {
  const traceId = await ingestRun([leadAnalyst], Date.now() - 300_000);
  await page.route('**/context', (route) => route.abort('connectionrefused'));
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=context`);
  await expect(page.getByText('The context windows could not be read')).toBeVisible();
  await expectReadable(page);
  await page.unroute('**/context');
  // The page may be quicker than the click.
  await page
    .getByRole('button', { name: 'Try again' })
    .click({ timeout: 2_000 })
    .catch(() => {});
  await expect(findings(page)).toContainText('Cache broke at call 9');
});

test('a run that goes on shows its last call, and follows the next one', async ({ page }) => {
  const { traceId, spans } = aContextRun([leadAnalyst], Date.now() - 300_000);
  const calls = spans.filter((span) => 'name' in span && String(span.name).startsWith('chat '));
  const part = (of: readonly object[]) => aRequest([...of], { service: 'research-crew' });
  const [fourth, fifth] = [calls[3] as object, calls[4] as object];
  await gateway.ingest(part([...calls.slice(0, 3), { ...fourth, endTimeUnixNano: '0' }]));
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=context`);
  await expect(callHead(page, 4, 4)).toBeVisible();
  const detail = page.getByRole('complementary', { name: 'Chosen call' });
  await expect(detail.getByText('Running', { exact: true })).toBeVisible();
  await page.keyboard.press('k');
  await expect(callHead(page, 3, 4)).toBeVisible();
  await page.keyboard.press('f');
  await expect(callHead(page, 4, 4)).toBeVisible();
  await gateway.ingest(part([fourth, fifth]));
  await expect(callHead(page, 5, 5)).toBeVisible();
  await expect(detail.getByText('Running', { exact: true })).toHaveCount(0);
});
