/** The trace page: four view modes with one selection, keys for errors and slow spans, any size, and traces that are still running. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

const toolCall = (name: string) => ({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name });

/** An agent run: a model call and a tool call per turn; one tool call fails, and its agent with it. */
function anAgentRun(name: string, turns: number, failing = Math.floor(turns * 0.7)) {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const startMs = Date.now() - 600_000;
  const spans = Array.from({ length: turns }, (_, turn) => {
    const at = startMs + turn * 100;
    const isFailed = turn === failing;
    return [
      aChat({ traceId, parentSpanId: root, startMs: at, durationMs: 60, ask: `Question ${turn}`, reply: `Answer ${turn}` }),
      aSpan({
        traceId,
        parentSpanId: root,
        name: isFailed ? 'execute_tool run_tests' : `execute_tool step_${turn}`,
        startMs: at + 60,
        durationMs: 30 + (turn % 7),
        ...(isFailed ? { status: 'ERROR' as const, statusMessage: 'exit 1: coupon applied twice' } : {}),
        attributes: {
          ...toolCall(isFailed ? 'run_tests' : `step_${turn}`),
          'gen_ai.tool.call.arguments': JSON.stringify({ turn }),
          'gen_ai.tool.call.result': `${'x'.repeat(9000)} buried ${turn}`,
        },
      }),
    ];
  }).flat();
  const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name };
  spans.push(
    aSpan({ traceId, spanId: root, name, startMs, durationMs: turns * 100, status: 'ERROR', statusMessage: 'gave up', attributes: agent }),
  );
  return { traceId, root, spans };
}

const selected = (page: Page) => page.getByRole('treeitem', { selected: true });

test('from launch to the failing tool call of a thousand spans in at most eight keys', async ({ page }) => {
  const { spans } = anAgentRun('fix flaky checkout', 500);
  await gateway.ingest(aRequest(spans));
  await page.goto(gateway.url);
  await expect(page.getByRole('row', { name: /fix flaky checkout/ })).toBeVisible();
  const keys = ['j', 'Enter', 'e', 'Enter'];
  expect(keys.length).toBeLessThanOrEqual(8);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Trace', exact: true });
  await expect(panel.getByRole('treeitem').first()).toBeVisible();
  await page.keyboard.press('e');
  await expect(selected(page)).toHaveAccessibleName(/run_tests/);
  await expect(panel.getByRole('region', { name: 'Detail' }).getByText('coupon applied twice').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/traces\/[0-9a-f]{32}\?.*span=/);
  await expect(selected(page)).toHaveAccessibleName(/run_tests/);
});

test('transcript, tree, timeline and graph share one selection and one address', async ({ page }) => {
  const { traceId, spans } = anAgentRun('shared selection', 5);
  await gateway.ingest(aRequest(spans));
  await page.goto(`${gateway.url}/#/traces/${traceId}`);
  await expect(page.getByRole('tree', { name: /transcript/ })).toBeVisible();
  await expect(page.getByText('Answer 0')).toBeVisible();
  await page.keyboard.press('e');
  for (const [key, view] of [
    ['t', 'tree'],
    ['w', 'timeline'],
    ['r', 'transcript'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`view=${view}`));
    await expect(selected(page)).toHaveAccessibleName(/run_tests/);
  }
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: /run_tests/, pressed: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: /run_tests/, pressed: true })).toBeVisible();
});

test('a search finds text inside a payload, lists the spans with their parents, and steps through the matches', async ({ page }) => {
  const { traceId, spans } = anAgentRun('searched', 20);
  await gateway.ingest(aRequest(spans));
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('buried 1');
  // Turn 1 and turns 10 to 19.
  await expect(page.getByRole('button', { name: /matches/ }).first()).toContainText('11');
  await expect(page.getByRole('treeitem')).toHaveCount(12);
  await page.keyboard.press('Enter');
  await expect(selected(page)).toHaveAccessibleName(/step_1\b/);
  await page.keyboard.press('n');
  await expect(selected(page)).toHaveAccessibleName(/step_10/);
  await page.keyboard.press('p');
  await expect(selected(page)).toHaveAccessibleName(/step_1\b/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await expect(page).not.toHaveURL(/q=/);
});

test('repeated steps are grouped in one row, which can be expanded', async ({ page }) => {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const startMs = Date.now() - 10_000;
  const read = (n: number) => aSpan({ traceId, parentSpanId: root, name: 'read_file', startMs: startMs + n * 10, durationMs: 5 });
  const spans = [
    aSpan({ traceId, spanId: root, name: 'reader', startMs, durationMs: 900 }),
    ...Array.from({ length: 12 }, (_, n) => read(n + 1)),
  ];
  await gateway.ingest(aRequest(spans));
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  await expect(page.getByRole('treeitem', { name: /read_file ×12/ })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('treeitem')).toHaveCount(13);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('treeitem')).toHaveCount(2);
});

test('the slowest and the most expensive span are one key away', async ({ page }) => {
  const { traceId, root, spans } = anAgentRun('ranked', 6);
  const slow = aSpan({ traceId, parentSpanId: root, name: 'slow one', startMs: Date.now() - 600_000 + 5000, durationMs: 90_000 });
  const expensive = aChat({
    traceId,
    parentSpanId: root,
    name: 'expensive one',
    startMs: Date.now() - 599_000,
    durationMs: 5,
    inputTokens: 900_000,
    model: 'gpt-4o',
  });
  await gateway.ingest(aRequest([...spans, slow, expensive]));
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.keyboard.press('s');
  await expect(selected(page)).toHaveAccessibleName(/slow one/);
  await page.keyboard.press('$');
  await expect(selected(page)).toHaveAccessibleName(/gpt-4o|expensive one/);
});

