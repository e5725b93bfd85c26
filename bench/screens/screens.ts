/** Every screen of the viewer, and how to get to what is worth seeing on it. */
import type { Page } from '@playwright/test';
import type { SeededStore } from './seed-store.ts';

export interface Screen {
  name: string;
  /** What stands behind `#`. */
  path(seeded: SeededStore): string;
  /** What a person would do next. */
  before?(page: Page): Promise<void>;
  /** What it shows where nothing is stored, or where the gateway does not answer, is a state of its own. */
  emptyToo?: true;
  failedToo?: true;
}

const alone = { emptyToo: true, failedToo: true } as const;
const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
/** As far as the code. */
async function beginLink(page: Page): Promise<void> {
  const address = await page.evaluate(async () => {
    const { data } = (await (await fetch('/v1/viewer/forwarding')).json()) as { data: { url: string }[] };
    return data[0]?.url ?? '';
  });
  await click('Link to a cloud')(page);
  await page.getByLabel('Cloud address').fill(address);
  await page.getByRole('button', { name: 'Get a code' }).click();
  await page.locator('[data-code]').waitFor();
}

const press = (key: string) => (page: Page) => page.keyboard.press(key);

export const screens: Screen[] = [
  { name: 'setup', path: () => '/setup' },
  { name: 'traces', path: () => '/traces', ...alone },
  {
    name: 'traces-side-panel',
    path: () => '/traces',
    before: async (page) => {
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
    },
  },
  { name: 'traces-filtered', path: () => '/traces?filter=status%20%3D%20ERROR' },
  { name: 'trace-transcript', path: ({ agentTrace }) => `/traces/${agentTrace}`, before: press('r'), failedToo: true },
  { name: 'trace-tree', path: ({ agentTrace }) => `/traces/${agentTrace}`, before: press('t') },
  { name: 'trace-timeline', path: ({ largeTrace }) => `/traces/${largeTrace}`, before: press('w') },
  { name: 'trace-graph', path: ({ agentTrace }) => `/traces/${agentTrace}?view=graph` },
  { name: 'trace-error', path: ({ agentTrace }) => `/traces/${agentTrace}`, before: press('e') },
  { name: 'commands', path: () => '/traces', before: press('Control+k') },
  { name: 'keys', path: () => '/traces', before: press('?') },
  { name: 'sessions', path: () => '/sessions', ...alone },
  { name: 'session', path: ({ session }) => `/sessions/${session}`, failedToo: true },
  { name: 'scores', path: () => '/scores', ...alone },
  { name: 'datasets', path: () => '/datasets?name=questions.jsonl', ...alone },
  { name: 'experiments', path: () => '/experiments', ...alone },
  { name: 'prompts', path: () => '/prompts', ...alone },
  { name: 'dashboard', path: () => '/dashboard', ...alone },
  { name: 'forwarding', path: () => '/forwarding', ...alone },
  { name: 'forwarding-paste', path: () => '/forwarding', before: click('Paste a key') },
  { name: 'forwarding-link', path: () => '/forwarding', before: beginLink },
  { name: 'forwarding-dead-letters', path: () => '/forwarding', before: click('Show') },
  { name: 'forwarding-remove', path: () => '/forwarding', before: click('Remove') },
  { name: 'forwarding-by-hand', path: ({ agentTrace }) => `/traces/${agentTrace}`, before: click(/Forward this trace/) },
  {
    name: 'forwarding-redaction',
    path: ({ agentTrace }) => `/forwarding/redaction?name=cloud&trace=${agentTrace}`,
    before: async (page) => {
      await click('Recommended')(page);
      await page.getByRole('checkbox', { name: /^Outputs/ }).check();
      await page.getByText('Dropped', { exact: true }).first().waitFor();
    },
    ...alone,
  },
  { name: 'ingest-log', path: () => '/ingest-log', ...alone },
  { name: 'storage', path: () => '/storage', ...alone },
];
