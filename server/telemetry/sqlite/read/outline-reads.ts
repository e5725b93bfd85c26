/**
 * What a trace page asks for: all spans as narrow columns, their payloads in windows, and a search through the whole texts
 * that goes on in steps, so that nobody waits behind it.
 */
import { outlineFlag } from '../../../../shared/contract/outline-flags.ts';
import type { FoundSpans, OutlineSpans, SpanPreview, TraceOutline } from '../../../../shared/contract/trace-outline.ts';
import { contentOf } from '../../../ingest/normalise/index.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { must } from '../../../platform/assert.ts';
import { costSources, flag, statuses } from '../codes.ts';
import { readStoredId, storeId } from '../id-codec.ts';
import { nowhere } from './lookup.ts';
import { emptyColumns, Places, parentPlaces } from './outline-columns.ts';
import type { Reading } from './reader.ts';
import { readSpanInTrace } from './span-payload.ts';
import { isoOf, metadataOf, type SpanRow, shown, spanColumns, spanItemOf } from './span-wire.ts';

interface TraceHead {
  trace_id: unknown;
  name: number;
  status: number;
  start_us: number;
  end_us: number;
  latency_ns: number;
  cost: number;
  tokens: number;
  session: number;
  user: number;
  metadata: number;
  tags: string;
}

/** Hex in SQLite: reading a hundred thousand small buffers takes longer than all other columns together. */
const textOf = (id: string) => `iif(typeof(${id}) = 'blob', lower(hex(${id})), ${id})`;

const narrow = `${textOf('span_id')}, ${textOf('parent_id')}, start_us, start_rest_ns, duration_ns, name, status, type, kind, flags, model, service,
  input_tokens, output_tokens, tokens, cache_read_tokens, cost, cost_source, ttft_us`;

/** In the order of `narrow`. Arrays, because reading a hundred thousand rows as objects costs half as much again. */
type NarrowRow = [
  span_id: string,
  parent_id: string | null,
  start_us: number,
  start_rest_ns: number,
  duration_ns: number,
  name: number,
  status: number,
  type: number,
  kind: number,
  flags: number,
  model: number | null,
  service: number | null,
  input_tokens: number | null,
  output_tokens: number | null,
  tokens: number | null,
  cache_read_tokens: number | null,
  cost: number | null,
  cost_source: number,
  ttft_us: number | null,
];

/** As `oldestFirst` in span-wire.ts; SQLite takes three times as long for it. Ids are compared as bytes there, as hex here. */
const byTime = (a: NarrowRow, b: NarrowRow): number =>
  a[2] - b[2] || a[3] - b[3] || b[4] - a[4] || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);

const eventsMax = 500;
const generation = 1;
/** A reader answers others too: one step of a search keeps it for about so long. */
const searchMs = 120;

export class OutlineReads {
  readonly #reading: Reading;
  readonly #head;
  readonly #all;
  readonly #one;
  readonly #after;

