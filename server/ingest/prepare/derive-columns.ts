/** Derives the columns of a span from the raw span: normalised values, cost, and times in range. */
import type { Pricing } from '../cost/pricing.ts';
import { bareSummary } from '../normalise/bare-summary.ts';
import { previewOf, previewOfSide, type Side, summarise } from '../normalise/index.ts';
import type { SpanSummary } from '../normalise/normalised.ts';
import { withLogsAsEvents } from '../otlp/log-events.ts';
import type { SpanData } from '../otlp/raw-span.ts';
import type { ArrivalPreview, SpanColumns } from './prepared.ts';
import { compiled, type FieldsFrom, fields } from './span-fields.ts';

/** Sources of the columns. */
interface Sources {
  summary: SpanSummary;
  usage: SpanSummary['usage'];
  times: Times;
  price: Pick<SpanColumns, FieldsFrom<'price'>>;
  display: Pick<SpanColumns, FieldsFrom<'display'>>;
}

const collectColumns = compiled<(from: Sources) => SpanColumns>(
  'from',
  `const { summary, usage, times, price, display } = from; return { ${fields.flatMap(([name, [, source]]) => (source === 'batch' ? [] : [`${name}: ${source}.${name}`])).join(', ')} };`,
);

export function deriveColumns(
  spanData: SpanData,
  pricing: Pricing,
  received_ms: number,
): { columns: SpanColumns; family: string; warnings: string[] } {
  const withEvents = withLogsAsEvents(spanData);
  const { summary, preview } = normalise(withEvents);
  const times = timesOf(withEvents.span.start_ns, withEvents.span.end_ns, received_ms);
  const metadata = Object.keys(summary.metadata).length === 0 ? '' : JSON.stringify(summary.metadata);
  const columns = collectColumns({ summary, usage: summary.usage, times, price: pricing.costOf(summary), display: { preview, metadata } });
  return { columns, family: summary.family, warnings: summary.warnings };
}

/** A failure of the normaliser must not lose a span: the raw span is stored and can be normalised again. */
function normalise(spanData: SpanData): { summary: SpanSummary; preview: ArrivalPreview } {
  try {
    return { summary: summarise(spanData), preview: spanData.span.parent_id === null ? previewOf(spanData) : noPreview() };
  } catch (error) {
    return { summary: bareSummary(spanData.span, error), preview: noPreview() };
  }
}

const noPreview = (): ArrivalPreview => ({ input: null, output: null });

/** One side of the preview of a span; '' for a span that cannot be read. */
export function previewOrNothing(spanData: SpanData, side: Side): string {
  try {
    return previewOfSide(withLogsAsEvents(spanData), side);
  } catch {
    return '';
  }
}

/** Plausible start times: from this date to one day ahead of the arrival (docs/reference/ingest.md#times). */
const plausibleFromMs = Date.UTC(2000, 0, 1);
const aheadMaxMs = 24 * 3600 * 1000;

type Times = Pick<SpanColumns, FieldsFrom<'times'>>;

/** Converts unsigned nanoseconds in text to columns. A missing start is the time of arrival; a negative duration is 0. */
export function timesOf(start_ns: string, end_ns: string, received_ms: number): Times {
  const effectiveStart = start_ns === '0' ? `${received_ms}000000` : start_ns;
  const [start_us, start_rest_ns] = microsOf(effectiveStart);
  const [end_us, end_rest_ns] = microsOf(end_ns);
  const startMs = start_us / 1000;
  return {
    start_us,
    start_rest_ns,
    duration_ns: Math.max(
      0,
      end_us - start_us < exactUsMax ? (end_us - start_us) * 1000 + end_rest_ns - start_rest_ns : exactDifference(effectiveStart, end_ns),
    ),
    clock_suspect: start_ns === '0' || startMs < plausibleFromMs || startMs > received_ms + aheadMaxMs,
  };
}

/** A third of a year. The nanoseconds of a longer duration are not exact in a double. */
const exactUsMax = 9e12;

const exactDifference = (start_ns: string, end_ns: string): number => Number(BigInt(end_ns) - BigInt(start_ns));

/** Whole microseconds, exact until the year 2255, and the nanoseconds beyond. */
function microsOf(ns: string): [us: number, rest: number] {
  return ns.length > 3 ? [Number(ns.slice(0, -3)), Number(ns.slice(-3))] : [0, Number(ns)];
}
