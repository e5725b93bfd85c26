/** The screens of the local viewer, and how to open them. */
import type { Page } from '@playwright/test';
import type { SeededStore } from './seed-store.ts';

export interface Screen {
  name: string;
  /** The part of the URL after `#`. */
  path(seeded: SeededStore): string;
  /** Steps in the page before the screenshot. */
  before?(page: Page): Promise<void>;
  /** The screen has a state of its own for an empty store. */
  hasEmptyState?: true;
  /** The screen has a state of its own for a gateway that does not answer. */
  hasFailedState?: true;
}

const allStates = { hasEmptyState: true, hasFailedState: true } as const;
const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
/** Links to a cloud up to the step that shows the code. */
async function openLinkWithCode(page: Page): Promise<void> {
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
  // Taken first: a run that is silent for ten minutes no longer counts as running.
  { name: 'trace-running', path: ({ runningTrace }) => `/traces/${runningTrace}` },
  { name: 'traces-running', path: ({ runningTrace }) => `/traces?peek=${runningTrace}` },
  { name: 'setup', path: () => '/setup' },
  { name: 'traces', path: () => '/traces', ...allStates },
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
  { name: 'traces-search', path: () => '/traces?filter=sodium-ion%20price' },
  { name: 'traces-spans', path: () => '/traces?filter=tool%3Aweb_search&show=spans' },
  { name: 'traces-errors', path: () => '/traces?show=errors', ...allStates },
  { name: 'trace-transcript', path: ({ agentTrace }) => `/traces/${agentTrace}`, before: press('r'), hasFailedState: true },
  { name: 'trace-tree', path: ({ agentTrace }) => `/traces/${agentTrace}`, before: press('t') },
  { name: 'trace-timeline', path: ({ largeTrace }) => `/traces/${largeTrace}`, before: press('w') },
  { name: 'trace-graph', path: ({ agentTrace }) => `/traces/${agentTrace}?view=graph` },
  { name: 'trace-context', path: ({ crewTrace }) => `/traces/${crewTrace}?view=context`, hasFailedState: true },
  { name: 'trace-error', path: ({ agentTrace }) => `/traces/${agentTrace}`, before: press('e') },
  { name: 'trace-attributes', path: ({ agentTrace }) => `/traces/${agentTrace}?tab=attributes`, before: press('e') },
  { name: 'trace-raw', path: ({ agentTrace }) => `/traces/${agentTrace}?tab=raw`, before: press('e') },
  { name: 'trace-scores', path: ({ agentTrace }) => `/traces/${agentTrace}?tab=scores` },
  { name: 'trace-delete', path: ({ agentTrace }) => `/traces/${agentTrace}`, before: press('Delete') },
  { name: 'compare', path: ({ runs: [a, b] }) => `/compare?a=${a}&b=${b}`, hasFailedState: true },
  { name: 'commands', path: () => '/traces', before: press('Control+k') },
  { name: 'keys', path: () => '/traces', before: press('?') },
  { name: 'sessions', path: () => '/sessions', ...allStates },
  { name: 'session', path: ({ session }) => `/sessions/${session}`, hasFailedState: true },
  { name: 'scores', path: () => '/scores', ...allStates },
  { name: 'datasets', path: () => '/datasets?name=questions.jsonl', ...allStates },
  { name: 'datasets-import', path: () => '/datasets?name=questions.jsonl&from=traces', hasEmptyState: true },
  { name: 'experiments', path: () => '/experiments', ...allStates },
  { name: 'experiment', path: () => '/experiments?id=run-gpt-4o', hasFailedState: true },
  { name: 'experiments-compare', path: () => '/experiments?compare=run-gpt-4o-mini,run-gpt-4o', hasFailedState: true },
  { name: 'prompts', path: () => '/prompts', ...allStates },
  { name: 'prompt', path: () => '/prompts?path=agentmark/support-triage.prompt.mdx&view=source' },
  { name: 'dashboard', path: () => '/dashboard', ...allStates },
  { name: 'forwarding', path: () => '/forwarding', ...allStates },
  { name: 'forwarding-paste', path: () => '/forwarding', before: click('Paste a key') },
  { name: 'forwarding-link', path: () => '/forwarding', before: openLinkWithCode },
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
    ...allStates,
  },
  { name: 'ingest-log', path: () => '/ingest-log', ...allStates },
  { name: 'runaways', path: () => '/runaways', ...allStates },
  { name: 'runaways-thresholds', path: () => '/runaways?show=thresholds', ...allStates },
  { name: 'runaways-threshold', path: () => '/runaways?show=thresholds', before: click('Set a threshold…') },
  { name: 'spending', path: () => '/spending', ...allStates },
  { name: 'spending-budget', path: () => '/spending', before: click('Set a budget…') },
  { name: 'storage', path: () => '/storage', ...allStates },
  { name: 'unknown-page', path: () => '/nowhere' },
];
