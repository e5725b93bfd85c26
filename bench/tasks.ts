/**
 * `npm run bench:tasks -- --dir ../shared/corpus`: sixteen tasks of a new user, carried out in Chromium at 1440x900 with mouse and keyboard, over
 * recorded traces, the demo and generated ones. Counts clicks and keys, measures the time from the first act to the state that proves the answer,
 * and saves a screenshot of it as `.cache/tasks/NN-name.png`. Exits with 1 when a task cannot be done. `--only 4,12` carries out some.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { systemChromium } from '../scripts/chromium.ts';
import { spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { seedStore, writeProject } from './screens/seed-store.ts';
import { type Effort, Hands } from './tasks/hands.ts';
import { tasks } from './tasks/list.ts';
import { type Place, type Task, timeoutMs } from './tasks/task.ts';
import { seedTasks } from './tasks/task-data.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '../shared/corpus' },
    out: { type: 'string', default: join(import.meta.dirname, '../.cache/tasks') },
    /** Numbers of tasks. */
    only: { type: 'string', default: '' },
  },
});

const numbers = values.only === '' ? tasks.map((_, index) => index + 1) : values.only.split(',').map(Number);

interface Outcome extends Effort {
  number: number;
  task: Task;
  /** Undefined when the task was done. */
  missing: string | undefined;
}

const pictureOf = (name: string): string => join(values.out, `${name}.png`);
const padded = (number: number): string => String(number).padStart(2, '0');

/** Without the colours and the log of calls that Playwright adds. */
const reasonOf = (error: Error): string =>
  stripVTControlCharacters(error.message)
    .split(/\n\s*Call log:/)[0]
    ?.replace(/\s+/g, ' ')
    .slice(0, 240) ?? '';

/** Carries one task out in a browser profile of its own. */
async function outcomeOf(browser: Browser, number: number, task: Task, place: Place): Promise<Outcome> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  const hands = new Hands(page);
  const missing = await task.run(hands, place).then(() => undefined, reasonOf);
  hands.end();
  const name = `${padded(number)}-${task.title.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}`;
  await page.screenshot({ path: pictureOf(name) });
  await context.close();
  return { number, task, missing, ...hands.effort() };
}

function table(outcomes: readonly Outcome[]): string {
  const head = ['#', 'task', 'result', 'clicks', 'keys', 'seconds', '23 November'];
  const lines = outcomes.map(({ number, task, missing, clicks, keys, seconds }) => [
    ...[String(number), task.title, missing === undefined ? 'done' : 'NOT DONE', String(clicks), String(keys)],
    ...[seconds.toFixed(1), task.before],
  ]);
  return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Two gateways, one with the data and one without. */
async function withPlace<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const folder = makeScratchFolder('tasks');
  const projectFolder = join(folder, 'full');
  writeProject(projectFolder);
  const gateways = [spawnGateway(projectFolder), spawnGateway(join(folder, 'empty'))] as const;
  try {
    const [url, emptyUrl] = [await gateways[0].ready, await gateways[1].ready];
    const [client, emptyClient] = [new HttpClient(url), new HttpClient(emptyUrl)];
    const seeded = await seedStore(client, values.dir);
    const largeTrace = await seedTasks(client);
    const answer = await use({ url, client, seeded, largeTrace, projectFolder, pictureOf, empty: { url: emptyUrl, client: emptyClient } });
    client.close();
    emptyClient.close();
    return answer;
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    removeFolder(folder);
  }
}

mkdirSync(values.out, { recursive: true });
const executablePath = systemChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const outcomes = await withPlace(async (place) => {
    const ended: Outcome[] = [];
    for (const number of numbers) {
      const task = tasks[number - 1];
      if (!task) throw new Error(`There is no task ${number}`);
      const outcome = await outcomeOf(browser, number, task, place);
      process.stdout.write(`${padded(number)} ${task.title}: ${outcome.missing === undefined ? 'done' : `not done: ${outcome.missing}`}\n`);
      ended.push(outcome);
    }
    return ended;
  });
  process.stdout.write(`\n${table(outcomes)}\n`);
  if (outcomes.some(({ missing }) => missing !== undefined)) process.exitCode = 1;
} finally {
  await browser.close();
}
