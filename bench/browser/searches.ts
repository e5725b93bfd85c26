/**
 * `npm run bench:searches`: whether what people look for is found among many traces, and how soon it is on the screen. Each search is typed into
 * the search field of a page that was just opened.
 */
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { systemChromium } from '../../scripts/chromium.ts';
import { fillStore } from '../gateway/fill-store.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { untilIdle } from '../measure/until-idle.ts';
import { plantedService, plantedTraces, spansOf, traceIdOf } from '../searches/planted-traces.ts';
import { type Search, searches } from '../searches/searches.ts';
import { encode, headersOf } from '../traffic/formats.ts';

const { values } = parseArgs({ options: { spans: { type: 'string', default: '100000' } } });
const spans = Number(values.spans);
const slowestMs = 1_000;
/** After this a row that is not drawn is missing. */
const drawnTimeoutMs = 15_000;
/** Between two keys, as a quick typist. */
const keyDelayMs = 40;
const warmUps = ['warm-up', 'status = ERROR'];

interface Outcome {
  missing: string[];
  /** Traces that were not expected, those that the first page does not list included. */
  extra: number;
  /** From Enter to the frame that shows the last expected row; null if one was never drawn. */
  drawnMs: number | null;
  /** From the request of the list to the last byte of its answer. */
  answerMs: number;
}

/** Sends the planted traces among the others, at the times of those beside them. */
async function fill(client: HttpClient): Promise<void> {
  const rest = plantedTraces.toSorted((a, b) => a.at - b.at);
  const beforeBody = async (body: Buffer, part: number) => {
    const startMs = Number(/"startTimeUnixNano":"(\d+)\d{6}"/.exec(body.toString())?.[1]);
    while (rest[0] && rest[0].at <= part) {
      const traces = encode(spansOf(rest[0], startMs), plantedService, 'json');
      const { status } = await client.send('POST', '/v1/traces', headersOf('json'), traces);
      if (status !== 200) throw new Error(`The gateway answered ${status} to “${rest[0].name}”`);
      rest.shift();
    }
  };
  await fillStore(client, { seed: 'searches', spans, beforeBody });
  if (rest[0]) throw new Error(`The traffic ended before “${rest[0].name}”`);
}

/** Starts a clock at Enter, in the page. @returns when the rows of all traces are drawn; null when they are not in time */
const timeToRows = (page: Page, traceIds: string[]) =>
  page.evaluateHandle(
    ({ ids, timeoutMs }) => {
      const isDrawn = (id: string) => document.querySelector(`[role=row] a[href*="peek=${id}"]`) !== null;
      if (ids.some(isDrawn)) throw new Error('The list shows an expected trace before the search');
      const drawn = new Promise<number | null>((resolve) => {
        let began = 0;
        const observer = new MutationObserver(() => {
          if (began === 0 || !ids.every(isDrawn)) return;
          observer.disconnect();
          // The first callback runs before the frame with the rows is drawn, the second one after it.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
        });
        observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['href'] });
        const start = (event: KeyboardEvent) => {
          if (event.key !== 'Enter' || began > 0) return;
          began = event.timeStamp;
          setTimeout(() => resolve(null), timeoutMs);
        };
        addEventListener('keydown', start, { capture: true });
      });
      return { drawn };
    },
    { ids: traceIds, timeoutMs: drawnTimeoutMs },
  );

interface Answer {
  data: { rows: { id: string }[]; total: number };
}

const isSearchAnswer = (url: string) => url.includes('/v1/viewer/traces?') && new URL(url).searchParams.has('filter');

async function searchIn(page: Page, url: string, text: string, finds: readonly string[]): Promise<Outcome> {
  await page.goto(`${url}/#/traces`);
  await page.locator('[role=row] a[href*="peek="]').first().waitFor();
  await page.getByRole('complementary', { name: 'Facets' }).getByRole('button').first().waitFor();
  const clock = await timeToRows(page, finds.map(traceIdOf));
  await page.keyboard.press('/');
  await page.keyboard.type(text, { delay: keyDelayMs });
  const answered = page.waitForResponse((response) => isSearchAnswer(response.url()));
  await page.keyboard.press('Enter');
  const response = await answered;
  const { data } = (await response.json()) as Answer;
  const { requestStart, responseEnd } = response.request().timing();
  const ids = new Set(data.rows.map(({ id }) => id));
  const missing = finds.filter((name) => !ids.has(traceIdOf(name)));
  const drawnMs = finds.length === 0 || missing.length > 0 ? null : await clock.evaluate(({ drawn }) => drawn);
  return { missing, extra: data.total - (finds.length - missing.length), drawnMs, answerMs: responseEnd - requestStart };
}

async function searchFresh(browser: Browser, url: string, { text, finds }: Pick<Search, 'text' | 'finds'>): Promise<Outcome> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    return await searchIn(page, url, text, finds);
  } finally {
    await page.close();
  }
}

function verdictOf({ missing, extra, drawnMs }: Outcome): string {
  const wrong = [missing.length > 0 && `missing: ${missing.join(', ')}`, extra > 0 && `${extra} extra`].filter(Boolean);
  if (wrong.length > 0) return wrong.join('; ');
  if (drawnMs === null) return 'not drawn';
  return drawnMs > slowestMs ? 'found exactly, too slow' : 'found exactly';
}

const print = (cells: string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);

function printTable(head: string[]): void {
  print(head);
  print(head.map(() => '---'));
}

function printSearches(): void {
  printTable(['search by', 'typed', 'must find']);
  for (const { by, text, finds } of searches) print([by, `\`${text}\``, finds.join(', ')]);
}

/** @returns the number of searches that did not find exactly what they must, or not in time */
async function runSearches(browser: Browser, url: string): Promise<number> {
  for (const text of warmUps) await searchFresh(browser, url, { text, finds: [] });
  printTable(['typed', 'expected', 'outcome', 'Enter to last row drawn, ms', 'answer of the gateway, ms']);
  let failed = 0;
  for (const search of searches) {
    const outcome = await searchFresh(browser, url, search);
    const verdict = verdictOf(outcome);
    if (verdict !== 'found exactly') failed++;
    print([`\`${search.text}\``, `${search.finds.length}`, verdict, outcome.drawnMs?.toFixed(0) ?? '–', outcome.answerMs.toFixed(0)]);
  }
  return failed;
}

printSearches();
const folder = makeScratchFolder('searches');
const gateway = spawnGateway(folder);
const executablePath = systemChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const url = await gateway.ready;
  const client = new HttpClient(url);
  await fill(client);
  client.close();
  await untilIdle(gateway.pid, spans);
  process.stdout.write(`\nstore of ${spans} spans and ${plantedTraces.length} planted traces\n\n`);
  const failed = await runSearches(browser, url);
  process.stdout.write(
    `\n${searches.length - failed} of ${searches.length} searches found exactly what they must, within ${slowestMs} ms\n`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await browser.close();
  await gateway.stop();
  removeFolder(folder);
}
