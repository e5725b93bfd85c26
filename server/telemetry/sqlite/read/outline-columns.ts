/** The parts of an outline: numbers instead of texts, and places in the columns instead of ids. */
import { outlineFlag } from '../../../../shared/contract/tracing/outline-flags.ts';
import type { OutlineSpans, TraceOutline } from '../../../../shared/contract/tracing/trace-outline.ts';
import { costSources, flag } from '../file/codes.ts';
import type { Lookup } from './lookup.ts';

/** Hex in SQLite: reading a hundred thousand small buffers takes longer than all other columns together. */
const textOf = (id: string) => `iif(typeof(${id}) = 'blob', lower(hex(${id})), ${id})`;

/** Columns of a span for the outline. */
export const narrow = `${textOf('span_id')}, ${textOf('parent_id')}, start_us, start_rest_ns, duration_ns, name, status, type, kind, flags, model, service,
  input_tokens, output_tokens, tokens, cache_read_tokens, cost, cost_source, ttft_us`;

/** In the order of `narrow`. Arrays, because reading a hundred thousand rows as objects costs half as much again. */
export type NarrowRow = [
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

/** Like `oldestFirst` in span-wire.ts, in a third of SQLite's time. Ids are compared as bytes there, as hex here. */
const byTime = (a: NarrowRow, b: NarrowRow): number =>
  a[2] - b[2] || a[3] - b[3] || b[4] - a[4] || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);

const generation = 1;
const unpricedSource = costSources.indexOf('none');

/** The columns of all shown spans, oldest first, and the texts that they name. */
export function outlineColumns(
  rows: NarrowRow[],
  lookup: Lookup,
): Pick<TraceOutline, 'names' | 'models' | 'services' | 'spans'> & { originUs: number } {
  rows.sort(byTime);
  const parents = parentPlaces(rows);
  const shown = parents.length === rows.length ? rows : rows.filter(isShown);
  const originUs = Math.floor((shown[0]?.[2] ?? 0) / 1000) * 1000;
  const [names, models, services] = [new Places(lookup), new Places(lookup), new Places(lookup)];
  const spans = emptyColumns();
  for (let at = 0; at < shown.length; at++) addRow(spans, shown[at] as NarrowRow, originUs, names, models, services);
  spans.parent = parents;
  for (let at = 0; at < parents.length; at++) {
    if ((parents[at] as number) >= -1) continue;
    parents[at] = -1;
    spans.flags[at] = (spans.flags[at] as number) | outlineFlag.orphan;
  }
  return { originUs, names: names.texts, models: models.texts, services: services.texts, spans };
}

/** By index: destructuring creates an iterator for every row. */
function addRow(spans: OutlineSpans, row: NarrowRow, originUs: number, names: Places, models: Places, services: Places): void {
  const [input, output] = [row[12] ?? 0, row[13] ?? 0];
  const tokens = row[14] ?? input + output;
  spans.id.push(row[0]);
  spans.start_us.push(row[2] - originUs + row[3] / 1000);
  spans.duration_us.push(row[4] / 1000);
  spans.ttft_us.push(row[18] ?? -1);
  spans.name.push(names.of(row[5]));
  spans.model.push(models.of(row[10]));
  spans.service.push(services.of(row[11]));
  spans.kind.push(row[8]);
  spans.status.push(row[6]);
  spans.flags.push(
    ((row[9] & flag.pending) === 0 ? 0 : outlineFlag.pending) |
      (row[7] === generation ? outlineFlag.generation : 0) |
      (tokens > 0 && row[17] === unpricedSource ? outlineFlag.unpriced : 0),
  );
  spans.input_tokens.push(input);
  spans.output_tokens.push(output);
  spans.cached_tokens.push(row[15] ?? 0);
  spans.tokens.push(tokens);
  spans.cost.push(row[16] ?? 0);
}

const emptyColumns = (): OutlineSpans => ({
  id: [],
  parent: [],
  start_us: [],
  duration_us: [],
  ttft_us: [],
  name: [],
  model: [],
  service: [],
  kind: [],
  status: [],
  flags: [],
  input_tokens: [],
  output_tokens: [],
  cached_tokens: [],
  tokens: [],
  cost: [],
});

/** The texts that a column uses, each once. */
class Places {
  readonly texts: string[] = [];
  readonly #lookup: Lookup;
  readonly #known = new Map<number, number>();

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  of(term: number | null): number {
    if (!term) return -1;
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    this.texts.push(this.#lookup.text(term));
    this.#known.set(term, this.texts.length - 1);
    return this.texts.length - 1;
  }
}

/** Limit that ends cycles of placeholders. */
const hopsMax = 64;

/** Whether the columns have valid values. */
export const isSound = (row: NarrowRow): boolean =>
  typeof row[0] === 'string' &&
  whole.every((at) => typeof row[at] === 'number') &&
  open.every((at) => row[at] === null || typeof row[at] === 'number');

const whole = [2, 3, 4, 5, 6, 7, 8, 9, 17] as const;
const open = [10, 11, 12, 13, 14, 15, 16, 18] as const;

export const isShown = (row: NarrowRow): boolean => (row[9] & flag.placeholder) === 0;

/** Position of the parent for every shown row: -1 for none, -2 for one that has not arrived. Children of a placeholder move to its parent. */
function parentPlaces(rows: readonly NarrowRow[]): number[] {
  const places = new Map<string, number>();
  const passedOn = new Map<string, string | null>();
  let shown = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as NarrowRow;
    if (isShown(row)) places.set(row[0], shown++);
    else passedOn.set(row[0], row[1]);
  }
  const placeOf = (parent: string): number => {
    let id: string | null = parent;
    for (let hops = 0; id !== null && hops < hopsMax; hops++) {
      const place = places.get(id);
      if (place !== undefined) return place;
      const next = passedOn.get(id);
      if (next === undefined) return -2;
      id = next;
    }
    return id === null ? -1 : -2;
  };
  const found: number[] = [];
  // Neighbours mostly have one parent, and to compare two ids costs less than to look one up.
  let [last, place]: [string | null, number] = [null, -1];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as NarrowRow;
    if (!isShown(row)) continue;
    if (row[1] !== last) {
      last = row[1];
      place = last === null ? -1 : placeOf(last);
    }
    found.push(place);
  }
  return found;
}
