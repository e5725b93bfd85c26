/** Quota usage of tenants. */
import { monthOf } from '../../../ingest/allowance.ts';
import { Encoded } from '../../encoded.ts';
import type { Usage, UsageReader } from '../../statistics-reader.ts';
import { usageId, usageMonths } from '../write/usage-rows.ts';
import type { ReadContext } from './read-context.ts';

export const usageReads = (context: ReadContext): UsageReader => ({
  of: async ({ tenant_id }, at_ms) => {
    const [row] = await context.rows<Usage>(
      `SELECT sumIf(spans, trace_id = {id:String}) AS spans, sum(bytes) AS bytes FROM place FINAL WHERE ${usageMonths}`,
      { tenant_id, id: usageId.of(monthOf(at_ms)) },
    );
    return Encoded.of({ spans: row?.spans ?? 0, bytes: row?.bytes ?? 0 });
  },
});