  constructor(reading: Reading) {
    this.#reading = reading;
    const { db } = reading;
    this.#head = db.prepare<[number], TraceHead>(
      'SELECT trace_id, name, status, start_us, end_us, latency_ns, cost, tokens, session, user, metadata, tags FROM trace WHERE id = ?',
    );
    // By row and not by the index of ids, whose order is random: neighbours stand in the same page.
    this.#all = db.prepare<[number], NarrowRow>(`SELECT ${narrow} FROM span WHERE id IN (SELECT id FROM span WHERE trace = ?)`).raw();
    const from = `SELECT ${spanColumns} FROM span JOIN trace ON trace.id = span.trace`;
    this.#one = db.prepare<[number, unknown], SpanRow>(`${from} WHERE span.trace = ? AND span.span_id = ? AND ${shown}`);
    this.#after = db.prepare<[number, number], SpanRow>(`${from} WHERE span.trace = ? AND span.id > ? AND ${shown} ORDER BY span.id`);
  }

  /** Null when no span of that trace is stored. */
  outline(scope: number, traceId: string): TraceOutline | null {
    const { lookup, documents, scores } = this.#reading;
    const id = lookup.trace(scope, traceId);
    if (id === nowhere) return null;
    const head = must(this.#head.get(id), `trace row ${id} is stored`);
    const rows = this.#all.all(id).sort(byTime);
    const parents = parentPlaces(rows);
    const shownRows = rows.filter((row) => (row[9] & flag.placeholder) === 0);
    const originUs = Math.floor((shownRows[0]?.[2] ?? 0) / 1000) * 1000;
    const [names, models, services] = [new Places(lookup), new Places(lookup), new Places(lookup)];
    const spans = emptyColumns();
    for (const row of shownRows) addRow(spans, row, originUs, { names, models, services });
    shownRows.forEach((_, at) => {
      const parent = parents[at] as number;
      spans.parent.push(Math.max(parent, -1));
      if (parent < -1) spans.flags[at] = (spans.flags[at] as number) | outlineFlag.orphan;
    });
    return {
      id: readStoredId(head.trace_id),
      name: lookup.text(head.name),
      status: statuses[head.status] ?? 'UNSET',
      start: isoOf(head.start_us),
      end: isoOf(head.end_us),
      latency_ms: head.latency_ns / 1e6,
      cost: head.cost,
      tokens: head.tokens,
      session_id: lookup.text(head.session) || null,
      user_id: lookup.text(head.user) || null,
      tags: JSON.parse(head.tags) as string[],
      metadata: metadataOf(documents, head.metadata),
      scores: scores.ofTrace(scope, id),
      origin: isoOf(originUs),
      names: names.texts,
      models: models.texts,
      services: services.texts,
      spans,
    };
  }

  /** In the order asked; spans that this trace does not have are left out. */
  previews(scope: number, traceId: string, ids: readonly string[]): SpanPreview[] {
    const trace = this.#reading.lookup.trace(scope, traceId);
    if (trace === nowhere) return [];
    return ids.flatMap((each) => {
      const id = readId(each, 8);
      const row = id === null ? undefined : this.#one.get(trace, storeId(id));
      return row ? [this.#preview(row)] : [];
    });
  }

  #preview(row: SpanRow): SpanPreview {
    const { wire, sent } = readSpanInTrace(row, this.#reading);
    const { span } = sent();
    const start = BigInt(span.start_ns);
    // Enough for a row of pixels, over the whole span and not only its beginning.
    const every = Math.max(1, Math.ceil(span.events.length / eventsMax));
    const shownEvents = span.events.filter((_, index) => index % every === 0);
    const event_us = shownEvents.map(({ time_ns }) => Number(BigInt(time_ns) - start) / 1000);
    return { ...wire(), event_us, event_count: span.events.length };
  }

  /** Looks at spans in the order they came, until time is up. Without regard to case, as everywhere. */
  find(scope: number, traceId: string, words: string, after: number): FoundSpans {
    const trace = this.#reading.lookup.trace(scope, traceId);
    const wanted = words.toLowerCase();
    const found: FoundSpans = { ids: [], searched: 0, next: null };
    if (trace === nowhere) return found;
    const until = performance.now() + searchMs;
    for (const row of this.#after.iterate(trace, after)) {
      found.searched++;
      if (this.#textOf(row).some((text) => text.toLowerCase().includes(wanted))) found.ids.push(readStoredId(row.span_id));
      if (performance.now() < until) continue;
      found.next = row.id;
      break;
    }
    return found;
  }

  #textOf(row: SpanRow): string[] {
    const { sentSpans, documents } = this.#reading;
    const { name, model, status_message, metadata } = spanItemOf(row, documents);
    const content = contentOf(withLogsAsEvents(sentSpans.read(row).sent));
    const { input, output, output_object, tool_calls, props } = content;
    return [name, model ?? '', status_message, input, output, output_object, tool_calls, props, ...Object.values(metadata)];
  }
}

function addRow(spans: OutlineSpans, row: NarrowRow, originUs: number, places: Record<'names' | 'models' | 'services', Places>): void {
  const [span_id, , start_us, rest_ns, duration_ns, name, status, type, kind, flags, model, service, input, output, all, cached] = row;
  const [cost, cost_source, ttft_us] = [row[16], row[17], row[18]];
  const tokens = all ?? (input ?? 0) + (output ?? 0);
  spans.id.push(span_id);
  spans.start_us.push(start_us - originUs + rest_ns / 1000);
  spans.duration_us.push(duration_ns / 1000);
  spans.ttft_us.push(ttft_us ?? -1);
  spans.name.push(places.names.of(name));
  spans.model.push(places.models.of(model));
  spans.service.push(places.services.of(service));
  spans.kind.push(kind);
  spans.status.push(status);
  spans.flags.push(
    ((flags & flag.pending) === 0 ? 0 : outlineFlag.pending) |
      (type === generation ? outlineFlag.generation : 0) |
      (tokens > 0 && costSources[cost_source] === 'none' ? outlineFlag.unpriced : 0),
  );
  spans.input_tokens.push(input ?? 0);
  spans.output_tokens.push(output ?? 0);
  spans.cached_tokens.push(cached ?? 0);
  spans.tokens.push(tokens);
  spans.cost.push(cost ?? 0);
}
