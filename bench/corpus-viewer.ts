/**
 * `npm run corpus:viewer -- --dir ../shared/corpus`: replays recorded exports of real libraries and opens every trace in Chromium, in both
 * themes. The console must stay free of errors, every trace must show its spans and its context windows, and axe must find nothing serious. Exits with 0 only then.
 */
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { systemChromium } from '../scripts/chromium.ts';
import { conflictFreeGroups, readCaptures } from './corpus/captures.ts';
import { arrange, replay } from './corpus/replay.ts';
import { spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { violationsOf } from './screens/accessibility.ts';

const { values } = parseArgs({ options: { dir: { type: 'string', default: '../shared/corpus' }, only: { type: 'string', default: '' } } });

const themes = ['dark', 'light'] as const;
const findings: string[] = [];
let opened = 0;

const executablePath = systemChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  for (const captures of conflictFreeGroups(readCaptures(values.dir, values.only))) {
    const folder = makeScratchFolder('corpus-viewer');
    const gateway = spawnGateway(folder);
    try {
      const client = new HttpClient(await gateway.ready);
      await replay(client, arrange(captures, 'in order', ''), 'in order');
      const ids = await traceIds(client);
      client.close();
      for (const theme of themes) await openAll(browser, await gateway.ready, ids, theme);
    } finally {
      await gateway.stop();
      removeFolder(folder);
    }
  }
} finally {
  await browser.close();
}
process.stdout.write(`${[...findings, `${opened} pages opened, ${findings.length} findings`].join('\n')}\n`);
process.exitCode = findings.length === 0 && opened > 0 ? 0 : 1;

async function traceIds(client: HttpClient): Promise<string[]> {
  const ids: string[] = [];
  for (let total = 1; ids.length < total; ) {
    const page = await client.json<{ data: { id: string }[]; pagination: { total: number } }>(`/v1/traces?limit=100&offset=${ids.length}`);
    ids.push(...page.data.map(({ id }) => id));
    total = page.data.length === 0 ? 0 : page.pagination.total;
  }
  return ids;
}

async function openAll(browser: Browser, url: string, ids: readonly string[], colorScheme: (typeof themes)[number]): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  let traceId = '';
  const addFinding = (what: string) => void findings.push(`${colorScheme} ${traceId}: ${what}`);
  page.on('pageerror', (error) => addFinding(error.message));
  page.on('console', (message) => void (message.type() === 'error' && addFinding(message.text())));
  for (const id of ids) {
    traceId = id;
    await page.goto(`${url}/#/traces/${encodeURIComponent(id)}?view=tree`);
    const detail = page.getByLabel('Detail');
    try {
      await page.getByRole('treeitem').first().waitFor({ timeout: 15_000 });
      await detail.getByRole('tab').first().waitFor({ timeout: 15_000 });
    } catch (error) {
      addFinding((error as Error).message.split('\n')[0] ?? '');
      continue;
    }
    await addViolations(page, addFinding);
    await page.keyboard.press('x');
    const settled = page.getByRole('region', { name: 'Findings' }).or(page.getByRole('heading', { name: 'No model calls' }));
    await settled.waitFor({ timeout: 15_000 }).catch(() => addFinding('the context view did not open'));
    await addViolations(page, addFinding);
    opened++;
  }
  await context.close();
}

async function addViolations(page: Page, addFinding: (what: string) => void): Promise<void> {
  for (const { id: rule, impact, nodes } of await violationsOf(page))
    if (impact === 'serious' || impact === 'critical') addFinding(`axe ${rule}: ${nodes[0]?.html.slice(0, 160)}`);
}
