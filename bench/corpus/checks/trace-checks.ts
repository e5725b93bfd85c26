/** What holds of a trace as a whole: its spans, its shape, its sums. */
import type { ExpectedNode, ExpectedSpan, ExpectedTrace } from '../expectation.ts';
import { sameSet } from '../same.ts';
import type { ShownSpan, ShownTrace } from '../shown.ts';
import type { Expect } from '../tally.ts';
import { expectedCounts } from './expected-tokens.ts';
import { checkMetadata, promoted } from './grouping-checks.ts';
import { isoOf } from './protocol-checks.ts';

export function checkTrace(expect: Expect, expected: ExpectedTrace, shown: ShownTrace): void {
  const { detail, item } = shown;
  const steps = expected.spans.filter(({ placeholder }) => !placeholder);
  expect('counts.spans', detail.spans.length === steps.length, steps.length, detail.spans.length);
  expect('counts.listed', item?.span_count === steps.length, steps.length, item?.span_count);
  expect('counts.once', shown.spans.size === detail.spans.length, 'every span once', detail.spans.length - shown.spans.size);
  for (const { span_id } of expected.spans.filter(({ placeholder }) => placeholder))
    expect('placeholders', !shown.spans.has(span_id), 'not shown', 'shown');
  const [start, end] = [isoOf(expected.start_time_unix_nano), isoOf(expected.end_time_unix_nano)];
  expect('times.trace start', detail.start === start, start, detail.start);
  expect('times.trace end', detail.end === end, end, detail.end);
  const failed = steps.filter(({ status, vendor_error }) => status === 'ERROR' || vendor_error).length;
  expect('status.failed spans', item?.error_count === failed, failed, item?.error_count);
  checkShape(expect, expected, shown);
  if (expected.tags) expect('tags.trace', item !== undefined && sameSet(expected.tags, item.tags), expected.tags, item?.tags);
  if (expected.trace_name) expect('trace names', detail.name === expected.trace_name, expected.trace_name, detail.name);
  const root = expected.root ? shown.spans.get(expected.root.span_id) : undefined;
  if (expected.metadata && root) checkMetadata(expect, expected.metadata, detail.metadata, promoted(root.summary));
  checkTotals(expect, expected, steps, shown);
}

/** The tree as a reader of the API would draw it: a span without its parent stands at the top. */
function checkShape(expect: Expect, expected: ExpectedTrace, { detail }: ShownTrace): void {
  const present = new Set(detail.spans.map(({ id }) => id));
  const children = Map.groupBy(detail.spans, ({ parent_id }) => (parent_id !== null && present.has(parent_id) ? parent_id : ''));
  const drawn = (parent: string): string[] =>
    (children.get(parent) ?? []).map(({ id }) => `${id}(${drawn(id).join(' ')})`).sort();
  const wanted = (nodes: ExpectedNode[]): string[] => nodes.map(({ span_id, children }) => `${span_id}(${wanted(children).join(' ')})`).sort();
  const hasPlaceholder = expected.spans.some(({ placeholder }) => placeholder);
  const [right, got] = [wanted(expected.tree).join(' '), drawn('').join(' ')];
  if (!hasPlaceholder) expect('tree.shape', right === got, right, got);
  const top = (children.get('') ?? []).map(({ id }) => id);
  const tops = expected.top_level.map(({ span_id }) => span_id);
  expect('tree.top level', sameSet(tops, top), tops, top);
  for (const { span_id, missing_parent_id } of expected.top_level) {
    const span = detail.spans.find(({ id }) => id === span_id);
    expect('tree.missing parent', span?.parent_id === missing_parent_id, missing_parent_id, span?.parent_id);
  }
}

/**
 * Only leaf model calls count: what wrappers repeat is not added. Where no call reports usage, a wrapper's own report is all
 * that is known and may stand.
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
}
