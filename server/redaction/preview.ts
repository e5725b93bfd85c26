/** Previews of the changes that redaction would make to spans. */
import type { HiddenKind, PreviewedSpan, RedactionChange, RedactionPreview } from '../../shared/contract/operations/redaction.ts';
import { textOf } from '../ingest/normalise/attributes.ts';
import { otlpJsonOf } from '../ingest/otlp/encode-json.ts';
import type { RawValue, SpanData } from '../ingest/otlp/raw-span.ts';
import type { Origin } from '../telemetry/forward-store.ts';
import type { RedactionProcessor } from './redaction-processor.ts';

/** For each span; a page has some dozens of spans. */
const changesMax = 40;
const textMax = 600;
/** Unchanged text shown on each side of a change. */
const contextMax = 80;

export interface SpanPreview {
  span: PreviewedSpan;
  hidden: HiddenKind[];
  dropped: number;
  bytes_before: number;
  bytes_after: number;
}

export function previewOf(processor: RedactionProcessor, sent: SpanData, origin: Origin): SpanPreview {
  const { trace_id, span_id, name } = sent.span;
  const bytes_before = bytesOf(sent);
  const described = { trace_id, span_id, name: shortened(name) };
  if (!processor.admits(origin)) {
    const span = { ...described, retained: true, changes: [], change_count: 0 };
    return { span, hidden: [], dropped: 0, bytes_before, bytes_after: 0 };
  }
  const changes: RedactionChange[] = [];
  const hidden: HiddenKind[] = [];
  let [change_count, dropped] = [0, 0];
  const redacted = processor.preview(sent, (path, before, after, kinds) => {
    change_count++;
    if (after === undefined) dropped++;
    hidden.push(...kinds);
    if (changes.length < changesMax) changes.push({ path: shortened(path), ...excerpt(before, after), kinds: [...new Set(kinds)] });
  });
  return { span: { ...described, retained: false, changes, change_count }, hidden, dropped, bytes_before, bytes_after: bytesOf(redacted) };
}

export function totalsOf(previews: readonly SpanPreview[]): RedactionPreview['totals'] {
  const hidden: Partial<Record<HiddenKind, number>> = {};
  for (const kind of previews.flatMap((preview) => preview.hidden)) hidden[kind] = (hidden[kind] ?? 0) + 1;
  const sum = (of: (preview: SpanPreview) => number) => previews.reduce((total, preview) => total + of(preview), 0);
  return {
    spans: previews.length,
    retained: sum(({ span }) => (span.retained ? 1 : 0)),
    changed: sum(({ span }) => (span.change_count > 0 ? 1 : 0)),
    dropped: sum(({ dropped }) => dropped),
    hidden,
    bytes_before: sum(({ bytes_before }) => bytes_before),
    bytes_after: sum(({ bytes_after }) => bytes_after),
  };
}

const bytesOf = (sent: SpanData): number => Buffer.byteLength(JSON.stringify(otlpJsonOf(sent)));

const shortened = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax)}…` : text).toWellFormed();

/** Both texts from before the first difference to after the last. */
function excerpt(valueBefore: RawValue, valueAfter: RawValue | undefined): Pick<RedactionChange, 'before' | 'after'> {
  const before = textOf(valueBefore);
  if (valueAfter === undefined) return { before: shortened(before), after: null };
  const after = textOf(valueAfter);
  if (before.length <= textMax && after.length <= textMax) return { before: before.toWellFormed(), after: after.toWellFormed() };
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same++;
  let tail = 0;
  while (tail < shorter - same && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const cut = (text: string) => {
    const [from, to] = [Math.max(0, same - contextMax), Math.min(text.length, text.length - tail + contextMax)];
    return `${from > 0 ? '…' : ''}${shortened(text.slice(from, to))}${to < text.length ? '…' : ''}`;
  };
  return { before: cut(before), after: cut(after) };
}
