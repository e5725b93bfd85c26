/** Checks a trace as a whole: its spans, its shape, its totals. */

import type { Expect } from '../comparison.ts';
import type { ExpectedNode, ExpectedSpan, ExpectedTrace } from '../expectation.ts';
import { sameSet } from '../same.ts';
import type { ShownSpan, ShownTrace } from '../shown.ts';
import { expectedCounts } from './expected-tokens.ts';
import { checkMetadata, promoted } from './grouping-checks.ts';
import { mayBeModelCall } from './model-call-checks.ts';
import { isoOf } from './protocol-checks.ts';

export function checkTrace(expect: Expect, expected: ExpectedTrace, shown: ShownTrace): void {
  const { detail, item, spans } = shown;
  const steps = expected.spans.filter(({ placeholder }) => !placeholder);
  checkCounts(expect, expected, steps, shown);
  checkTimes(expect, expected, shown);
  checkShape(expect, expected, shown);
  const services = new Set(steps.map(({ span_id }) => spans.get(span_id)?.item?.service_name ?? ''));
  const named = expected.service_names.map((name) => name ?? '');
  expect('services.of the trace', sameSet(named, [...services]), named, [...services]);
  if (expected.tags) expect('tags.trace', item !== undefined && sameSet(expected.tags, item.tags), expected.tags, item?.tags);
  if (expected.trace_name) expect('trace names', detail.name === expected.trace_name, expected.trace_name, detail.name);
  // No route returns these two; filters find a trace by any of its spans.
  const [session, user] = [sessionOf(shown), firstOf(shown, 'user_id')];
  if (expected.session_id) expect('sessions.of the trace', session === expected.session_id, expected.session_id, session);
  if (expected.user_id) expect('users.of the trace', user === expected.user_id, expected.user_id, user);
  const root = expected.root ? spans.get(expected.root.span_id) : undefined;
  if (expected.metadata && root) checkMetadata(expect, expected.metadata, detail.metadata, promoted(root.summary));
  checkTotals(expect, expected, steps, shown);
}

function checkCounts(expect: Expect, expected: ExpectedTrace, steps: ExpectedSpan[], { detail, item, spans }: ShownTrace): void {
  const placeholders = expected.spans.filter(({ placeholder }) => placeholder);
  const right = expected.span_count - placeholders.length;
  expect('counts.spans', detail.spans.length === right, right, detail.spans.length);
  expect('counts.listed', item?.span_count === right, right, item?.span_count);
  expect('counts.once', spans.size === detail.spans.length, 'every span once', detail.spans.length - spans.size);
  for (const { span_id } of placeholders) expect('placeholders', !spans.has(span_id), 'not shown', 'shown');
  const unmarked = steps.filter(({ status, vendor_error }) => status !== 'ERROR' && vendor_error).map(({ span_id }) => span_id);
  const failed = expected.error_spans + expected.vendor_error_spans.filter((id) => unmarked.includes(id)).length;
  expect('status.failed spans', item?.error_count === failed, failed, item?.error_count);
  const shown = [...spans.values()];
  const most = shown.filter(({ wire, summary }) => mayBeModelCall(wire, summary)).length;
  const least = shown.filter(({ wire }) => wire.type === 'GENERATION').length;
  const isRight = least <= expected.model_calls && expected.model_calls <= most;
  expect('model calls.of the trace', isRight, expected.model_calls, [least, most]);
}

function checkTimes(expect: Expect, expected: ExpectedTrace, { detail, spans }: ShownTrace): void {
  const [start, end] = [isoOf(expected.start_time_unix_nano), isoOf(expected.end_time_unix_nano)];
  expect('times.trace start', detail.start === start, start, detail.start);
  expect('times.trace end', detail.end === end, end, detail.end);
  const sent = [...spans.values()].map((span) => span.sent.span);
  const first = sent.map(({ start_ns }) => start_ns).reduce((least, ns) => (BigInt(ns) < BigInt(least) ? ns : least));
  const last = sent.map(({ end_ns }) => end_ns).reduce((most, ns) => (BigInt(ns) > BigInt(most) ? ns : most));
  expect('times.first start', first === expected.start_time_unix_nano, expected.start_time_unix_nano, first);
  expect('times.last end', last === expected.end_time_unix_nano, expected.end_time_unix_nano, last);
}

