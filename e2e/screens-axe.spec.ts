/**
 * axe finds nothing in the screens of a day's work, in both sizes and both themes, the size of targets included. `npm run screens` asks it
 * on every screen of the product, loaded, empty and failed.
 */
import { expect } from '@playwright/test';
import { accessibilityFindings } from '../bench/screens/accessibility.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';

let gateway: TestGateway;
test.beforeAll(async () => {
  gateway = await startTestGateway();
});
test.afterAll(() => gateway.stop());

const sizes = [
  { width: 900, height: 700 },
  { width: 1440, height: 900 },
];
// axe takes its time on a busy machine.
test.setTimeout(900_000);

test('the list, a trace, a session, a comparison and the dashboard', async ({ page }) => {
  const startMs = Date.now() - 600_000;
  const runs = [false, true].map((failed, at) => aRun({ name: 'Plan', startMs: startMs + at * 1000, session: 'a-session', failed }));
  await gateway.ingest(aRequest(runs.flat()));
  const [a, b] = runs.map(([span]) => (span as { traceId: string }).traceId);
  const screens = [
    { path: '/traces?filter=status+%3D+ERROR', text: 'found in' },
    { path: '/traces?show=errors', text: 'the index is away' },
    { path: `/traces/${b}`, text: 'Model time' },
    { path: '/sessions/a-session?q=Plan', text: '2 turns found' },
    { path: `/compare?a=${a}&b=${b}`, text: 'The runs diverge' },
    { path: '/dashboard', text: 'Break down by' },
    { path: '/nowhere', text: 'Page not found' },
  ];
  const findings: string[] = [];
  for (const { path, text } of screens) {
    await page.goto(`${gateway.url}/#${path}`);
    await expect(page.getByText(text).first()).toBeVisible();
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const size of sizes) {
      await page.setViewportSize(size);
      const found = await accessibilityFindings(page);
      findings.push(...found.map((finding) => `${path} ${size.width}: ${finding}`));
    }
    await page.emulateMedia({ colorScheme: 'light' });
    const found = await accessibilityFindings(page, true);
    findings.push(...found.map((finding) => `${path} light: ${finding}`));
  }
  expect(findings).toEqual([]);
});
