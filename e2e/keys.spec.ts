/**
 * Every key in the sheet of `?` is pressed on its page and does what its label says. A key that the tables below do not know is a failure.
 */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import {
  checkedElsewhere,
  dialog,
  everywhere,
  focused,
  lastRow,
  leaveRow,
  menu,
  openingAt,
  pressed,
  row,
  rows,
  seen,
  to,
} from './key-checks.ts';
import { type KeyCheck, type KeyChecks, listedKeys, tryKeys } from './key-list.ts';
import { aRun } from './runs.ts';

let gateway: TestGateway;
test.beforeAll(async () => {
  gateway = await startTestGateway();
});
test.afterAll(() => gateway.stop());
test.use({ viewport: { width: 1440, height: 900 } });
// Each key is pressed on a page that was loaded anew.
test.setTimeout(900_000);

const opening = openingAt(() => gateway.url);

const startMs = Date.now() - 3_600_000;

test('in the list of traces, and everywhere', async ({ page }) => {
  await gateway.ingest(aRequest(['one', 'two', 'three'].flatMap((name, at) => aRun({ name, startMs: startMs + at * 1000 }))));
  const open = opening(page, '/traces', (shown) => shown.getByRole('link', { name: 'three' }));
  const ofList: KeyChecks = {
    'Traces: Filter': focused('Filter'),
    'Traces: Show traces': async (shown, press) => {
      await shown.keyboard.press('2');
      await expect(shown).toHaveURL(/show=spans/);
      await press();
      await expect(shown).not.toHaveURL(/show=/);
    },
    'Traces: Show spans': pressed('Spans'),
    'Traces: Show error groups': pressed('Error groups'),
    'List: First row': row(1, ['j', 'j']),
    'List: Last row': lastRow,
    'List: Open the row': to(/peek=/, ['j']),
    'List: Select the row': seen((shown) => shown.getByRole('region', { name: 'Selection' }), ['j']),
  };
  await tryKeys(page, open, { ...everywhere, ...rows, ...ofList, 'List: Leave the row': leaveRow });

  const select = async () => {
    await open();
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await expect(page.getByText('2 traces selected')).toBeVisible();
  };
  const ofSelection: KeyChecks = {
    'Selection: Clear selection': async (shown, press) => {
      await press();
      await expect(shown.getByRole('region', { name: 'Selection' })).toHaveCount(0);
    },
    'Selection: Add the selected traces to a dataset': dialog(/to a dataset$/),
    'Selection: Score the selected traces': dialog(/^Score /),
    'Selection: Change the tags of the selected traces': dialog(/^Tags of /),
    'Selection: Copy menu': menu('Copy'),
    'Selection: Export the selected traces': menu('Export'),
    'Selection: Delete the selected traces': dialog(/^Delete /),
    'Compare: Compare the selected traces': to(/#\/compare\?a=\w+&b=\w+/),
  };
  await tryKeys(page, select, ofSelection, { ...everywhere, ...rows, ...ofList });
});

/** An agent with a model call, thirty tools of which two fail, and a dearer model call. */
function aTrip() {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const names = Array.from({ length: 30 }, (_, at) => (at === 10 ? 'run_tests' : at === 20 ? 'deploy' : `step_${at}`));
  const longest: Record<string, number> = { step_5: 95, step_6: 90 };
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' };
  const deploy = aSpanId();
  const spans = [
    aSpan({ traceId, spanId: root, name: 'Plan a trip', startMs, durationMs: 3200, attributes }),
    aChat({ traceId, parentSpanId: root, startMs: startMs + 10, durationMs: 85, model: 'gpt-4o-mini', ask: 'Where to?', reply: 'Rome.' }),
    ...names.map((name, at) =>
      aSpan({
        ...{
          traceId,
          spanId: name === 'deploy' ? deploy : aSpanId(),
          parentSpanId: root,
          name,
          startMs: startMs + 100 + at * 100,
          durationMs: longest[name] ?? 80,
        },
        ...(name.startsWith('step') ? {} : { status: 'ERROR' as const, statusMessage: 'exit 1' }),
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
      }),
    ),
    aSpan({ traceId, parentSpanId: deploy, name: 'upload', startMs: startMs + 2110, durationMs: 20 }),
    aChat({ traceId, parentSpanId: root, startMs: startMs + 3110, durationMs: 85, model: 'gpt-4o', ask: 'And then?', reply: 'Home.' }),
  ];
  return { traceId, spans };
}

test('on a trace', async ({ page }) => {
  const { traceId, spans } = aTrip();
  await gateway.ingest(aRequest(spans));
  const open = opening(page, `/traces/${traceId}?view=tree`, (shown) => shown.getByRole('treeitem', { name: 'step_3' }));
  /** The selected span after some keys. */
  const span =
    (name: string, before: readonly string[] = []): KeyCheck =>
    async (shown, press) => {
      for (const key of before) await shown.keyboard.press(key);
      await press();
      await expect(shown.getByRole('treeitem', { selected: true })).toContainText(name);
    };
  const find = async (shown: Page) => {
    await shown.getByRole('textbox', { name: 'Search in trace' }).fill('step_1');
    await shown.keyboard.press('Enter');
    await expect(shown.getByRole('treeitem', { selected: true })).toContainText('step_1');
    await expect(shown.getByRole('treeitem')).not.toHaveCount(34);
  };
  const found =
    (name: string): KeyCheck =>
    async (shown, press) => {
      await find(shown);
      await span(name)(shown, press);
    };
  const expanded =
    (name: string, isExpanded: boolean, before: readonly string[] = []): KeyCheck =>
    async (shown, press) => {
      for (const key of before) await shown.keyboard.press(key);
      await press();
      await expect(shown.getByRole('treeitem', { name, expanded: isExpanded }).first()).toBeVisible();
    };
  const ofTrace: KeyChecks = {
    'Trace: Next span': span('chat'),
    'Trace: Previous span': span('step_29', ['End']),
    'Trace: Expand, or go to the first child': span('chat'),
    'Trace: Collapse, or go to the parent': expanded('Plan a trip', false),
    'Trace: Page down': span('step_18'),
    'Trace: Page up': span('step_11', ['End']),
    'Trace: First span': span('Plan a trip', ['End']),
    'Trace: Last span': span('gpt-4o'),
    'Trace: Next error, at its origin': span('run_tests'),
    'Trace: Previous error': span('deploy'),
    'Trace: Span with the most self time, then the next': span('Plan a trip'),
    'Trace: Previous slow span': span('Plan a trip', ['s', 's']),
    'Trace: Span with the highest cost, then the next': span('gpt-4o'),
    'Trace: Next search match': found('step_11'),
    'Trace: Previous search match': found('step_19'),
    'Trace: Search in trace': focused('Search in trace'),
    'Trace: Transcript view': pressed('Transcript'),
    'Trace: Tree view': pressed('Tree', ['w']),
    'Trace: Timeline view': pressed('Timeline'),
    'Trace: Graph view': pressed('Graph'),
    'Trace: Context view': pressed('Context'),
    'Trace: Collapse all': expanded('deploy', false),
    'Trace: Expand all': expanded('deploy', true, ['z']),
    'Trace: Follow new spans': pressed('Follow'),
    'Trace: Open in new window': async (shown, press) => {
      const [opened] = await Promise.all([shown.context().waitForEvent('page'), press()]);
      await expect(opened).toHaveURL(/window=1/);
      await opened.close();
    },
    'Trace: Open the span': async (shown, press) => {
      await shown.setViewportSize({ width: 700, height: 700 });
      await press();
      await expect(shown.getByRole('button', { name: 'Back to spans' })).toBeVisible();
      await shown.setViewportSize({ width: 1440, height: 900 });
    },
    'Trace: Back': to(/#\/traces$/),
  };
  const range = (shown: Page) => /[?&]at=([^&]+)/.exec(shown.url())?.[1] ?? '';
  /** The range in the address after the key, compared with that before it. */
  const ranged =
    (before: readonly string[], isRight: (now: number[], then: number[]) => boolean): KeyCheck =>
    async (shown, press) => {
      const read = () =>
        decodeURIComponent(range(shown))
          .split(/[^\d.]+/)
          .map(Number);
      for (const key of before) await shown.keyboard.press(key);
      if (before.length > 0) await expect.poll(() => range(shown)).not.toBe('');
      const then = read();
      await press();
      await expect.poll(() => isRight(read(), then)).toBe(true);
    };
  const length = ([from = 0, end = 0]: number[]) => end - from;
  const ofTime: KeyChecks = {
    'Time: Zoom in': ranged([], (now) => now.length === 2),
    'Time: Zoom out': ranged(['+'], (now, then) => length(now) > length(then) || now.length === 1),
    'Time: Earlier': ranged(['+'], ([now = 0], [then = 0]) => now < then),
    'Time: Later': ranged(['+'], ([now = 0], [then = 0]) => now > then),
    'Time: Reset time range': ranged(['+'], (now) => now.length === 1),
  };
  const ofSpan: KeyChecks = {
    'Span: Add the span or its trace to a dataset': dialog(/to a dataset$/),
    'Span: Score the span or its trace': dialog(/^Score /),
    'Span: Change the tags of the trace': dialog('Tags of this trace'),
    'Span: Copy menu': menu('Copy'),
    'Whole trace: Compare with another run': menu('Compare with another run'),
    'Whole trace: Export trace': menu('Export trace'),
    'Whole trace: Delete the trace': dialog(/^Delete /),
  };
  await tryKeys(page, open, { ...ofTrace, ...ofTime, ...ofSpan }, everywhere);
});

test('beside the list', async ({ page }) => {
  const { traceId, spans } = aTrip();
  await gateway.ingest(aRequest(spans));
  const open = opening(page, `/traces?peek=${traceId}`, (shown) => shown.getByRole('treeitem', { name: 'Plan a trip' }));
  const close: KeyCheck = async (shown, press) => {
    await press();
    await expect(shown).not.toHaveURL(/peek=/);
  };
  await open();
  const { 'Trace: Back': _, ...others } = checkedElsewhere(...(await listedKeys(page)).map(({ name }) => name));
  await tryKeys(page, open, { 'Trace: Back': close }, others);
});