test('selecting a range in the strip narrows the time, and one key shows the whole again', async ({ page }) => {
  const { traceId, spans } = anAgentRun('brushed', 10);
  await gateway.ingest(aRequest(spans));
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=timeline`);
  const strip = page.getByRole('img', { name: /21 spans/ });
  const box = (await strip.boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.mouse.move(box.x + box.width * 0.2, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 5, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByText(/of 21 spans ran between/)).toBeVisible();
  await expect(page).toHaveURL(/at=\d/);
  await page.reload();
  await expect(page.getByText(/of 21 spans ran between/)).toBeVisible();
  await page.keyboard.press('0');
  await expect(page.getByText(/of 21 spans ran between/)).toBeHidden();
});

test('spans of a running trace appear as they arrive, without moving the selected row', async ({ page }) => {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const startMs = Date.now() - 2_000;
  const running = { ...aSpan({ traceId, spanId: root, name: 'long job', startMs }), endTimeUnixNano: '0' };
  const step = (n: number) => aSpan({ traceId, parentSpanId: root, name: `step ${n}`, startMs: startMs + n * 10, durationMs: 5 });
  await gateway.ingest(aRequest([running, ...Array.from({ length: 60 }, (_, n) => step(n + 100))]));
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
  await expect(page.getByText(/Running \d/)).toBeVisible();
  // While the duration is unknown only the header shows it, as a running count.
  const [facts, detail] = [page.getByRole('region', { name: 'Facts' }), page.getByRole('region', { name: 'Detail' })];
  await expect(facts.getByText('61')).toBeVisible();
  await expect(facts.getByText('duration')).toHaveCount(0);
  await expect(detail.getByText('Running', { exact: true })).toBeVisible();
  await expect(detail.getByTitle(/^Self time/)).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(selected(page)).toHaveAccessibleName(/step 159/);
  const before = await selected(page).boundingBox();
  // Earlier spans that arrive late are inserted above the selected row.
  await gateway.ingest(aRequest(Array.from({ length: 20 }, (_, n) => step(n))));
  await expect(page.getByText(/^81$/)).toBeVisible();
  expect((await selected(page).boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  await page.keyboard.press('f');
  await gateway.ingest(aRequest([step(500)]));
  await expect(selected(page)).toHaveAccessibleName(/step 500/);
  await gateway.ingest(aRequest([aSpan({ traceId, spanId: root, name: 'long job', startMs, durationMs: 1500 })]));
  await expect(page.getByText(/Running \d/)).toBeHidden();
  await expect(facts.getByText('duration')).toBeVisible();
  await page.keyboard.press('Home');
  await expect(detail.getByTitle(/^Self time/)).toHaveText('1.50 s');
});

test('in a narrow window the detail covers the list of spans', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 700 });
  const { traceId, spans } = anAgentRun('narrow', 4);
  await gateway.ingest(aRequest(spans));
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
  await expect(page.getByRole('treeitem')).toHaveCount(9);
  await expect(page.getByRole('region', { name: 'Detail' })).toBeHidden();
  await page.keyboard.press('e');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Detail' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Detail' })).toBeHidden();
});

test('Ctrl K finds commands, pages and the newest traces', async ({ page }) => {
  const { spans } = anAgentRun('found by its name', 3);
  await gateway.ingest(aRequest(spans));
  await page.goto(`${gateway.url}/#/sessions`);
  await expect(page.getByRole('heading', { name: 'Sessions', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('found name');
  await expect(page.getByRole('option', { name: /found by its name/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'found by its name', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Commands' })).toHaveText('CommandsCtrl K');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('timeline');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/view=timeline/);
});

test('every view is accessible', async ({ page }) => {
  const { traceId, spans } = anAgentRun('readable run', 6);
  await gateway.ingest(aRequest(spans));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [view, ready] of [
    ['transcript', page.getByText('Answer 0')],
    ['tree', page.getByRole('treeitem').first()],
    ['timeline', page.getByRole('treeitem').first()],
    ['graph', page.getByRole('button', { name: /readable run/ })],
  ] as const) {
    await page.goto(`${gateway.url}/#/traces/${traceId}?view=${view}`);
    await expect(ready).toBeVisible();
    await expect(page.getByRole('region', { name: 'Detail' }).getByRole('tab').first()).toBeVisible();
    await expectReadable(page);
  }
});

test('a trace is saved as an archive that another gateway opens', async ({ page }) => {
  const { traceId, spans } = anAgentRun('to keep', 3);
  await gateway.ingest(aRequest(spans));
  await page.goto(`${gateway.url}/#/traces/${traceId}`);
  await page.getByRole('button', { name: 'Export trace' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^Trace archive/ }).click();
  const archive = readFileSync(await (await saved).path());
  const other = await startTestGateway();
  try {
    const { data } = await other.client.traceFiles.importArchive({ body: new Uint8Array(archive) });
    expect(data.trace_ids).toEqual([traceId]);
    const there = await other.client.traces.get({ params: { traceId } });
    expect(there.data).toEqual((await gateway.client.traces.get({ params: { traceId } })).data);
  } finally {
    await other.stop();
  }
});
