/** Every key of the context view and of two compared groups does what its label says. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aContextRun, factChecker, leadAnalyst, priceScout } from '../shared/fixtures/context-run.ts';
import { test } from './journey.ts';
import { checkedElsewhere, everywhere, openingAt, pressed, rows, seen, to } from './key-checks.ts';
import { type KeyChecks, tryKeys } from './key-list.ts';
import { ingestRefund } from './refund-runs.ts';

let gateway: TestGateway;
test.beforeAll(async () => {
  gateway = await startTestGateway();
});
test.afterAll(() => gateway.stop());
test.use({ viewport: { width: 1440, height: 900 } });
test.setTimeout(600_000);

const opening = openingAt(() => gateway.url);

const call = (number: number, before: readonly string[] = []) =>
  seen((page) => page.getByRole('heading', { name: `Call ${number} of 14`, exact: true }), before);

const agent = (name: RegExp) => seen((page) => page.getByRole('button', { name, pressed: true }));

test('in the context view', async ({ page }) => {
  const { traceId, request } = aContextRun([leadAnalyst, priceScout, factChecker], Date.now() - 300_000);
  await gateway.ingest(request);
  const open = opening(page, `/traces/${traceId}?view=context`, (shown) =>
    shown.getByRole('heading', { name: 'Call 9 of 14', exact: true }),
  );
  const ofContext: KeyChecks = {
    'Context: Next call': call(10),
    'Context: Previous call': call(8),
    'Context: First call': call(1),
    'Context: Last call': call(14),
    'Context: Next cache break': call(9, ['Home']),
    'Context: Heaviest part, then the next': to(/part=/),
    'Context: Previous agent': agent(/fact-checker/),
    'Context: Next agent': agent(/price-scout/),
    'Context: Show cost': to(/by=cost/),
    'Context: Words or lines': seen((shown) => shown.locator('del', { hasText: 'It is Monday' })),
    'Context: Open the call': to(/span=/),
    'Trace: Follow new calls': pressed('Follow'),
    'Trace: Open in new window': async (shown, press) => {
      const [opened] = await Promise.all([shown.context().waitForEvent('page'), press()]);
      await expect(opened).toHaveURL(/window=1/);
      await opened.close();
    },
    'Trace: Transcript view': pressed('Transcript'),
    'Trace: Tree view': pressed('Tree'),
    'Trace: Timeline view': pressed('Timeline'),
    'Trace: Graph view': pressed('Graph'),
    'Trace: Back': to(/#\/traces$/),
  };
  const ofWhole = checkedElsewhere(
    ...['Compare with another run', 'Export trace', 'Delete the trace'].map((label) => `Whole trace: ${label}`),
  );
  const { 'Everywhere: Fold the sidebar': _, ...others } = everywhere;
  await tryKeys(page, open, ofContext, { ...others, ...ofWhole, 'Everywhere: Fold the sidebar': async () => {} });
});

test('in two compared groups', async ({ page }) => {
  for (let at = 0; at < 3; at++) {
    await ingestRefund(gateway, { minutesAgo: 10 + at, window: 'closed', order: String(48_213 + at) });
    await ingestRefund(gateway, { minutesAgo: 30 + at, window: 'open', order: String(51_100 + at) });
  }
  const path = `/compare?a_filter=${encodeURIComponent('errors > 0')}`;
  const open = opening(page, path, (shown) => shown.getByRole('row', { name: /lookup_order/ }));
  const ofGroups: KeyChecks = {
    'Comparison: Back': to(/#\/traces$/),
    'Comparison: Copy the link to this comparison': async (shown, press) => {
      await shown.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await press();
      await expect.poll(() => shown.evaluate(() => navigator.clipboard.readText())).toContain('/compare?');
    },
    'Differences: Next difference': to(/fact=2/),
    'Differences: Previous difference': to(/fact=1/),
    'List: Open the row': to(/fact=/, ['j']),
  };
  await tryKeys(page, open, { ...rows, ...ofGroups }, everywhere);
});
