/** Quota usage of tenants. */
import { monthOf } from '../../../ingest/allowance.ts';
import { Encoded } from '../../encoded.ts';
import type { Usage, UsageReader } from '../../statistics-reader.ts';
import type { ReadContext } from './read-context.ts';

export const usageReads = (context: ReadContext): UsageReader => ({
  of: async ({ tenant_id }, at_ms) => {
    const [row] = await context.rows<Usage>(
      `SELECT sumIf(spans, month = {month:UInt32}) AS spans, sum(bytes) AS bytes FROM usage FINAL WHERE tenant_id = {tenant_id:String}`,
      { tenant_id, month: monthOf(at_ms) },
    );
    return Encoded.of({ spans: row?.spans ?? 0, bytes: row?.bytes ?? 0 });
  },
});
