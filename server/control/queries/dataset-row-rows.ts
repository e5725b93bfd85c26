import { and, asc, count, desc, eq, gte, lt, min, sql } from 'drizzle-orm';
import { nextTurn } from '../../platform/next-turn.ts';
import type { Scope } from '../../platform/scope.ts';
import type { DatasetRowStore } from '../dataset-row-store.ts';
import type { ControlDatabase, Reads } from './control-database.ts';
import { datasetRows } from './schema/repositories.ts';

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(datasetRows.tenant_id, tenant_id), eq(datasetRows.app_id, app_id));
const isIn = (scope: Scope, dataset: string) => and(ofApp(scope), eq(datasetRows.dataset, dataset));

/** Amount read at a time, so that the event loop can run in between; a single row may be longer. */
const piece = { rows: 2000, bytes: 512 * 1024 };

export function datasetRowRows(database: ControlDatabase): DatasetRowStore {
  const { queries } = database;
  /** Positions have no gaps and sizes are cumulative, so the last row has both totals. */
  const end = async (queries: Reads, scope: Scope, dataset: string) => {
    const last = await queries.select().from(datasetRows).where(isIn(scope, dataset)).orderBy(desc(datasetRows.position)).limit(1).get();
    return last ? { rows: last.position + 1, bytes: last.bytes_until } : { rows: 0, bytes: 0 };
  };
  const { position, line } = datasetRows;
  /** Position after the rows of one piece; `from` for an empty piece. */
  const endOfPiece = async (scope: Scope, dataset: string, from: number): Promise<number> => {
    const isAfter = and(isIn(scope, dataset), gte(position, from));
    // The header of a row has its length, so the rest of a long one is not read.
    const bytes = sql`octet_length(${line})`.mapWith(Number);
    const rows = await queries.select({ bytes }).from(datasetRows).where(isAfter).orderBy(asc(position)).limit(piece.rows).all();
    let [included, size] = [0, 0];
    for (const row of rows) {
      size += row.bytes;
      if (included > 0 && size > piece.bytes) break;
      included++;
    }
    return from + included;
  };
  return {
    list: async (scope) =>
      queries
        .select({ dataset: datasetRows.dataset, row_count: count(), created_at: min(datasetRows.created_at).mapWith(String) })
        .from(datasetRows)
        .where(ofApp(scope))
        .groupBy(datasetRows.dataset)
        .orderBy(asc(datasetRows.dataset))
        .all(),

    count: async (scope, dataset) => (await end(queries, scope, dataset)).rows,

    lines: async (scope, dataset) => {
      const pieces: Uint8Array[] = [];
      for (let from = 0; ; await nextTurn()) {
        const to = await endOfPiece(scope, dataset, from);
        if (to === from) return pieces;
        const isInPiece = and(isIn(scope, dataset), gte(position, from), lt(position, to));
        const rows = await queries.select({ line }).from(datasetRows).where(isInPiece).orderBy(asc(position)).all();
        pieces.push(Buffer.from(rows.map((row) => `${row.line}\n`).join('')));
        from = to;
      }
    },

    append: async (by, scope, dataset, lines, bytesMax) =>
      database.write({ by, ...scope, action: 'dataset.append', target: dataset }, async (write, created_at) => {
        const { rows, bytes } = await end(write, scope, dataset);
        let bytes_until = bytes;
        const added = lines.map((line, index) => {
          bytes_until += Buffer.byteLength(line) + 1;
          return { ...scope, dataset, position: rows + index, line, bytes_until, created_at };
        });
        if (bytes_until > bytesMax) return { result: null, unchanged: true };
        for (const row of added) await write.insert(datasetRows).values(row).run();
        return { result: rows, before: { rows }, after: { rows: rows + lines.length } };
      }),
  };
}
