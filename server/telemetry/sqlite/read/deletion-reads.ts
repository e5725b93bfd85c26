/** Finds the traces that a deletion applies to. */
import type { DeletionCount, TraceDeletion, TraceSelection } from '../../trace-deletions.ts';
import { deletionStates, publicState } from '../write/deletion-states.ts';
import { noRow } from './lookup.ts';
import type { ReadContext } from './read-context.ts';
import { findPage } from './trace-page.ts';

/** Matches of a part of the list. */
export interface SelectedTraces {
  /** Rows of the traces. */
  rows: number[];
  /** False when the search for contents ended before it was through. */
  isWhole: boolean;
  /** Times of the list that were searched, in milliseconds: from the first, before the second. */
  range: [number, number];
}

/** Above the number of rows of any store. */
const rowsMax = 2 ** 40;

interface DeletionRow extends Omit<TraceDeletion, 'state' | 'forwarded'> {
  state: number;
  forwarded: string;
}

export class DeletionReads {
  readonly #context: ReadContext;
  readonly #edge;
  readonly #sizes;
  readonly #forwarded;
  readonly #find;

  constructor(context: ReadContext) {
    const { db } = context;
    this.#context = context;
    this.#edge = (['ASC', 'DESC'] as const).map((order) =>
      db
        .prepare<[number], number>(`SELECT listed_us FROM trace WHERE scope = ? AND span_count > 0 ORDER BY listed_us ${order} LIMIT 1`)
        .pluck(),
    );
    this.#sizes = db.prepare<[string], { traces: number; spans: number }>(
      'SELECT count(*) AS traces, coalesce(sum(span_count), 0) AS spans FROM trace WHERE id IN (SELECT value FROM json_each(?)) AND span_count > 0',
    );
    this.#forwarded = db.prepare<[string], DeletionCount['forwarded'][number]>(
      `SELECT forward.name, count(*) AS traces FROM forwarded JOIN forward ON forward.id = forwarded.forward
       WHERE forwarded.trace IN (SELECT value FROM json_each(?)) AND forwarded.spans > forwarded.refused GROUP BY forward.id ORDER BY forward.id`,
    );
    this.#find = db.prepare<[string, number], DeletionRow>(
      `SELECT id, created_ms, state, traces, spans, removed_traces, forwarded FROM deletion
       WHERE id = ? AND scope = ? AND state > ${deletionStates.listing}`,
    );
  }

  /** @param range the part of the list to search; null for all of it */
  select(scope: number, selection: TraceSelection, range: [number, number] | null): SelectedTraces {
    const searched = range ?? this.#wholeRange(scope);
    if ('trace_ids' in selection) {
      const rows = new Set(selection.trace_ids.map((id) => this.#context.lookup.trace(scope, id)));
      rows.delete(noRow);
      return { rows: [...rows], isWhole: true, range: searched };
    }
    const [from, to] = [Math.max(searched[0], selection.from ?? 0), Math.min(searched[1], selection.to ?? searched[1])];
    const all = { limit: rowsMax, offset: 0, sort_by: 'start_time', sort_order: 'desc' } as const;
    const { ids, totalIsLowerBound } = findPage(this.#context, scope, { ...selection, from, to, ...all });
    return { rows: ids, isWhole: !totalIsLowerBound, range: [from, to] };
  }

  count(_scope: number, rows: readonly number[]): DeletionCount {
    const list = JSON.stringify(rows);
    const { traces = 0, spans = 0 } = this.#sizes.get(list) ?? {};
    return { traces, spans, forwarded: this.#forwarded.all(list) };
  }

  find(scope: number, id: string): TraceDeletion | null {
    const row = this.#find.get(id, scope);
    if (!row) return null;
    return { ...row, state: publicState(row.state), forwarded: JSON.parse(row.forwarded) as DeletionCount['forwarded'] };
  }

  #wholeRange(scope: number): [number, number] {
    const [oldest = 0, newest = 0] = this.#edge.map((edge) => edge.get(scope) ?? 0);
    return [Math.floor(oldest / 1000), Math.floor(newest / 1000) + 1];
  }
}
