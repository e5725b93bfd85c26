/** The columns of an outline. They hold indexes of texts instead of texts, and positions of parents instead of ids. */
import { outlineFlag } from '../../../../shared/contract/tracing/outline-flags.ts';
import type { OutlineSpans, TraceOutline } from '../../../../shared/contract/tracing/trace-outline.ts';
import { costSources, flag } from '../file/codes.ts';
import type { Lookup } from './lookup.ts';

/** Converts ids to hex in SQLite, because reading a hundred thousand small buffers takes longer than all other columns together. */
const textOf = (id: string) => `iif(typeof(${id}) = 'blob', lower(hex(${id})), ${id})`;

/** Columns of a span for the outline. */
export const narrowColumns = `${textOf('span_id')}, ${textOf('parent_id')}, start_us, start_rest_ns, duration_ns, name, status, type, kind, flags, model, service,
  input_tokens, output_tokens, tokens, cache_read_tokens, cost, cost_source, ttft_us`;

/** In the order of `narrowColumns`. Arrays, because reading a hundred thousand rows as objects costs half as much again. */
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

/** Same order as `oldestFirst` in span-wire.ts, in a third of SQLite's time. Ids are compared as bytes there, as hex here. */
const byTime = (a: NarrowRow, b: NarrowRow): number =>
  a[2] - b[2] || a[3] - b[3] || b[4] - a[4] || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);

const generation = 1;
const unpricedSource = costSources.indexOf('none');

/** Columns of all visible spans, oldest first, and the texts that they refer to. */
export function outlineColumns(
  rows: NarrowRow[],
  lookup: Lookup,
): Pick<TraceOutline, 'names' | 'models' | 'services' | 'spans'> & { originUs: number } {
  rows.sort(byTime);
  const parents = parentPositions(rows);
  const shown = parents.length === rows.length ? rows : rows.filter(isShown);
  const originUs = Math.floor((shown[0]?.[2] ?? 0) / 1000) * 1000;
  const [names, models, services] = [new TextList(lookup), new TextList(lookup), new TextList(lookup)];
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

/** Reads the row by index, because destructuring would create an iterator for every row. */
function addRow(spans: OutlineSpans, row: NarrowRow, originUs: number, names: TextList, models: TextList, services: TextList): void {
  const [input, output] = [row[12] ?? 0, row[13] ?? 0];
  const tokens = row[14] ?? input + output;
  spans.id.push(row[0]);
  spans.start_us.push(row[2] - originUs + row[3] / 1000);
  spans.duration_us.push(row[4] / 1000);
  spans.ttft_us.push(row[18] ?? -1);
  spans.name.push(names.indexOf(row[5]));
  spans.model.push(models.indexOf(row[10]));
  spans.service.push(services.indexOf(row[11]));
  spans.kind.push(row[8]);
  spans.status.push(row[6]);
  spans.flags.push(
    ((row[9] & flag.pending) === 0 ? 0 : outlineFlag.pending) |
      (row[7] === generation ? outlineFlag.generation : 0) |
      (tokens > 0 && row[17] === unpricedSource ? outlineFlag.unpriced : 0) |
      ((row[9] & flag.bookkeeping) === 0 ? 0 : outlineFlag.bookkeeping),
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

/** The distinct texts of a column. */
class TextList {
  readonly texts: string[] = [];
  readonly #lookup: Lookup;
  readonly #indexes = new Map<number, number>();

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /** Index of a text, which is added if it is new; -1 for none. */
  indexOf(term: number | null): number {
    if (!term) return -1;
    const existing = this.#indexes.get(term);
    if (existing !== undefined) return existing;
    this.texts.push(this.#lookup.text(term));
    this.#indexes.set(term, this.texts.length - 1);
    return this.texts.length - 1;
  }
}

/** Limit that ends cycles of placeholders. */
const hopsMax = 64;

/** Whether the columns have valid values. */
export const isValidRow = (row: NarrowRow): boolean =>
  typeof row[0] === 'string' &&
  requiredColumns.every((at) => typeof row[at] === 'number') &&
  nullableColumns.every((at) => row[at] === null || typeof row[at] === 'number');

const requiredColumns = [2, 3, 4, 5, 6, 7, 8, 9, 17] as const;
const nullableColumns = [10, 11, 12, 13, 14, 15, 16, 18] as const;

export const isShown = (row: NarrowRow): boolean => (row[9] & flag.placeholder) === 0;

/** Position of the parent of every visible row: -1 for none, -2 for one that has not arrived. Children of a placeholder move to its parent. */
function parentPositions(rows: readonly NarrowRow[]): number[] {
  const positions = new Map<string, number>();
  const placeholderParents = new Map<string, string | null>();
  let shown = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as NarrowRow;
    if (isShown(row)) positions.set(row[0], shown++);
    else placeholderParents.set(row[0], row[1]);
  }
  const positionOf = (parent: string): number => {
    let id: string | null = parent;
    for (let hops = 0; id !== null && hops < hopsMax; hops++) {
      const position = positions.get(id);
      if (position !== undefined) return position;
      const next = placeholderParents.get(id);
      if (next === undefined) return -2;
      id = next;
    }
    return id === null ? -1 : -2;
  };
  const result: number[] = [];
  // Neighbouring rows mostly have the same parent, and comparing two ids is cheaper than looking one up.
  let [last, position]: [string | null, number] = [null, -1];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as NarrowRow;
    if (!isShown(row)) continue;
    if (row[1] !== last) {
      last = row[1];
      position = last === null ? -1 : positionOf(last);
    }
    result.push(position);
  }
  return result;
}
