import { and, asc, count, desc, eq, min } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { DatasetRowStore } from '../dataset-row-store.ts';
import type { ControlDatabase } from './control-database.ts';
import { datasetRows } from './schema/repositories.ts';

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(datasetRows.tenant_id, tenant_id), eq(datasetRows.app_id, app_id));
const isIn = (scope: Scope, dataset: string) => and(ofApp(scope), eq(datasetRows.dataset, dataset));

export function datasetRowRows(database: ControlDatabase): DatasetRowStore {
  const { queries } = database;
  /** Positions have no gaps and sizes are summed up as rows come, so the last row knows both. */
  const end = (scope: Scope, dataset: string) => {
    const last = queries.select().from(datasetRows).where(isIn(scope, dataset)).orderBy(desc(datasetRows.position)).limit(1).get();
    return last ? { rows: last.position + 1, bytes: last.bytes_until } : { rows: 0, bytes: 0 };
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

    count: async (scope, dataset) => end(scope, dataset).rows,

    lines: async (scope, dataset) =>
      queries
        .select({ line: datasetRows.line })
        .from(datasetRows)
        .where(isIn(scope, dataset))
        .orderBy(asc(datasetRows.position))
        .all()
        .map(({ line }) => line),

    append: async (by, scope, dataset, lines, bytesMax) =>
      database.write({ by, ...scope, action: 'dataset.append', target: dataset }, (write, created_at) => {
        const { rows, bytes } = end(scope, dataset);
        let bytes_until = bytes;
        const added = lines.map((line, index) => {
          bytes_until += Buffer.byteLength(line) + 1;
          return { ...scope, dataset, position: rows + index, line, bytes_until, created_at };
        });
        if (bytes_until > bytesMax) return { result: null, unchanged: true };
        for (const row of added) write.insert(datasetRows).values(row).run();
        return { result: rows, before: { rows }, after: { rows: rows + lines.length } };
      }),
  };
}
