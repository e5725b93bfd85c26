/** Tasks with one trace: the first, a failed one, one of several agents, a dear one, a large one, a running one. */
import type { HttpClient } from '../gateway/http-client.ts';
import { detailOf, expect, openFound, openList, type Task, traceRows } from './task.ts';
import { aLiveRun, manySpans, sendSpans, slowTool } from './task-data.ts';

/** As the viewer writes numbers. */
const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');

interface ListedSpan {
  status: string;
  status_message: string;
}

/** The messages of the failed spans of a trace. */
async function errorsOf(client: HttpClient, traceId: string): Promise<string[]> {
  const { data } = await client.json<{ data: ListedSpan[] }>(`/v1/traces/${traceId}/spans?limit=1000`);
  return data.flatMap(({ status, status_message }) => (status === 'ERROR' && status_message ? [status_message] : []));
}

export const firstTrace: Task = {
  title: 'first trace',
  before: 'done',
  run: async (hands, { empty }) => {
    const { page } = hands;
    await page.goto(empty.url);
    await expect(page.getByText(`OTEL_EXPORTER_OTLP_ENDPOINT=${empty.url}`).first()).toBeVisible();
    hands.begin();
    const { begun, ended } = aLiveRun('My first run');
    await sendSpans(empty.client, [...begun.slice(0, 1), ...ended], 'my-app');
    await expect(page.getByRole('heading', { name: 'My first run' }).first()).toBeVisible();
    await expect(page.getByText('Which ferries run on Sunday?').first()).toBeVisible();
  },
};

export const failingRun: Task = {
  title: 'failing run and its cause',
  before: 'part',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await hands.click(page.getByRole('complementary', { name: 'Facets' }).getByRole('button', { name: /^Errors inside/ }));
    await expect(page).toHaveURL(/errors_inside/);
    const run = traceRows(page).filter({ hasText: 'Sodium-ion against LFP' }).first();
    await expect(run).toContainText('1 error inside');
    await hands.click(run.getByRole('link').first());
    await expect(page.getByRole('treeitem').first()).toBeVisible();
    await hands.press('e');
    const [message = 'no message'] = await errorsOf(place.client, place.seeded.agentTrace);
    await expect(detailOf(page).getByText(message).first()).toBeVisible();
  },
};

export const severalAgents: Task = {
  title: 'read an agent with sub-agents',
  before: 'done',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await openFound(hands, 'agent:fact-checker "Sodium-ion against LFP"', 'Sodium-ion against LFP');
    await hands.press('Enter');
    await expect(
      detailOf(page)
        .getByText(/Are sodium-ion packs already cheaper/)
        .first(),
    ).toBeVisible();
    const transcript = page.getByRole('tree', { name: /transcript/i });
    await hands.click(transcript.getByRole('treeitem').filter({ hasText: 'invoke_agent fact-checker' }).first());
    await expect(detailOf(page).getByRole('heading', { level: 2 })).toContainText('fact-checker');
    await expect(
      detailOf(page)
        .getByText(/Norvik Cells sells sodium-ion packs/)
        .first(),
    ).toBeVisible();
    await expect(
      detailOf(page)
        .getByText(/^confirmed/i)
        .first(),
    ).toBeVisible();
  },
};

export const mostExpensiveStep: Task = {
  title: 'most expensive step, and why',
  before: 'half',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await openFound(hands, 'agent:lead-analyst', 'Compare sodium-ion pack prices');
    await hands.press('$');
    await expect(detailOf(page).getByText('Model call 9 of 27')).toBeVisible();
    await hands.press('x');
    const findings = page.getByRole('region', { name: 'Findings' });
    await expect(findings).toContainText('Cache broke at call 9');
    await expect(findings).toContainText('The time in the system prompt changed.');
    await expect(page.getByRole('heading', { name: 'Call 9 of 14', exact: true })).toBeVisible();
  },
};

export const largeTrace: Task = {
  title: '10,001 spans: the slow tool',
  before: 'good',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await openFound(hands, `spans > ${manySpans - 1}`, 'Plan 5,000 stops');
    await expect(page.getByText(grouped(manySpans)).first()).toBeVisible();
    const inside = detailOf(page).getByRole('row', { name: new RegExp(slowTool) });
    await expect(inside).toContainText('9.00 s');
    await hands.press('s', 's');
    await expect(page.getByRole('treeitem', { selected: true })).toContainText(slowTool);
    await expect(detailOf(page).getByRole('heading', { level: 2 })).toContainText(slowTool);
    await expect(detailOf(page).getByText('3211').first()).toBeVisible();
  },
};

export const liveTail: Task = {
  title: 'live tail: a run appears, runs, ends',
  before: 'good, but looked finished',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    const { begun, ended } = aLiveRun('Plan the Sunday crossing');
    const row = traceRows(page).filter({ hasText: 'Plan the Sunday crossing' });
    hands.begin();
    await sendSpans(place.client, begun, 'harbour-guide');
    await expect(row.getByRole('img', { name: 'Running' })).toBeVisible();
    await expect(row).toContainText(/Waiting for|Running/);
    await hands.click(row.getByRole('link').first());
    await expect(
      page
        .locator('header')
        .getByText(/^Running/)
        .first(),
    ).toBeVisible();
    await page.screenshot({ path: place.pictureOf('13-live-tail-running') });
    await sendSpans(place.client, ended, 'harbour-guide');
    await expect(row.getByRole('img', { name: 'Running' })).toHaveCount(0);
    await expect(page.locator('header').getByText(/^Running/)).toHaveCount(0);
  },
};
