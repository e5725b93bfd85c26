import { z } from 'zod';
import type { Client } from '../../shared/client.ts';
import type { ListedRunaway } from '../../shared/contract/tracing/runaways.ts';
import type { SpanPreview, TraceOutline } from '../../shared/contract/tracing/trace-outline.ts';
import { noteMax } from '../../shared/contract/viewer/viewer-windows.ts';
import { runawayReason } from '../../shared/words/runaway-words.ts';
import { boundedReport } from './bounded-report.ts';
import { count, duration, many, money, time } from './figures.ts';
import { traceLink } from './links.ts';
import { plain, quoted, recordedNotice } from './recorded-text.ts';
import { defineReport, type Found, type ReportContext, ReportRefusal } from './report.ts';
import { failedStatus, SpanTree } from './span-tree.ts';
import { statusWords } from './trace-lines.ts';
import { placeInWindow, pointAt } from './user-window.ts';

const input = z.object({
  trace_id: z.string().max(128).default('').describe('Without it: what the user is looking at in the viewer'),
  span_id: z.string().max(128).default('').describe('Only this span and what is below it'),
  errors_only: z.boolean().default(false).describe('Only failed spans and what is above them'),
  to_user: z.string().max(noteMax).default('').describe("Also open it in the user's window, with this note"),
});

/** Spans whose texts are read: those that failed, and the first. */
const textsMax = 40;

export const showTrace = defineReport({
  name: 'show_trace',
  description: 'One trace as a tree of its spans with ids, duration, tokens, cost and errors. Texts of a span: show_span.',
  input,
  find: async (context, { trace_id, span_id, errors_only, to_user }) => {
    const place = trace_id === '' ? await placeInWindow(context) : { traceId: trace_id, before: [] };
    const found = await traceReport(context, place.traceId, { spanId: span_id, errorsOnly: errors_only, before: place.before });
    if (to_user === '') return found;
    const outcome = await pointAt(context, { trace_id: place.traceId, span_id: span_id || null, note: to_user });
    return { ...found, text: (lengthMax) => `${found.text(lengthMax - outcome.length - 1)}\n${outcome}` };
  },
});

/** @param before lines before those on the trace */
export async function traceReport(
  context: ReportContext,
  traceId: string,
  { spanId, errorsOnly, before = [] }: { spanId: string; errorsOnly: boolean; before?: readonly string[] },
): Promise<Found> {
  const { data: outline } = await context.client.traceViewer.outline({ params: { traceId } });
  const tree = new SpanTree(outline);
  const spans = chosenSpans(tree, spanId, errorsOnly);
  const texts = await textsOf(context.client, traceId, tree, spans);
  const { data: runaways } = await context.client.runaways.list({ query: { trace_ids: traceId } });
  return {
    data: { ...outline, texts: [...texts.values()], runaways },
    text: (lengthMax) => treeText(context, { outline, tree, spans, texts, runaways, before: [...before] }, lengthMax),
  };
}

function chosenSpans(tree: SpanTree, spanId: string, errorsOnly: boolean): number[] {
  const root = spanId === '' ? -1 : tree.indexOf(spanId);
  if (spanId !== '' && root < 0) throw new ReportRefusal(`The trace has no span ${JSON.stringify(spanId)}. Without span_id, all are shown`);
  const all = root < 0 ? tree.all() : tree.below(root);
  if (!errorsOnly) return all;
  const told = new Set(tree.failedPaths(all));
  return all.filter((at) => told.has(at));
}

async function textsOf(client: Client, traceId: string, tree: SpanTree, spans: readonly number[]): Promise<Map<string, SpanPreview>> {
  const told = tree.byImportance(spans).slice(0, textsMax);
  if (told.length === 0) return new Map();
  const ids = told.map((at) => tree.idOf(at)).filter((id) => !id.includes(','));
  const { data } = await client.traceViewer.previews({ params: { traceId }, query: { ids: ids.join(',') } });
  return new Map(data.map((span) => [span.id, span]));
}

interface Shown {
  outline: TraceOutline;
  tree: SpanTree;
  spans: readonly number[];
  texts: ReadonlyMap<string, SpanPreview>;
  runaways: readonly ListedRunaway[];
  before: string[];
}

function treeText(context: ReportContext, { outline, tree, spans, texts, runaways, before }: Shown, lengthMax: number): string {
  const baseDepth = spans.reduce((least, at) => Math.min(least, tree.depthOf(at)), Number.MAX_SAFE_INTEGER);
  const head = [...before, ...headOf(outline), ...runaways.map(runawayLine), recordedNotice, ''];
  const footOf = (shown: number) => [
    '',
    `${count(shown)} of ${many(tree.size, 'span')} shown.${shown < spans.length ? ` ${count(spans.length - shown)} left out: use the span_id of a part, errors_only, or a larger max_characters.` : ''}`,
    `In the viewer: ${traceLink(context.viewerUrl, outline.id)}`,
  ];
  // Chosen by importance, shown in the order of the tree.
  let left = lengthMax - [...head, ...footOf(spans.length), ...footOf(0)].join('\n').length;
  const chosen = new Map<number, string>();
  for (const at of tree.byImportance(spans)) {
    const lines = [tree.line(at, baseDepth), ...textLines(tree, at, baseDepth, texts)].join('\n');
    left -= lines.length + 1;
    if (left < 0) break;
    chosen.set(at, lines);
  }
  return boundedReport({ head, items: spans.flatMap((at) => chosen.get(at) ?? []), foot: footOf }, lengthMax);
}

function headOf(outline: TraceOutline): string[] {
  const failures = outline.spans.status.filter((status) => status === failedStatus).length;
  const facts = [
    statusWords[outline.status],
    ...(failures > 0 ? [many(failures, 'failed span')] : []),
    duration(outline.latency_ms),
    money(outline.cost),
    `${count(outline.tokens)} tokens`,
    time(outline.start),
  ];
  const names = [
    ...(outline.session_id === null ? [] : [`session ${quoted(outline.session_id, 80)}`]),
    ...(outline.user_id === null ? [] : [`user ${quoted(outline.user_id, 80)}`]),
    ...outline.scores.slice(0, 10).map(({ name, score, label }) => `score ${quoted(name, 40)} ${label ? quoted(label, 40) : score}`),
  ];
  return [
    `Trace ${plain(outline.id)} ${quoted(outline.name, 120)}: ${facts.join(' · ')}`,
    ...(names.length === 0 ? [] : [names.join(' · ')]),
  ];
}

const runawayLine = (found: ListedRunaway): string =>
  `${found.ended_at === null ? 'It may be running away' : 'It may have run away'}. ${runawayReason({ ...found, subject: found.subject && plain(found.subject) })}`;

/** Under a failed span its error; under the first span what was asked and answered. */
function textLines(tree: SpanTree, at: number, baseDepth: number, texts: ReadonlyMap<string, SpanPreview>): string[] {
  const span = texts.get(tree.idOf(at));
  if (!span) return [];
  const indent = '  '.repeat(Math.min(tree.depthOf(at) - baseDepth, 20) + 1);
  const error = tree.isFailed(at) ? span.status_message || span.output || '' : '';
  return [
    ...(error === '' ? [] : [`${indent}error ${quoted(error, 300)}`]),
    ...(tree.depthOf(at) === baseDepth && span.input ? [`${indent}asked ${quoted(span.input, 240)}`] : []),
    ...(tree.depthOf(at) === baseDepth && span.output && error === '' ? [`${indent}answered ${quoted(span.output, 240)}`] : []),
  ];
}