/** The session of a trace is that of its first span with a session (docs/reference/ingest.md#traces); '' when there is none. */
export const sessionOf = (shown: ShownTrace): string => firstOf(shown, 'session_id');

function firstOf({ detail, spans }: ShownTrace, field: 'session_id' | 'user_id'): string {
  const ids = detail.spans.map(({ id }) => spans.get(id)?.summary[field] ?? '');
  return ids.find((id) => id !== '') ?? '';
}

/** The tree as a reader of the API would draw it: a span whose parent is missing is at the top. */
function checkShape(expect: Expect, expected: ExpectedTrace, { detail }: ShownTrace): void {
  const present = new Set(detail.spans.map(({ id }) => id));
  const children = Map.groupBy(detail.spans, ({ parent_id }) => (parent_id !== null && present.has(parent_id) ? parent_id : ''));
  const drawn = (parent: string): string[] => (children.get(parent) ?? []).map(({ id }) => `${id}(${drawn(id).join(' ')})`).sort();
  const wanted = (nodes: ExpectedNode[]): string[] =>
    nodes.map(({ span_id, children }) => `${span_id}(${wanted(children).join(' ')})`).sort();
  const hasPlaceholder = expected.spans.some(({ placeholder }) => placeholder);
  const [right, got] = [wanted(expected.tree).join(' '), drawn('').join(' ')];
  if (!hasPlaceholder) expect('tree.shape', right === got, right, got);
  const top = (children.get('') ?? []).map(({ id }) => id);
  const tops = expected.top_level.map(({ span_id }) => span_id);
  expect('tree.top level', sameSet(tops, top), tops, top);
  if (expected.root) {
    const { span_id, status } = expected.root;
    const root = detail.spans.find(({ parent_id }) => parent_id === null);
    expect('tree.root', root?.id === span_id, span_id, root?.id);
    const isRight = root?.status === status || expected.vendor_error_spans.includes(span_id);
    expect('status.root', isRight, status, root?.status);
  }
  for (const { span_id, missing_parent_id } of expected.top_level) {
    const span = detail.spans.find(({ id }) => id === span_id);
    expect('tree.missing parent', span?.parent_id === missing_parent_id, missing_parent_id, span?.parent_id);
  }
}

/**
 * Only leaf model calls count: usage that wrappers repeat is not added. Where no call reports usage, the report of a wrapper may be used.
 */
function checkTotals(expect: Expect, expected: ExpectedTrace, steps: ExpectedSpan[], { detail, spans }: ShownTrace): void {
  const calls = steps.filter(({ is_model_call }) => is_model_call);
  const shownOf = ({ span_id }: ExpectedSpan): ShownSpan | undefined => spans.get(span_id);
  const sum = calls.reduce((total, call) => total + (shownOf(call)?.wire.tokens ?? 0), 0);
  if (sum === 0 && calls.length > 0) return;
  expect('totals.of the calls', detail.tokens === sum, sum, detail.tokens);
  const { input, output } = expected.tokens_over_model_calls;
  const hasChoice = calls.some((call) => (expectedCounts(call).total ?? []).some((total, _, all) => total !== all[0]));
  if (typeof input === 'number' && !hasChoice) {
    expect('totals.of the expectation', detail.tokens === input + (output ?? 0), input + (output ?? 0), detail.tokens);
  }
  for (const [field, key] of [
    ['cached_input', 'cache_read_tokens'],
    ['reasoning', 'reasoning_tokens'],
  ] as const) {
    const right = expected.tokens_over_model_calls[field];
    const got = calls.reduce((total, call) => total + (shownOf(call)?.summary.usage[key] ?? 0), 0);
    if (typeof right === 'number' && !hasChoice) expect(`totals.${field}`, got === right, right, got);
  }
}
