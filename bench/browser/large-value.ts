/**
 * `node bench/browser/large-value.ts --mb 50`: the cost of opening a large value in a real browser. The gateway accepts bodies of at most
 * 20 MiB, so its response is enlarged on the way. Prints figures only: e2e/large-value.spec.ts asserts that the page stays responsive.
 */
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { systemChromium } from '../../scripts/chromium.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';

const { values } = parseArgs({ options: { mb: { type: 'string', default: '50' } } });

const record = (i: number) => ({ id: i, title: `row ${i} of a value that is far too large for a page`, ok: i % 2 === 0, text: 'hay' });
const count = Math.ceil((Number(values.mb) * 1e6) / (JSON.stringify(record(100_000)).length + 1));
const rows = Array.from({ length: count }, (_, i) => record(i));
const last = rows.at(-1);
if (last) last.text = 'needle';
const large = JSON.stringify({ rows });

const traceId = '5'.repeat(32);
const spanId = '5'.repeat(16);

const span = {
  traceId,
  spanId,
  name: 'work',
  startTimeUnixNano: '1768471200000000000',
  endTimeUnixNano: '1768471201000000000',
  attributes: [{ key: 'input.value', value: { stringValue: JSON.stringify({ rows: ['x'.repeat(9000)] }) } }],
};

/** Records the duration of each frame of the page. @returns a function that returns the milliseconds since its last call */
async function frames(page: Page): Promise<() => Promise<number[]>> {
  const recorder = await page.evaluateHandle(() => {
    const gaps: number[] = [];
    let before = performance.now();
    const next = (now: number) => {
      gaps.push(now - before);
      before = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    return gaps;
  });
  return () => recorder.evaluate((gaps) => gaps.splice(0));
}

async function timed(label: string, gaps: () => Promise<number[]>, work: () => Promise<unknown>): Promise<void> {
  await gaps();
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const all = await gaps();
  process.stdout.write(
    `${label.padEnd(28)} ${took.toFixed(0).padStart(6)} ms, longest frame ${Math.max(...all)
      .toFixed(0)
      .padStart(4)} ms of ${all.length}\n`,
  );
}

const folder = makeScratchFolder('bench-large-value');
const gateway = spawnGateway(folder);
const executablePath = systemChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const url = await gateway.ready;
  const client = new HttpClient(url);
  const body = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  await client.send('POST', '/v1/traces', { 'Content-Type': 'application/json' }, body);
  client.close();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.route(`**/v1/traces/${traceId}/spans/${spanId}`, async (route) => {
    const response = (await (await route.fetch()).json()) as { data: object };
    await route.fulfill({ json: { data: { ...response.data, input: large } } });
  });
  await page.goto(`${url}/#/traces/${traceId}?view=tree`);
  const show = page.getByRole('button', { name: 'Show all' });
  await show.waitFor({ timeout: 120_000 });
  const gaps = await frames(page);
  const tree = page.getByRole('tree', { name: 'Full input' });
  process.stdout.write(`${(large.length / 1e6).toFixed(0)} MB, ${count} records\n`);
  await timed('open', gaps, async () => {
    await show.click();
    await tree.getByRole('treeitem').first().waitFor({ timeout: 120_000 });
  });
  await timed('open everything, 20,000 rows', gaps, async () => {
    await page.getByRole('button', { name: 'all', exact: true }).click();
    await page.getByText(/, [\d\u202f]{5,} rows$/).waitFor();
  });
  await timed('search to the last record', gaps, async () => {
    await page.getByRole('textbox', { name: 'Search keys and values' }).fill('needle');
    await page.getByText('1 of 1', { exact: true }).waitFor({ timeout: 120_000 });
  });
} finally {
  await browser.close();
  await gateway.stop();
  removeFolder(folder);
}
